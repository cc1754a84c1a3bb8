import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';

import { readErrorCode, type Exchange, type Recorder } from './recorder';

/** Sends a request of its own during a check. The responses are recorded. A form is sent as multipart. */
export type Ask = (
	method: 'GET' | 'POST' | 'PUT' | 'DELETE',
	path: string,
	options?: { body?: object; onBehalfOf?: string },
) => Promise<Exchange>;

/** Maximum number of attempts of a request that CometChat refuses for now. */
const MAX_ATTEMPTS = 20;

/** Time between two attempts in milliseconds, unless the response names another time. */
const ASK_AGAIN_MS = 250;

/** Maximum time that the attempts of a request wait in all, in milliseconds. CometChat's limits last a minute. */
const MAX_WAIT_MS = 65_000;

/** Encodes a form as multipart, with the header that names the boundary. */
export async function encodeForm(form: FormData) {
	const encoded = new Response(form);
	return {
		headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
		body: Buffer.from(await encoded.arrayBuffer()),
	};
}

const encodeJson = (body: object | undefined) => ({
	headers: { 'content-type': 'application/json' },
	body: body && JSON.stringify(body),
});

const isRefusedForNow = (exchange: Exchange): boolean =>
	exchange.status === 429 || readErrorCode(exchange) === 'ERR_MESSAGE_NO_ACCESS';

/**
 * Creates the function that sends a check's own requests through the recorder.
 *
 * @param signal makes the function throw when the check is stopped. Without a signal, the function goes on.
 */
export function createAsk(
	{ apiKey, recorder: { baseUrl, exchanges } }: { apiKey: string; recorder: Recorder },
	signal?: AbortSignal,
): Ask {
	const send: Ask = async (method, path, { body, onBehalfOf } = {}) => {
		const sent = exchanges.length;
		const encoded = body instanceof FormData ? await encodeForm(body) : encodeJson(body);
		const actor = onBehalfOf === undefined ? {} : { onBehalfOf };
		await request(`${baseUrl}${path}`, {
			method,
			headers: { apikey: apiKey, ...encoded.headers, ...actor },
			body: encoded.body,
		}).then(
			async (response) => await response.body.dump(),
			() => {},
		);
		return exchanges[sent] ?? { method, path, status: 0, headers: {}, body: '' };
	};
	return async (...options) => {
		signal?.throwIfAborted();
		let exchange = await send(...options);
		let waited = 0;
		for (let count = 1; count < MAX_ATTEMPTS && isRefusedForNow(exchange); count++) {
			const delay = Number(exchange.headers['retry-after']) * 1000 || ASK_AGAIN_MS;
			waited += delay;
			if (waited > MAX_WAIT_MS) break;
			await wait(delay, undefined, { signal });
			exchange = await send(...options);
		}
		return exchange;
	};
}
