import type { IDataObject } from 'n8n-workflow';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { serve } from '../../tools/n8nEngine/serve';

/** API key that all recorders use. */
export const KEY = '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c';

export interface Recorded {
	method: string;
	/** Path and query, without the API version */
	url: string;
	headers: IncomingHttpHeaders;
	/** Undefined if the request has no body */
	body: string | undefined;
}

/** Responds to a request. Requests are numbered from 1. */
export type Reply = (response: ServerResponse, request: Recorded, number: number) => void;

export interface Recorder {
	apiKey: string;
	baseUrl: string;
	requests: Recorded[];
	close: () => Promise<void>;
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}

export const readBody = ({ body = '' }: Recorded): IDataObject => JSON.parse(body);

const isList = ({ method, url }: Recorded) =>
	method === 'GET' && /[?&](page|limit)=|\/reactions\b/.test(url);

/** Responds with an entity that has these fields. A list request gets a list with only this entity. */
export const responding =
	(fields: object): Reply =>
	(response, request) => {
		const entity = { id: '101', guid: 'all-hands', uid: 'noor', ...fields };
		const meta = { pagination: { total: 1, total_pages: 1, count: 1, per_page: 1 } };
		json(response, 200, isList(request) ? { data: [entity], meta } : { data: entity });
	};

/** Responds to any request successfully, with an empty list or an entity. */
export const anything: Reply = (response, request, number) => {
	if (isList(request)) json(response, 200, { data: [] });
	else responding({})(response, request, number);
};

/** Starts a local HTTP server that records all requests. */
export async function startRecorder(reply: Reply = anything): Promise<Recorder> {
	const requests: Recorded[] = [];
	const { url: origin, close } = await serve((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
			const recorded = { method, url: url.replace(/^\/v3/, ''), headers, body };
			requests.push(recorded);
			reply(response, recorded, requests.length);
		});
	});
	return {
		apiKey: KEY,
		baseUrl: `${origin}/v3`,
		requests,
		close,
	};
}

/** Starts a recorder, passes it to a callback, and closes it afterwards. */
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

/** UIDs in a request of Add Members that sets no scope. */
export const uidsIn = (request: Recorded) => readBody(request).participants as string[];

/** Responds to Add Members with a result for each UID. */
export const adding =
	(resultOf: (uid: string, number: number) => object = () => ({ success: true })): Reply =>
	(response, request, number) => {
		const results = uidsIn(request).map((uid) => [uid, resultOf(uid, number)]);
		json(response, 200, { data: { participants: Object.fromEntries(results) } });
	};
