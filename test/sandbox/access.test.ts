import { request } from 'undici';
import { loadContract } from '../../sandbox/contract';
import { SAMPLE_API_KEY, startSandbox, type Sandbox } from '../../sandbox/server';
import { call, errorOf } from './client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe('the API key', () => {
	test('of the sample is 40 hexadecimal digits', () => {
		expect(SAMPLE_API_KEY).toMatch(/^[0-9a-f]{40}$/);
		expect(sandbox.fullAccessKey).toBe(sandbox.apiKey);
	});

	test('is demanded', async () => {
		const answer = await request(`${sandbox.baseUrl}/groups`);
		expect(answer.statusCode).toBe(401);
		expect(await answer.body.json()).toMatchObject({ error: { code: 'AUTH_ERR_EMPTY_APIKEY' } });
	});

	test('may not be empty, which also leaves the contract', async () => {
		const answer = await call(sandbox, '/groups', { headers: { apikey: '' } });
		expect([answer.status, errorOf(answer).code]).toEqual([401, 'AUTH_ERR_EMPTY_APIKEY']);
		expect(sandbox.violations).toHaveLength(1);
	});

	test('that is wrong is refused and repeated in the message', async () => {
		const answer = await call(sandbox, '/groups', { headers: { apikey: 'wrong-key-4711' } });
		expect([answer.status, errorOf(answer).code]).toEqual([401, 'AUTH_ERR_APIKEY_NOT_FOUND']);
		expect(errorOf(answer).message).toContain('wrong-key-4711');
		expect(sandbox.violations).toEqual([]);
	});

	test('without fullAccess is refused and repeated in the message', async () => {
		const answer = await call(sandbox, '/groups', { headers: { apikey: sandbox.authOnlyKey } });
		expect([answer.status, errorOf(answer).code]).toEqual([403, 'AUTH_ERR_NO_ACCESS']);
		expect(errorOf(answer).message).toContain(sandbox.authOnlyKey);
	});

	test('can be chosen', async () => {
		const other = await startSandbox({ apiKey: 'mine' });
		try {
			expect((await call(other, '/groups')).status).toBe(200);
			expect((await call(other, '/groups', { headers: { apikey: SAMPLE_API_KEY } })).status).toBe(
				401,
			);
		} finally {
			await other.close();
		}
	});
});

describe('the App ID', () => {
	const inApp = (appId: string) =>
		request(`${sandbox.url}/app/${appId}/v3/groups`, { headers: { apikey: sandbox.apiKey } });

	test('leads to the same service', async () => {
		const answer = await inApp(sandbox.appId);
		expect(answer.statusCode).toBe(200);
		expect(await answer.body.text()).toBe((await call(sandbox, '/groups')).text);
		expect(sandbox.violations).toEqual([]);
	});

	test('that is wrong is not found', async () => {
		const answer = await inApp('other');
		expect(answer.statusCode).toBe(404);
		expect(await answer.body.json()).toMatchObject({ error: { code: 'AUTH_ERR_INVALID_APPID' } });
	});
});

describe('what leaves the contract', () => {
	test.each([
		['GET', '/'],
		['GET', '/nothing'],
		['PATCH', '/groups'],
		['PATCH', '/messages/101'],
		['OPTIONS', '/groups'],
		['GET', '/groups/'],
		['GET', '/messages/%E0%A4%A'],
	] as const)('%s %s is no endpoint', async (method, path) => {
		const answer = await call(sandbox, path, { method });
		expect([answer.status, errorOf(answer).code]).toEqual([404, 'ERR_API_NOT_FOUND']);
		expect(sandbox.violations).toEqual([`${method} /v3${path} is not in the contract`]);
	});

	test('HEAD has no body', async () => {
		const answer = await call(sandbox, '/groups', { method: 'HEAD' });
		expect([answer.status, answer.text]).toEqual([404, '']);
	});

	test('is told field by field, and noted', async () => {
		const answer = await call(sandbox, '/groups?perPage=0&limit=5&type=secret');
		expect(answer.status).toBe(400);
		expect(errorOf(answer)).toEqual({
			code: 'ERR_BAD_REQUEST',
			message: expect.any(String),
			details: {
				perPage: ['must be >= 1'],
				limit: ['is not a parameter of this operation'],
				type: [expect.any(String)],
			},
		});
		expect(sandbox.violations).toHaveLength(3);
	});

	test('an empty onBehalfOf is refused', async () => {
		const answer = await call(sandbox, '/groups', { headers: { onBehalfOf: '' } });
		expect(answer.status).toBe(400);
		expect(Object.keys(errorOf(answer).details ?? {})).toEqual(['onBehalfOf']);
	});

	test.each(['application/json', 'text/plain', 'not a type'])(
		'a body of %s is refused',
		async (type) => {
			const answer = await call(sandbox, '/messages/101/reactions/x', {
				method: 'DELETE',
				as: 'mira',
				headers: { 'content-type': type },
				body: '{"broken',
			});
			expect([answer.status, errorOf(answer).code]).toEqual([400, 'ERR_BAD_REQUEST']);
			expect(sandbox.violations).toHaveLength(1);
		},
	);

	test('a content type without a body is fine', async () => {
		const headers = { 'content-type': 'application/json' };
		const answer = await call(sandbox, '/messages/101', { headers });
		expect(answer.status).toBe(200);
		expect(sandbox.violations).toEqual([]);
	});
});

test('every refusal conforms to the contract, its status included', async () => {
	const contract = await loadContract();
	const seen: string[] = [];
	const refused: Array<Record<string, string>> = [
		{ apikey: '' },
		{ apikey: 'wrong' },
		{ apikey: sandbox.authOnlyKey },
		{ onBehalfOf: '' },
		{ onBehalfOf: 'nobody' },
		{ onBehalfOf: 'carla' },
	];
	for (const headers of refused) {
		const reaction = '/messages/101/reactions/x';
		const answers = {
			listGroups: await call(sandbox, '/groups?page=1', { headers }),
			getMessage: await call(sandbox, '/messages/101', { headers }),
			removeReaction: await call(sandbox, reaction, { method: 'DELETE', headers }),
		};
		for (const operationId of ['listGroups', 'getMessage', 'removeReaction'] as const) {
			const { status, text } = answers[operationId];
			expect(contract.statuses(operationId)).toContain(status);
			expect(contract.validateResponse(operationId, status, JSON.parse(text))).toEqual([]);
			seen.push(`${operationId} ${status}`);
		}
	}
	for (const status of [400, 401, 403, 404]) {
		expect(seen).toContain(`removeReaction ${status}`);
	}
});

test('an answer that leaves the contract is noted, unless checking is off', async () => {
	const unchecked = await startSandbox({ validate: false });
	try {
		for (const service of [sandbox, unchecked]) {
			service.store.createGroup({ guid: 'odd', name: 7 as unknown as string });
			expect((await call(service, '/groups?searchKey=odd&searchIn=guid')).status).toBe(200);
		}
		expect(sandbox.violations).toEqual([expect.stringContaining('/data/0/name must be string')]);
		expect(unchecked.violations).toEqual([]);
	} finally {
		await unchecked.close();
	}
});
