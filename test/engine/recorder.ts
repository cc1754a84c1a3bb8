import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { serve } from '../../tools/n8nEngine/serve';
import { DECLARED, urlsOf } from './operations';

/** A request as it was on the wire. */
export interface Recorded {
	method: string;
	/** Without the version segment */
	url: string;
	headers: IncomingHttpHeaders;
	/** The body as it came; undefined for none */
	body: string | undefined;
	/** When it came, in milliseconds */
	at: number;
}

/** Answers a request; `number` counts from 1. */
export type Reply = (response: ServerResponse, request: Recorded, number: number) => void;

export interface Recorder {
	apiKey: string;
	baseUrl: string;
	port: number;
	requests: Recorded[];
	/** Connections that are open now */
	connections: () => Promise<number>;
	close: () => Promise<void>;
}

/** JSON with a status. */
export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}

/** Methods and paths of the lists that the node has. */
const LISTS = DECLARED.filter(({ operation }) => 'many' in operation.response).flatMap(
	({ operation }) =>
		urlsOf(operation).map((url) => {
			const path = url.replace(/\{\w+\}/g, '[^/?]+');
			return new RegExp(`^${operation.routing?.request?.method} ${path}(\\?|$)`);
		}),
);

const isList = ({ method, url }: Recorded) => LISTS.some((list) => list.test(`${method} ${url}`));

/** A list of one thing where a list is asked for, else one thing; with these fields in it. */
export const responding =
	(fields: object): Reply =>
	(response, request) => {
		const one = { id: '101', guid: 'all-hands', uid: 'noor', ...fields };
		const meta = { pagination: { total: 1, total_pages: 1, count: 1, per_page: 1 } };
		json(response, 200, isList(request) ? { data: [one], meta } : { data: one });
	};

/** What any operation can live with: an empty list, or one thing. */
export const anything: Reply = (response, request, number) => {
	if (isList(request)) json(response, 200, { data: [] });
	else responding({})(response, request, number);
};

/** A server on loopback that notes what it gets, body included, and answers as it is told. */
export async function startRecorder(reply: Reply = anything): Promise<Recorder> {
	const requests: Recorded[] = [];
	const {
		url: origin,
		port,
		server,
		close,
	} = await serve((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
			const recorded = { method, url: url.replace(/^\/v3/, ''), headers, body, at: Date.now() };
			requests.push(recorded);
			reply(response, recorded, requests.length);
		});
	});
	return {
		apiKey: '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c',
		baseUrl: `${origin}/v3`,
		port,
		requests,
		connections: async () =>
			await new Promise((resolve, reject) => {
				server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
			}),
		close,
	};
}

/** Uses a recorder for the time of a callback. */
export async function withRecorder<T>(
	reply: Reply,
	use: (recorder: Recorder) => Promise<T>,
): Promise<T> {
	const recorder = await startRecorder(reply);
	try {
		return await use(recorder);
	} finally {
		await recorder.close();
	}
}
