import { readYaml } from '../../tools/sandbox/readYaml';

/** A contract parameter with its `$ref`s resolved. */
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
	/** Always contains exactly one tag, which is the name of a file in tools/sandbox/api/ */
	tags: string[];
	/** HTTP method in uppercase. */
	method: string;
	path: string;
	parameters: Parameter[];
	/** Schema of the JSON request body, if the operation has a body. */
	body?: Schema;
}

type Tree = { [key: string]: unknown };

interface Method {
	operationId: string;
	tags: string[];
	parameters: unknown;
	requestBody?: unknown;
}

function isTree(value: unknown): value is Tree {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const document = readYaml('openapi.yaml') as Tree & {
	paths: Record<string, Record<string, Method>>;
};

const valueAt = (tree: unknown, ...path: string[]): unknown =>
	path.reduce((inner, step) => (isTree(inner) ? inner[step] : undefined), tree);

/** True for a parameter or property that the service accepts, although the node never sends it. */
const isUnsent = (value: unknown): boolean => isTree(value) && value['x-unsent'] === true;

/**
 * Replaces each reference, such as `#/components/schemas/Group`, with the schema it points to, and leaves out
 * what the node never sends.
 */
function resolve(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(resolve).filter((each) => !isUnsent(each));
	if (!isTree(value)) return value;
	if (typeof value.$ref === 'string') {
		return resolve(valueAt(document, ...value.$ref.replace('#/', '').split('/')));
	}
	const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner)]);
	return Object.fromEntries(entries.filter(([, inner]) => !isUnsent(inner)));
}

/** Lists the properties that the contract's schema of an entity declares, e.g. of "Group". */
export const listProperties = (name: string): string[] =>
	Object.keys(valueAt(document, 'components', 'schemas', name, 'properties') ?? {});

/** All operations in the contract, as far as the node uses them. Parsed independently of the sandbox's code. */
export const CONTRACT = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(
		([method, { operationId, tags, parameters, requestBody }]): Operation => ({
			...{ operationId, tags, path, method: method.toUpperCase() },
			parameters: resolve(parameters) as Parameter[],
			body: valueAt(resolve(requestBody), 'content', 'application/json', 'schema') as Schema,
		}),
	),
);
