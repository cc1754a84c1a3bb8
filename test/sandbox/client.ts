import { request, type Dispatcher } from 'undici';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../tools/sandbox/server';
import type { Failure } from '../../tools/sandbox/errors';

export interface CallOptions {
	method?: Dispatcher.HttpMethod;
	headers?: Record<string, string>;
	/** UID of the user to act on behalf of. */
	as?: string;
	body?: string;
	/** Value to send as a JSON body. */
	json?: unknown;
}

/** Sends a request to the sandbox's API. Uses the sandbox's API key unless `headers` contains a key. */
export async function call(
	sandbox: Sandbox,
	path: string,
	{ method = 'GET', headers = {}, as, json, body }: CallOptions = {},
) {
	const answer = await request(`${sandbox.baseUrl}${path}`, {
		method,
		headers: {
			apikey: sandbox.apiKey,
			...(as ? { onBehalfOf: as } : {}),
			...(json === undefined ? {} : { 'content-type': 'application/json' }),
			...headers,
		},
		body: json === undefined ? body : JSON.stringify(json),
	});
	return {
		status: answer.statusCode,
		headers: answer.headers,
		text: await answer.body.text(),
	};
}

type Answer = Awaited<ReturnType<typeof call>>;

export const errorOf = (answer: Answer): Failure['error'] => JSON.parse(answer.text).error;
/** Returns the status and error code of a refused request. */
export const refusalOf = (answer: Answer): [number, string] => [
	answer.status,
	errorOf(answer).code,
];

/**
 * Starts a sandbox for the tests in a file and resets it after each test. A test fails if a response violates
 * the contract.
 */
export function useSandbox(options?: SandboxOptions): () => Sandbox {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	afterEach(() => {
		const responses = sandbox.violations.filter((text) => text.includes('answered'));
		sandbox.reset();
		expect(responses).toEqual([]);
	});
	afterAll(() => sandbox.close());
	return () => sandbox;
}
