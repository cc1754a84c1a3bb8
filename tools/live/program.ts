import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { apiKeyOf, baseUrlOf } from '../../credentials/CometChatApi.credentials';
import { testCredential } from '../n8nEngine/credentialTest';
import { startSandbox } from '../sandbox/server';
import { deviationsIn, report } from './report';
import { check, type Target } from './run';
import { HELP, readSettings, type Settings } from './settings';
import { listen, type Listener } from './webhooks';

/** How the program was started. */
export interface Start {
	args: string[];
	env: NodeJS.ProcessEnv;
	/** Stops it; it still cleans up */
	signal: AbortSignal;
	print: (text: string) => void;
}

/** @throws Error with the sentence that n8n shows when the credential is tested */
async function targetOf(credentials: ICredentialDataDecryptedObject): Promise<Target> {
	const { status, message } = await testCredential(credentials);
	if (status === 'OK') {
		return { apiKey: apiKeyOf(credentials), baseUrl: baseUrlOf(credentials) };
	}
	throw new Error(message);
}

/** Waits until the user has made the webhook. */
async function webhookIsMade(url: string, port: number, { print, signal }: Start): Promise<void> {
	print(`Deliveries to ${url} have to arrive at port ${port} of this machine.
In the CometChat dashboard, under Settings → Webhooks, add a webhook with this URL and all events,
then press Enter. Remove it there afterwards.`);
	await Promise.race(['data', 'end'].map((event) => once(process.stdin, event, { signal })));
	process.stdin.pause();
}

/** @returns whether nothing deviates, and nothing is left behind */
async function run(settings: Settings, target: Target | undefined, start: Start): Promise<boolean> {
	const { print, signal } = start;
	const { listen: url, report: file } = settings;
	const sandbox = target ? undefined : await startSandbox();
	const { apiKey, baseUrl } = target ?? (sandbox as Target);
	let listener: Listener | undefined;
	try {
		if (sandbox) {
			print(`COMETCHAT_API_KEY is not set: checking the sandbox at ${baseUrl}`);
			listener = await listen(0, 300);
			sandbox.webhooks.set([{ url: `http://127.0.0.1:${listener.port}/` }]);
		} else if (url !== undefined) {
			listener = await listen(settings.port);
			await webhookIsMade(url, listener.port, start);
		}
		const onStep = ({ operation, status }: { operation: string; status: string }) =>
			print(`${operation}: ${status}`);
		const results = await check({ apiKey, baseUrl }, { signal, listener, onStep });
		const region = sandbox ? 'sandbox' : String(settings.credentials?.region);
		const text = report(results, region).replaceAll(apiKey, '**********');
		writeFileSync(file, text);
		print(`\n${text}\nThe report is in ${file}`);
		return deviationsIn(results) + results.left.length === 0 && !results.wasStopped;
	} finally {
		await listener?.close();
		await sandbox?.close();
	}
}

/** @returns the exit code: 0 nothing deviates · 1 something does · 2 nothing could be checked */
export async function program(start: Start): Promise<number> {
	let settings: Settings;
	let target: Target | undefined;
	try {
		settings = readSettings(start.args, start.env);
		target = settings.help
			? undefined
			: settings.credentials && (await targetOf(settings.credentials));
	} catch (error) {
		start.print(error instanceof Error ? error.message : String(error));
		return 2;
	}
	if (settings.help) {
		start.print(HELP);
		return 0;
	}
	return (await run(settings, target, start)) ? 0 : 1;
}
