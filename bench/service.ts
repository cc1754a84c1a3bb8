import { selfSignedCertificate, startSandbox } from '../sandbox/server';
import { sampleGroups } from '../sandbox/data/groups';
import { USER } from './workflows';

/** Where the service listens, and what it holds: the line of JSON that it prints at its start. */
export interface Service {
	url: string;
	baseUrl: string;
	apiKey: string;
	messageIds: string[];
	/** Certificate of the service in PEM, when it is reached over TLS */
	certificate?: string;
}

/**
 * The sandbox in a process of its own: `service.ts GROUPS [tls]`. It holds exactly so many groups, and
 * spends no time on checking its own answers. It ends with its standard input.
 */
async function main(): Promise<void> {
	const tls = process.argv[3] === 'tls' ? await selfSignedCertificate() : undefined;
	const { url, baseUrl, apiKey, store } = await startSandbox({
		tls,
		groups: Math.max(0, Number(process.argv[2]) - sampleGroups().length),
		validate: false,
		logLimit: 100,
	});
	const messageIds = store
		.messages()
		.filter((message) => store.canSee(message, USER))
		.map(({ id }) => id);
	const service: Service = { url, baseUrl, apiKey, messageIds, certificate: tls?.cert };
	console.log(JSON.stringify(service));
	process.stdin.once('end', () => process.exit(0)).resume();
}

void main();
