import { AS_TOOL, get, list, run } from './harness';

/** Short time limit, in milliseconds, for requests that never get a response. */
const TIMEOUT = { requestOptions: { timeout: 300 } };

const ALL = list({ returnAll: true, options: { perPage: 10 }, ...TIMEOUT });

const IDS = Array.from({ length: 20 }, (_, index) => ({ id: String(101 + index) }));

/**
 * Prints the errors and durations of several failing runs, the end time, and unhandled rejections, which jest
 * would hide. Never calls `process.exit`, so that anything left open keeps the process alive.
 */
async function main(): Promise<void> {
	const [baseUrl, apiKey] = process.argv.slice(2);
	const unhandled: string[] = [];
	process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));
	const errors: unknown[] = [];
	const times: number[] = [];
	for (const [parameters, setup] of [
		[ALL, {}],
		[ALL, { settings: AS_TOOL }],
		[get('={{ $json.id }}', TIMEOUT), { input: IDS }],
	] as const) {
		const startedAt = performance.now();
		const { error } = await run({ baseUrl, apiKey }, parameters, setup);
		times.push(performance.now() - startedAt);
		errors.push(error?.message);
	}
	// Node.js reports unhandled rejections only after it has run all microtasks
	await new Promise((resolve) => setImmediate(resolve));
	process.stdout.write(JSON.stringify({ errors, unhandled, times, endedAt: Date.now() }));
}

void main();
