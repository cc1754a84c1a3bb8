import type { IncomingHttpHeaders } from 'node:http';

import { serve, type Served } from '../../../tools/n8nEngine/serve';

/** A server that records requests. Its host isn't the credential's. */
export interface Recorder extends Served {
	readonly requests: Array<{ path: string; headers: IncomingHttpHeaders }>;
}

/** Starts a server that responds to every request with `{"data":[]}`. */
export async function startRecorder(): Promise<Recorder> {
	const requests: Recorder['requests'] = [];
	const served = await serve((request, response) => {
		requests.push({ path: request.url ?? '', headers: request.headers });
		response.setHeader('content-type', 'application/json').end('{"data":[]}');
	});
	return { ...served, requests };
}
