import { request, type Dispatcher } from 'undici';
import { call, errorOf, useSandbox } from './client';
import { startReceiver } from './receiver';

const sandbox = useSandbox();

const ALLOWED = { 'x-sandbox-control': '1' };

async function control(
	method: Dispatcher.HttpMethod,
	path: string,
	body?: unknown,
	headers: Record<string, string> = ALLOWED,
) {
	const answer = await request(`${sandbox().url}/_sandbox/${path}`, {
		method,
		headers: { 'content-type': 'application/json', ...headers },
		body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
	});
	return { status: answer.statusCode, json: await answer.body.json() };
}

describe('reading through the control endpoint', () => {
	test('returns access data, state, and requests to the API', async () => {
		await call(sandbox(), '/groups?nothing=1');
		await control('GET', 'nothing');
		const { json } = await control('GET', 'state', undefined, {});
		expect(json).toMatchObject({
			baseUrl: sandbox().baseUrl,
			apiKey: sandbox().apiKey,
			authOnlyKey: sandbox().authOnlyKey,
			appId: sandbox().appId,
			settings: { boundary: 'exclusive', clockSkew: 0, totalPages: 'count', cursorPlace: 'meta' },
			faults: [],
			groups: sandbox().store.groups.count,
			users: sandbox().store.people.all(),
			deactivated: [{ uid: 'old-account' }],
			violations: 1,
			stats: { requests: 1, connections: 1, byStatus: { 400: 1 } },
		});
		expect((await control('GET', 'violations')).json).toEqual(sandbox().violations);
		await call(sandbox(), '/messages/102');
		const [first, second] = sandbox().log;
		expect((await control('GET', 'log')).json).toEqual([first, second]);
		expect((await control('GET', 'log?last=1')).json).toEqual([second]);
	});
});

describe('changing through the control endpoint', () => {
	test.each([
		[{ effect: { html: true } }, 'expected array'],
		[[{ effect: { hmtl: true } }], 'hmtl'],
		[[{ match: { paht: '/' }, effect: {} }], 'paht'],
		[[{ match: {} }], 'effect'],
		[[{ match: { path: '^(' }, effect: {} }], 'regular expression'],
		['not json', 'not JSON'],
	])('the faults %j are refused', async (plan, text) => {
		const { status, json } = await control('PUT', 'faults', plan);
		expect(status).toBe(400);
		expect(JSON.stringify(json)).toContain(text);
		expect((await call(sandbox(), '/groups')).status).toBe(200);
	});

	test.each([{ totalPages: 'all' }, { colour: 'red' }, { clockSkew: 'x' }])(
		'the settings %j are refused',
		async (settings) => {
			const before = sandbox().settings;
			expect((await control('PUT', 'settings', settings)).status).toBe(400);
			expect(sandbox().settings).toEqual(before);
		},
	);

	test('webhooks can be set, and deliveries sent, listed and repeated', async () => {
		const receiver = await startReceiver();
		try {
			const webhooks = [{ url: receiver.url, triggers: ['anything'] }];
			expect((await control('PUT', 'webhooks', webhooks)).json).toEqual(webhooks);
			expect((await control('GET', 'webhooks')).json).toEqual(webhooks);
			await control('POST', 'deliveries', { trigger: 'anything', data: { a: 1 } });
			await control('POST', 'deliveries', { trigger: 'something', data: { a: 1 } });
			await sandbox().webhooks.idle();
			const { json } = await control('GET', 'deliveries?last=5');
			expect(json).toMatchObject([{ attempt: 1, status: 200, body: { data: { a: 1 } } }]);
			const [{ id }] = sandbox().webhooks.deliveries;
			await control('POST', `deliveries/${id}/repeat`);
			await sandbox().webhooks.idle();
			const [first, second] = receiver.received;
			expect(second).toEqual(first);
		} finally {
			await receiver.close();
		}
	});

	test.each<[Dispatcher.HttpMethod, string, unknown, number]>([
		['DELETE', 'groups/nowhere/members/leo', undefined, 404],
		['PUT', 'webhooks', [{ url: 'http://example.com/' }], 400],
		['POST', 'deliveries', { trigger: 'x' }, 400],
		['POST', 'deliveries/9/repeat', undefined, 400],
		['POST', 'groups/all-hands/members', { uid: 'nobody' }, 404],
		['POST', 'groups/all-hands/members', {}, 400],
	])('%s %s %j returns %4$i', async (method, path, body, status) => {
		expect((await control(method, path, body)).status).toBe(status);
	});
});

describe('the control endpoint', () => {
	test.each<[Dispatcher.HttpMethod, string]>([
		['POST', 'reset'],
		['PUT', 'faults'],
		['DELETE', 'groups/all-hands/members/mira'],
	])('%s %s requires a header that other websites cannot send', async (method, path) => {
		await call(sandbox(), '/groups');
		expect((await control(method, path, {}, {})).status).toBe(403);
		expect(sandbox().log).toHaveLength(1);
	});

	test.each([
		[403, 'evil.example'],
		[403, '127.0.0.1.evil.example:80'],
		[403, ''],
		[200, 'localhost:4100'],
		[200, '[::1]:4100'],
	])('returns %i for the host %j', async (status, host) => {
		expect((await control('GET', 'state', undefined, { host })).status).toBe(status);
		expect((await control('POST', 'reset', undefined, { ...ALLOWED, host })).status).toBe(status);
	});
});

describe("the sandbox's page", () => {
	test('loads nothing from other hosts', async () => {
		const answer = await request(`${sandbox().url}/`);
		const html = await answer.body.text();
		expect(answer.statusCode).toBe(200);
		expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
		expect(html).not.toMatch(/(?:src|href)="(?!data:,)/);
	});
});

test("the control endpoint isn't part of the API", async () => {
	const answer = await call(sandbox(), '/_sandbox/state');
	expect(errorOf(answer).code).toBe('ERR_API_NOT_FOUND');
});
