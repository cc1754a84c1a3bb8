import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type ContractExample, loadContract, type OperationId } from '../../sandbox/contract';
import type { Failure, GroupList, Message } from '../../sandbox/types';
import { errorOf, get, itemsOf, list, removeReaction } from '../engine/harness';

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

/** The operations of the node. */
const REQUESTS = {
	listGroups: list(),
	getMessage: get('101'),
	removeReaction: removeReaction('101', '👍', 'mira'),
} satisfies Partial<Record<OperationId, INodeParameters>>;

function isList(value: unknown): value is GroupList {
	return typeof value === 'object' && value !== null && 'meta' in value;
}

function isMessage(value: unknown): value is { data: Message } {
	return typeof value === 'object' && value !== null && 'data' in value && !isList(value);
}

function isFailure(value: unknown): value is Failure {
	return typeof value === 'object' && value !== null && 'error' in value;
}

const of = (operation: OperationId, success: boolean) =>
	examples.filter(
		({ operationId, status }) => operationId === operation && (status === 200) === success,
	);

const plain = (value: unknown): IDataObject => JSON.parse(JSON.stringify(value));

describe('The examples of the contract', () => {
	test('of lists give their groups, and their pages whole', async () => {
		for (const example of of('listGroups', true)) {
			if (!isList(example.value)) throw new Error(`${example.name} is not a list`);
			const { data, meta } = example.value;
			const { current_page: page, per_page: perPage } = meta.pagination;
			const request = { limit: Math.max(1, data.length), options: { page, perPage } };
			const service = serve(example);
			expect((await itemsOf(service, list(request))).map(({ json }) => json)).toEqual(data);
			const pages = await itemsOf(service, list({ ...request, output: 'pages' }));
			expect(pages.map(({ json }) => json)).toEqual([example.value]);
			const fields = list({ ...request, output: 'fields', fields: ['guid'] });
			expect((await itemsOf(service, fields)).map(({ json }) => json)).toEqual(
				data.map(({ guid }) => ({ guid })),
			);
		}
	});

	test.each(['getMessage', 'removeReaction'] as const)(
		'of %s give their message',
		async (operation) => {
			for (const example of of(operation, true)) {
				if (!isMessage(example.value)) throw new Error(`${example.name} is not a message`);
				const message = example.value.data;
				const service = serve(example);
				const [raw] = await itemsOf(service, REQUESTS[operation]);
				expect(raw.json).toEqual(plain(message));
				const simple = { ...REQUESTS[operation], output: 'simplified' };
				const [{ json }] = await itemsOf(service, simple);
				expect(json).toMatchObject({ id: message.id, text: message.data.text });
				const left = message.data.reactions?.map(({ reaction, count }) => `${reaction} ${count}`);
				expect(json.reactions).toBe(left?.join(', '));
			}
		},
	);

	test.each(['listGroups', 'getMessage', 'removeReaction'] as const)(
		'of refusals of %s give errors that quote their code and message, but no key',
		async (operation) => {
			const refusals = of(operation, false);
			expect(refusals.length).toBeGreaterThan(10);
			for (const example of refusals) {
				if (!isFailure(example.value)) throw new Error(`${example.name} is not a refusal`);
				const { code, message, details = {} } = example.value.error;
				const parameters = { ...REQUESTS[operation], options: { maxTries: 1 } };
				const error = await errorOf(serve(example), parameters);
				expect(error.message).toContain(`${code}: ${message.replace(KEY, '**********')}`);
				expect(error.message).not.toMatch(KEY);
				expect(error.httpCode).toBe(String(example.status));
				for (const [field, texts] of Object.entries(details)) {
					expect(error.message).toContain(`${field}: ${[texts].flat().join(', ')}`);
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
