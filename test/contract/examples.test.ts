import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { serve, type Served } from '../../tools/n8nEngine/serve';
import { type ContractExample, loadContract } from '../../tools/sandbox/contract';
import type { Failure } from '../../tools/sandbox/errors';
import { AS_TOOL, errorOf, jsonOf } from '../actionNode/harness';
import { OPERATIONS } from '../actionNode/operations';

/** Matches an API key in an example. */
const KEY = /\b[0-9a-f]{40}\b/;

let server: Served;
let answer: { status: number; value: unknown };

beforeAll(async () => {
	server = await serve((_, response) => {
		response.writeHead(answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer.value));
	});
});

afterAll(async () => await server.close());

/** Makes the server respond with the given example, and returns credential data for the server. */
function answerWith({ status, value }: ContractExample) {
	answer = { status, value };
	const [key] = KEY.exec(JSON.stringify(value)) ?? ['0'.repeat(40)];
	return { apiKey: key, baseUrl: `${server.url}/v3` };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null;
}

function isFailure(value: unknown): value is Failure {
	return isObject(value) && 'error' in value;
}

/** Returns the ID of the contract operation for a request, and all of the operation's examples. */
async function examplesOf(wire: string): Promise<{ operationId: string; all: ContractExample[] }> {
	const contract = await loadContract();
	const [method, target] = wire.split(' ');
	const operationId = contract.operationIdOf(method, `/v3${target.split('?')[0]}`);
	if (operationId === undefined) throw new Error(`tools/sandbox/openapi.yaml has no ${wire}`);
	const all = contract.examples().filter((example) => example.operationId === operationId);
	return { operationId, all };
}

/** Returns node parameters that request exactly the page shown in an example. */
function pageOf({ data, meta }: IDataObject): INodeParameters {
	if (!Array.isArray(data)) return {};
	const limit = Math.max(1, data.length);
	const pagination = isObject(meta) && isObject(meta.pagination) ? meta.pagination : undefined;
	if (!pagination) return { limit };
	const { current_page: page, per_page: perPage } = pagination;
	return { limit, options: { page: Number(page), perPage: Number(perPage) } };
}

const byId = (a: IDataObject, b: IDataObject) => (String(a.id) < String(b.id) ? -1 : 1);

/** Expects the node to return one item for each user in an example. */
async function expectAddedMembers(
	example: ContractExample,
	parameters: INodeParameters,
): Promise<void> {
	const onError = 'continueRegularOutput';
	const data = Object(Object(example.value).data) as Record<string, unknown>;
	const lists = Object.entries(data).filter(([, results]) => isObject(results));
	if (lists.length === 0) {
		const items = await jsonOf(answerWith(example), parameters, { onError });
		expect(items.map(({ success }) => success)).toEqual(items.map(() => data.success));
	}
	for (const [role, list] of lists) {
		const results = list as Record<string, unknown>;
		const uids = Object.keys(results);
		const scope = role.replace(/s$/, '');
		const asked = { ...parameters, uids, scope, options: { alreadyMember: 'failure' } };
		const items = await jsonOf(answerWith(example), asked, { onError });
		expect(items.map(({ uid }) => uid)).toEqual(uids);
		for (const item of items) {
			const result = results[String(item.uid)];
			const isAdded = isObject(result) && result.success === true;
			expect(item.success).toBe(isAdded || item.alreadyFriend === true);
			expect(item.reason === null).toBe(item.success);
		}
	}
}

/** Expects a tool of the node, which downloads nothing, to return one item for each file in an example. */
async function expectListedFiles(
	example: ContractExample,
	parameters: INodeParameters,
): Promise<void> {
	const { attachments = [] } = Object(Object(Object(example.value).data).data);
	const asked = { ...parameters, output: 'raw' };
	const items = await jsonOf(answerWith(example), asked, { settings: AS_TOOL });
	expect(items.filter(({ hint }) => hint === undefined)).toEqual(attachments);
}

const REQUESTS = OPERATIONS.flatMap(({ paths, returns }) =>
	paths.map((path) => ({ ...path, returns })),
);

describe.each(REQUESTS)('The examples for $wire', ({ wire, parameters, returns }) => {
	test('of successful responses are returned unchanged, as items and as pages', async () => {
		const { operationId, all } = await examplesOf(wire);
		const successes = all.filter(({ status }) => status === 200);
		if (successes.length === 0) {
			throw new Error(`tools/sandbox/openapi.yaml has no example of a success for ${operationId}`);
		}
		for (const example of successes) {
			if (returns === 'each') {
				await expectAddedMembers(example, parameters);
				continue;
			}
			if (returns === 'files') {
				await expectListedFiles(example, parameters);
				continue;
			}
			const value = Object(example.value) as IDataObject;
			const asked = { ...parameters, ...pageOf(value), output: 'raw' };
			const items = await jsonOf(answerWith(example), asked);
			const things = Array.isArray(value.data) ? value.data : [value.data ?? value];
			// Get Member returns the responses to two requests
			if ('group' in Object(items[0])) {
				expect(items).toEqual([{ group: value.data, user: value.data }]);
				continue;
			}
			expect([...items].sort(byId)).toEqual([...things].sort(byId));
			if (returns === 'one') continue;
			expect(await jsonOf(answerWith(example), { ...asked, output: 'pages' })).toEqual([value]);
		}
	});

	test('of refusals become errors that contain the code and message but not the key', async () => {
		const { operationId, all } = await examplesOf(wire);
		const refusals = all.filter(({ status }) => status !== 200);
		const missing = [400, 401, 403, 429].filter(
			(status) => !refusals.some((example) => example.status === status),
		);
		expect(missing.map((status) => `${operationId} has no example of ${status}`)).toEqual([]);
		for (const example of refusals) {
			if (!isFailure(example.value)) throw new Error(`${example.name} is not a refusal`);
			const { code, message, details = {} } = example.value.error;
			const requestOptions = { maxTries: 1, maxWait: 0 };
			const error = await errorOf(answerWith(example), { ...parameters, requestOptions });
			const said = message.replace(KEY, '**********').replace(/\.$/, '');
			expect(error.description).toContain(`CometChat replied: ${said} (${code}).`);
			// The example's devMessage repeats the message
			expect(String(error.description).replaceAll('"', '').split(said)).toHaveLength(2);
			expect(`${error.message} ${error.description}`).not.toMatch(KEY);
			expect(error.httpCode).toBe(String(example.status));
			for (const [field, texts] of Object.entries(details)) {
				expect(error.description).toContain(`${field}: ${[texts].flat().join(', ')}`);
			}
		}
	});
});
