import { removeReaction, run } from './harness';

/**
 * Removes a reaction at each base URL, and prints the error messages, with null for success.
 * Node.js reads NODE_EXTRA_CA_CERTS and the proxy variables only when a process starts.
 */
async function main(): Promise<void> {
	const [apiKey, ...addresses] = process.argv.slice(2);
	const messages = [];
	for (const baseUrl of addresses) {
		const { error } = await run({ apiKey, baseUrl }, removeReaction('101', '👍', 'mira'));
		messages.push(error?.message ?? null);
	}
	// Older versions of n8n keep the process alive for a while
	process.stdout.write(JSON.stringify(messages), () => process.exit());
}

void main();
