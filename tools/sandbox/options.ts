import { parseArgs } from 'node:util';
import type { FaultPlan } from './faults';
import { parseWebhooks, type Webhook } from './webhooks';

export const HELP = `Runs the chat service's sandbox on this machine until it is stopped.

  --port N             port to listen on, or 0 for any free port (default 4100)
  --groups N           number of generated groups in addition to the sample data (default 0)
  --rate-limit N       maximum requests per minute. Further requests get a 429
  --webhook URL        URL on this machine that receives events
  --webhook-user NAME, --webhook-password TEXT
                       Basic authentication of the webhook
  --quiet              don't print requests
  --json               print only the sandbox's URLs and keys, as one line of JSON
  --help               show this text
`;

/** Thrown if a command-line option is missing or has an invalid value. */
export class UsageError extends Error {}

/** Parses a whole number from 0 to 999,999,999. */
function wholeNumber(name: string, text: string): number {
	if (!/^\d{1,9}$/.test(text))
		throw new UsageError(`--${name} must be a whole number, not "${text}"`);
	return Number(text);
}

/** Returns a list with the webhook configured on the command line, or an empty list if there is none. */
function readWebhooks({ url, ...rest }: Partial<Webhook>): Webhook[] {
	const given = Object.fromEntries(
		Object.entries<unknown>(rest).filter(([, value]) => value !== undefined),
	);
	if (url !== undefined) return parseWebhooks([{ url, ...given }]);
	if (Object.keys(given).length > 0) throw new UsageError('--webhook is required');
	return [];
}

/**
 * Parses the command line.
 *
 * @throws {UsageError | TypeError} if an option is unknown or has an invalid value
 */
export function readOptions(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '4100' },
			groups: { type: 'string', default: '0' },
			'rate-limit': { type: 'string' },
			webhook: { type: 'string' },
			'webhook-user': { type: 'string' },
			'webhook-password': { type: 'string' },
			quiet: { type: 'boolean', default: false },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const port = wholeNumber('port', values.port);
	if (port > 65_535) throw new UsageError('--port must be at most 65535');
	const faults: FaultPlan = [];
	if (values['rate-limit'] !== undefined) {
		const requests = wholeNumber('rate-limit', values['rate-limit']);
		if (requests === 0) throw new UsageError('--rate-limit must be at least 1');
		faults.push({ effect: { window: { requests, ms: 60_000 } } });
	}
	return {
		help: values.help,
		quiet: values.quiet || values.json,
		json: values.json,
		sandbox: {
			port,
			groups: wholeNumber('groups', values.groups),
			faults,
			webhooks: readWebhooks({
				url: values.webhook,
				username: values['webhook-user'],
				password: values['webhook-password'],
			}),
		} as const,
	};
}
