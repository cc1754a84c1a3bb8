import type { IncomingMessage, ServerResponse } from 'node:http';

import { serve } from '../../../tools/n8nEngine/serve';
import { fetchResponseOnce } from '../../../nodes/CometChat/transport/attempt';
import { UploadForm } from '../../../nodes/CometChat/transport/form';
import { RequestLimiter, SharedRateLimits } from '../../../nodes/CometChat/transport/limiter';
import { KEY, createRunContext } from '../context';

const CHUNK = Buffer.alloc(100_000);

/** Uploads a file once, and waits until the server's connection is closed. Returns the status or the error. */
async function upload(
	reply: (request: IncomingMessage, response: ServerResponse, cancel: () => void) => void,
	chunks = 1,
): Promise<unknown> {
	const execution = new AbortController();
	let closed: Promise<unknown> | undefined;
	const { url, close } = await serve((request, response) => {
		closed = new Promise((resolve) => request.socket.on('close', resolve));
		reply(request, response, () => execution.abort());
	});
	async function* read() {
		for (let count = 0; count < chunks; count++) yield await Promise.resolve(CHUNK);
	}
	const size = chunks * CHUNK.length;
	const file = { name: 'a.bin', mimeType: 'application/octet-stream', size, read };
	const credentials = { apiKey: KEY, region: 'custom', baseUrl: `${url}/v3` };
	const limiter = new RequestLimiter(execution.signal, new SharedRateLimits());
	const connection = { context: createRunContext({ credentials }), credentials, limiter };
	try {
		const outcome = await fetchResponseOnce(
			{ ...connection, timeoutMs: 100 },
			{ method: 'POST', path: '/messages', body: {}, files: [file] },
		).then(
			({ statusCode }) => statusCode,
			(error: unknown) => String(error),
		);
		await closed;
		return outcome;
	} finally {
		limiter.stop();
		await close();
	}
}

test('One file has the field of a single file, and several files have the field of a list', () => {
	const { read } = { async *read() {} };
	const create = (name: string) => ({ name, mimeType: 'image/png', size: 0, read });
	const listFieldNames = (...names: string[]) => [
		...new UploadForm({ type: 'image' }, names.map(create), () => {}).data.keys(),
	];
	expect(listFieldNames('a.png')).toEqual(['type', 'file']);
	expect(listFieldNames('a.png', 'b.png')).toEqual(['type', 'files[]', 'files[]']);
});

describe('The connection of an upload is closed', () => {
	test('if the server refuses the file before it is sent completely', async () => {
		const refuse = (_request: IncomingMessage, response: ServerResponse) => {
			response.writeHead(413, { 'content-type': 'application/json' }).end('{}');
		};
		expect(await upload(refuse, 500)).toBe(413);
	});

	test('if the time limit ends', async () => {
		expect(await upload((request) => request.resume())).toMatch(
			'no complete response within 900 ms',
		);
	});

	test('if the execution is canceled', async () => {
		expect(await upload((request, _response, cancel) => request.on('data', cancel))).toMatch(
			'The run was stopped',
		);
	});
});
