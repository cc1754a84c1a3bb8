import * as fc from 'fast-check';
import type { IDataObject, INodeType } from 'n8n-workflow';

import { asInProduction, nodeTypesByName } from '../../tools/n8nEngine/types';
import { AS_TOOL, CONTINUE, NODE, run } from '../actionNode/harness';
import { OPERATIONS } from '../actionNode/operations';
import { startRecorder, type Recorded, type Recorder } from '../actionNode/recorder';
import { countCases } from '../countCases';
import { asTyped, plainValues } from './fields';

const TYPE = 'n8n-nodes-cometchat.cometChat';

/** Node type with a description but no code, so n8n runs it with RoutingNode only. */
const AS_DESCRIBED = { type: `${TYPE}Described` };

/** Copies a part of the node's description, and omits all functions. */
function removeFunctions<T>(part: T): T {
	if (Array.isArray(part)) return part.map((each: unknown) => removeFunctions(each)) as T;
	if (typeof part !== 'object' || part === null) return part;
	const entries = Object.entries(part)
		.filter(([name]) => !['operations', 'output', 'paginate', 'preSend'].includes(name))
		.map(([name, inner]) => [name, removeFunctions(inner as unknown)]);
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
					['resource', 'operation'].includes(property.name) ? removeFunctions(property) : property,
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

/** Runs the node, and returns its requests. @throws if the node sends none */
async function record(parameters: IDataObject, settings: object): Promise<Recorded[]> {
	service.requests.splice(0);
	const { items } = await run(service, parameters as never, { ...CONTINUE, settings });
	if (service.requests.length === 0) {
		throw new Error(`${JSON.stringify(items(NODE))} for ${JSON.stringify(parameters)}`);
	}
	return [...service.requests];
}

/** Returns the parts of a request that must be the same no matter how n8n runs the node. */
const toComparable = ({ method, url, headers, body }: Recorded) => ({
	method,
	url,
	body: body === undefined ? undefined : (JSON.parse(body) as unknown),
	headers: { ...headers, connection: undefined },
});

/** Lists the names of fields that have a value. Fields inside `data` get the prefix "data.". */
function keysOf(value: unknown, prefix = ''): string[] {
	return Object.entries(Object(value)).flatMap(([key, inner]) => {
		if (key === 'data' && prefix === '') return keysOf(inner, 'data.');
		return inner === '' || inner === undefined ? [] : `${prefix}${key}`;
	});
}

const distinct = (names: string[]) => [...new Set(names)].sort();

/** Lists the names of a request's query parameters, without array indexes such as `[0]`, and body fields. */
function keysSent({ url, body }: Recorded) {
	const query = new URLSearchParams(url.split('?')[1] ?? '');
	const named = [...query].filter(([, value]) => value !== '').map(([key]) => key);
	return {
		query: distinct(named.map((key) => key.replace(/\[\d*\]$/, ''))),
		body: distinct(keysOf(body === undefined ? {} : JSON.parse(body))),
	};
}

/**
 * Query parameters that the node's pagination adds, and one that RoutingNode leaves out, because it doesn't know
 * that the field depends on another field of its collection.
 */
const NOT_COMPARED = ['page', 'perPage', 'affix', 'limit', 'searchIn'];

test.each(OPERATIONS)(
	"$name sends the same requests as a node, as an agent's tool, and through n8n's RoutingNode alone",
	async (operation) => {
		await fc.assert(
			fc.asyncProperty(plainValues(operation), async (values) => {
				const parameters = asTyped(operation, values);
				const custom = await record(parameters, {});
				const asTool = await record(parameters, AS_TOOL);
				expect(asTool.map(toComparable)).toEqual(custom.map(toComparable));
				// An update may fetch the entity first
				const [method] = operation.wire.split(' ');
				const [own] = custom.filter((request) => request.method === method).map(keysSent);
				const [described] = (await record(parameters, AS_DESCRIBED)).map(keysSent);
				const select = (keys: string[]) => keys.filter((key) => !NOT_COMPARED.includes(key));
				expect({ query: select(own.query), body: own.body }).toEqual({
					query: select(described.query),
					body: described.body,
				});
			}),
			{ numRuns: countCases({ eachChange: 1, nightly: 30 }), endOnFailure: true },
		);
	},
	60_000,
);
