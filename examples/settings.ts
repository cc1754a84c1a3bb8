import { parseArgs } from 'node:util';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

export const HELP = `npm start [-- options]

Tells a short story with the nodes, on n8n's engine and against the embedded sandbox.
  --verbose        show every request

With COMETCHAT_API_KEY, COMETCHAT_APP_ID and COMETCHAT_REGION (us, eu or in) set it runs against
CometChat itself instead, and only lists groups, unless told more:
  --message ID     get this message
  --user UID       act on behalf of this user
  --remove EMOJI   remove this reaction of the user from the message
  --help           show this text`;

/** Settings from the command line and the environment. */
export interface Settings {
	help: boolean;
	/** If true, prints every request. */
	verbose: boolean;
	/** Credential for a CometChat app. Undefined if the examples run against the sandbox. */
	credentials?: ICredentialDataDecryptedObject;
	message?: string;
	user?: string;
	remove?: string;
}

/**
 * Parses the command line and the environment.
 *
 * @throws TypeError for an unknown option, or Error if a setting is missing
 */
export function readSettings(args: string[], env: NodeJS.ProcessEnv): Settings {
	const { values } = parseArgs({
		args,
		options: {
			message: { type: 'string' },
			user: { type: 'string' },
			remove: { type: 'string' },
			verbose: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const { COMETCHAT_API_KEY: apiKey, COMETCHAT_APP_ID: appId, COMETCHAT_REGION: region } = env;
	const real = [apiKey, appId, region].filter((value) => value !== undefined && value !== '');
	if (real.length > 0 && real.length < 3) {
		throw new Error(
			'Set all of COMETCHAT_API_KEY, COMETCHAT_APP_ID and COMETCHAT_REGION, or none of them for the sandbox',
		);
	}
	if (real.length === 0 && (values.message ?? values.user ?? values.remove) !== undefined) {
		throw new Error(
			'--message, --user and --remove are for CometChat itself: set COMETCHAT_API_KEY',
		);
	}
	if (values.remove !== undefined && (!values.message || !values.user)) {
		throw new Error('--remove needs --message and --user too');
	}
	return {
		...values,
		...(real.length === 3
			? { credentials: { apiKey, appId, region } as ICredentialDataDecryptedObject }
			: {}),
	};
}
