import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { request } from 'undici';

import { serve } from '../../tools/n8nEngine/serve';
import { formatReport } from '../../tools/live/report';
import { check } from '../../tools/live/check';
import { startScript } from '../e2e/lib/script';
import { useSandbox } from '../actionNode/harness';
import { REPORT, startProgram } from './startProgram';
import { startService } from './uploadService';

const sandbox = useSandbox();
const never = new AbortController().signal;

/** Returns the groups and users that the check created in the sandbox and failed to delete. */
async function listLeftovers(): Promise<unknown[]> {
	const { apiKey, baseUrl } = sandbox();
	const listed = async (path: string) => {
		const answer = await request(`${baseUrl}${path}?searchKey=n8n-check`, {
			headers: { apikey: apiKey },
		});
		return Reflect.get(Object(await answer.body.json()), 'data') as unknown[];
	};
	return [...(await listed('/groups')), ...(await listed('/users'))];
}

interface Answer {
	status: number;
	body: { data: Record<string, unknown> & Array<Record<string, unknown>> };
}

/**
 * Each row contains an operation, the request to match, a fault to inject into its response, and the
 * deviation that the check must report.
 */
const FAULTS: Array<[string, RegExp, (answer: Answer) => unknown, string]> = [
	[
		'group create',
		/^POST \/v3\/groups$/,
		(answer) => (answer.status = 201),
		'unexpected shape: status 201 is not in the contract',
	],
	[
		'group get',
		/^GET \/v3\/groups\/[^/]+$/,
		({ body }) => Reflect.deleteProperty(body.data, 'owner'),
		"unexpected shape: /data must have required property 'owner'",
	],
	[
		'group list, two tags',
		/^GET \/v3\/groups\?.*tags=/,
		({ body }) => body.data.splice(1),
		'two values count as one: fewer than 2 items',
	],
	[
		'group update',
		/^PUT \/v3\/groups\/[^/]+$/,
		({ body }) => (body.data.createdAt = 'Secret Name'),
		'unexpected shape: /data/createdAt must be integer',
	],
	[
		'group listMembers',
		/^GET .*\/members\?(?!.*scopes)/,
		({ body }) => (body.data[0].scope = 'Secret Name'),
		'unexpected shape: /data[]/scope must be equal to one of the allowed values',
	],
	[
		'message listReactions',
		/^GET .*\/reactions/,
		(answer) =>
			Object.assign(answer, { status: 404, body: { error: { code: 'ERR_API_NOT_FOUND' } } }),
		'unexpected path: 404 ERR_API_NOT_FOUND, not 200',
	],
	[
		'message get',
		/^GET \/v3\/messages\/\d+$/,
		(answer) => Object.assign(answer, { body: '<html>Secret Name</html>' }),
		'unexpected shape: must be object',
	],
	[
		'message update',
		/^PUT \/v3\/messages/,
		(answer) => Object.assign(answer, { status: 0 }),
		'unexpected status: no response, not 200',
	],
];

/** Operations that read a group or a message, too. */
const WITH_THE_SAME_REQUESTS = ['group getMember', 'message downloadFiles'];

/** Starts a server that forwards requests to the sandbox and injects faults into the responses. */
async function startFaultyService() {
	const { url: origin, close } = await serve(async (incoming, outgoing) => {
		const { method = '', url = '', headers } = incoming;
		const body = await text(incoming);
		const answered = await request(`${sandbox().url}${url}`, {
			method,
			headers: { ...headers, host: undefined, connection: undefined },
			body: body || undefined,
		});
		const answer = {
			status: answered.statusCode,
			body: (await answered.body.json()) as Answer['body'],
		};
		const fault = FAULTS.find(([, pattern]) => pattern.test(`${method} ${url}`));
		if (answer.status === 200) fault?.[2](answer);
		if (answer.status === 0) return void outgoing.destroy();
		outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
		outgoing.end(JSON.stringify(answer.body));
	});
	return { baseUrl: `${origin}/v3`, close };
}

test('the report describes faulty responses without their values', async () => {
	const { baseUrl, close } = await startFaultyService();
	const { apiKey } = sandbox();
	const results = await check({ apiKey, baseUrl }, { signal: never }).finally(close);
	for (const [name, , , deviation] of FAULTS) {
		const found = results.operations.filter((operation) => operation.name === name);
		const deviations = new Set(found.flatMap(({ deviations }) => deviations));
		expect({ name, found: [...deviations] }).toEqual({
			name,
			found: [deviation],
		});
	}
	const affected = [...FAULTS.map(([name]) => name), ...WITH_THE_SAME_REQUESTS];
	const others = results.operations.filter(({ name }) => !affected.includes(name));
	expect(others.flatMap(({ deviations }) => deviations)).toEqual([]);
	expect(formatReport(results, 'custom')).not.toContain('Secret Name');
	expect(await listLeftovers()).toEqual([]);
});

test('the check ignores all but the last attempt of a request', async () => {
	sandbox().setFaults([{ match: { nth: [8] }, effect: { tooManyRequests: { seconds: 0 } } }]);
	const { operations } = await check(sandbox(), { signal: never });
	expect(operations.map(({ outcome }) => outcome)).toContain('429 ERR_TOO_MANY_REQUESTS, 200');
	expect(operations.flatMap(({ deviations }) => deviations)).toEqual([]);
});

test.each([/message send/, /bot create/])(
	'the check cleans up after Ctrl+C at %s',
	async (step) => {
		const { apiKey, baseUrl } = sandbox();
		const { child, exit, output, waitForOutput } = startScript(
			'tools/live/main.ts',
			[`--report=${REPORT}`],
			{ COMETCHAT_API_KEY: apiKey, COMETCHAT_BASE_URL: baseUrl },
		);
		await waitForOutput(step);
		expect(await listLeftovers()).not.toEqual([]);
		child.kill('SIGINT');
		expect(await exit).toBe(1);
		expect(output()).toContain('Stopped before the end.');
		expect(await listLeftovers()).toEqual([]);
		expect(sandbox().store.bots.all()).toEqual([]);
	},
);

test.each([
	[3, 2, ['--probe-uploads']],
	[0, 0, []],
])(
	'the check uploads %i times and downloads %i files with the arguments %j',
	async (uploads, count, args) => {
		const { apiKey } = sandbox();
		const { baseUrl, forms, close } = await startService(sandbox());
		const match = { method: 'DELETE', path: '/v3/bots' };
		sandbox().setFaults([{ match, effect: { status: { status: 503 } } }]);
		const env = { COMETCHAT_API_KEY: apiKey, COMETCHAT_BASE_URL: baseUrl };
		const { code } = await startProgram(args, env).finally(close);
		const report = readFileSync(REPORT, 'utf8').replace(/ +/g, ' ');
		const find = (pattern: RegExp) => report.match(pattern)?.length ?? 0;
		expect(code).toBe(1);
		expect(forms).toHaveLength(uploads);
		expect(find(/\| message downloadFiles, uploaded (in|to) a \w+ \| 200 \| no \|/g)).toBe(count);
		expect(find(/\| (33|34) \| .* \| yes \|/g)).toBe(count);
		expect(find(/^## Upload probes$/gm)).toBe(count / 2);
		expect(find(/Could not remove the bot n8n-check-\S+-b\. Remove it in the dashboard\./g)).toBe(
			1,
		);
		expect(report).not.toContain(apiKey);
		expect(await listLeftovers()).toEqual([]);
	},
);
