import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { core, loadInjection } from '../../tools/n8nEngine/n8n';
import { message, run } from './harness';
import { measureMemoryMb } from './memory';

const MB = 1_000_000;

/** Serves a message with one file of zeros. */
function startServer(megabytes: number) {
	const chunk = Buffer.alloc(MB);
	const server = createServer((request, response) => {
		if (request.url?.startsWith('/v3/')) {
			const url = `http://${request.headers.host}/media/video.mp4`;
			const data = { id: '1', data: { attachments: [{ url, name: 'video.mp4' }] } };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ data }));
			return;
		}
		let left = megabytes;
		response.writeHead(200, { 'content-length': megabytes * MB, 'content-type': 'video/mp4' });
		const write = () => {
			while (left > 0) {
				left--;
				if (!response.write(chunk)) return;
			}
			response.end();
		};
		response.on('drain', write);
		write();
	});
	return new Promise<string>((resolve) => {
		server.listen(0, '127.0.0.1', () =>
			resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
		);
	});
}

/** Downloads a file while n8n stores files on a disk, and prints the growth of memory in megabytes. */
async function main(): Promise<void> {
	const [megabytes] = process.argv.slice(2).map(Number);
	const url = await startServer(megabytes);
	await loadInjection().Container.get(core.BinaryDataService).init();
	const service = { baseUrl: `${url}/v3`, apiKey: '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c' };
	// Loads all code before the measurement
	await run(service, message('get', { messageId: '1' }));
	const before = measureMemoryMb();
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, measureMemoryMb())), 500);
	const parameters = message('downloadFiles', { messageId: '1', options: { maxSize: 1000 } });
	const { items, error } = await run(service, parameters);
	clearInterval(timer);
	if (error) throw error;
	const [{ json, binary }] = items('CometChat');
	const stored = { size: json.size, mode: binary?.data.data, bytes: binary?.data.bytes };
	process.stdout.write(JSON.stringify({ ...stored, growthMb: peak - before }));
}

void main().then(() => process.exit(0));
