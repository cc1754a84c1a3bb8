import type { N8n } from './n8n';
import type { Served } from './serve';
import { passOn, serve } from './serve';

/** Has processes of n8n answer in turn; without one that runs, the connection is cut. */
export async function startBalancer(processes: () => N8n[]): Promise<Served> {
	let turn = 0;
	return await serve((incoming, response) => {
		const running = processes().filter(({ service }) => service.ended === undefined);
		if (running.length === 0) return response.destroy();
		const { url } = running[turn++ % running.length];
		passOn(incoming, response, `${url}${incoming.url}`);
	});
}
