import { request, type IncomingMessage, type ServerResponse } from 'node:http';

/** Forwards a request to another server. If the forwarded request fails, closes the client's connection. */
export function forwardRequest(
	incoming: IncomingMessage,
	response: ServerResponse,
	url: string,
): void {
	const { method, headers } = incoming;
	const outgoing = request(url, { method, headers }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	outgoing.once('error', () => response.destroy());
	incoming.pipe(outgoing);
}
