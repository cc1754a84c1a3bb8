import { HELP, readOptions, UsageError } from './options';
import { startSandbox, type LogEntry, type Sandbox } from './server';
import { isObject } from './types';

function announce(sandbox: Sandbox): string {
	const { url, baseUrl, apiKey, appId } = sandbox;
	return `The chat service's sandbox is running. Stop it with Ctrl+C.

Base URL  ${baseUrl}
Page      ${url}/

In n8n, create a credential "CometChat API" with
  API Key   ${apiKey}
  Region    Custom Base URL
  Base URL  ${baseUrl}
  App ID    ${appId}   (not needed with a custom base URL)

Try it:
  curl -H 'apikey: ${apiKey}' '${baseUrl}/groups?perPage=2'
`;
}

function logLine({ at, method, url, status, ms, fault, headers }: LogEntry): string {
	const time = new Date(at).toISOString().slice(11, 23);
	const who = headers.onbehalfof ? `  as ${String(headers.onbehalfof)}` : '';
	const outcome = status === 0 ? 'cut' : String(status);
	return `${time}  ${outcome}  ${method} ${url}${who}  ${ms.toFixed(1)} ms${fault ? `  [${fault}]` : ''}`;
}

async function main(): Promise<void> {
	const { help, quiet, json, sandbox: options } = readOptions(process.argv.slice(2));
	if (help) {
		process.stdout.write(HELP);
		return;
	}
	const sandbox = await startSandbox({
		...options,
		recent: true,
		onRequest: quiet ? undefined : (entry) => console.log(logLine(entry)),
	}).catch((error: unknown) => {
		if (!isObject(error) || error.code !== 'EADDRINUSE') throw error;
		throw new Error(`Port ${options.port} is in use. Choose another port with --port`);
	});
	const stop = (): void => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);

	const { url, baseUrl, apiKey, authOnlyKey, appId } = sandbox;
	console.log(
		json ? JSON.stringify({ url, baseUrl, apiKey, authOnlyKey, appId }) : announce(sandbox),
	);
}

main().catch((error: unknown) => {
	const message = error instanceof Error ? error.message : String(error);
	console.error(message);
	if (error instanceof UsageError || error instanceof TypeError) console.error(`\n${HELP}`);
	process.exitCode = 1;
});
