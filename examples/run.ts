import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { runWorkflow } from '../engine/engine';
import { startSandbox } from '../sandbox/server';
import { itemTable, requestLine } from './report';
import type { Settings } from './settings';
import { HELP, readSettings } from './settings';
import type { Example } from './workflows';
import { selectExamples } from './workflows';

const print = (text = '') => process.stdout.write(`${text}\n`);

/** Runs one workflow and prints, for each of its nodes, what was sent and what came back. */
async function runExample(
	{ file, workflow }: Example,
	credentials: ICredentialDataDecryptedObject,
): Promise<void> {
	print(`\n▶ ${workflow.name}  (examples/${file})`);
	const requests = new Map<string, IHttpRequestOptions[]>();
	let current = '';
	const result = await runWorkflow(workflow, {
		credentials,
		onNode: (name, task) => {
			if (task === undefined) current = name;
		},
		onRequest: (request) => requests.set(current, [...(requests.get(current) ?? []), request]),
	});
	for (const { name, type } of workflow.nodes) {
		if (!type.startsWith('n8n-nodes-cometchat.')) continue;
		print(`\n  ${name}`);
		for (const request of requests.get(name) ?? []) print(`  → ${requestLine(request)}`);
		const items = result.items(name);
		print(`  ← ${items.length} ${items.length === 1 ? 'item' : 'items'}`);
		if (items.length > 0) print(itemTable(items));
	}
	if (result.error) throw new Error(`"${workflow.name}" ended with: ${result.error.message}`);
}

async function runAll(settings: Settings): Promise<void> {
	if (settings.credentials) {
		print(`Running against CometChat, app ${String(settings.credentials.appId)}`);
		for (const example of selectExamples(settings)) await runExample(example, settings.credentials);
		return;
	}
	const sandbox = await startSandbox();
	print(`No COMETCHAT_API_KEY is set: running against the sandbox at ${sandbox.baseUrl}`);
	try {
		const credentials = { apiKey: sandbox.apiKey, region: 'custom', baseUrl: sandbox.baseUrl };
		for (const example of selectExamples(settings)) await runExample(example, credentials);
	} finally {
		await sandbox.close();
	}
}

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2), process.env);
	if (settings.help) {
		print(HELP);
		return;
	}
	await runAll(settings);
	print('\n✔ Every workflow ran to its end');
}

main().catch((error: unknown) => {
	process.stderr.write(`\n✘ ${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
