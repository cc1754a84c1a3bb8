import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { OpenAPIBackend, type Options } from 'openapi-backend';
import { parse } from 'yaml';
import { isObject, type JsonObject } from './types';

/** Problems of a request, by the name of the field. */
export type FieldErrors = Record<string, string[]>;

export interface ContractRequest {
	method: string;
	/** Path as received, percent-encoded, starting with `/v3`, without the query. */
	path: string;
	/** Query as received. A repeated key has several values. */
	query: Record<string, string | string[]>;
	/** Headers with lowercase names. */
	headers: Record<string, string | string[] | undefined>;
	/** Body as received. */
	body?: string;
}

/** Query values in the contract's types. */
export type QueryValues = Record<string, string | number | boolean | string[] | undefined>;

export interface ContractExample {
	operationId: string;
	status: number;
	name: string;
	value: unknown;
}

export interface CheckedRequest {
	errors?: FieldErrors;
	query: QueryValues;
	body: JsonObject;
}

export type Contract = ReturnType<typeof contractOf>;

/** Parts of the document that the library doesn't read. */
interface ContractOperation {
	operationId: string;
	/** HTTP method in lower case. */
	method: string;
	path: string;
	parameters?: Array<{ name: string; in: string; schema?: { type?: unknown } }>;
	requestBody?: object;
	responses: Record<
		string,
		{ content?: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }> }
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

/** Globals of the process. jest has module caches per test file, and parsing the document is slow. */
const ofProcess: { cometChatContract?: Promise<OpenAPIBackend> } = runInThisContext('globalThis');

/**
 * Loads `openapi.yaml` once per process. Skips the check of the document, which takes seconds, and
 * compiles the checks of an operation on first use.
 */
export async function loadContract(): Promise<Contract> {
	ofProcess.cometChatContract ??= openApi({ quick: true }).init();
	return contractOf(await ofProcess.cometChatContract);
}

/**
 * Checks `openapi.yaml` and compiles the checks of all operations.
 *
 * @throws if the file isn't valid OpenAPI 3.1
 */
export async function checkDocument(): Promise<void> {
	await openApi({ strict: true }).init();
}

function openApi(options: Partial<Options>): OpenAPIBackend {
	return new OpenAPIBackend({
		definition: parse(readFileSync(CONTRACT_FILE, 'utf8'), { merge: true }),
		apiRoot: API_ROOT,
		coerceTypes: true,
		ajvOpts: { strict: false, allErrors: true, allowUnionTypes: true },
		...options,
	});
}

function contractOf({ router, validator }: OpenAPIBackend) {
	// The library rebuilds this list on every call
	const operations = router.getOperations().map((checked) => {
		return { checked, described: checked as ContractOperation };
	});
	const byId = new Map(operations.map((entry) => [entry.described.operationId, entry]));
	const find = (operationId: string) => {
		const operation = byId.get(operationId);
		if (!operation) throw new Error(`tools/sandbox/openapi.yaml has no operation ${operationId}`);
		return operation;
	};

	return {
		/** All operations, with paths such as `/v3/groups/{guid}`. */
		operations: operations.map(({ described: { operationId, method, path } }) => ({
			operationId,
			method,
			path: `${API_ROOT}${path}`,
		})),

		/** The operation of a request, or undefined if the contract has none. */
		operationIdOf: (method: string, path: string): string | undefined =>
			router.matchOperation({ method, path, headers: {} })?.operationId,

		/**
		 * Checks a request. If it conforms, `errors` is undefined, `query` has typed values, and `body` is
		 * the parsed JSON, or an empty object without a body.
		 */
		validateRequest(operationId: string, request: ContractRequest): CheckedRequest {
			const { described, checked } = find(operationId);
			const { body, errors: bodyErrors } = readBody(described, request);
			const result = validator.validateRequest(
				{
					method: request.method,
					path: request.path,
					headers: request.headers as Record<string, string | string[]>,
					query: splitArrays(described, request.query),
					body,
				},
				checked,
			);
			const query = (result.coerced?.query ?? {}) as QueryValues;
			const errors = {
				...oddNumbers(described, request.query),
				...fieldErrors(described, (result.errors ?? []) as SchemaError[]),
				...unlistedUser(described, request.headers),
				...bodyErrors,
			};
			return { query, body: body ?? {}, ...(Object.keys(errors).length > 0 ? { errors } : {}) };
		},

		/** Checks a response, whose status must be in the contract. @returns the violations */
		validateResponse(operationId: string, status: number, body: unknown): string[] {
			const { described, checked } = find(operationId);
			// The library accepts undeclared statuses
			if (!described.responses[status]) return [`status ${status} is not in the contract`];
			const { errors } = validator.validateResponse(body, checked, status);
			return (errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
		},

		/** All named examples of responses. */
		examples: () => operations.flatMap(({ described }) => operationExamples(described)),
	};
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

/**
 * Splits lists. Commas and repeated keys are the sandbox's choice: the service's specification
 * shows commas for `tags` and `types` only.
 */
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

/** Errors for integers that aren't written in digits. The library also accepts `0x10`, `1e2` and ` 5`. */
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

/** Parses a JSON object, or returns the body's errors. */
function readBody(
	{ requestBody }: ContractOperation,
	{ body = '', headers }: ContractRequest,
): { body?: JsonObject; errors?: FieldErrors } {
	if (body === '') return {};
	const wrong = (text: string) => ({ errors: { body: [text] } });
	if (!requestBody) return wrong('this operation takes no body');
	if (!/^application\/json\b/i.test(String(headers['content-type']))) {
		return wrong('must have the content type application/json');
	}
	try {
		const value: unknown = JSON.parse(body);
		return isObject(value) ? { body: value } : wrong('must be object');
	} catch {
		return wrong('is not JSON');
	}
}

/** Error for an `onBehalfOf` that the operation doesn't declare. The library accepts undeclared headers. */
function unlistedUser(
	{ parameters = [] }: ContractOperation,
	{ onbehalfof }: ContractRequest['headers'],
): FieldErrors {
	const isListed = parameters.some(({ name }) => name === 'onBehalfOf');
	return onbehalfof === undefined || isListed
		? {}
		: { onBehalfOf: ['is not a header of this operation'] };
}

/** Converts schema errors to field errors, named as in the contract. */
function fieldErrors(operation: ContractOperation, errors: SchemaError[]): FieldErrors {
	// Headers are checked with lowercase names
	const spelling = new Map(
		operation.parameters
			?.filter((parameter) => parameter.in === 'header')
			.map((parameter) => [parameter.name.toLowerCase(), parameter.name]),
	);
	// Without a prototype, because a request can contain a field named `constructor`
	const fields: FieldErrors = Object.create(null);
	for (const { instancePath, keyword, params, message } of errors) {
		const [, place, ...steps] = instancePath.split('/').map(unescaped);
		// Entries of a list in the query belong to the list's field
		const path = place === 'requestBody' ? steps : steps.slice(0, 1);
		let text = message ?? 'is not valid';
		if (keyword === 'additionalProperties' && (place === 'requestBody' || steps.length === 0)) {
			path.push(String(params.additionalProperty));
			text = `is not a ${place === 'requestBody' ? 'field' : 'parameter'} of this operation`;
		} else if (keyword === 'required') {
			path.push(String(params.missingProperty));
			text = 'is required';
		}
		const name = path.join('.') || 'body';
		const field = place === 'header' ? (spelling.get(name) ?? name) : name;
		(fields[field === 'requestBody' ? 'body' : field] ??= []).push(text);
	}
	return { ...fields };
}

/** Decodes a step of a JSON pointer. */
const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
