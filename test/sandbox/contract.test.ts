import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	checkDocument,
	loadContract,
	type Contract,
	type OperationId,
} from '../../sandbox/contract';
import { REFUSALS } from '../../sandbox/errors';

const OPERATIONS: OperationId[] = [
	'listGroups',
	'getGroup',
	'createGroup',
	'updateGroup',
	'deleteGroup',
	'listMembers',
	'addMembers',
	'removeMember',
	'sendMessage',
	'listMessages',
	'listGroupMessages',
	'getMessage',
	'updateMessage',
	'deleteMessage',
	'addReaction',
	'removeReaction',
	'listReactions',
	'listReactionsOf',
	'listUsers',
];

let contract: Contract;

beforeAll(async () => {
	contract = await loadContract();
});

const groups = (query: Record<string, string | string[]>) =>
	contract.validateRequest('listGroups', {
		method: 'GET',
		path: '/v3/groups',
		query,
		headers: { apikey: 'key' },
	});

test('it is a valid OpenAPI 3.1 document with the operations that the sandbox plays', async () => {
	await checkDocument();
	const text = readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8');
	expect(text).toMatch(/^openapi: 3\.1\.\d$/m);
	const operations = new Set(contract.examples().map((example) => example.operationId));
	expect([...operations].sort()).toEqual([...OPERATIONS].sort());
});

test('it is read once', async () => {
	expect(await loadContract()).toBe(contract);
});

test('every example of an answer conforms to its own schema', () => {
	const findings = contract
		.examples()
		.flatMap(({ operationId, status, name, value }) =>
			contract
				.validateResponse(operationId, status, value)
				.map((text) => `${operationId} ${status} ${name}: ${text}`),
		);
	expect(findings).toEqual([]);
});

test.each([
	...Object.keys(REFUSALS),
	'ERR_PLAN_RESTRICTION',
	'ERR_PLAN_QUOTA_RESTRICTION',
	'ERR_SUBSCRIPTION_EXPIRED',
])('the refusal %s has an example', (code) => {
	const codes = contract
		.examples()
		.map(({ value }) => (value as { error?: { code: string } }).error?.code);
	// Of a member who could not be added, the call itself succeeds.
	const ofMembers = JSON.stringify(contract.examples()).includes(`"${code}"`);
	expect(codes.includes(code) || ofMembers).toBe(true);
});

test.each(OPERATIONS)('%s has several examples of success', (operationId) => {
	const found = contract
		.examples()
		.filter((example) => example.operationId === operationId && example.status === 200);
	expect(found.length).toBeGreaterThanOrEqual(2);
});

test.each<[string, OperationId, number, unknown]>([
	['a group without a guid', 'listGroups', 200, { data: [{ name: 'x' }], meta: {} }],
	['a message without data', 'getMessage', 200, { data: { id: '1' } }],
	['an answer to Remove Reaction without reactions', 'removeReaction', 200, { data: { data: {} } }],
	['an error without a code', 'getMessage', 404, { error: { message: 'x' } }],
	['a status the contract does not have', 'getMessage', 418, {}],
	['a list of messages without meta', 'listMessages', 200, { data: [] }],
	['a note that does not say what was changed', 'updateMessage', 200, { data: { id: '1' } }],
	['a member without a scope', 'listMembers', 200, { data: [{ uid: 'x', name: 'x' }], meta: {} }],
	['a deletion without success', 'deleteGroup', 200, { data: { message: 'x' } }],
])('%s does not conform', (_name, operationId, status, body) => {
	expect(contract.validateResponse(operationId, status, body)).not.toEqual([]);
});

test('reactedByMe is true or absent', () => {
	const example = contract.examples().find(({ name }) => name === 'reactionsLeft');
	const value = structuredClone(example?.value) as {
		data: { data: { reactions: Array<{ reactedByMe?: boolean }> } };
	};
	value.data.data.reactions[0].reactedByMe = false;
	expect(contract.validateResponse('removeReaction', 200, value)).not.toEqual([]);
});

test('a list may be comma-joined, repeated, or both', () => {
	expect(groups({ tags: 'a,b' }).query.tags).toEqual(['a', 'b']);
	expect(groups({ tags: ['a', 'b'] }).query.tags).toEqual(['a', 'b']);
	expect(groups({ tags: ['a,b', 'c'] }).query.tags).toEqual(['a', 'b', 'c']);
	expect(groups({ types: 'public' }).query.types).toEqual(['public']);
});

test('values come typed', () => {
	expect(groups({ perPage: '5', hasJoined: 'true', updatedAt: '1700000000' })).toEqual({
		body: {},
		query: { perPage: 5, hasJoined: true, updatedAt: 1_700_000_000 },
	});
});

test.each([
	['perPage', '0'],
	['perPage', '1001'],
	['perPage', '1.5'],
	['perPage', 'many'],
	['perPage', ''],
	['perPage', '0x10'],
	['perPage', '1e2'],
	['perPage', ' 5'],
	['page', '0'],
	['updatedAt', '-1'],
	['updatedAt', '2025-01-01'],
	['sortBy', 'updatedAt'],
	['sortOrder', 'ASC'],
	['affix', 'before'],
	['type', 'secret'],
	['types', 'public,secret'],
	['searchIn', 'email'],
	['searchKey', ''],
	['tags', ''],
	['tags', 'a,,b'],
	['withTags', '1'],
	['hasJoined', 'yes'],
	['perpage', '5'],
	['constructor', 'x'],
	['__proto__', 'x'],
	['tags[]', 'a'],
])('%s=%s is refused, by that name', (name, value) => {
	const query = Object.fromEntries([[name, value]]);
	expect(Object.keys(groups(query).errors ?? {})).toEqual([name]);
});

test('a single value may not be repeated', () => {
	expect(Object.keys(groups({ searchKey: ['a', 'b'] }).errors ?? {})).toEqual(['searchKey']);
});

test('headers are named as the contract spells them', () => {
	const { errors } = contract.validateRequest('removeReaction', {
		method: 'DELETE',
		path: '/v3/messages/1/reactions/x',
		query: {},
		headers: { apikey: 'key' },
	});
	expect(errors).toEqual({ onBehalfOf: ['is required'] });
});

const checkBody = (operationId: OperationId, body: string, contentType = 'application/json') =>
	contract.validateRequest(operationId, {
		method: 'POST',
		path: '/v3/groups',
		query: {},
		headers: { apikey: 'key', 'content-type': contentType },
		body,
	});

test('a body is read as JSON, whatever charset it names', () => {
	const body = { guid: 'a', name: 'b', metadata: { deep: [1] } };
	const type = 'Application/JSON; charset=utf-8';
	expect(checkBody('createGroup', JSON.stringify(body), type)).toEqual({ query: {}, body });
});

test.each<[OperationId, string, string]>([
	['createGroup', '', 'body'],
	['createGroup', '{', 'body'],
	['createGroup', '[]', 'body'],
	['createGroup', '"text"', 'body'],
	['createGroup', 'null', 'body'],
	['createGroup', '{"guid":"a"}', 'name'],
	['createGroup', '{"guid":"a b","name":"x"}', 'guid'],
	['createGroup', '{"guid":"a","name":""}', 'name'],
	['createGroup', '{"guid":"a","name":"x","type":"protected"}', 'type'],
	['createGroup', '{"guid":"a","name":"x","tags":["x",7]}', 'tags.1'],
	['createGroup', '{"guid":"a","name":"x","metadata":"{}"}', 'metadata'],
	['createGroup', '{"guid":"a","name":"x","colour":"red"}', 'colour'],
	['updateGroup', '{"unset":["name"]}', 'unset.0'],
	['addMembers', '{"participants":"leo"}', 'participants'],
	['addMembers', '{"users":["leo"]}', 'users'],
	['sendMessage', '{"data":{"text":7}}', 'data.text'],
	['sendMessage', '{"data":{"caption":"x"}}', 'data.caption'],
	['sendMessage', '{"category":"action"}', 'category'],
	['updateMessage', '{}', 'body'],
	['updateMessage', '{"data":{}}', 'data'],
	['updateMessage', '{"text":"x"}', 'text'],
	['deleteMessage', '{"permanent":"true"}', 'permanent'],
	['deleteGroup', '{}', 'body'],
	['addReaction', '{}', 'body'],
])('%s with the body %s is refused, by the name %s', (operationId, body, field) => {
	expect(Object.keys(checkBody(operationId, body).errors ?? {})).toContain(field);
});

test('a body of another content type is refused', () => {
	const { errors } = checkBody('createGroup', '{"guid":"a","name":"b"}', 'text/plain');
	expect(errors).toMatchObject({ body: ['must have the content type application/json'] });
});

test('onBehalfOf is refused where the contract does not list it', () => {
	const { errors } = contract.validateRequest('listUsers', {
		method: 'GET',
		path: '/v3/users',
		query: {},
		headers: { apikey: 'key', onbehalfof: 'mira' },
	});
	expect(errors).toEqual({ onBehalfOf: ['is not a header of this operation'] });
});

test('paths are matched as they come, and their parts decoded once', () => {
	expect(contract.match('DELETE', '/v3/messages/1%2F2/reactions/100%2525')).toEqual({
		operationId: 'removeReaction',
		params: { id: '1/2', reaction: '100%25' },
	});
});

test.each([
	['GET', '/v3/groups/'],
	['GET', '/groups'],
	['GET', '/v2/groups'],
	['GET', '/v3/Groups'],
	['PATCH', '/v3/groups'],
	['PUT', '/v3/messages'],
	['GET', '/v3/messages/'],
	['POST', '/v3/messages/1'],
	['GET', '/v3/groups/a/members/b'],
	['POST', '/v3/users'],
	['DELETE', '/v3/messages/1/reactions/a/b'],
	['DELETE', '/v3/messages/1/reactions/'],
	['GET', '/v3/messages/%E0%A4%A'],
])('%s %s is not in the contract', (method, path) => {
	expect(contract.match(method, path)).toBeUndefined();
});
