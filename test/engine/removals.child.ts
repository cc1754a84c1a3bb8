import { removeReaction, run } from './harness';

/**
 * Removes a reaction at each of the addresses, in a process of its own: Node.js reads
 * NODE_EXTRA_CA_CERTS and the proxy variables when it starts. Prints the message of each error, or
 * null if there was none.
 */
async function main(): Promise<void> {
	const [apiKey, ...addresses] = process.argv.slice(2);
	const messages = [];
	for (const baseUrl of addresses) {
		const { error } = await run({ apiKey, baseUrl }, removeReaction('101', '👍', 'mira'));
		messages.push(error?.message ?? null);
	}
	// Older versions of n8n hold the process for a while after a run
	process.stdout.write(JSON.stringify(messages), () => process.exit());
}

void main();
