import { AS_TOOL, get, list, run } from './harness';

/** Ends requests that hang. */
const TIMEOUT = { requestOptions: { timeout: 300 } };

const ALL = list({ returnAll: true, options: { perPage: 10 }, ...TIMEOUT });

const IDS = Array.from({ length: 20 }, (_, index) => ({ id: String(101 + index) }));

/**
 * Prints the errors of failing runs, the time of the last error, and unhandled rejections, which jest
 * would hide. The process isn't ended, to show what keeps it alive.
 */
async function main(): Promise<void> {
	const [baseUrl, apiKey] = process.argv.slice(2);
	const unhandled: string[] = [];
	process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));
	const errors = [
		await run({ baseUrl, apiKey }, ALL),
		await run({ baseUrl, apiKey }, ALL, { settings: AS_TOOL }),
		await run({ baseUrl, apiKey }, get('={{ $json.id }}', TIMEOUT), { input: IDS }),
	].map(({ error }) => error?.message);
	// Node.js reports unhandled rejections after the microtasks
	await new Promise((resolve) => setImmediate(resolve));
	process.stdout.write(JSON.stringify({ errors, unhandled, endedAt: Date.now() }));
}

void main();
