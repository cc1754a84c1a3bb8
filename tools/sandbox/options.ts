import { parseArgs } from 'node:util';
import type { FaultPlan } from './faults';
import { parseWebhooks, type Webhook } from './webhooks';

export const HELP = `Runs the chat service's sandbox on this machine until it is stopped.

  --port N             port to listen on; 0 takes any free one (default 4100)
  --groups N           generated groups beside the sample data (default 0)
  --total-pages KIND   count: total_pages is the number of pages (default)
                       next: it is the current page, plus 1 while there is more
  --latency MS         waits so long before each answer
  --rate-limit N       answers 429 to more than N requests a minute
  --webhook URL        delivers events there; a URL on this machine
  --webhook-user NAME, --webhook-password TEXT
                       with Basic authentication
  --quiet              prints no line per request
  --json               prints one line of JSON once it listens, and nothing else
  --help               prints this text
`;

/** Thrown for an option with a wrong value. */
export class UsageError extends Error {}

/** Parses a whole number from 0 to 999,999,999. */
function wholeNumber(name: string, text: string): number {
	if (!/^\d{1,9}$/.test(text))
		throw new UsageError(`--${name} needs a whole number, not "${text}"`);
	return Number(text);
}

/** The webhook of the command line, without undefined fields. */
function readWebhooks({ url, ...rest }: Partial<Webhook>): Webhook[] {
	const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
	if (url !== undefined) return parseWebhooks([{ url, ...given }]);
	if (Object.keys(given).length > 0) throw new UsageError('--webhook is missing');
	return [];
}

/**
 * Parses the command line.
 *
 * @throws {UsageError | TypeError} if an option doesn't exist or can't have its value
 */
export function readOptions(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '4100' },
			groups: { type: 'string', default: '0' },
			'total-pages': { type: 'string', default: 'count' },
			latency: { type: 'string' },
			'rate-limit': { type: 'string' },
			webhook: { type: 'string' },
			'webhook-user': { type: 'string' },
			'webhook-password': { type: 'string' },
			quiet: { type: 'boolean', default: false },
			json: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const totalPages = values['total-pages'];
	if (totalPages !== 'count' && totalPages !== 'next') {
		throw new UsageError('--total-pages is either count or next');
	}
	const port = wholeNumber('port', values.port);
	if (port > 65_535) throw new UsageError('--port goes up to 65535');
	const faults: FaultPlan = [];
	if (values.latency !== undefined) {
		faults.push({ effect: { latency: { ms: wholeNumber('latency', values.latency) } } });
	}
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
			totalPages,
			faults,
			webhooks: readWebhooks({
				url: values.webhook,
				username: values['webhook-user'],
				password: values['webhook-password'],
			}),
		} as const,
	};
}
