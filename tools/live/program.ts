import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { getCheckedApiKey, getBaseUrl } from '../../credentials/CometChatApi.credentials';
import { testCredential } from '../n8nEngine/credentialTest';
import { startSandbox } from '../sandbox/server';
import { check, type CheckOptions, type Target } from './check';
import { countDeviations, formatReport } from './report';
import { startListener, type Listener } from './webhooks';

/** Local port that receives webhook deliveries. */
const PORT = 4101;

/** Path of a file in the sandbox's sample data. */
const SAMPLE_FILE = 'media/big-hall.png';

/** The program's environment: arguments, variables, and output. */
export interface ProgramEnvironment {
	args: string[];
	env: NodeJS.ProcessEnv;
	/** Stops the check, which then removes everything it created. */
	signal: AbortSignal;
	print: (text: string) => void;
}

/**
 * Parses the command-line options:
 * - `--listen URL`: also checks webhooks and messages to a bot. Requests to the URL must reach PORT on this
 *   machine.
 * - `--probe-uploads`: also tries to upload a file in two ways
 * - `--report FILE`: file that the report is written to
 *
 * @throws TypeError if an option is unknown
 */
const readOptions = (args: string[]) =>
	parseArgs({
		args,
		options: {
			listen: { type: 'string' },
			'probe-uploads': { type: 'boolean', default: false },
			report: { type: 'string', default: 'cometchat-check.md' },
		},
	}).values;

/**
 * Returns the service that the environment variables specify, or undefined to use the sandbox.
 *
 * @throws Error if the API key is missing, or if n8n's credential test fails
 */
async function findTarget(env: NodeJS.ProcessEnv): Promise<Target | undefined> {
	const { COMETCHAT_API_KEY: apiKey, COMETCHAT_BASE_URL: baseUrl = '' } = env;
	const { COMETCHAT_APP_ID: appId = '', COMETCHAT_REGION: region = '' } = env;
	if (!apiKey && !baseUrl && !appId && !region) return undefined;
	if (!apiKey) throw new Error('Set COMETCHAT_API_KEY, or unset the others to check the sandbox');
	const credentials = { apiKey, appId, baseUrl, region: baseUrl ? 'custom' : region };
	const { status, message } = await testCredential(credentials);
	if (status !== 'OK') throw new Error(message);
	return { apiKey: getCheckedApiKey(credentials), baseUrl: getBaseUrl(credentials) };
}

/** Waits until the user confirms that the webhook has been added. */
async function waitForWebhook(url: string, { print, signal }: ProgramEnvironment): Promise<void> {
	print(`In the CometChat dashboard, under Settings → Webhooks, add a webhook with the URL ${url}, all
events, and retries. Its deliveries must reach port ${PORT} of this machine. Then press Enter. Remove the webhook
after the check.`);
	await Promise.race(['data', 'end'].map((event) => once(process.stdin, event, { signal })));
	process.stdin.pause();
}

/**
 * Runs the check and prints the report.
 *
 * @returns the exit code: 0 if there are no deviations, 1 if there are any, 2 if the check couldn't start
 */
export async function program(environment: ProgramEnvironment): Promise<number> {
	const { args, env, signal, print } = environment;
	let options: ReturnType<typeof readOptions>;
	let target: Target | undefined;
	let listener: Listener | undefined;
	try {
		options = readOptions(args);
		target = await findTarget(env);
		if (target && options.listen !== undefined) {
			listener = await startListener(PORT, undefined, options.listen);
		}
	} catch (error) {
		print(error instanceof Error ? error.message : String(error));
		return 2;
	}
	const checkOptions: CheckOptions = {
		signal,
		listener,
		uploads: options['probe-uploads'],
		onResult: ({ name, outcome }) => print(`${name}: ${outcome}`),
	};
	// The addresses of the sandbox's files work as they are, because they aren't signed
	const service = target ?? (await startSandbox({ mediaAccess: 'plain' }));
	const sandbox = 'webhooks' in service ? service : undefined;
	try {
		if (sandbox) {
			print(`COMETCHAT_API_KEY is not set. Checking the sandbox at ${sandbox.baseUrl}`);
			checkOptions.listener = await startListener(0, 300);
			sandbox.webhooks.set([{ url: checkOptions.listener.address }]);
			checkOptions.fileUrl = `${sandbox.url}/${sandbox.appId}/${SAMPLE_FILE}`;
		} else if (options.listen !== undefined) {
			await waitForWebhook(options.listen, environment);
		}
		const { apiKey, baseUrl } = service;
		const results = await check({ apiKey, baseUrl }, checkOptions);
		const region = sandbox ? 'sandbox' : (env.COMETCHAT_REGION ?? 'custom');
		const report = formatReport(results, region).replaceAll(apiKey, '**********');
		writeFileSync(options.report, report);
		print(`\n${report}\nThe report is in ${options.report}`);
		const isClean = countDeviations(results) + results.notRemoved.length === 0;
		return isClean && !results.isStopped ? 0 : 1;
	} finally {
		await checkOptions.listener?.close();
		await sandbox?.close();
	}
}
