import { serve } from '../../tools/n8nEngine/serve';
import type { FaultEffect } from '../../tools/sandbox/server';
import { findLeaks } from './findLeaks';
import {
	CONTINUE,
	NODE,
	TO_ERROR_OUTPUT,
	credentialsOf,
	errorOf,
	get,
	itemsOf,
	list,
	removeReaction,
	run,
	useSandbox,
} from './harness';
import { OPERATIONS } from './operations';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox();

const ADDRESS = "Check 'App ID' and 'Region', or 'Base URL', in the credential";

test.each<[string, FaultEffect, string]>([
	[
		'a web page',
		{ html: true },
		'CometChat sent a web page (HTML) with status 200 instead of JSON',
	],
	['204', { noContent: true }, 'CometChat sent an empty response with status 204 instead of JSON'],
	['{}', { noData: true }, "CometChat's response contains no {}"],
])('An unusable response fails the item: %s', async (_, effect, text) => {
	sandbox().setFaults([{ effect }]);
	const tested = OPERATIONS.filter(({ name }) =>
		['Get message', 'Delete group', 'Send message'].includes(name),
	);
	for (const tried of tested) {
		const { parameters, change } = tried;
		const reason = text.replace('{}', tried.name === 'Delete group' ? 'confirmation' : 'message');
		const { name, message, description } = await errorOf(sandbox(), parameters);
		expect(name).toBe('NodeApiError');
		const advice = `${ADDRESS}, and any proxy between n8n and CometChat.`;
		expect(`${message}. ${description}`).toBe(
			change
				? `CometChat may already have ${change.done}. Check ${change.inspect} before you run this item again. ${reason}. ${advice}`
				: `${reason}. ${advice}`,
		);
	}
	expect(sandbox().log).toHaveLength(tested.length);
});

test('An empty entity fails the item, and the error names the entity', async () => {
	const empty: Reply = (response) => json(response, 200, { data: {} });
	const texts: string[] = [];
	for (const { key, parameters } of OPERATIONS) {
		await withRecorder(empty, async (recorder) => {
			const { items } = await run(recorder, parameters, CONTINUE);
			const [{ json }] = items(NODE);
			const [text] = /contains no [a-z ]*/.exec(String(json.error)) ?? ['is accepted'];
			texts.push(`${key}: ${text}`);
		});
	}
	expect(texts.join('\n')).toMatchInlineSnapshot(`
		"message get: contains no message
		message removeReaction: contains no message
		message send: contains no message
		message list: contains no list of messages
		message update: contains no message
		message delete: contains no message
		message addReaction: contains no message
		message listReactions: contains no list of reactions
		message reply: contains no message
		message listReplies: contains no list of messages
		group list: contains no list of groups
		group get: contains no group
		group create: contains no group
		group update: contains no group
		group delete: contains no confirmation
		group listMembers: contains no list of members
		group addMembers: contains no member
		group removeMember: contains no confirmation
		group changeScope: contains no member
		group banMember: contains no confirmation
		group unbanMember: contains no confirmation
		group listBanned: contains no list of members
		user list: contains no list of users
		user get: contains no user
		user create: contains no user
		user update: contains no user
		user delete: contains no confirmation
		user deactivate: contains no result
		user reactivate: contains no result
		user createAuthToken: contains no token
		user blockUsers: contains no user
		user unblockUsers: contains no user
		user listBlocked: contains no list of users
		moderation list: contains no list of messages
		moderation review: is accepted
		moderation flag: is accepted"
	`);
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
		const error = await errorOf(sandbox(), parameters);
		expect(error.message).toBe(STOPPED);
		expect(error.description).toContain(
			`${ADDRESS}. CometChat replied with status ${status} and an empty response`,
		);
		expect(error.httpCode).toBe(String(status));
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

describe('When the third page of a list fails, the node', () => {
	const parameters = list({
		returnAll: true,
		options: { perPage: 10 },
		requestOptions: { maxTries: 1 },
	});

	beforeEach(() => {
		// Without a page count, the node requests pages one after another
		sandbox().setSettings({ totalPages: 'next' });
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 500 } } }]);
	});

	test('returns the earlier items and the error on "Continue"', async () => {
		const items = await itemsOf(sandbox(), parameters, CONTINUE);
		const errors = items.map(({ json }) => json.error);
		expect(errors).toEqual([
			...Array(20).fill(undefined),
			expect.stringContaining(
				'An internal error occurred in CometChat. Try again later. CometChat replied with status 500 and an empty response. Items fetched before the error: 20 (kept)',
			),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(21).fill({ item: 0 }));
	});

	test('sends only the error to the error output', async () => {
		const setup = { ...TO_ERROR_OUTPUT, input: [{ keep: 'me' }] };
		const { items } = await run(sandbox(), parameters, setup);
		expect(items(NODE).length).toBe(20);
		expect(items(NODE, 1)).toMatchObject([
			{ json: { keep: 'me', error: expect.stringMatching(/error: 20 /) }, pairedItem: { item: 0 } },
		]);
	});
});

test.each<[string, (key: string) => FaultEffect]>([
	['message, details and devMessage', () => ({ echoKey: { status: 401 } })],
	['a 429', () => ({ echoKey: { status: 429, code: 'ERR_TOO_MANY_REQUESTS' } })],
	['a body that is not JSON', (key) => ({ status: { status: 500, body: `<html>${key}` } })],
	[
		'a response without data',
		(key) => ({ status: { status: 200, body: { [key]: key, data: null } } }),
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
