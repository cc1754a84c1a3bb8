import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type ContractExample, loadContract, type OperationId } from '../../sandbox/contract';
import type { Failure, GroupList, Message } from '../../sandbox/types';
import { errorOf, get, itemsOf, list, removeReaction } from '../engine/harness';
import { OPERATIONS } from '../engine/operations';

/** A key that the examples of refusals repeat. */
const KEY = /\b[0-9a-f]{40}\b/;

let server: Server;
let examples: ContractExample[];
let answer: { status: number; value: unknown };
const used = new Set<string>();

beforeAll(async () => {
	examples = (await loadContract()).examples();
	server = createServer((_, response) => {
		response.writeHead(answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer.value));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

/** Serves an example from now on; gives what a credential needs to reach it. */
function serve({ operationId, status, name, value }: ContractExample) {
	used.add(`${operationId} ${status} ${name}`);
	answer = { status, value };
	const [key] = KEY.exec(JSON.stringify(value)) ?? ['0'.repeat(40)];
	const { port } = server.address() as AddressInfo;
	return { apiKey: key, baseUrl: `http://127.0.0.1:${port}/v3` };
}

/** How the node sends each operation of the contract. */
const REQUESTS: Partial<Record<OperationId, INodeParameters>> = {
	listGroups: list(),
	getGroup: parametersOf('Get group'),
	createGroup: parametersOf('Create group'),
	updateGroup: parametersOf('Update group'),
	deleteGroup: parametersOf('Delete group'),
	listMembers: parametersOf('List members of group'),
	addMembers: { ...parametersOf('Add members to group'), scope: 'participant' },
	removeMember: parametersOf('Remove member from group'),
	listGroupMessages: parametersOf('List messages'),
	listMessages: { ...parametersOf('List messages'), messagesOf: 'app' },
	sendMessage: parametersOf('Send message'),
	getMessage: get('101'),
	updateMessage: parametersOf('Update message'),
	deleteMessage: parametersOf('Delete message'),
	addReaction: parametersOf('Add reaction to message'),
	removeReaction: removeReaction('101', '👍', 'mira'),
	listReactions: parametersOf('List reactions to message'),
	listReactionsOf: { ...parametersOf('List reactions to message'), reaction: '👍' },
};

function parametersOf(name: string): INodeParameters {
	const operation = OPERATIONS.find((each) => each.name === name);
	if (!operation) throw new Error(`There is no operation "${name}"`);
	return operation.parameters;
}

const IDS = Object.keys(REQUESTS) as OperationId[];

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null;
}

function dataOf({ value }: ContractExample): unknown {
	return isObject(value) ? value.data : undefined;
}

function isFailure(value: unknown): value is Failure {
	return isObject(value) && 'error' in value;
}

const of = (operation: OperationId, success: boolean) =>
	examples.filter(
		({ operationId, status }) => operationId === operation && (status === 200) === success,
	);

const plain = (value: unknown): IDataObject => JSON.parse(JSON.stringify(value));

const jsonOf = async (example: ContractExample, parameters: INodeParameters) =>
	(await itemsOf(serve(example), parameters)).map(({ json }) => json);

const pick = (text: string | undefined) => (text === undefined ? {} : { text });

describe('The examples of the contract', () => {
	test('of groups give their groups, and their pages in full', async () => {
		for (const example of of('listGroups', true)) {
			const { data, meta } = example.value as GroupList;
			const { current_page: page, per_page: perPage } = meta.pagination;
			const request = { limit: Math.max(1, data.length), options: { page, perPage } };
			expect(await jsonOf(example, list(request))).toEqual(data);
			expect(await jsonOf(example, list({ ...request, output: 'pages' }))).toEqual([example.value]);
			const fields = list({ ...request, output: 'fields', fields: ['guid'] });
			expect(await jsonOf(example, fields)).toEqual(data.map(({ guid }) => ({ guid })));
		}
	});

	test.each(IDS)('of %s are returned raw as they are', async (operation) => {
		const successes = of(operation, true);
		expect(successes.length).toBeGreaterThan(0);
		if (operation === 'addMembers') return;
		for (const example of successes) {
			const data = dataOf(example);
			const things = Array.isArray(data) ? data : [data];
			const limit = Array.isArray(data) ? { limit: Math.max(1, data.length) } : {};
			const page = operation === 'listGroups' ? { options: { page: 1, perPage: 1 } } : {};
			if (operation === 'listGroups' && things.length !== 1) continue;
			const items = await jsonOf(example, { ...REQUESTS[operation], ...limit, ...page });
			const byId = (a: IDataObject, b: IDataObject) => (String(a.id) < String(b.id) ? -1 : 1);
			expect([...items].sort(byId)).toEqual(things.map(plain).sort(byId));
		}
	});

	test('of added members are an item each', async () => {
		for (const example of of('addMembers', true)) {
			const [[role, results]] = Object.entries(Object(dataOf(example)));
			const uids = Object.keys(Object(results));
			const items = await itemsOf(
				serve(example),
				{
					...REQUESTS.addMembers,
					uids,
					scope: role.replace(/s$/, ''),
				},
				{ onError: 'continueRegularOutput' },
			);
			expect(items.map(({ json }) => json.uid)).toEqual(uids);
			for (const { json } of items) {
				const result: unknown = Reflect.get(Object(results), String(json.uid));
				const isAdded = isObject(result) && result.success === true;
				expect(json.success).toBe(isAdded);
				expect('error' in json).toBe(!isAdded);
			}
		}
	});

	test.each(['getMessage', 'removeReaction', 'addReaction', 'sendMessage'] as const)(
		'of %s are simplified to text and reactions',
		async (operation) => {
			for (const example of of(operation, true)) {
				const message = dataOf(example) as Message;
				const parameters = { ...REQUESTS[operation], output: 'simplified' };
				const [json] = await jsonOf(example, parameters);
				expect(json).toMatchObject({ id: message.id, ...pick(message.data.text) });
				const left = message.data.reactions?.map(({ reaction, count }) => `${reaction} ${count}`);
				expect(json.reactions).toBe(left?.join(', '));
			}
		},
	);

	test.each(IDS)(
		'of refusals of %s give errors that quote their code and message, but no key',
		async (operation) => {
			const refusals = of(operation, false);
			expect(refusals.length).toBeGreaterThan(3);
			for (const example of refusals) {
				if (!isFailure(example.value)) throw new Error(`${example.name} is not a refusal`);
				const { code, message, details = {} } = example.value.error;
				const options = { maxTries: 1, maxWait: 0 };
				const error = await errorOf(serve(example), { ...REQUESTS[operation], options });
				const said = message.replace(KEY, '**********').replace(/\.$/, '');
				expect(error.description).toContain(`CometChat replied: ${said} (${code}).`);
				expect(`${error.message} ${error.description}`).not.toMatch(KEY);
				expect(error.httpCode).toBe(String(example.status));
				for (const [field, texts] of Object.entries(details)) {
					expect(error.description).toContain(`${field}: ${[texts].flat().join(', ')}`);
				}
			}
		},
	);

	test('have all been used', () => {
		const all = examples
			.filter(({ operationId }) => operationId in REQUESTS)
			.map(({ operationId, status, name }) => `${operationId} ${status} ${name}`);
		expect([...used].sort()).toEqual(all.sort());
	});

	test('keep to the contract themselves', async () => {
		const contract = await loadContract();
		for (const { operationId, status, value } of examples) {
			expect(contract.validateResponse(operationId, status, value)).toEqual([]);
		}
	});
});
