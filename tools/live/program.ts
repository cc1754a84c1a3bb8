import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { apiKeyOf, baseUrlOf } from '../../credentials/CometChatApi.credentials';
import { testCredential } from '../n8nEngine/credentialTest';
import { startSandbox } from '../sandbox/server';
import { deviationsIn, formatReport } from './report';
import { check, type Target } from './run';
import { HELP, readOptions, type Options } from './commandLine';
import { listen, type Listener } from './webhooks';

/** Environment of the program. */
export interface Start {
	args: string[];
	env: NodeJS.ProcessEnv;
	/** Stops the check, which then removes what it created. */
	signal: AbortSignal;
	print: (text: string) => void;
}

/** @throws Error with the message of n8n's credential test */
async function testTarget(credentials: ICredentialDataDecryptedObject): Promise<Target> {
	const { status, message } = await testCredential(credentials);
	if (status === 'OK') {
		return { apiKey: apiKeyOf(credentials), baseUrl: baseUrlOf(credentials) };
	}
	throw new Error(message);
}

/** Waits until the user has added the webhook. */
async function waitForWebhook(url: string, port: number, { print, signal }: Start): Promise<void> {
	print(`Deliveries to ${url} have to arrive at port ${port} of this machine.
In the CometChat dashboard, under Settings → Webhooks, add a webhook with this URL and all events,
then press Enter. Remove it there afterwards.`);
	await Promise.race(['data', 'end'].map((event) => once(process.stdin, event, { signal })));
	process.stdin.pause();
}

/** @returns whether nothing deviates and everything was removed */
async function run(options: Options, target: Target | undefined, start: Start): Promise<boolean> {
	const { print, signal } = start;
	const { listen: url, report: file } = options;
	const sandbox = target ? undefined : await startSandbox();
	const { apiKey, baseUrl } = target ?? (sandbox as Target);
	let listener: Listener | undefined;
	try {
		if (sandbox) {
			print(`COMETCHAT_API_KEY is not set: checking the sandbox at ${baseUrl}`);
			listener = await listen(0, 300);
			sandbox.webhooks.set([{ url: `http://127.0.0.1:${listener.port}/` }]);
		} else if (url !== undefined) {
			listener = await listen(options.port);
			await waitForWebhook(url, listener.port, start);
		}
		const onStep = ({ operation, status }: { operation: string; status: string }) =>
			print(`${operation}: ${status}`);
		const results = await check({ apiKey, baseUrl }, { signal, listener, onStep });
		const region = sandbox ? 'sandbox' : String(options.credentials?.region);
		const text = formatReport(results, region).replaceAll(apiKey, '**********');
		writeFileSync(file, text);
		print(`\n${text}\nThe report is in ${file}`);
		return deviationsIn(results) + results.left.length === 0 && !results.wasStopped;
	} finally {
		await listener?.close();
		await sandbox?.close();
	}
}

/** @returns the exit code: 0 without deviations, 1 with deviations, 2 if the check couldn't start */
export async function program(start: Start): Promise<number> {
	let options: Options;
	let target: Target | undefined;
	try {
		options = readOptions(start.args, start.env);
		target = options.help
			? undefined
			: options.credentials && (await testTarget(options.credentials));
	} catch (error) {
		start.print(error instanceof Error ? error.message : String(error));
		return 2;
	}
	if (options.help) {
		start.print(HELP);
		return 0;
	}
	return (await run(options, target, start)) ? 0 : 1;
}
