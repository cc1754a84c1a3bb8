import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { OpenAPIBackend, type Options } from 'openapi-backend';
import { parse } from 'yaml';
import { isObject, type JsonObject } from './types';

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
	/** As received; empty or undefined when there is none. */
	body?: string;
}

/** Query values in the types that the contract gives them. */
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

export interface Contract {
	/** Every operation, with a path like `/v3/groups/{guid}`. */
	readonly operations: Array<{ operationId: string; method: string; path: string }>;
	/** The operation of a request, or undefined if the contract has none. */
	operationIdOf(method: string, path: string): string | undefined;
	/**
	 * Checks a request; `errors` is undefined when it conforms. `query` then holds the typed values, and `body` the JSON, or
	 * nothing where there is none.
	 */
	validateRequest(operationId: string, request: ContractRequest): CheckedRequest;
	/** Checks an answer; an empty list means that it conforms. A status the contract lacks does not conform. */
	validateResponse(operationId: string, status: number, body: unknown): string[];
	/** Every named example of every answer. */
	examples(): ContractExample[];
}

/** What is read of the document: the rest is the library's business. */
interface ContractOperation {
	operationId: string;
	/** In lower case. */
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

/** Outlives the module systems that a test runner makes for each of its files: reading the document takes a while. */
const ofProcess: { cometChatContract?: Promise<OpenAPIBackend> } = runInThisContext('globalThis');

/**
 * Loads `openapi.yaml`, once per process. The checks of an operation are built when it is first used, and the document itself
 * is not checked: that takes seconds, and `checkDocument` does it.
 */
export async function loadContract(): Promise<Contract> {
	ofProcess.cometChatContract ??= openApi({ quick: true }).init();
	return contractOf(await ofProcess.cometChatContract);
}

/**
 * Checks `openapi.yaml` itself, and builds the checks of every operation.
 *
 * @throws when the file is not valid OpenAPI 3.1
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

function contractOf({ router, validator }: OpenAPIBackend): Contract {
	// The library builds this list anew on every call
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
		operations: operations.map(({ described: { operationId, method, path } }) => ({
			operationId,
			method,
			path: `${API_ROOT}${path}`,
		})),

		operationIdOf: (method, path) =>
			router.matchOperation({ method, path, headers: {} })?.operationId,

		validateRequest(operationId, request) {
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

		validateResponse(operationId, status, body) {
			const { described, checked } = find(operationId);
			// The library lets an undeclared status pass without a word.
			if (!described.responses[status]) return [`status ${status} is not in the contract`];
			const { errors } = validator.validateResponse(body, checked, status);
			return (errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
		},

		examples() {
			return operations.flatMap(({ described }) => operationExamples(described));
		},
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

/** Splits lists. Commas and repeated keys are the sandbox's choice: the service's specification has commas for `tags` and `types` only. */
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

/** The JSON object in the body, or what is wrong with it. */
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

/** The library lets headers pass that the contract does not list. */
function unlistedUser(
	{ parameters = [] }: ContractOperation,
	{ onbehalfof }: ContractRequest['headers'],
): FieldErrors {
	const isListed = parameters.some(({ name }) => name === 'onBehalfOf');
	return onbehalfof === undefined || isListed
		? {}
		: { onBehalfOf: ['is not a header of this operation'] };
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
		const [, place, ...steps] = instancePath.split('/').map(unescaped);
		// In a query an entry of a list is no field of its own.
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

/** A step of a JSON pointer. */
const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
