import type { IDataObject } from 'n8n-workflow';

import { createFieldReader, isObjectOrArray } from '../../nodes/CometChat/helpers/json';
import type { Operation, Resource } from '../../nodes/CometChat/types';
import type { FieldRow } from './fieldText';
import { readYaml } from '../sandbox/readYaml';
import { formatTable, listCode, mergeNames, type Entry } from './markdown';

/** Sources of operations, parameters and properties in the sandbox's contract. The best source comes first. */
const SOURCES = {
	spec: 'REST specification',
	docs: 'documentation pages',
	seen: 'SDK or test code',
	assumed: 'assumption',
};

type Source = keyof typeof SOURCES;

/** Everything that a request can contain or return, by name, if it isn't in the specification. */
type Exceptions = Record<string, Source>;

interface Endpoint {
	'x-source'?: Source;
	parameters: unknown;
	requestBody?: unknown;
	responses: Record<string, unknown>;
}

const document = readYaml('openapi.yaml') as IDataObject & {
	paths: Record<string, Record<string, Endpoint>>;
};

const findReference = (reference: string): unknown =>
	createFieldReader(...reference.replace('#/', '').split('/'))(document);

/** Finds the named parts of an endpoint that the specification doesn't contain. */
function findExceptions(value: unknown, name = ''): Exceptions {
	if (!isObjectOrArray(value) || value['x-unsent'] === true) return {};
	const { $ref: reference, 'x-source': source, ...rest } = value;
	if (source !== undefined) {
		return { [typeof rest.name === 'string' ? rest.name : name]: source as Source };
	}
	const parts = Object.entries(rest).map(([key, part]) => findExceptions(part, key));
	const target = typeof reference === 'string' ? findExceptions(findReference(reference)) : {};
	return Object.assign(target, ...parts) as Exceptions;
}

/** Paths that the bot trigger calls. */
const BOT_PATHS = ['/bots', '/bots/{uid}'];

/** Paths that the memory calls, with the method GET. */
const MEMORY_PATHS = [
	'/users/{uid}/messages',
	'/groups/{guid}/messages',
	'/messages/{id}',
	'/messages/{id}/thread',
];

/** Replaces each path parameter in a URL template with `{}`. */
const toTemplate = (url: string) => url.replace(/\{\w+\}/g, '{}');

/** Lists the URL templates that an operation can call, depending on its fields. */
export function listUrls({ routing, fields, fromEarlierNodes, response }: Operation): string[] {
	const urls = JSON.stringify({ routing, fromEarlierNodes, fields }).matchAll(/"url":"([^"]+)"/g);
	const member = 'one' in response ? response.memberUserPath : undefined;
	return [...new Set([...Array.from(urls, ([, url = '']) => url), ...(member ? [member] : [])])];
}

/** Returns the endpoints that an operation can call. */
function endpointsOf(operation: Operation): Endpoint[] {
	const method = String(operation.routing?.request?.method).toLowerCase();
	const templates = listUrls(operation).map(toTemplate);
	return Object.entries(document.paths)
		.filter(([path]) => templates.includes(toTemplate(path)))
		.flatMap(([, endpoints]) => endpoints[method] ?? []);
}

/** Returns the endpoints that the bot trigger calls to set up its bot. */
const endpointsOfBots = (): Endpoint[] =>
	BOT_PATHS.flatMap((path) => Object.values(document.paths[path] ?? {}));

/** Returns the endpoints from which the memory reads messages. */
const endpointsOfMemory = (): Endpoint[] =>
	MEMORY_PATHS.flatMap((path) => document.paths[path]?.get ?? []);

/** Returns the worst source of several endpoints. */
function worstSourceOf(endpoints: Endpoint[]): Source {
	const order = Object.keys(SOURCES) as Source[];
	const sources = endpoints.map(({ 'x-source': source = 'spec' }) => source);
	return order.findLast((source) => sources.includes(source)) ?? 'spec';
}

const sourceOf = (operation: Operation): Source => worstSourceOf(endpointsOf(operation));

type EndpointPart = 'parameters' | 'requestBody' | 'responses';

const exceptionsOf = (
	operation: Operation,
	parts: EndpointPart[] = ['parameters', 'requestBody', 'responses'],
): Exceptions =>
	Object.assign(
		{},
		...endpointsOf(operation).flatMap((endpoint) =>
			parts.map((part) => findExceptions(endpoint[part])),
		),
	) as Exceptions;

/** Adds the source to the text of each field that isn't in CometChat's specification. */
export function addSources(operation: Operation, rows: FieldRow[]): FieldRow[] {
	const exceptions = exceptionsOf(operation, ['parameters', 'requestBody']);
	return rows.map((row) => {
		const source = exceptions[row.name];
		if (source === undefined) return row;
		return { ...row, text: `${row.text} _Source: ${SOURCES[source]}._` };
	});
}

/** Lists exceptions by source, e.g. "`id`, `affix`: assumption". */
function formatExceptions(exceptions: Exceptions): string {
	const entries = Object.entries(exceptions).map(([name, source]): Entry => [
		`\`${name}\``,
		[SOURCES[source]],
	]);
	return mergeNames(entries)
		.map(([names, sources]) => `${names}: ${sources.join()}`)
		.join('; ');
}

/** Describes which operations follow which source. */
export function formatSources(resources: Resource[]): string {
	const all = resources.flatMap(({ operations }) => operations.map(sourceOf));
	const count = (source: Source) => all.filter((each) => each === source).length;
	const rows = resources.flatMap(({ name: resource, operations }) => {
		const entries = operations.map((operation): Entry => [
			operation.name,
			[SOURCES[sourceOf(operation)], formatExceptions(exceptionsOf(operation))],
		]);
		return mergeNames(entries).map(([names, cells]) => [`${resource}: ${names}`, ...cells]);
	});
	return [
		`Of the ${all.length} operations, ${count('spec')} follow CometChat's REST specification, ${count('docs')} its documentation pages, and ${count('seen')} its SDK or test code; assumed: ${count('assumed')}.`,
		formatTable(['Operations', 'Source', 'Fields with another source'], rows),
		`The CometChat Bot Trigger sets up its bot with ${listCode(BOT_PATHS).replace(', ', ' and ')}. Source: ${SOURCES[worstSourceOf(endpointsOfBots())]}. The CometChat Memory reads messages with ${listCode(MEMORY_PATHS).replace(/, (?=[^,]*$)/, ' and ')}. Source: ${SOURCES[worstSourceOf(endpointsOfMemory())]}.`,
	].join('\n\n');
}
