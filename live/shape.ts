import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Yaml from 'yaml';

import { requireByNode } from '../sandbox/contract';

/** As much of a JSON schema as `sandbox/openapi.yaml` uses for responses. */
export interface Schema {
	$ref?: string;
	type?: string;
	enum?: unknown[];
	required?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	items?: Schema;
	allOf?: Schema[];
	anyOf?: Schema[];
	oneOf?: Schema[];
}

/** Where a value leaves its schema: names of fields and types, never values. */
export interface Deviation {
	kind: 'missing' | 'additional' | 'other type' | 'other value';
	/** `data[].owner`; an entry of a map is `*` */
	path: string;
	text: string;
}

interface Responses {
	responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}

interface Document {
	paths: Record<string, Record<string, Responses & { operationId: string }>>;
	components: Record<'schemas', Record<string, Schema>> &
		Record<'responses', Record<string, Responses['responses'][string]>>;
}

const { parse } = requireByNode()('yaml') as typeof Yaml;

const document: Document = parse(readFileSync(join(__dirname, '../sandbox/openapi.yaml'), 'utf8'), {
	merge: true,
});

const OPERATIONS = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** A schema of `sandbox/openapi.yaml` by its name. */
export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** What the contract says of a success of an operation; undefined where it lacks this status. */
export function successSchema(operationId: string, status: number): Schema | undefined {
	const operation = OPERATIONS.find((each) => each.operationId === operationId);
	return operation?.responses[status]?.content?.['application/json'].schema;
}

/** A schema with what it refers to and all that holds beside it in one. */
function flat({ $ref, allOf = [], ...own }: Schema): Schema {
	const parts = [
		...($ref ? [document.components.schemas[$ref.split('/').at(-1) ?? '']] : []),
		...allOf,
	];
	return parts.map(flat).reduce((all, part) => {
		const properties = { ...all.properties };
		for (const [name, schema] of Object.entries(part.properties ?? {})) {
			properties[name] = name in properties ? { allOf: [properties[name], schema] } : schema;
		}
		return {
			...part,
			...all,
			...(Object.keys(properties).length > 0 ? { properties } : {}),
			required: [...(all.required ?? []), ...(part.required ?? [])],
		};
	}, own);
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

/** How far a value is from a schema: fields that are not known matter least, another type most. */
const distance = (found: Deviation[], path: string): number =>
	found.reduce((sum, { kind, path: where }) => {
		if (kind === 'additional') return sum + 1;
		return sum + (kind === 'other type' && where === path ? 1000 : 10);
	}, 0);

/**
 * Compares a value with its schema. Of alternatives, the nearest counts; what is inside a free-form
 * object or an additional field is not looked at.
 */
export function deviationsOf(value: unknown, schema: Schema, path = ''): Deviation[] {
	const { anyOf, oneOf, ...own } = flat(schema);
	const alternatives = anyOf ?? oneOf;
	if (alternatives) {
		const [nearest] = alternatives
			.map((alternative) => deviationsOf(value, { allOf: [own, alternative] }, path))
			.sort((a, b) => distance(a, path) - distance(b, path));
		return nearest;
	}
	const actual = typeOf(value);
	const { type = actual, enum: values, items } = own;
	if (actual !== type && !(type === 'number' && actual === 'integer')) {
		return [{ kind: 'other type', path, text: `${path || 'the body'} is ${actual}, not ${type}` }];
	}
	if (values && !values.includes(value)) {
		return [{ kind: 'other value', path, text: `${path} is none of ${values.join(', ')}` }];
	}
	const all = Array.isArray(value)
		? value.flatMap((entry) => deviationsOf(entry, items ?? {}, `${path}[]`))
		: isObject(value)
			? fieldDeviations(value, own, path)
			: [];
	return [...new Map(all.map((deviation) => [deviation.text, deviation])).values()];
}

function fieldDeviations(
	value: Record<string, unknown>,
	{ properties, required = [], additionalProperties }: Schema,
	path: string,
): Deviation[] {
	const at = (name: string) => (path === '' ? name : `${path}.${name}`);
	const missing = required.filter((name) => !(name in value)).map(at);
	const inner = Object.entries(value).flatMap(([name, field]): Deviation[] => {
		if (properties && name in properties) return deviationsOf(field, properties[name], at(name));
		if (isObject(additionalProperties)) return deviationsOf(field, additionalProperties, at('*'));
		if (!properties) return [];
		return [{ kind: 'additional', path: at(name), text: `${at(name)} (${typeOf(field)})` }];
	});
	return [...missing.map((text): Deviation => ({ kind: 'missing', path: text, text })), ...inner];
}
