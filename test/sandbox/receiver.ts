import type { IncomingHttpHeaders } from 'node:http';

import { serve } from '../../tools/n8nEngine/serve';
import type { Envelope } from '../../tools/sandbox/server';

export interface Received {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** Parsed JSON body, or `{}` if the request has no body */
	body: Envelope;
}

/** A server that records the requests it receives, such as webhook deliveries. */
export interface Receiver {
	readonly url: string;
	readonly received: Received[];
	/** Returns the status for the nth response, or `hang` to leave the request without a response. */
	answer: (nth: number) => number | 'hang';
	close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
	const received: Received[] = [];
	const { url: origin, close } = await serve((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			received.push({ method, path: url, headers, body: JSON.parse(text || '{}') });
			const status = receiver.answer(received.length);
			if (status === 'hang') return;
			response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok');
		});
	});
	const receiver: Receiver = {
		url: `${origin}/webhook/chat`,
		received,
		answer: () => 200,
		close,
	};
	return receiver;
}
