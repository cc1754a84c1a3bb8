import type { INodeParameters } from 'n8n-workflow';

import { AS_TOOL, get, list, run } from './harness';

/** Ends requests that hang. */
const TIMEOUT = { requestOptions: { timeout: 300 } };

const ALL = { ...list({ returnAll: true, options: { perPage: 10 } }), ...TIMEOUT };

const GET_EACH = get('={{ $json.id }}', TIMEOUT);

const RUNS: Array<[INodeParameters, number[], object]> = [
	[ALL, [0], {}],
	[ALL, [0], AS_TOOL],
	[GET_EACH, Array.from({ length: 20 }, (_, index) => 101 + index), {}],
];

/**
 * Runs that fail, in a process of its own that must end by itself as soon as they have ended. Prints
 * their errors, when the last one ended, and what was rejected unseen: jest would keep that from being
 * seen.
 */
async function main(): Promise<void> {
	const [baseUrl, apiKey] = process.argv.slice(2);
	const unhandled: string[] = [];
	process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));
	const errors = [];
	for (const [parameters, ids, settings] of RUNS) {
		const input = ids.map((id) => ({ id: String(id) }));
		const { error } = await run({ baseUrl, apiKey }, parameters, { input, settings });
		errors.push(error?.message);
	}
	// A rejection that nobody handles is told once the microtasks are done
	await new Promise((resolve) => setImmediate(resolve));
	process.stdout.write(JSON.stringify({ errors, unhandled, endedAt: Date.now() }));
}

void main();
