import type { Contract } from '../sandbox/contract';
import { isObject } from '../sandbox/types';

/** As much of a JSON schema as names fields. */
interface Schema {
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	items?: Schema;
	allOf?: Schema[];
	anyOf?: Schema[];
	oneOf?: Schema[];
}

/** A schema and all that it consists of, whichever of its alternatives holds. */
const partsOf = (schema: Schema): Schema[] => {
	const { allOf = [], anyOf = [], oneOf = [] } = schema;
	return [schema, ...[...allOf, ...anyOf, ...oneOf].flatMap(partsOf)];
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
	const schema = contract.responseSchema(operationId, status) ?? {};
	const wrong = contract
		.validateResponse(operationId, status, body)
		.map((text) => `other shape: ${text.trim().replace(/\/\d+(?=\/| )/g, '[]')}`);
	return [...new Set([...wrong, ...additional(body, [schema], '')])];
}
