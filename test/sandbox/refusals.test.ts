import { SAMPLE_AUTH_ONLY_KEY } from '../../tools/sandbox/server';
import { call, errorOf, refusalOf, useSandbox } from './client';

const sandbox = useSandbox({ groups: 5 });

/** Serializes the sandbox's groups, users, and messages, to detect changes. */
const state = () =>
	JSON.stringify([
		sandbox().store.groups.all(),
		sandbox().store.people.all(),
		sandbox().store.people.deactivated(),
		sandbox().store.bots.all(),
		sandbox()
			.store.messages.all()
			.map((message) => ({
				...message,
				reactions: sandbox().store.messages.reactionsOf(message.id),
			})),
	]);

/**
 * Each row contains the expected status and error code, and the request's method, path, acting user, and
 * body.
 */
const REFUSALS = `
404 ERR_UID_NOT_FOUND: GET /groups as old-account
404 ERR_GUID_NOT_FOUND: GET /groups/generated-0000005
404 ERR_GUID_NOT_FOUND: GET /groups/constructor
400 ERR_GUID_ALREADY_EXISTS: POST /groups {"guid":"LUNCH","name":"Fresh"}
400 ERR_GUID_ALREADY_EXISTS: POST /groups {"guid":"generated-0000001","name":"Fresh"}
404 ERR_UID_NOT_FOUND: POST /groups {"guid":"fresh","name":"Fresh","owner":"nobody"}
400 ERR_EMPTY_GROUP_PASS: POST /groups {"guid":"fresh","name":"Fresh","type":"password"}
404 ERR_UID_NOT_FOUND: PUT /groups/brand {"owner":"nobody"}
400 ERR_EMPTY_GROUP_PASS: PUT /groups/brand {"type":"password"}
403 ERR_GROUP_NO_ADMIN_SCOPE: PUT /groups/brand as carla {"name":"x"}
401 ERR_GROUP_NOT_JOINED: DELETE /groups/brand as leo
400 ERR_BAD_REQUEST: POST /groups/lunch/members {}
401 ERR_GROUP_NOT_JOINED: POST /groups/support/members as leo {"participants":["leo"]}
404 ERR_UID_NOT_FOUND: DELETE /groups/support/members/nobody
400 ERR_MEMBER_DELETE_FAILED: DELETE /groups/support/members/noor
403 ERR_GROUP_NO_SELF_ACTION: DELETE /groups/support/members/carla as carla
403 ERR_GROUP_NO_CLEARANCE: DELETE /groups/all-hands/members/priya as jonas
403 ERR_BANNED_GROUPMEMBER: DELETE /groups/ideas/members/felix
403 ERR_SAME_SCOPE: PUT /groups/brand/members/carla {"scope":"participant"}
403 ERR_GROUP_OWNER_DEMOTE_FORBIDDEN: PUT /groups/brand/members/aisha {"scope":"moderator"}
404 ERR_NOT_A_MEMBER: PUT /groups/brand/members/leo {"scope":"moderator"}
403 ERR_GROUP_NO_SCOPE_CLEARANCE: PUT /groups/support/members/felix as carla {"scope":"admin"}
403 ERR_ALREADY_BANNED: POST /groups/ideas/bannedusers/felix
404 ERR_NOT_A_BANNED_USER: DELETE /groups/brand/bannedusers/carla
403 ERR_GROUP_NO_MODERATOR_SCOPE: DELETE /groups/ideas/bannedusers/felix as tomas
401 ERR_GROUP_NOT_JOINED: GET /groups/lunch/messages as mira
404 ERR_MESSAGE_ID_NOT_FOUND: GET /messages/0101
404 ERR_MESSAGE_ID_NOT_FOUND: GET /messages/1%2F2
404 ERR_MESSAGE_ID_NOT_FOUND: GET /messages/constructor
400 ERR_EMPTY_RECEIVER: POST /messages {"receiver":"","receiverType":"user","data":{"text":"Hi"}}
400 ERR_INVALID_RECEIVER_TYPE: POST /messages {"receiver":"all-hands","receiverType":"channel","data":{"text":"Hello"}}
404 ERR_UID_NOT_FOUND: POST /messages {"receiver":"nobody","receiverType":"user","data":{"text":"Hi"}}
400 ERR_EMPTY_MESSAGE_TEXT: POST /messages {"receiver":"all-hands","receiverType":"group","data":{"text":" \\n"}}
400 ERR_INVALID_MESSAGE_DATA: POST /messages {"receiver":"all-hands","receiverType":"group","category":"card","data":{"card":{"body":[]}},"type":"text"}
400 ERR_INVALID_MEDIA_MESSAGE: POST /messages {"receiver":"all-hands","receiverType":"group","data":{"attachments":[{"name":"a"}]},"type":"file"}
400 ERR_INVALID_MESSAGE_DATA: POST /messages {"receiver":"all-hands","receiverType":"group","data":{"text":"Hello"},"type":"smell"}
400 ERR_EMPTY_CUSTOM_DATA: POST /messages {"receiver":"all-hands","receiverType":"group","data":{"customData":{}},"category":"custom","type":"x"}
400 ERR_INVALID_MESSAGE_DATA: POST /messages {"receiver":"all-hands","receiverType":"group","data":{"customData":{"a":1}},"category":"custom"}
401 ERR_GROUP_NOT_JOINED: POST /messages as mira {"receiver":"lunch","receiverType":"group","data":{"text":"Hello"}}
403 ERR_MESSAGE_ACTION_NOT_ALLOWED: POST /messages/99/reactions/ok as yuki
403 ERR_MESSAGE_ACTION_NOT_ALLOWED: POST /messages/99/thread as yuki {"data":{"text":"Hello"}}
400 ERR_EMPTY_MESSAGE_TEXT: PUT /messages/109 {"data":{"text":" "}}
403 ERR_MESSAGE_NOT_A_SENDER: DELETE /messages/109 as jonas
404 ERR_UID_NOT_FOUND: GET /users/nobody/messages
404 ERR_REACTION_NOT_FOUND: DELETE /messages/101/reactions/:%2B1: as mira
400 ERR_BAD_REQUEST: DELETE /messages/101/reactions/:%2B1:
404 ERR_UID_NOT_FOUND: GET /users/old-account
400 ERR_UID_ALREADY_EXISTS: POST /users {"uid":"MIRA","name":"x"}
400 ERR_UID_ALREADY_EXISTS: POST /users {"uid":"old-account","name":"x"}
400 ERR_BAD_REQUEST: POST /users {"uid":"fresh","name":"x","role":"chief"}
400 ERR_BAD_REQUEST: PUT /users/leo {"role":"chief"}
404 ERR_UID_NOT_FOUND: DELETE /users/nobody {"permanent":true}
404 ERR_UID_NOT_FOUND: POST /users/old-account/auth_tokens
400 ERR_BAD_REQUEST: GET /conversations
400 ERR_BAD_REQUEST: POST /groups/lunch/conversation/read as leo {}
403 ERR_CONVERSATION_NOT_ACCESSIBLE: POST /groups/lunch/conversation/read as noor {"messageId":114}
403 ERR_CONVERSATION_NOT_ACCESSIBLE: POST /users/noor/conversation/read as mira {"messageId":101}
404 ERR_MESSAGE_ID_NOT_FOUND: POST /groups/lunch/conversation/read as leo {"messageId":9999}
404 ERR_UID_NOT_FOUND: DELETE /users/nobody/auth_tokens
404 ERR_UID_NOT_FOUND: GET /users/nobody/friends
404 ERR_UID_NOT_FOUND: DELETE /users/mira/friends {"friends":["leo","nobody"]}
400 ERR_NOT_A_FRIEND: DELETE /users/mira/friends {"friends":["leo","carla"]}
400 ERR_BAD_REQUEST: DELETE /users/mira/friends {"friends":[]}
400 ERR_BAD_REQUEST: POST /bots {"uid":"leo"}
400 ERR_BAD_REQUEST: POST /bots {"uid":"leo","webhookURL":"bots.example.com"}
400 ERR_BAD_REQUEST: POST /bots as leo {"uid":"leo","webhookURL":"https://bots.example.com"}
404 ERR_UID_NOT_FOUND: POST /bots {"uid":"nobody","webhookURL":"https://bots.example.com"}
404 ERR_BOT_NOT_FOUND: GET /bots/leo
404 ERR_BOT_NOT_FOUND: PUT /bots/leo {"enabled":true}
404 ERR_BOT_NOT_FOUND: DELETE /bots/leo
404 ERR_BOT_NOT_FOUND: POST /bots/leo/messages {"receiver":"mira","receiverType":"user","data":{"text":"Hi"}}
`;

const ROW = /^(\d+) (\w+): (\w+) (\S+?)(?: as (\S+))?(?: (\{.*\}))?$/;

test.each(REFUSALS.trim().split('\n'))(
	'the sandbox refuses a request with "%s" and changes nothing',
	async (row) => {
		const [, status, code, method, path, as, body] = ROW.exec(row) ?? [];
		const json: unknown = body && JSON.parse(body);
		const before = state();
		const answer = await call(sandbox(), path, { method, as, json });
		expect(refusalOf(answer)).toEqual([Number(status), code]);
		expect(errorOf(answer).source).toBe('chat-api');
		expect(state()).toBe(before);
	},
);

test('a second bot of a user, the 26th bot of an app, and a long URL are refused', async () => {
	const webhookURL = 'https://bots.example.com';
	const create = (json: object) => call(sandbox(), '/bots', { method: 'POST', json });
	for (let n = 0; n < 25; n++) {
		sandbox().store.people.create({ uid: `bot-${n}`, name: 'Bot' });
		expect((await create({ uid: `BOT-${n}`, webhookURL })).status).toBe(200);
	}
	const second = await create({ uid: 'bot-1', webhookURL });
	expect(refusalOf(second)).toEqual([400, 'ERR_BOT_ALREADY_EXISTS']);
	const tooMany = await create({ uid: 'leo', webhookURL });
	expect(refusalOf(tooMany)).toEqual([403, 'ERR_BOT_LIMIT_EXCEEDED']);
	// CometChat documents no codes for these refusals
	expect([second, tooMany].map((answer) => errorOf(answer).source)).toEqual(['sandbox', 'sandbox']);
	const long = { uid: 'leo', webhookURL: `https://bots.example.com/${'x'.repeat(232)}` };
	expect(refusalOf(await create(long))).toEqual([400, 'ERR_BAD_REQUEST']);
});

test.each([
	['/nowhere', 'The API endpoint is invalid. Please verify the API call.'],
	['/groups/Nowhere', 'The GUID "Nowhere" does not exist.'],
])('the devMessage of a refusal of %s nearly repeats the message', async (path, expected) => {
	const { message, devMessage } = errorOf(await call(sandbox(), path));
	expect(devMessage).toBe(expected);
	expect(devMessage.replaceAll('"', '')).toBe(message);
});

test('Lists and metadata above the maximum size are refused', async () => {
	const post = (path: string, json: object) => call(sandbox(), path, { method: 'POST', json });
	const participants = Array.from({ length: 25 }, (_, n) => `user-${n}`);
	expect((await post('/groups/lunch/members', { participants })).status).toBe(200);
	const members = await post('/groups/lunch/members', { admins: ['mira'], participants });
	expect(refusalOf(members)).toEqual([400, 'ERR_BAD_REQUEST']);
	const first = { admins: ['mira'], participants };
	const group = await post('/groups', { guid: 'club', name: 'Club', members: first });
	expect(refusalOf(group)).toEqual([400, 'ERR_BAD_REQUEST']);
	expect(sandbox().store.groups.get('club')).toBeUndefined();
	const data = { text: 'x', metadata: { a: 'x'.repeat(10_240) } };
	const message = { receiver: 'all-hands', receiverType: 'group', data };
	expect(refusalOf(await post('/messages', message))).toEqual([400, 'ERR_INVALID_MESSAGE_DATA']);
});

test.each([
	['POST', '/groups', { guid: 'club', name: 'Club' }],
	['PUT', '/groups/brand', {}],
	['POST', '/users', { uid: 'sam', name: 'Sam' }],
	['PUT', '/users/leo', {}],
])('%s %s accepts metadata of 5 KB and refuses one byte more', async (method, path, fields) => {
	const save = (bytes: number) => {
		const metadata = { a: 'ü' + 'x'.repeat(bytes - '{"a":"ü"}'.length - 1) };
		return call(sandbox(), path, { method, json: { ...fields, metadata } });
	};
	const before = state();
	expect(refusalOf(await save(5 * 1024 + 1))).toEqual([400, 'ERR_BAD_REQUEST']);
	expect(state()).toBe(before);
	expect((await save(5 * 1024)).status).toBe(200);
});

test.each([
	[
		'/users/NOBODY',
		{},
		'The UID nobody does not exist, please make sure you have created a user with UID nobody.',
	],
	['/nowhere', {}, 'The API endpoint is invalid. Please verify the API call.'],
	['/users', { json: { name: 'x' } }, { uid: ['The uid field is required.'] }],
	['/users', { json: { uid: 'x', name: '' } }, { name: ['The name field must have a value.'] }],
	[
		'/users',
		{ json: { uid: 'x', name: 'x', tags: ['a', ' '] } },
		{ 'tags.1': ['The tags.1 field must have a value.'] },
	],
])('the refusal of %s %j says %j', async (path, options, expected) => {
	const method = 'json' in options ? 'POST' : 'GET';
	const { message, details } = errorOf(await call(sandbox(), path, { method, ...options }));
	expect(details ?? message).toEqual(expected);
});

describe('Before an operation runs,', () => {
	test.each([
		['', 401, 'AUTH_ERR_EMPTY_APIKEY'],
		['wrong-key-4711', 401, 'AUTH_ERR_APIKEY_NOT_FOUND'],
		[SAMPLE_AUTH_ONLY_KEY, 403, 'AUTH_ERR_NO_ACCESS'],
	])('the key %j is refused and repeated in the message', async (apikey, status, code) => {
		const answer = await call(sandbox(), '/groups', { headers: { apikey } });
		expect(refusalOf(answer)).toEqual([status, code]);
		expect(answer.text).toContain(apikey);
	});

	test('the second key of the app is accepted', async () => {
		const headers = { apikey: sandbox().secondKey };
		expect((await call(sandbox(), '/groups', { headers })).status).toBe(200);
	});

	test('the app in the path is checked', async () => {
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

	test("a request's contract violations are reported by field and recorded", async () => {
		const answer = await call(sandbox(), '/groups?perPage=0&limit=5');
		expect(JSON.parse(answer.text).error.details).toEqual({
			perPage: ['must be >= 1'],
			limit: ['is not a parameter of this operation'],
		});
		expect(sandbox().violations).toHaveLength(2);
	});
});

test("a response's contract violations are recorded", async () => {
	sandbox().store.createGroup({ guid: 'odd', name: 7 as unknown as string });
	await call(sandbox(), '/groups/odd');
	const noted = sandbox().violations.splice(0);
	expect(noted).toEqual([expect.stringContaining('/data/name must be string')]);
});
