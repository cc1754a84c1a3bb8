import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import type { Contract } from '../sandbox/contract';
import { isObject } from '../sandbox/types';

/** As much of a JSON schema as names fields. */
interface Schema {
	$ref?: string;
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	items?: Schema;
	allOf?: Schema[];
	anyOf?: Schema[];
	oneOf?: Schema[];
}

interface Responses {
	operationId: string;
	responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const document: {
	paths: Record<string, Record<string, Responses>>;
	components: { schemas: Record<string, Schema> };
} = parse(readFileSync(join(__dirname, '../sandbox/openapi.yaml'), 'utf8'), { merge: true });

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** A schema and all that it consists of, whichever of its alternatives holds. */
const partsOf = (schema: Schema): Schema[] => {
	const { $ref = '', allOf = [], anyOf = [], oneOf = [] } = schema;
	const referred = document.components.schemas[$ref.split('/').at(-1) ?? ''];
	const inner = [...(referred ? [referred] : []), ...allOf, ...anyOf, ...oneOf];
	return [schema, ...inner.flatMap(partsOf)];
};

/** Fields that no schema names, as `data[].owner`. What is in a free-form object is not looked at. */
function additional(value: unknown, schemas: Schema[], path: string): string[] {
	const parts = schemas.flatMap(partsOf);
	if (Array.isArray(value)) {
		const items = parts.flatMap((part) => part.items ?? []);
		return value.flatMap((entry) => additional(entry, items, `${path}[]`));
	}
	if (!isObject(value) || !parts.some(({ properties }) => properties)) return [];
	const ofAny = parts.map((part) => part.additionalProperties).filter(isObject);
	return Object.entries(value).flatMap(([name, field]) => {
		const at = path === '' ? name : `${path}.${name}`;
		const known = parts.flatMap(({ properties = {} }) => properties[name] ?? ofAny);
		return known.length > 0
			? additional(field, known, at)
			: [`additional: ${at} (${typeof field})`];
	});
}

/** In what a response with a status of success leaves the contract: names of fields, never values. */
export function deviationsOf(
	contract: Contract,
	operationId: string,
	status: number,
	body: unknown,
): string[] {
	const found = operations.find((each) => each.operationId === operationId);
	const schema = found?.responses[status]?.content?.['application/json'].schema ?? {};
	const wrong = contract
		.validateResponse(operationId, status, body)
		.map((text) => `other shape: ${text.trim().replace(/\/\d+(?=\/| )/g, '[]')}`);
	return [...new Set([...wrong, ...additional(body, [schema], '')])];
}
