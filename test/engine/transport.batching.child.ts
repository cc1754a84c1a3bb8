import { AS_TOOL, get, run } from './harness';

/**
 * Runs six Get items, two at a time, of which the first one fails, in a process of its own, and
 * prints what came of it as JSON. Jest would keep an unhandled rejection from being seen.
 */
async function main(): Promise<void> {
	const [baseUrl, apiKey, scenario, runner] = process.argv.slice(2);
	const unhandled: string[] = [];
	process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));
	const stop = new AbortController();
	if (scenario === 'cancel') setTimeout(() => stop.abort(), 1_000);
	let requests = 0;
	const result = await run(
		{ baseUrl, apiKey },
		get('={{ $json.id }}', {
			requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 400 } } },
		}),
		{
			input: [scenario === 'cancel' ? '101' : 'absent', '101', '102', '103', '104', '105'].map(
				(id) => ({ id }),
			),
			onError: scenario === 'continue' ? 'continueRegularOutput' : undefined,
			settings: runner === 'tool' ? AS_TOOL : {},
			signal: stop.signal,
			onRequest: () => {
				requests++;
				if (scenario === 'cancel' && requests === 2) stop.abort();
			},
		},
	);
	// A rejection that nobody handles is told once the microtasks are done
	await new Promise((resolve) => setTimeout(resolve, 50));
	const items = result.items('CometChat').length;
	process.stdout.write(
		JSON.stringify({ unhandled, requests, items, error: result.error?.message }),
	);
}

void main().then(() => process.exit(0));
