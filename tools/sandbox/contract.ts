import { OpenAPIBackend, type Document, type Options } from 'openapi-backend';
import { ofProcess } from './ofProcess';
import { parseJson, parseVerbatim } from './parse';
import { readYaml } from './readYaml';
import { isObject, type JsonObject } from './types';

/** Validation errors in a request, by field name. */
export type FieldErrors = Record<string, string[]>;

export interface ContractRequest {
	method: string;
	/** Path as received, percent-encoded, without the query. Starts with `/v3`. */
	path: string;
	/** Query parameters as received. A repeated parameter has an array of values. */
	query: Record<string, string | string[]>;
	/** Request headers with lowercase names. */
	headers: Record<string, string | string[] | undefined>;
	/** Request body as received. */
	body?: string;
}

/** Query parameters converted to the types in the contract. */
export type QueryValues = Record<string, string | number | boolean | string[] | undefined>;

export interface ContractExample {
	operationId: string;
	status: number;
	name: string;
	value: unknown;
}

export interface CheckedRequest {
	errors?: FieldErrors;
	/** Names of parts that the service accepts, but the node would send differently or not at all. */
	notes: string[];
	query: QueryValues;
	body: JsonObject;
}

export type Contract = ReturnType<typeof contractOf>;

/** Properties of an OpenAPI operation that this file reads directly. */
interface ContractOperation {
	operationId: string;
	/** HTTP method in lowercase. */
	method: string;
	path: string;
	parameters?: Array<{
		name: string;
		in: string;
		schema?: { type?: unknown };
		'x-source'?: string;
		'x-unsent'?: true;
	}>;
	requestBody?: {
		content: Record<string, { schema: Properties }>;
	};
	responses: Record<
		string,
		{ content?: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }> }
	>;
}

interface Properties {
	properties?: Record<string, Properties>;
	'x-unsent'?: true;
	'x-source'?: string;
}

interface SchemaError {
	instancePath: string;
	keyword: string;
	params: Record<string, unknown>;
	message?: string;
}

const API_ROOT = '/v3';
/** Pattern in the contract that refuses blank texts. */
const BLANK = '\\S';

const AJV_OPTIONS: Options['ajvOpts'] = { strict: false, allErrors: true, allowUnionTypes: true };

/**
 * Loads `openapi.yaml` once per process. To start quickly, skips validation of the document and compiles each
 * operation's validators on first use.
 */
export async function loadContract(): Promise<Contract> {
	const loading = ofProcess('contract', async () => await openApi({ quick: true }).init());
	return contractOf(await loading);
}

/**
 * Validates `openapi.yaml` itself and compiles the validators for all operations.
 *
 * @throws if the file isn't valid OpenAPI 3.1
 */
export async function checkDocument(): Promise<void> {
	await openApi({ strict: true, ajvOpts: AJV_OPTIONS }).init();
}

function openApi(options: Partial<Options>): OpenAPIBackend {
	return new OpenAPIBackend({
		definition: readYaml('openapi.yaml') as Document,
		apiRoot: API_ROOT,
		coerceTypes: true,
		// Compiles the schemas in half the time. `checkDocument` validates the schemas.
		ajvOpts: { ...AJV_OPTIONS, validateSchema: false, code: { optimize: false } },
		customizeAjv: compileOnce,
		...options,
	});
}

/** Makes Ajv compile equal schemas once. Most operations have the same refusals, but the library copies the schemas. */
const compileOnce: NonNullable<Options['customizeAjv']> = (ajv) => {
	const compile = ajv.compile.bind(ajv);
	const compiled = new Map<string, ReturnType<typeof compile>>();
	ajv.compile = ((schema: object) => {
		const text = JSON.stringify(schema);
		const validate = compiled.get(text) ?? compile(schema);
		compiled.set(text, validate);
		return validate;
	}) as typeof compile;
	return ajv;
};

function contractOf({ router, validator }: OpenAPIBackend) {
	// Read only once, because the library rebuilds this list on every call
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

		/** Returns the ID of the operation that matches a request, or undefined if no operation matches. */
		operationIdOf: (method: string, path: string): string | undefined =>
			router.matchOperation({ method, path, headers: {} })?.operationId,

		/**
		 * Validates a request. If the request is valid, `errors` is undefined and `query` contains typed values.
		 * `body` is the parsed JSON, or an empty object if the request has no body.
		 */
		validateRequest(operationId: string, request: ContractRequest): CheckedRequest {
			const { described, checked } = find(operationId);
			const { body, errors: bodyErrors } = readBody(described, request);
			const sent = { ...request.query };
			const notes = [
				...seenOnly(described, request),
				...convertOrder(sent),
				...convertPage(described, sent),
				...(body ? [...convertBody(described, body), ...listUnsent(described, body)] : []),
			];
			const result = validator.validateRequest(
				{
					method: request.method,
					path: request.path,
					headers: request.headers as Record<string, string | string[]>,
					query: splitArrays(described, sent),
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
			return {
				query,
				body: body ?? {},
				notes,
				...(Object.keys(errors).length > 0 ? { errors } : {}),
			};
		},

		/**
		 * Validates a response and returns its contract violations. A status missing from the contract is a
		 * violation.
		 */
		validateResponse(operationId: string, status: number, body: unknown): string[] {
			const { described, checked } = find(operationId);
			// The library accepts responses with undeclared statuses
			if (!described.responses[status]) return [`status ${status} is not in the contract`];
			const { errors } = validator.validateResponse(body, checked, status);
			return (errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
		},

		/** Returns all named response examples in the contract. */
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
 * Splits list parameters at commas and accepts repeated keys. The service's specification only shows commas,
 * and only for `tags` and `types`.
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

/** Returns the names of a request's parameters that only the vendor's tests send. */
function seenOnly(
	{ parameters = [] }: ContractOperation,
	{ query, headers }: ContractRequest,
): string[] {
	return parameters
		.filter((parameter) => parameter['x-source'] === 'seen' && parameter['x-unsent'])
		.filter(({ name }) => (query[name] ?? headers[name.toLowerCase()]) !== undefined)
		.map(({ name }) => name);
}

/** Converts a `sortOrder` in capitals to lowercase. Returns the names of changed parameters. */
function convertOrder(query: ContractRequest['query']): string[] {
	if (!/^(ASC|DESC)$/.test(String(query.sortOrder))) return [];
	query.sortOrder = String(query.sortOrder).toLowerCase();
	return ['sortOrder'];
}

/** Converts page 0 to page 1, which a public client sends as 0. Returns the names of changed parameters. */
function convertPage(
	{ parameters = [] }: ContractOperation,
	query: ContractRequest['query'],
): string[] {
	if (query.page !== '0' || !parameters.some(({ name }) => name === 'page')) return [];
	query.page = '1';
	return ['page'];
}

/** Returns the names of body fields that the node never sends, and `category` if a message lacks it. */
function listUnsent({ requestBody }: ContractOperation, body: JsonObject): string[] {
	const fields = requestBody?.content['application/json']?.schema.properties ?? {};
	const notes = 'category' in fields && body.category === undefined ? ['category'] : [];
	const findUnsent = (known: Properties['properties'] = {}, part: JsonObject, prefix = '') =>
		Object.entries(known)
			.filter(([name, field]) => name in part && field['x-unsent'] && field['x-source'])
			.map(([name]) => `${prefix}${name}`);
	const { members, data } = body;
	return [
		...notes,
		...findUnsent(fields, body),
		...(isObject(members) ? findUnsent(fields.members?.properties, members, 'members.') : []),
		...(isObject(data) ? findUnsent(fields.data?.properties, data, 'data.') : []),
	];
}

/**
 * Parses `metadata` sent as text, and removes unknown keys from a message's `data`. Metadata that isn't JSON is
 * stored as `rawMetadata`. Returns the names of changed fields.
 */
function convertBody({ requestBody }: ContractOperation, body: JsonObject): string[] {
	const { data } = body;
	const known = requestBody?.content['application/json']?.schema.properties?.data?.properties;
	const content = isObject(data) && known ? data : {};
	const extra = Object.keys(content).filter((key) => !Object.hasOwn(known ?? {}, key));
	for (const key of extra) Reflect.deleteProperty(content, key);
	const notes = extra.map((key) => `data.${key}`);
	for (const part of [body, data].filter(isObject)) {
		const { metadata } = part;
		if (typeof metadata !== 'string') continue;
		const parsed = parseVerbatim(metadata);
		part.metadata = Object(parsed) === parsed ? parsed : { rawMetadata: metadata };
		notes.push('metadata');
	}
	return notes;
}

/**
 * Returns errors for integers that aren't plain digits, because the library accepts values such as `0x10` and
 * `1e2`.
 */
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

/** Parses the request body, which must be a JSON object. Returns errors if the body isn't valid. */
function readBody(
	{ requestBody }: ContractOperation,
	{ body = '', headers }: ContractRequest,
): { body?: JsonObject; errors?: FieldErrors } {
	if (body === '') return {};
	const wrong = (text: string) => ({ errors: { body: [text] } });
	if (!requestBody) return wrong('this operation takes no body');
	const [type = ''] = String(headers['content-type']).toLowerCase().split(/[;\s]/);
	const types = Object.keys(requestBody.content);
	if (!types.includes(type)) return wrong(`must have the content type ${types.join(' or ')}`);
	const value = parseJson(body);
	if (value === undefined) return wrong('is not JSON');
	if (!isObject(value)) return wrong('must be object');
	keepMetadata(value, parseVerbatim(body));
	return { body: value };
}

/** Replaces the metadata in a body, and in a message's `data`, with the metadata as it was written. */
function keepMetadata(body: JsonObject, verbatim: unknown): void {
	if (!isObject(verbatim)) return;
	if (body.metadata !== undefined) body.metadata = verbatim.metadata;
	if (isObject(body.data)) keepMetadata(body.data, verbatim.data);
}

/**
 * Returns an error for an `onBehalfOf` header that the operation doesn't declare, because the library accepts
 * undeclared headers.
 */
function unlistedUser(
	{ parameters = [] }: ContractOperation,
	{ onbehalfof }: ContractRequest['headers'],
): FieldErrors {
	const isListed = parameters.some(({ name }) => name === 'onBehalfOf');
	return onbehalfof === undefined || isListed
		? {}
		: { onBehalfOf: ['is not a header of this operation'] };
}

/** Converts schema errors to field errors with the field names in the contract. */
function fieldErrors(operation: ContractOperation, errors: SchemaError[]): FieldErrors {
	// Header names are lowercase during validation, so errors restore the contract's spelling
	const spelling = new Map(
		operation.parameters
			?.filter((parameter) => parameter.in === 'header')
			.map((parameter) => [parameter.name.toLowerCase(), parameter.name]),
	);
	// Created without a prototype, because a request can contain a field named `constructor`
	const fields: FieldErrors = Object.create(null);
	for (const { instancePath, keyword, params, message } of errors) {
		const [, place, ...steps] = instancePath.split('/').map(unescaped);
		// An error in one entry of a list parameter is reported for the whole parameter
		const path = place === 'requestBody' ? steps : steps.slice(0, 1);
		let text = message ?? 'is not valid';
		if (keyword === 'additionalProperties' && (place === 'requestBody' || steps.length === 0)) {
			path.push(String(params.additionalProperty));
			text = `is not a ${place === 'requestBody' ? 'field' : 'parameter'} of this operation`;
		} else if (keyword === 'required') {
			path.push(String(params.missingProperty));
		}
		const joined = path.join('.').replace(/^requestBody$/, '') || 'body';
		const name = place === 'header' ? (spelling.get(joined) ?? joined) : joined;
		if (keyword === 'required') text = `The ${name} field is required.`;
		else if (keyword === 'minLength' || params.pattern === BLANK) {
			text = `The ${name} field must have a value.`;
		}
		(fields[name] ??= []).push(text);
	}
	return { ...fields };
}

/** Decodes one segment of a JSON pointer. */
const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
