import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { HANDLERS } from '../../tools/sandbox/api/api';
import { loadContract, type Contract } from '../../tools/sandbox/contract';
import { REFUSALS } from '../../tools/sandbox/errors';
import { CONTRACT, listProperties } from '../contract/document';
import { call, useSandbox } from './client';

const sandbox = useSandbox();

let contract: Contract;

const ROOT = join(__dirname, '../..');

beforeAll(async () => {
	contract = await loadContract();
});

test('each operation has a handler, and each handler has an operation', () => {
	const ids = CONTRACT.map(({ operationId }) => operationId);
	const missing = CONTRACT.filter(({ operationId }) => !(operationId in HANDLERS));
	const spare = Object.keys(HANDLERS).filter((id) => !ids.includes(id));
	expect([
		...missing.map(({ operationId, tags: [tag] }) => {
			return `tools/sandbox/api/${tag}.ts has no handler for ${operationId} of tools/sandbox/openapi.yaml`;
		}),
		...spare.map(
			(id) => `tools/sandbox/openapi.yaml has no operation ${id}, which tools/sandbox/api handles`,
		),
	]).toEqual([]);
});

test('the handlers read each query parameter', () => {
	const sources = globSync('tools/sandbox/api/*.ts', { cwd: ROOT })
		.map((file) => readFileSync(join(ROOT, file), 'utf8'))
		.join('\n');
	const unread = CONTRACT.flatMap(({ operationId, parameters }) =>
		parameters
			.filter(
				({ in: place, name }) => place === 'query' && !new RegExp(`\\b${name}\\b`).test(sources),
			)
			.map(
				({ name }) => `tools/sandbox/api/ does not read the parameter ${name} of ${operationId}`,
			),
	);
	expect(unread).toEqual([]);
});

test('each example matches the schema', () => {
	const examples = contract.examples();
	const findings = examples.flatMap(({ operationId, status, name, value }) =>
		contract
			.validateResponse(operationId, status, value)
			.map((text) => `${operationId} ${status} ${name}: ${text}`),
	);
	expect(findings).toEqual([]);
});

test.each([
	['Group', '/groups', 'mira'],
	['User', '/users', undefined],
	['Message', '/messages', undefined],
	['Conversation', '/conversations', 'mira'],
])(
	'the contract declares each field of a %s, although it allows others',
	async (name, path, as) => {
		const { text } = await call(sandbox(), path, { as });
		const fields = (JSON.parse(text) as { data: object[] }).data.flatMap(Object.keys);
		expect(fields.length).toBeGreaterThan(0);
		const declared = listProperties(name);
		expect(fields.filter((field) => !declared.includes(field))).toEqual([]);
	},
);

test('the contract has an example of each refusal', () => {
	const text = JSON.stringify(contract.examples());
	expect(Object.keys(REFUSALS).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});

test('a response with an undeclared status violates the contract', () => {
	expect(contract.validateResponse('getMessage', 418, {})).toHaveLength(1);
});

const groups = (query: Record<string, string | string[]>) =>
	contract.validateRequest('listGroups', {
		method: 'GET',
		path: '/v3/groups',
		query,
		headers: { apikey: 'key' },
	});

test('query values get their types, and lists can use commas, repetition, or both', () => {
	expect(groups({ perPage: '5', hasJoined: 'true', tags: ['a,b', 'c'], types: 'public' })).toEqual({
		body: {},
		notes: [],
		query: { perPage: 5, hasJoined: true, tags: ['a', 'b', 'c'], types: ['public'] },
	});
});

test.each([
	['perPage', '1001'],
	['perPage', '0x10'],
	['sortOrder', 'Asc'],
	['types', 'public,secret'],
	['tags', 'a,,b'],
	['perpage', '5'],
	['__proto__', 'x'],
	['searchKey', ['a', 'b']],
])('the query parameter %s=%j is refused by name', (name, value) => {
	const query = Object.fromEntries([[name, value]]);
	expect(Object.keys(groups(query).errors ?? {})).toEqual([name]);
});

const send = (operationId: string, body: string, contentType = 'application/json') =>
	contract.validateRequest(operationId, {
		method: 'POST',
		path: '/v3/groups',
		query: {},
		headers: { apikey: 'key', onbehalfof: 'mira', 'content-type': contentType },
		body,
	});

test('a body is parsed as JSON with any charset', () => {
	const body = { guid: 'a', name: 'b', metadata: { deep: [1] } };
	const type = 'Application/JSON; charset=utf-8';
	expect(send('createGroup', JSON.stringify(body), type)).toEqual({ query: {}, notes: [], body });
});

test.each([
	['createGroup', '', { body: ['The body field is required.'] }],
	['createGroup', '{', { body: ['is not JSON'] }],
	['createGroup', '[]', { body: ['must be object'] }],
	['createGroup', '{"guid":"a"}', { name: ['The name field is required.'] }],
	['createGroup', '{"guid":"a","name":"x","tags":["x",7]}', { 'tags.1': ['must be string'] }],
	[
		'createGroup',
		'{"guid":"a","name":"x","colour":"red"}',
		{ colour: ['is not a field of this operation'] },
	],
	['sendMessage', '{"data":{"text":7}}', { 'data.text': ['must be string'] }],
	['deleteGroup', '{}', { body: ['this operation takes no body'] }],
	['listUsers', '', { onBehalfOf: ['is not a header of this operation'] }],
])('%s refuses the body %s and names the fields', (operationId, body, errors) => {
	expect(send(operationId, body).errors).toMatchObject(errors);
});

test('errors use the header names from the contract', () => {
	const { errors } = contract.validateRequest('removeReaction', {
		method: 'DELETE',
		path: '/v3/messages/1/reactions/x',
		query: {},
		headers: { apikey: 'key' },
	});
	expect(errors).toEqual({ onBehalfOf: ['The onBehalfOf field is required.'] });
});
