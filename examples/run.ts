import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { runWorkflow, type RunOptions } from '../tools/n8nEngine/engine';
import { startSandbox } from '../tools/sandbox/server';
import { itemTable, requestLine } from './report';
import { HELP, readSettings, type Settings } from './settings';
import { tellStory } from './story';
import { selectExamples } from './workflows';

const NEXT = `
Next
   npm run editor            n8n in your browser, with these nodes, the sandbox and all workflows
   npm run sandbox           the chat service alone, with a page that shows the chat
   npm start -- --verbose    this story with every request
   examples/                 workflows to import into your own n8n`;

const print = (text = ''): void => void process.stdout.write(`${text}\n`);

function optionsOf(credentials: ICredentialDataDecryptedObject, isVerbose: boolean): RunOptions {
	if (!isVerbose) return { credentials };
	return { credentials, onRequest: (request) => print(`      ${requestLine(request)}`) };
}

/** Runs the selected examples against a real CometChat app, and prints all requests and returned items. */
async function runOnCometChat(settings: Settings, credentials: ICredentialDataDecryptedObject) {
	print(`Running against CometChat, app ${String(credentials.appId)}`);
	for (const workflow of selectExamples(settings)) {
		print(`\n${workflow.name}`);
		const { run, items, error } = await runWorkflow(workflow, optionsOf(credentials, true));
		if (error) throw new Error(`"${workflow.name}" ended with: ${error.message}`);
		print(itemTable(items(String(run.data.resultData.lastNodeExecuted))));
	}
}

async function runOnSandbox({ verbose }: Settings): Promise<void> {
	const sandbox = await startSandbox();
	print(`n8n's engine runs the CometChat nodes. The chat is a sandbox: ${sandbox.url}`);
	try {
		const credentials = { apiKey: sandbox.apiKey, region: 'custom', baseUrl: sandbox.baseUrl };
		await tellStory({ sandbox, options: optionsOf(credentials, verbose), print });
	} finally {
		await sandbox.close();
	}
	print(NEXT);
}

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2), process.env);
	if (settings.help) {
		print(HELP);
		return;
	}
	const { credentials } = settings;
	await (credentials ? runOnCometChat(settings, credentials) : runOnSandbox(settings));
}

main().catch((error: unknown) => {
	process.stderr.write(`\n✘ ${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
