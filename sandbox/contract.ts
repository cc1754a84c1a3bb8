import { readFileSync } from 'node:fs';
import type { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type * as OpenApi from 'openapi-backend';
import type * as Yaml from 'yaml';

export type OperationId = 'listGroups' | 'getMessage' | 'removeReaction';

/** A field of a request, and what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

export interface ContractRequest {
	method: string;
	/** Path as received, still percent-encoded, from `/v3` on, without the query. */
	path: string;
	/** Query as received: a repeated key has several values. */
	query: Record<string, string | string[]>;
	/** Headers with lower-case names. */
	headers: Record<string, string | string[] | undefined>;
}

/** Query values in the types that the contract gives them. */
export type QueryValues = Record<string, string | number | boolean | string[] | undefined>;

export interface Route {
	operationId: OperationId;
	/** Path parameters, percent-decoded. */
	params: Record<string, string>;
}

export interface ContractExample {
	operationId: OperationId;
	status: number;
	name: string;
	value: unknown;
}

export interface Contract {
	/** The operation that a request is for, or undefined when the contract has none. */
	match(method: string, path: string): Route | undefined;
	/** Checks a request; `errors` is undefined when it conforms, and `query` then holds the typed values. */
	validateRequest(
		operationId: OperationId,
		request: ContractRequest,
	): { errors?: FieldErrors; query: QueryValues };
	/** Checks an answer; an empty list means that it conforms. A status the contract lacks does not conform. */
	validateResponse(operationId: OperationId, status: number, body: unknown): string[];
	/** Every named example of every answer. */
	examples(): ContractExample[];
	/** The statuses that the contract declares for an operation. */
	statuses(operationId: OperationId): number[];
}

/** What is read of the document: the rest is the library's business. */
interface ContractOperation {
	operationId: OperationId;
	parameters?: Array<{ name: string; in: string; schema?: { type?: unknown } }>;
	responses: Record<
		string,
		{ content?: Record<string, { examples?: Record<string, { value: unknown }> }> }
	>;
}

interface SchemaError {
	instancePath: string;
	keyword: string;
	params: Record<string, unknown>;
	message?: string;
}

const API_ROOT = '/v3';
const CONTRACT_FILE = join(__dirname, 'openapi.yaml');

/**
 * Node's own `require`, also inside a test runner that has a module system of its own: what the contract is read with
 * depends on an ES module and on paths of its own, which such a module system may not load, or map elsewhere.
 */
export function requireByNode(): ReturnType<typeof createRequire> {
	const outer: NodeJS.Process = runInThisContext('process');
	return outer.getBuiltinModule('node:module').createRequire(__filename);
}

let cached: Promise<Contract> | undefined;

/**
 * Loads `openapi.yaml` once per process.
 *
 * @throws when the file is not valid OpenAPI 3.1
 */
export function loadContract(): Promise<Contract> {
	cached ??= readContract();
	return cached;
}

async function readContract(): Promise<Contract> {
	const load = requireByNode();
	const { OpenAPIBackend } = load('openapi-backend') as typeof OpenApi;
	const { parse } = load('yaml') as typeof Yaml;
	const api = new OpenAPIBackend({
		definition: parse(readFileSync(CONTRACT_FILE, 'utf8'), { merge: true }),
		apiRoot: API_ROOT,
		strict: true,
		ignoreTrailingSlashes: false,
		coerceTypes: true,
		ajvOpts: { strict: false, allErrors: true, allowUnionTypes: true },
	});
	await api.init();
	const operations = new Map(
		api.router.getOperations().map((operation) => [operation.operationId, describe(operation)]),
	);
	const find = (operationId: OperationId): ContractOperation => {
		const operation = operations.get(operationId);
		if (!operation) throw new Error(`The contract has no operation ${operationId}`);
		return operation;
	};

	return {
		match(method, path) {
			const operation = api.router.matchOperation({ method, path, headers: {} });
			if (!operation) return undefined;
			const params = pathParameters(`${API_ROOT}${operation.path}`, path);
			if (!params) return undefined;
			return { operationId: find(operation.operationId as OperationId).operationId, params };
		},

		validateRequest(operationId, request) {
			const result = api.validator.validateRequest(
				{
					method: request.method,
					path: request.path,
					headers: defined(request.headers),
					query: splitArrays(find(operationId), request.query),
				},
				operationId,
			);
			const query = (result.coerced?.query ?? {}) as QueryValues;
			const errors = {
				...oddNumbers(find(operationId), request.query),
				...fieldErrors(find(operationId), (result.errors ?? []) as SchemaError[]),
			};
			return Object.keys(errors).length > 0 ? { errors, query } : { query };
		},

		validateResponse(operationId, status, body) {
			// The library lets an undeclared status pass without a word.
			if (!find(operationId).responses[status]) return [`status ${status} is not in the contract`];
			const { errors } = api.validator.validateResponse(body, operationId, status);
			return (errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
		},

		examples() {
			return [...operations.values()].flatMap(operationExamples);
		},

		statuses(operationId) {
			return Object.keys(find(operationId).responses).map(Number);
		},
	};
}

function describe(operation: OpenApi.Operation): ContractOperation {
	return JSON.parse(JSON.stringify(operation));
}

function operationExamples({ operationId, responses }: ContractOperation): ContractExample[] {
	return Object.entries(responses).flatMap(([status, response]) =>
		Object.values(response.content ?? {}).flatMap(({ examples = {} }) =>
			Object.entries(examples).map(([name, { value }]) => ({
				operationId,
				status: Number(status),
				name,
				value,
			})),
		),
	);
}

/** Decodes the placeholders of a path. Undefined when one is not valid percent-encoding. */
function pathParameters(template: string, path: string): Record<string, string> | undefined {
	const params: Record<string, string> = {};
	const segments = path.split('/');
	try {
		template.split('/').forEach((part, index) => {
			if (part.startsWith('{')) params[part.slice(1, -1)] = decodeURIComponent(segments[index]);
		});
	} catch {
		return undefined;
	}
	return params;
}

/** A list may come comma-joined in one key, or as a repeated key, or both. */
function splitArrays(
	operation: ContractOperation,
	query: Record<string, string | string[]>,
): Record<string, string | string[]> {
	const lists = new Set(
		operation.parameters
			?.filter((parameter) => parameter.in === 'query' && parameter.schema?.type === 'array')
			.map((parameter) => parameter.name),
	);
	const entries = Object.entries(query).map(([name, value]): [string, string | string[]] =>
		lists.has(name) ? [name, [value].flat().flatMap((part) => part.split(','))] : [name, value],
	);
	return Object.fromEntries(entries);
}

/** Whole numbers that are not written in digits: the library reads `0x10`, `1e2` and ` 5` too. */
function oddNumbers(
	operation: ContractOperation,
	query: Record<string, string | string[]>,
): FieldErrors {
	const odd = operation.parameters?.filter(
		({ name, in: place, schema }) =>
			place === 'query' && schema?.type === 'integer' && !/^-?\d+$/.test(String(query[name] ?? 0)),
	);
	return Object.fromEntries((odd ?? []).map(({ name }) => [name, ['must be integer']]));
}

function defined(
	headers: Record<string, string | string[] | undefined>,
): Record<string, string | string[]> {
	return Object.fromEntries(
		Object.entries(headers).filter(
			(entry): entry is [string, string | string[]] => entry[1] !== undefined,
		),
	);
}

/** Turns the checker's findings into field → texts, with the names as the contract spells them. */
function fieldErrors(operation: ContractOperation, errors: SchemaError[]): FieldErrors {
	// Checked with lower-case names; the caller knows them as the contract writes them.
	const spelling = new Map(
		operation.parameters
			?.filter((parameter) => parameter.in === 'header')
			.map((parameter) => [parameter.name.toLowerCase(), parameter.name]),
	);
	// Names come from the request: `constructor` has to be one like any other.
	const fields: FieldErrors = Object.create(null);
	for (const { instancePath, keyword, params, message } of errors) {
		const [, place, name] = instancePath.split('/');
		let field = name;
		let text = message ?? 'is not valid';
		if (keyword === 'additionalProperties' && !name) {
			field = String(params.additionalProperty);
			text = 'is not a parameter of this operation';
		} else if (keyword === 'required') {
			field = String(params.missingProperty);
			text = 'is required';
		}
		if (place === 'header') field = spelling.get(field) ?? field;
		(fields[field ?? 'request'] ??= []).push(text);
	}
	return { ...fields };
}
