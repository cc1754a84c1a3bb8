import { setTimeout as wait } from 'node:timers/promises';

import type { N8n } from './n8n';
import { serve, type Served } from '../../../tools/n8nEngine/serve';
import { forwardRequest } from './forwardRequest';

/** Starts a round-robin load balancer for n8n processes. Requests wait while no process is running. */
export async function startBalancer(processes: () => N8n[]): Promise<Served> {
	let turn = 0;
	const running = () => processes().filter(({ service }) => service.ended === undefined);
	return await serve(async (incoming, response) => {
		while (running().length === 0 && !response.destroyed) await wait(100);
		if (response.destroyed) return;
		const { url } = running()[turn++ % running().length];
		forwardRequest(incoming, response, `${url}${incoming.url}`);
	});
}
