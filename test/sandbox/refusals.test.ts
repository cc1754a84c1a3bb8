import { loadContract } from '../../sandbox/contract';
import { call, refusalOf, useSandbox, type CallOptions } from './client';

const sandbox = useSandbox({ groups: 5 });

/** Everything that a request could have changed. */
const state = () =>
	JSON.stringify([
		sandbox().store.groups(),
		sandbox()
			.store.messages()
			.map((message) => ({ ...message, reactions: sandbox().store.reactions(message.id) })),
	]);

const TO_GROUP = { receiver: 'all-hands', receiverType: 'group' };
const HELLO = { ...TO_GROUP, data: { text: 'Hello' } };
const NEW = { guid: 'fresh', name: 'Fresh' };
const TO_LEO = { receiver: 'leo', receiverType: 'user', data: { text: 'Hi' } };
const LONG = 'x'.repeat(10_240);

/** Method and path, on behalf of whom, the body; status and code. */
const REFUSALS: Array<[string, string | undefined, object | undefined, number, string]> = [
	['GET /groups?perPage=1001', undefined, undefined, 400, 'ERR_BAD_REQUEST'],
	['GET /groups', 'nobody', undefined, 404, 'ERR_UID_NOT_FOUND'],
	['GET /groups', 'old-account', undefined, 404, 'ERR_UID_NOT_FOUND'],
	['GET /groups/nowhere', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['GET /groups/generated-0000005', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['GET /groups/constructor', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['POST /groups', undefined, { ...NEW, guid: 'LUNCH' }, 409, 'ERR_GUID_ALREADY_EXISTS'],
	[
		'POST /groups',
		undefined,
		{ ...NEW, guid: 'generated-0000001' },
		409,
		'ERR_GUID_ALREADY_EXISTS',
	],
	['POST /groups', undefined, { ...NEW, owner: 'nobody' }, 404, 'ERR_UID_NOT_FOUND'],
	['POST /groups', undefined, { ...NEW, owner: 'old-account' }, 404, 'ERR_UID_NOT_FOUND'],
	['POST /groups', undefined, { ...NEW, type: 'password' }, 400, 'ERR_EMPTY_GROUP_PASS'],
	['PUT /groups/nowhere', undefined, {}, 404, 'ERR_GUID_NOT_FOUND'],
	['PUT /groups/brand', undefined, { owner: 'nobody' }, 404, 'ERR_UID_NOT_FOUND'],
	['PUT /groups/brand', undefined, { type: 'password' }, 400, 'ERR_EMPTY_GROUP_PASS'],
	['PUT /groups/brand', 'carla', { name: 'x' }, 403, 'ERR_GROUP_NO_ADMIN_SCOPE'],
	['PUT /groups/brand', 'leo', { name: 'x' }, 403, 'ERR_GROUP_NOT_JOINED'],
	['DELETE /groups/nowhere', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['DELETE /groups/brand', 'carla', undefined, 403, 'ERR_GROUP_NO_ADMIN_SCOPE'],
	['DELETE /groups/brand', 'leo', undefined, 403, 'ERR_GROUP_NOT_JOINED'],

	['GET /groups/nowhere/members', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['GET /groups/brand/members', 'aisha', undefined, 400, 'ERR_BAD_REQUEST'],
	['POST /groups/nowhere/members', undefined, { participants: ['leo'] }, 404, 'ERR_GUID_NOT_FOUND'],
	['POST /groups/lunch/members', undefined, {}, 400, 'ERR_BAD_REQUEST'],
	[
		'POST /groups/lunch/members',
		undefined,
		{ admins: ['mira'], participants: Array.from({ length: 25 }, (_, n) => `user-${n}`) },
		400,
		'ERR_BAD_REQUEST',
	],
	['POST /groups/support/members', 'leo', { participants: ['leo'] }, 403, 'ERR_GROUP_NOT_JOINED'],
	[
		'POST /groups/support/members',
		'felix',
		{ participants: ['leo'] },
		403,
		'ERR_GROUP_NO_MODERATOR_SCOPE',
	],
	[
		'POST /groups/support/members',
		'carla',
		{ admins: ['leo'] },
		403,
		'ERR_GROUP_NO_SCOPE_CLEARANCE',
	],
	['DELETE /groups/nowhere/members/leo', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['DELETE /groups/support/members/nobody', undefined, undefined, 404, 'ERR_UID_NOT_FOUND'],
	['DELETE /groups/support/members/mira', undefined, undefined, 404, 'ERR_NOT_A_MEMBER'],
	['DELETE /groups/support/members/noor', undefined, undefined, 400, 'ERR_MEMBER_DELETE_FAILED'],
	['DELETE /groups/support/members/carla', 'carla', undefined, 403, 'ERR_GROUP_NO_SELF_ACTION'],
	['DELETE /groups/support/members/carla', 'felix', undefined, 403, 'ERR_GROUP_NO_MODERATOR_SCOPE'],
	['DELETE /groups/support/members/felix', 'leo', undefined, 403, 'ERR_GROUP_NOT_JOINED'],
	['DELETE /groups/all-hands/members/priya', 'jonas', undefined, 403, 'ERR_GROUP_NO_CLEARANCE'],

	['GET /groups/nowhere/messages', undefined, undefined, 404, 'ERR_GUID_NOT_FOUND'],
	['GET /groups/lunch/messages', 'mira', undefined, 403, 'ERR_GROUP_NOT_JOINED'],
	['GET /messages/999', undefined, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['GET /messages/0101', undefined, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['GET /messages/1%2F2', undefined, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['GET /messages/constructor', undefined, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['GET /messages/101', 'tomas', undefined, 403, 'ERR_MESSAGE_NO_ACCESS'],
	['GET /messages/109', 'ext_sam-99', undefined, 403, 'ERR_MESSAGE_NO_ACCESS'],
	['POST /messages', undefined, {}, 400, 'ERR_EMPTY_RECEIVER'],
	['POST /messages', undefined, { ...TO_LEO, receiver: '' }, 400, 'ERR_EMPTY_RECEIVER'],
	[
		'POST /messages',
		undefined,
		{ ...HELLO, receiverType: 'channel' },
		400,
		'ERR_INVALID_RECEIVER_TYPE',
	],
	['POST /messages', undefined, { ...HELLO, receiver: 'nowhere' }, 404, 'ERR_GUID_NOT_FOUND'],
	['POST /messages', undefined, { ...TO_LEO, receiver: 'nobody' }, 404, 'ERR_UID_NOT_FOUND'],
	['POST /messages', undefined, { ...TO_GROUP, data: {} }, 400, 'ERR_EMPTY_MESSAGE_TEXT'],
	[
		'POST /messages',
		undefined,
		{ ...TO_GROUP, data: { text: ' \n' } },
		400,
		'ERR_EMPTY_MESSAGE_TEXT',
	],
	['POST /messages', undefined, { ...HELLO, type: 'image' }, 400, 'ERR_INVALID_MEDIA_MESSAGE'],
	[
		'POST /messages',
		undefined,
		{ ...HELLO, type: 'file', data: { attachments: [{ name: 'a' }] } },
		400,
		'ERR_INVALID_MEDIA_MESSAGE',
	],
	['POST /messages', undefined, { ...HELLO, type: 'smell' }, 400, 'ERR_INVALID_MESSAGE_DATA'],
	[
		'POST /messages',
		undefined,
		{ ...HELLO, category: 'custom', type: 'x', data: { customData: {} } },
		400,
		'ERR_EMPTY_CUSTOM_DATA',
	],
	[
		'POST /messages',
		undefined,
		{ ...HELLO, category: 'custom', data: { customData: { a: 1 } } },
		400,
		'ERR_INVALID_MESSAGE_DATA',
	],
	[
		'POST /messages',
		undefined,
		{ ...HELLO, data: { text: 'x', metadata: { a: LONG } } },
		400,
		'ERR_INVALID_MESSAGE_DATA',
	],
	['POST /messages', 'mira', { ...HELLO, receiver: 'lunch' }, 403, 'ERR_GROUP_NOT_JOINED'],
	['PUT /messages/999', undefined, { tags: [] }, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['PUT /messages/109', undefined, { data: { text: ' ' } }, 400, 'ERR_EMPTY_MESSAGE_TEXT'],
	['PUT /messages/109', 'jonas', { data: { text: 'x' } }, 403, 'ERR_MESSAGE_NOT_A_SENDER'],
	['PUT /messages/109', 'ext_sam-99', { data: { text: 'x' } }, 403, 'ERR_MESSAGE_NO_ACCESS'],
	['DELETE /messages/999', undefined, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['DELETE /messages/109', 'jonas', undefined, 403, 'ERR_MESSAGE_NOT_A_SENDER'],
	['DELETE /messages/109', 'ext_sam-99', undefined, 403, 'ERR_MESSAGE_NO_ACCESS'],

	['POST /messages/999/reactions/ok', 'leo', undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['POST /messages/114/reactions/ok', 'mira', undefined, 403, 'ERR_MESSAGE_NO_ACCESS'],
	['POST /messages/114/reactions/ok', undefined, undefined, 400, 'ERR_BAD_REQUEST'],
	['DELETE /messages/101/reactions/:%2B1:', 'mira', undefined, 404, 'ERR_REACTION_NOT_FOUND'],
	['DELETE /messages/101/reactions/:%2B1:', 'tomas', undefined, 403, 'ERR_MESSAGE_NO_ACCESS'],
	['DELETE /messages/101/reactions/:%2B1:', undefined, undefined, 400, 'ERR_BAD_REQUEST'],
	['GET /messages/999/reactions', undefined, undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
	['GET /messages/109/reactions/x', 'ext_sam-99', undefined, 403, 'ERR_MESSAGE_NO_ACCESS'],
];

test.each(REFUSALS)('%s on behalf of %s with %j changes nothing', async (line, as, json, ...is) => {
	const [method, path] = line.split(' ');
	const before = state();
	const answer = await call(sandbox(), path, { method, as, json } as CallOptions);
	expect(refusalOf(answer)).toEqual(is);
	expect(state()).toBe(before);
});

describe('Before anything else,', () => {
	const key = 'wrong-key-4711';
	test.each([
		['no key', { apikey: '' }, 401, 'AUTH_ERR_EMPTY_APIKEY', ''],
		['a wrong key', { apikey: key }, 401, 'AUTH_ERR_APIKEY_NOT_FOUND', key],
	])('%s is refused, and repeated in the message', async (_, headers, status, code, shown) => {
		const answer = await call(sandbox(), '/groups', { headers });
		expect(refusalOf(answer)).toEqual([status, code]);
		expect(answer.text).toContain(shown);
	});

	test('a key without full access is refused', async () => {
		const headers = { apikey: sandbox().authOnlyKey };
		const answer = await call(sandbox(), '/groups', { headers });
		expect(refusalOf(answer)).toEqual([403, 'AUTH_ERR_NO_ACCESS']);
		expect(answer.text).toContain(sandbox().authOnlyKey);
	});

	test('the app in the path is looked at', async () => {
		const { url, appId, apiKey } = sandbox();
		const inApp = (app: string) =>
			fetch(`${url}/app/${app}/v3/groups`, { headers: { apikey: apiKey } });
		expect(await (await inApp(appId)).text()).toBe((await call(sandbox(), '/groups')).text);
		const other = await inApp('other');
		expect([other.status, await other.text()]).toEqual([
			404,
			expect.stringContaining('AUTH_ERR_INVALID_APPID'),
		]);
	});

	test.each([
		['GET', '/'],
		['PATCH', '/groups'],
		['OPTIONS', '/groups'],
		['GET', '/groups/'],
		['GET', '/messages/%E0%A4%A'],
		['DELETE', '/messages/104/reactions/a/b'],
	] as const)('%s %s is no endpoint', async (method, path) => {
		const answer = await call(sandbox(), path, { method });
		expect(refusalOf(answer)).toEqual([404, 'ERR_API_NOT_FOUND']);
		expect(sandbox().violations).toEqual([`${method} /v3${path} is not in the contract`]);
	});

	test('what leaves the contract is told field by field, and noted', async () => {
		const answer = await call(sandbox(), '/groups?perPage=0&limit=5');
		expect(JSON.parse(answer.text).error.details).toEqual({
			perPage: ['must be >= 1'],
			limit: ['is not a parameter of this operation'],
		});
		expect(sandbox().violations).toHaveLength(2);
	});
});

test('a response that leaves the contract is noted', async () => {
	const contract = await loadContract();
	sandbox().store.createGroup({ guid: 'odd', name: 7 as unknown as string });
	const answer = await call(sandbox(), '/groups/odd');
	expect(contract.validateResponse('getGroup', 200, JSON.parse(answer.text))).toHaveLength(1);
	const noted = sandbox().violations.splice(0);
	expect(noted).toEqual([expect.stringContaining('/data/name must be string')]);
});
