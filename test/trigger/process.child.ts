import { readFile, rename, writeFile } from 'node:fs/promises';

import type { StaticDataStore } from '../../engine/webhook';
import { activateWebhook } from '../../engine/webhook';

/** A webhook process of n8n: the workflow is active, and its static data is in a file that others share. */
async function main(): Promise<void> {
	const [file, node] = process.argv.slice(2);
	const staticData: StaticDataStore = {
		load: async () => await readFile(file, 'utf8'),
		async save(json) {
			const written = `${file}.${process.pid}.${crypto.randomUUID()}`;
			await writeFile(written, json);
			await rename(written, file);
		},
	};
	const webhook = await activateWebhook(JSON.parse(node), { staticData, workflowId: 'shared' });
	process.on('disconnect', () => process.exit(0));
	// Any message asks for what started until now
	process.on('message', () => {
		void webhook.idle().then(() => {
			const started = webhook.executions.map(({ items }) => items[0].json);
			process.send?.({ started });
		});
	});
	process.send?.({ url: webhook.url });
}

void main();
