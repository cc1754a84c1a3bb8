import { removeReaction, run } from './harness';

/**
 * Removes a reaction at each base URL, and prints an error message or null for each. Runs as its own
 * process, because Node.js reads NODE_EXTRA_CA_CERTS and the proxy variables only at startup.
 */
async function main(): Promise<void> {
	const [apiKey, ...addresses] = process.argv.slice(2);
	const messages = [];
	for (const baseUrl of addresses) {
		const { error } = await run({ apiKey, baseUrl }, removeReaction('101', '👍', 'mira'));
		messages.push(error?.message ?? null);
	}
	// Exits explicitly, because older n8n versions keep the process alive for a while
	process.stdout.write(JSON.stringify(messages), () => process.exit());
}

void main();
