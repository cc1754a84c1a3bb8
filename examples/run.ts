import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { RunResult } from '../engine/engine';
import { runWorkflow } from '../engine/engine';
import { startSandbox } from '../sandbox/server';
import { indent, itemsText, requestLines } from './report';
import type { Settings } from './settings';
import { HELP, readSettings } from './settings';
import type { Example } from './workflows';
import { selectExamples } from './workflows';

const print = (text = '') => process.stdout.write(`${text}\n`);

/** What a node returned on all of its outputs, in all of its runs: after two branches it may run twice. */
function itemsOf({ run }: RunResult, node: string): INodeExecutionData[] {
	const runs = run.data.resultData.runData[node] ?? [];
	return runs.flatMap(({ data }) => (data?.main ?? []).flatMap((items) => items ?? []));
}

/** Runs one workflow and prints, for each of its nodes, what was sent and what came back. */
async function runExample(
	{ workflow, inFull }: Example,
	credentials: ICredentialDataDecryptedObject,
): Promise<void> {
	const requests = new Map<string, IHttpRequestOptions[]>();
	let current = '';
	const result = await runWorkflow(workflow, {
		credentials,
		onNode: (name, task) => {
			if (task === undefined) current = name;
		},
		onRequest: (request) => requests.set(current, [...(requests.get(current) ?? []), request]),
	});
	for (const { name } of workflow.nodes) {
		const sent = requests.get(name);
		if (!sent) continue;
		const withItems = inFull || !(name in workflow.connections);
		const items = itemsText(itemsOf(result, name), withItems);
		print(`\n${indent([name, requestLines(sent), items].join('\n'))}`);
	}
	if (result.error) throw new Error(`"${workflow.name}" ended with: ${result.error.message}`);
}

const titleOf = ({ file, workflow }: Example) => `\n▶ ${workflow.name}  (examples/${file})`;

async function runOnCometChat(
	settings: Settings,
	credentials: ICredentialDataDecryptedObject,
): Promise<void> {
	print(`Running against CometChat, app ${String(credentials.appId)}`);
	for (const example of selectExamples(settings)) {
		print(titleOf(example));
		await runExample(example, credentials);
	}
}

async function runOnSandbox(settings: Settings): Promise<void> {
	const sandbox = await startSandbox();
	print(`COMETCHAT_API_KEY is not set: running against the sandbox at ${sandbox.baseUrl}`);
	try {
		const credentials = { apiKey: sandbox.apiKey, region: 'custom', baseUrl: sandbox.baseUrl };
		for (const example of selectExamples(settings)) {
			print(titleOf(example));
			if (example.prelude) print(indent(example.prelude.text));
			example.prelude?.play?.(sandbox.store);
			await runExample(example, credentials);
		}
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
	const { credentials } = settings;
	await (credentials ? runOnCometChat(settings, credentials) : runOnSandbox(settings));
	print('\n✔ Every workflow ran to its end');
}

main().catch((error: unknown) => {
	process.stderr.write(`\n✘ ${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
