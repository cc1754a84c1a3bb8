import * as fc from 'fast-check';
import type { IDataObject, INodeType } from 'n8n-workflow';

import { asInProduction, nodeTypesByName } from '../../tools/n8nEngine/types';
import { AS_TOOL, run } from '../engine/harness';
import { DECLARED, OPERATIONS } from '../engine/operations';
import { startRecorder, type Recorded, type Recorder } from '../engine/recorder';
import { asTyped, plainValues } from './fields';

const TYPE = 'n8n-nodes-cometchat.cometChat';

/** The node with nothing but its description: n8n's RoutingNode alone carries it out. */
const AS_DESCRIBED = { type: `${TYPE}Described` };

/** A part of a description without functions: what n8n alone makes of the rest. */
function withoutOwnCode<T>(part: T): T {
	if (Array.isArray(part)) return part.map((each: unknown) => withoutOwnCode(each)) as T;
	if (typeof part !== 'object' || part === null) return part;
	const entries = Object.entries(part)
		.filter(([name]) => !['operations', 'output', 'paginate', 'preSend'].includes(name))
		.map(([name, inner]) => [name, withoutOwnCode(inner as unknown)]);
	return Object.fromEntries(entries) as T;
}

let service: Recorder;

beforeAll(async () => {
	const routed = nodeTypesByName.get(AS_TOOL.type);
	if (!routed) throw new Error(`There is no node type ${AS_TOOL.type}`);
	const described: INodeType = Object.create(routed, {
		description: {
			value: {
				...routed.description,
				properties: routed.description.properties.map((property) =>
					['resource', 'operation'].includes(property.name) ? withoutOwnCode(property) : property,
				),
			},
		},
		execute: { value: undefined, writable: true },
	});
	nodeTypesByName.set(AS_DESCRIBED.type, asInProduction(described));
	service = await startRecorder();
});

afterAll(async () => {
	nodeTypesByName.delete(AS_DESCRIBED.type);
	await service.close();
});

async function sentBy(parameters: IDataObject, settings: object): Promise<Recorded[]> {
	service.requests.splice(0);
	await run(service, parameters as never, { settings, onError: 'continueRegularOutput' });
	return [...service.requests];
}

/** All of a request but when it came. */
const onTheWire = ({ method, url, headers, body }: Recorded) => ({
	method,
	url,
	body: body === undefined ? undefined : (JSON.parse(body) as unknown),
	headers: { ...headers, connection: undefined },
});

/** Names of what holds something, those inside of `data` with a dot. */
function keysOf(value: unknown, prefix = ''): string[] {
	return Object.entries(Object(value)).flatMap(([key, inner]) => {
		if (key === 'data' && prefix === '') return keysOf(inner, 'data.');
		return inner === '' || inner === undefined ? [] : `${prefix}${key}`;
	});
}

const distinct = (names: string[]) => [...new Set(names)].sort();

/** Names of the query, where a list may be spelt `types[0]`, and of the body. */
function keysSent({ url, body }: Recorded) {
	const query = new URLSearchParams(url.split('?')[1] ?? '');
	const named = [...query].filter(([, value]) => value !== '').map(([key]) => key);
	return {
		query: distinct(named.map((key) => key.replace(/\[\d*\]$/, ''))),
		body: distinct(keysOf(body === undefined ? {} : JSON.parse(body))),
	};
}

/** Body fields that n8n doesn't learn from the description: constants, and what a choice in `bodies` adds. */
function ownBodyOf(key: string, values: IDataObject): string[] {
	const { operation } = DECLARED.find((declared) => declared.key === key) ?? {};
	const fields = operation?.fields ?? [];
	const valueOf = (name: string) =>
		String(values[name] ?? fields.find((field) => field.name === name)?.default);
	const byChoice = fields.flatMap(({ name, bodies }) =>
		Object.keys(bodies?.bodies[valueOf(bodies.parameter)]?.[valueOf(name)] ?? {}),
	);
	return [...Object.keys(Object(operation?.routing?.request?.body)), ...byChoice];
}

/** Paging is the node's own. */
const OF_PAGING = ['page', 'perPage', 'affix', 'limit'];

/**
 * Tests that n8n's ways to run an operation send the same.
 *
 * @param options how many sets of values each operation is tried with
 */
export function testWays(options: fc.Parameters<unknown>): void {
	describe.each(OPERATIONS)('$name, with any plain values,', (operation) => {
		test("sends the same by itself, as an agent's tool, and as n8n makes it of its bare description", async () => {
			await fc.assert(
				fc.asyncProperty(plainValues(operation), async (values) => {
					const parameters = asTyped(operation, values);
					const custom = await sentBy(parameters, {});
					expect(custom.length).toBeGreaterThan(0);
					const asTool = await sentBy(parameters, AS_TOOL);
					expect(asTool.map(onTheWire)).toEqual(custom.map(onTheWire));
					// An update may read the entity first
					const [method] = operation.wire.split(' ');
					const [own] = custom.filter((request) => request.method === method).map(keysSent);
					const [described] = (await sentBy(parameters, AS_DESCRIBED)).map(keysSent);
					const asked = (keys: string[]) => keys.filter((key) => !OF_PAGING.includes(key));
					expect({ query: asked(own.query), body: own.body }).toEqual({
						query: asked(described.query),
						body: distinct([...described.body, ...ownBodyOf(operation.key, parameters)]),
					});
				}),
				{ endOnFailure: true, ...options },
			);
		}, 60_000);
	});
}
