import type { ServerResponse } from 'node:http';

import { serve } from '../../../tools/n8nEngine/serve';
import { Client } from '../../../nodes/CometChat/transport/client';
import type { FileToDownload } from '../../../nodes/CometChat/transport/download';
import { RequestLimiter, SharedRateLimits } from '../../../nodes/CometChat/transport/limiter';
import { KEY, createRunContext } from '../context';

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

const FILE: FileToDownload = {
	...{ url: '', name: 'a.png', mimeType: 'image/png', maxBytes: 1_000, otherHosts: [] },
	onRequest: () => {},
};

type Reply = (response: ServerResponse, path: string | undefined) => void;

/**
 * Downloads `/a.png` once from a server, and waits until all connections are closed. Returns the paths requested and
 * the file's size or the error.
 */
async function downloadFrom(reply: Reply, changes: Partial<FileToDownload> = {}) {
	const paths: Array<string | undefined> = [];
	const closing: Array<Promise<unknown>> = [];
	const { url, close } = await serve((request, response) => {
		paths.push(request.url);
		closing.push(new Promise((resolve) => request.socket.on('close', resolve)));
		reply(response, request.url);
	});
	const { host } = new URL(url);
	const own = { ...credentials, region: 'custom', baseUrl: `${url}/v3` };
	const context = createRunContext({ credentials: own });
	const limiter = new RequestLimiter(undefined, new SharedRateLimits());
	const file = { ...FILE, url: `${url}/a.png`, otherHosts: [host], ...changes };
	try {
		const client = new Client({
			...{ context, credentials: own, limiter },
			...{ timeoutMs: 5_000, maxAttempts: 1, maxWaitMs: 0 },
		});
		const outcome = await client.downloadIntoStorage(context.helpers, file).then(
			({ size }) => size,
			(error: unknown) => error,
		);
		await Promise.all(closing);
		return { paths, outcome, closed: closing.length };
	} finally {
		limiter.stop();
		await close();
	}
}

test.each([300, 301, 302, 303, 307, 308])(
	'A download follows a redirect with the status %i',
	async (status) => {
		const { paths, outcome } = await downloadFrom((response, path) => {
			if (path === '/a.png') response.writeHead(status, { location: '/b.png' }).end();
			else response.end('x');
		});
		expect([paths, outcome]).toEqual([['/a.png', '/b.png'], 1]);
	},
);

/** Sends the headers of a response, and the start of a body that never ends. */
const startBody = (response: ServerResponse, status: number, headers = {}) => {
	response.writeHead(status, headers).write('x');
};

describe('The connection is closed although the body never ends', () => {
	test.each<[string, Reply, Partial<FileToDownload>, number]>([
		['of a response with an error', (response) => startBody(response, 404), {}, 1],
		[
			'of a redirect',
			(response, path) => {
				if (path === '/a.png') startBody(response, 302, { location: '/b.png' });
				else response.end('x');
			},
			{},
			2,
		],
		['of a redirect without an address', (response) => startBody(response, 302), {}, 1],
		['of a host that asks for the key', (response) => startBody(response, 401), {}, 2],
		[
			'of a file that announces too many bytes',
			(response) => startBody(response, 200, { 'content-length': 1_001 }),
			{},
			1,
		],
		[
			'of a file that sends too many bytes',
			(response) => startBody(response, 200),
			{ maxBytes: 0 },
			1,
		],
		[
			'of a page that replaces the file',
			(response) => startBody(response, 200, { 'content-type': 'text/html' }),
			{},
			1,
		],
	])(
		'%s',
		async (_what, reply, changes, count) => {
			expect(await downloadFrom(reply, changes)).toMatchObject({ closed: count });
		},
		10_000,
	);
});
