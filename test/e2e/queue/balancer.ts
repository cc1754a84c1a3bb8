import type { N8n } from '../lib/n8n';
import type { Served } from '../lib/serve';
import { passOn, serve } from '../lib/serve';

/** Has processes of n8n answer in turn; one that has ended is left out. */
export async function startBalancer(processes: N8n[]): Promise<Served> {
	let turn = 0;
	return await serve((incoming, response) => {
		const running = processes.filter(({ service }) => service.ended === undefined);
		const { url } = running[turn++ % running.length];
		passOn(incoming, response, `${url}${incoming.url}`);
	});
}
