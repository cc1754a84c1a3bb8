import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Yaml from 'yaml';

import { requireByNode } from '../../sandbox/contract';

/** A parameter of the contract, references resolved. */
export interface Parameter {
	name: string;
	in: 'query' | 'path' | 'header';
	required: boolean;
	schema: Schema;
}

export interface Schema {
	type?: string;
	enum?: string[];
	minimum?: number;
	maximum?: number;
	items?: Schema;
	properties?: Record<string, Schema>;
}

export interface Operation {
	operationId: string;
	/** One, which names the file in sandbox/api/ */
	tags: string[];
	/** In capitals. */
	method: string;
	path: string;
	parameters: Parameter[];
	/** Of the JSON that is sent, where there is any */
	body?: Schema;
}

type Tree = { [key: string]: unknown };

function isTree(value: unknown): value is Tree {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const { parse } = requireByNode()('yaml') as typeof Yaml;

const document: unknown = parse(
	readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8'),
	{ merge: true },
);

/** Puts what they point to in the place of references, e.g. `#/components/schemas/Group`. */
function resolve(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(resolve);
	if (!isTree(value)) return value;
	if (typeof value.$ref === 'string') {
		const steps = value.$ref.replace('#/', '').split('/');
		return resolve(
			steps.reduce((inner, step) => (isTree(inner) ? inner[step] : undefined), document),
		);
	}
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
}

type Method = Pick<Operation, 'operationId' | 'tags' | 'parameters'> & {
	requestBody?: { content: Record<string, { schema: Schema }> };
};

/** What the contract says of the requests of each operation, read without the sandbox. */
export function readOperations(): Operation[] {
	const { paths }: { paths: Record<string, Record<string, Method>> } = JSON.parse(
		JSON.stringify(resolve(document)),
	);
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { requestBody, ...operation }]) => ({
			...operation,
			method: method.toUpperCase(),
			path,
			body: requestBody?.content['application/json'].schema,
		})),
	);
}
