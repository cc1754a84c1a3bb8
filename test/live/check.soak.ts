import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { request } from 'undici';

import { serve } from '../../tools/n8nEngine/serve';
import { report } from '../../tools/live/report';
import { check } from '../../tools/live/run';
import { useSandbox } from '../engine/harness';

const ROOT = join(__dirname, '../..');
const REPORT = join(mkdtempSync(join(tmpdir(), 'cometchat-check-')), 'report.md');

const sandbox = useSandbox();
const never = new AbortController().signal;

afterAll(() => rmSync(join(REPORT, '..'), { recursive: true }));

/** Groups and users of checks that are in the sandbox. */
async function left(): Promise<unknown[]> {
	const { apiKey, baseUrl } = sandbox();
	const listed = async (path: string) => {
		const answer = await request(`${baseUrl}${path}?searchKey=n8n-check`, {
			headers: { apikey: apiKey },
		});
		return Reflect.get(Object(await answer.body.json()), 'data') as unknown[];
	};
	return [...(await listed('/groups')), ...(await listed('/users'))];
}

/** What the documents leave open, as the sandbox behaves by itself and with other settings. */
const OPEN: Array<[question: string, usual: string, other: string]> = [
	['A second message with the same muid', 'is another message', '400 ERR_MUID_ALREADY_EXISTS'],
	['The ID of a message is', 'string', 'number'],
	['Get Message has reactions', 'no', 'yes'],
	[
		'Deleting a message without saying whether for ever',
		'answers a note about it; Get Message then gives 200',
		'answers object with message, success; Get Message then gives 404 ERR_MESSAGE_ID_NOT_FOUND',
	],
	[
		'A list of messages without affix',
		'has the newest first, in rising order on a page',
		'has the oldest first, in falling order on a page',
	],
	[
		'A list after a message',
		'starts behind it; its last page has no meta.next',
		'has this message again; its last page has meta.next',
	],
	['Lists of messages have the notes about edited and deleted ones', 'yes', 'no'],
	['meta.pagination.total_pages is', 'the number of pages', 'the next page'],
	['The cursor of a list of groups is', 'in meta', 'beside meta'],
	['New metadata of a group', 'replaces the old', 'is merged into the old'],
	['Adding a member again', ...two(expect.stringMatching(/^object with .* ERR_ALREADY_JOINED$/))],
	['A new message is visible to other users after', 'no time', '1 s'],
	['Removing a reaction that is not there', ...two('404 ERR_REACTION_NOT_FOUND')],
	['Sender of a message without onBehalfOf', ...two('app_system')],
	['A GUID that is taken', ...two(expect.stringMatching(/^4\d\d ERR_GUID_ALREADY_EXISTS$/))],
];

function two(answer: string): [string, string] {
	return [answer, answer];
}

test('it finds out what the documents leave open', async () => {
	const answersOf = async () => {
		const { answers } = await check(sandbox(), { signal: never });
		return Object.fromEntries(answers.map(({ question, answer }) => [question, answer]));
	};
	expect(await answersOf()).toMatchObject(Object.fromEntries(OPEN.map(([q, usual]) => [q, usual])));
	sandbox().setSettings({
		repeatedMuid: 'refuse',
		messageIds: 'number',
		reactionsInMessages: true,
		permanentDefault: true,
		permanentResponse: 'success',
		withoutAffix: 'append',
		messageOrder: 'descending',
		idBoundary: 'inclusive',
		nextShown: 'always',
		listActions: false,
		totalPages: 'next',
		cursorPlace: 'beside',
		groupMetadata: 'merge',
		accessDelay: 1,
	});
	expect(await answersOf()).toMatchObject(
		Object.fromEntries(OPEN.map(([q, , other]) => [q, other])),
	);
});

interface Answer {
	status: number;
	body: { data: Record<string, unknown> & Array<Record<string, unknown>> };
}

/** What a wrong service does to the answer of an operation, and what is said of it. */
const PLANTED: Array<[string, RegExp, (answer: Answer) => unknown, string]> = [
	[
		'group create',
		/^POST \/v3\/groups$/,
		(answer) => (answer.status = 201),
		'other shape: status 201 is not in the contract',
	],
	[
		'group get',
		/^GET \/v3\/groups\/[^/]+$/,
		({ body }) => delete body.data.owner,
		"other shape: /data must have required property 'owner'",
	],
	[
		'group list',
		/^GET \/v3\/groups\?/,
		({ body }) => (body.data[0].colour = 'Secret Name'),
		'additional: data[].colour (string)',
	],
	[
		'group update',
		/^PUT \/v3\/groups\/[^/]+$/,
		({ body }) => (body.data.createdAt = 'Secret Name'),
		'other shape: /data/createdAt must be integer',
	],
	[
		'group listMembers',
		/^GET .*\/members/,
		({ body }) => (body.data[0].scope = 'Secret Name'),
		'other shape: /data[]/scope must be equal to one of the allowed values',
	],
	[
		'message listReactions',
		/^GET .*\/reactions/,
		(answer) =>
			Object.assign(answer, { status: 404, body: { error: { code: 'ERR_API_NOT_FOUND' } } }),
		'other path: 404 ERR_API_NOT_FOUND, not 200',
	],
	[
		'message get',
		/^GET \/v3\/messages\/\d+$/,
		(answer) => Object.assign(answer, { body: '<html>Secret Name</html>' }),
		'other shape: must be object',
	],
	[
		'message update',
		/^PUT \/v3\/messages/,
		(answer) => Object.assign(answer, { status: 0 }),
		'other status: no response, not 200',
	],
];

/** The sandbox behind a server that spoils its answers. */
async function wrongService() {
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
		const planted = PLANTED.find(([, pattern]) => pattern.test(`${method} ${url}`));
		if (answer.status === 200) planted?.[2](answer);
		if (answer.status === 0) return void outgoing.destroy();
		outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
		outgoing.end(JSON.stringify(answer.body));
	});
	return { baseUrl: `${origin}/v3`, close };
}

test('what a wrong service does is found, without its values', async () => {
	const { baseUrl, close } = await wrongService();
	const { apiKey } = sandbox();
	const results = await check({ apiKey, baseUrl }, { signal: never }).finally(close);
	for (const [name, , , deviation] of PLANTED) {
		const found = results.steps.filter(({ operation }) => operation === name);
		expect({ name, found: found.flatMap(({ deviations }) => deviations) }).toEqual({
			name,
			found: [deviation],
		});
	}
	const others = results.steps.filter(
		({ operation }) => !PLANTED.some(([name]) => name === operation),
	);
	expect(others.flatMap(({ deviations }) => deviations)).toEqual([]);
	expect(report(results, 'custom')).not.toContain('Secret Name');
	expect(await left()).toEqual([]);
});

test('what the node repeats counts as it ends', async () => {
	sandbox().setFaults([{ match: { nth: [8] }, effect: { tooManyRequests: { seconds: 0 } } }]);
	const { steps } = await check(sandbox(), { signal: never });
	expect(steps.map(({ status }) => status)).toContain('429 ERR_TOO_MANY_REQUESTS, 200');
	expect(steps.flatMap(({ deviations }) => deviations)).toEqual([]);
});

test('it cleans up after Ctrl+C', async () => {
	const { apiKey, baseUrl } = sandbox();
	const child = spawn(
		process.execPath,
		['--import', 'tsx', join(ROOT, 'tools/live/main.ts'), `--report=${REPORT}`],
		{ cwd: ROOT, env: { ...process.env, COMETCHAT_API_KEY: apiKey, COMETCHAT_BASE_URL: baseUrl } },
	);
	const exit = new Promise((resolve) => child.once('exit', resolve));
	let output = '';
	for await (const chunk of child.stdout) {
		if (!output.includes('message send') && String(chunk).includes('message send')) {
			expect(await left()).not.toEqual([]);
			child.kill('SIGINT');
		}
		output += String(chunk);
	}
	expect(await exit).toBe(1);
	expect(output).toContain('Stopped before the end.');
	expect(await left()).toEqual([]);
});
