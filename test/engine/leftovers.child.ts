import { get, list, run } from './harness';

/**
 * Runs a node in a process of its own that must end by itself as soon as the run has ended, and
 * prints the error of the run, and when it ended, as JSON.
 */
async function main(): Promise<void> {
	const [baseUrl, apiKey, scenario, type] = process.argv.slice(2);
	const [parameters, count] =
		scenario === 'items'
			? [get('={{ $json.id }}'), 20]
			: [list({ returnAll: true, options: { perPage: 10 } }), 1];
	const { error } = await run({ baseUrl, apiKey }, parameters, {
		input: Array.from({ length: count }, (_, index) => ({ id: String(101 + index) })),
		settings: { type },
	});
	process.stdout.write(JSON.stringify({ error: error?.message, endedAt: Date.now() }));
}

void main();
