import { parseArgs } from 'node:util';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

export const HELP = `npm run check:live [-- options]

Runs every operation of the node once, in a group and with users of its own, and says where the service
deviates from what the node expects. Everything it made is removed at the end.

COMETCHAT_API_KEY   REST API key with the fullAccess scope; without it the sandbox is checked
COMETCHAT_APP_ID    App ID, and
COMETCHAT_REGION    its region: us, eu or in; or instead of both
COMETCHAT_BASE_URL  the address of a dedicated installation, e.g. https://chat.example.com/v3

  --listen URL   check webhooks too: deliveries to this URL reach this machine
  --port PORT    where they arrive here (default 4101)
  --report FILE  where the report goes (default cometchat-check.md)
  --help         show this text`;

export interface Options {
	help: boolean;
	/** Undefined to check the sandbox. */
	credentials?: ICredentialDataDecryptedObject;
	listen?: string;
	port: number;
	report: string;
}

/** @throws Error for an unknown option, or an address without a key */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
	const { values } = parseArgs({
		args,
		options: {
			listen: { type: 'string' },
			port: { type: 'string', default: '4101' },
			report: { type: 'string', default: 'cometchat-check.md' },
			help: { type: 'boolean', default: false },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error('--port must be a number from 0 to 65535');
	}
	const { COMETCHAT_API_KEY: apiKey, COMETCHAT_BASE_URL: baseUrl } = env;
	const { COMETCHAT_APP_ID: appId, COMETCHAT_REGION: region } = env;
	if (!apiKey && (baseUrl || appId || region)) {
		throw new Error('Set COMETCHAT_API_KEY too, or none of them to check the sandbox');
	}
	const credentials: ICredentialDataDecryptedObject = { apiKey: apiKey ?? '' };
	Object.assign(credentials, baseUrl ? { region: 'custom', baseUrl } : { region, appId });
	return { ...values, port, credentials: apiKey ? credentials : undefined };
}
