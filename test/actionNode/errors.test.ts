import { serve } from '../../tools/n8nEngine/serve';
import type { FaultEffect } from '../../tools/sandbox/server';
import { findLeaks } from './findLeaks';
import {
	AS_TOOL_OF_NEW_AGENT,
	CONTINUE,
	NODE,
	TO_ERROR_OUTPUT,
	credentialsOf,
	errorOf,
	group,
	get,
	jsonOf,
	list,
	removeReaction,
	run,
	useSandbox,
	user,
} from './harness';
import { OPERATIONS } from './operations';

const sandbox = useSandbox();

const ADDRESS = "Check 'Base URL' in the credential";

const SAFE_TO_REPEAT =
	'CometChat may have made the change anyway. Trying again does not make it twice.';

test.each<[string, FaultEffect, string, string[]]>([
	[
		'a web page',
		{ html: true },
		'CometChat sent a web page (HTML) with status 200 instead of JSON',
		['Get message', 'Delete group', 'Send message'],
	],
	[
		'204',
		{ noContent: true },
		'CometChat sent an empty response with status 204 instead of JSON',
		['Get message', 'Send message'],
	],
	[
		'{}',
		{ noData: true },
		"CometChat's response contains no message",
		['Get message', 'Send message'],
	],
	[
		'a list',
		{ status: { status: 200, body: [] } },
		'CometChat sent a JSON list with status 200 instead of a JSON object',
		['Get message', 'Delete group', 'Send message'],
	],
])('An unusable response fails the item: %s', async (_, effect, reason, names) => {
	sandbox().setFaults([{ effect }]);
	const tested = OPERATIONS.filter(({ name }) => names.includes(name));
	for (const tried of tested) {
		const { parameters, changeWords, name } = tried;
		const { message, description, ...error } = await errorOf(sandbox(), parameters);
		expect(error.name).toBe('NodeApiError');
		const advice = `${ADDRESS}. Check any proxy between n8n and CometChat.`;
		expect(`${message}. ${description}`).toBe(
			changeWords
				? `CometChat may already have ${changeWords.done}. Check ${changeWords.placeToCheck} before you run this item again. ${reason}. ${advice}`
				: `${reason}. ${advice}${name === 'Delete group' ? ` ${SAFE_TO_REPEAT}` : ''}`,
		);
	}
	expect(sandbox().log).toHaveLength(tested.length);
});

test.each<[string, FaultEffect]>([
	['204', { noContent: true }],
	['200 without a body', { empty: true }],
	['{}', { noData: true }],
	['{"data":null}', { status: { status: 200, body: { data: null } } }],
	['{"data":true}', { status: { status: 200, body: { data: true } } }],
	['{"success":true}', { status: { status: 202, body: { success: true, message: 'Done' } } }],
])('An empty success confirms a deletion: %s', async (_, effect) => {
	sandbox().setFaults([{ effect }]);
	const rows = OPERATIONS.filter(
		({ key, wire }) => wire.startsWith('DELETE ') && key !== 'user unblockUsers',
	).map(async ({ key, parameters }) => [key, await jsonOf(sandbox(), parameters)]);
	expect(Object.fromEntries(await Promise.all(rows))).toMatchObject({
		'group delete': [{ deleted: true }],
		'group removeMember': [{ deleted: true }],
		'group unbanMember': [{ banned: false }],
		'message delete': [{ deleted: true }],
		'message removeReaction': [{ removed: true }],
		'user deactivate': [{ deactivated: true, alreadyDeactivated: false, notFound: false }],
		'user delete': [{ deleted: true, deactivated: false }],
		'user removeFriends': [{ uid: 'leo', success: true }],
		'user signOut': [{ uid: 'leo', signedOut: true }],
	});
});

test('An empty success leaves open whether users were unblocked, because UIDs may not exist', async () => {
	sandbox().setFaults([{ effect: { status: { status: 200, body: { data: {} } } } }]);
	const parameters = user('unblockUsers', { userId: 'leo', uids: ['carla', 'nobody'] });
	const { message } = await errorOf(sandbox(), parameters);
	expect(message).toBe('CometChat did not say whether the user was unblocked');
});

const UIDS = ['carla', 'nobody'];

test.each([
	['user was added', group('addMembers', { groupId: 'lunch', uids: UIDS, scope: 'participant' })],
	['user was blocked', user('blockUsers', { userId: 'leo', uids: UIDS })],
	['user was unblocked', user('unblockUsers', { userId: 'leo', uids: UIDS })],
	['friend was added', user('addFriends', { userId: 'leo', uids: UIDS })],
	['friend was removed', user('removeFriends', { userId: 'leo', uids: UIDS })],
])('An empty result leaves open whether the %s', async (change, parameters) => {
	const body = { data: { carla: {} } };
	sandbox().setFaults([{ effect: { status: { status: 200, body } } }]);
	const items = await jsonOf(sandbox(), parameters, CONTINUE);
	expect(items).toMatchObject(
		UIDS.map((uid) => ({
			...{ uid, success: false },
			reason: `CometChat did not say whether the ${change}`,
		})),
	);
});

test.each([
	['no users', {}, null],
	['one user', { leo: {} }, ['leo: not added']],
	[
		'two users',
		{ leo: {}, carla: { error: { message: 'Full' } } },
		['leo: not added', 'carla: Full'],
	],
])('A new group lists its failed members: %s', async (_, refusals, membersNotAdded) => {
	const participants = {
		...{ noor: { success: true }, mira: { success: false, error: { code: 'ERR_ALREADY_JOINED' } } },
		...Object.fromEntries(
			Object.entries(refusals).map(([uid, refusal]) => [uid, { success: false, ...refusal }]),
		),
	};
	const body = { data: { guid: 'new', name: 'New', members: { data: { participants } } } };
	sandbox().setFaults([{ effect: { status: { status: 200, body } } }]);
	const additionalFields = { participants: Object.keys(participants) };
	const parameters = group('create', {
		guid: 'new',
		name: 'New',
		type: 'public',
		additionalFields,
	});
	expect(await jsonOf(sandbox(), parameters)).toMatchObject([{ membersNotAdded }]);
});

const STOPPED = 'The request was redirected, so it was stopped to protect your API key';

test.each([301, 302, 303, 307, 308])('The node does not follow redirect %i', async (status) => {
	const visits: unknown[] = [];
	const elsewhere = await serve((request, response) => {
		visits.push(request.url);
		response.end();
	});
	const location = `${elsewhere.url}/v3/groups`;
	sandbox().setFaults([{ effect: { redirect: { status, location } } }]);
	for (const parameters of [
		get('101'),
		removeReaction('101', '👍', 'mira'),
		{ ...removeReaction('101', '👍', 'mira'), operation: 'addReaction' },
	]) {
		const { message, description, httpCode } = await errorOf(sandbox(), parameters);
		const text = `${message}. ${description}`;
		expect(text).toContain(STOPPED);
		expect(text).toContain(`${ADDRESS}. `);
		expect(text).toContain(`CometChat replied with status ${status} and an empty response`);
		expect(httpCode).toBe(String(status));
	}
	await elsewhere.close();
	expect(visits).toEqual([]);
	expect(sandbox().log.length).toBe(3);
});

test('The node does not follow a redirect to the same host', async () => {
	const redirect = { status: 302, location: '/v3/messages/101' };
	sandbox().setFaults([{ effect: { redirect } }]);
	expect((await errorOf(sandbox(), list())).message).toBe(STOPPED);
	expect(sandbox().log).toHaveLength(1);
});

test.each([
	[CONTINUE, 0, {}],
	[TO_ERROR_OUTPUT, 1, { keep: 'me' }],
])(
	'If the third page of a list fails with %j, the earlier items are kept',
	async (setup, output, kept) => {
		const requestOptions = { maxTries: 1 };
		const parameters = list({ returnAll: true, options: { perPage: 10 }, requestOptions });
		// Without a page count, the node requests pages one after another
		sandbox().setSettings({ totalPages: 'next' });
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 500 } } }]);
		const { items } = await run(sandbox(), parameters, { ...setup, input: [{ keep: 'me' }] });
		const returned = [...items(NODE), ...items(NODE, 1)];
		const error = expect.stringContaining(
			'CometChat could not process the request. Try again later. CometChat replied with status 500 and an empty response. Items fetched before the error: 20 (kept)',
		);
		expect(returned.map(({ json }) => json.error)).toEqual([...Array(20).fill(undefined), error]);
		expect(returned.map(({ pairedItem }) => pairedItem)).toEqual(Array(21).fill({ item: 0 }));
		expect(items(NODE, output).at(-1)?.json).toEqual({ ...kept, error });
	},
);

test.each<[string, (key: string) => FaultEffect]>([
	['message, details and devMessage', () => ({ echoKey: { status: 401 } })],
	['a 429', () => ({ echoKey: { status: 429, code: 'ERR_TOO_MANY_REQUESTS' } })],
	['a body that is not JSON', (key) => ({ status: { status: 500, body: `<html>${key}` } })],
	[
		'a response without data',
		(key) => ({ status: { status: 200, body: { [key]: key, data: 'none' } } }),
	],
	[
		"a redirect's address",
		(key) => ({ redirect: { status: 302, location: `/?${encodeURIComponent(key)}` } }),
	],
])(
	'The run data never contains the API key, even if the service echoes it in %s',
	async (_, effect) => {
		sandbox().setFaults([{ effect: effect(sandbox().apiKey) }]);
		const credentials = credentialsOf(sandbox(), { apiKey: `  ${sandbox().apiKey}\n` });
		const requestOptions = { maxTries: 1, maxWait: 0 };
		for (const setup of [{}, CONTINUE, TO_ERROR_OUTPUT]) {
			for (const parameters of [
				list({ requestOptions }),
				removeReaction('101', '👍', 'mira', { requestOptions }),
			]) {
				const result = await run(sandbox(), parameters, { ...setup, credentials });
				expect(result.error === undefined).toBe('onError' in setup);
				expect(findLeaks([result.run, result.error], sandbox().apiKey)).toEqual([]);
			}
		}
		expect(sandbox().log.every(({ keyOk }) => keyOk)).toBe(true);
	},
);

test('A hint never contains the API key', async () => {
	const { apiKey } = sandbox();
	const parameters = list({ output: 'fields', fields: ['name', `x${apiKey}`] });
	const { run: data } = await run(sandbox(), parameters);
	const [{ hints }] = data.data.resultData.runData[NODE];
	expect(hints?.map(({ message }) => message)).toEqual([
		expect.stringContaining("No item has the field 'x**********'"),
	]);
	const tool = await jsonOf(sandbox(), parameters, { settings: AS_TOOL_OF_NEW_AGENT });
	expect(tool.at(-1)).toEqual({ hint: expect.stringContaining("'x**********'") });
});

test('findLeaks finds a secret in causes, stacks, names and collections', () => {
	const secret = 'a+b/c';
	for (const value of [
		new Error('x', { cause: { deep: [`<${encodeURIComponent(secret)}>`] } }),
		new Map([['k', new Set([secret.toUpperCase()])]]),
		{ [secret]: 1 },
		Object.assign(new Error('y'), { stack: secret }),
	]) {
		expect(findLeaks(value, secret)).not.toEqual([]);
	}
	expect(findLeaks({ other: 'text' }, secret)).toEqual([]);
});
