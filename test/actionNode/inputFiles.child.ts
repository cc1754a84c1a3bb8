import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';

import { cometChat, manual, workflow } from '../../tools/n8nEngine/draft';
import { runWorkflow } from '../../tools/n8nEngine/engine';
import { core, loadInjection } from '../../tools/n8nEngine/n8n';
import { credentialsOf, message } from './harness';
import { measureMemoryMb } from './memory';

const MB = 1_048_576;

/** Number of received bytes between two measurements. */
const STEP = 10 * MB;

/** Starts a service that accepts messages with files, and measures the memory while it receives them. */
function startService() {
	const received = { bytes: 0, peakMb: 0 };
	const server = createServer((request, response) => {
		request.on('data', ({ length }: Buffer) => {
			const steps = Math.floor(received.bytes / STEP);
			received.bytes += length;
			if (Math.floor(received.bytes / STEP) === steps) return;
			received.peakMb = Math.max(received.peakMb, measureMemoryMb());
		});
		request.on('end', () => {
			const data = { id: '1', data: { attachments: [{ url: 'https://a.example/1' }] } };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ data }));
		});
	});
	return new Promise<{ baseUrl: string; received: { bytes: number; peakMb: number } }>(
		(resolve) => {
			server.listen(0, '127.0.0.1', () => {
				const { port } = server.address() as AddressInfo;
				resolve({ baseUrl: `http://127.0.0.1:${port}/v3`, received });
			});
		},
	);
}

/** Stores a file of zeros as n8n is configured to store files. */
async function storeFile(megabytes: number): Promise<IBinaryData> {
	const chunks = (function* () {
		for (let left = megabytes; left > 0; left--) yield Buffer.alloc(MB);
	})();
	const storage = loadInjection().Container.get(core.BinaryDataService);
	const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
	const file = { data: '', mimeType: 'video/mp4', fileName: 'video.mp4' };
	return await storage.store(location, Readable.from(chunks), file);
}

/** Sends a number of files in one message, and prints the growth of memory in megabytes. */
async function main(): Promise<void> {
	const [megabytes, count] = process.argv.slice(2).map(Number);
	const { baseUrl, received } = await startService();
	await loadInjection().Container.get(core.BinaryDataService).init();
	const service = { baseUrl, apiKey: '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c' };
	const send = async (binary: Record<string, IBinaryData>) => {
		const parameters = message('send', {
			...{ receiverType: 'group', groupId: 'makers', messageType: 'media' },
			...{ specifyAttachments: 'binary', binaryProperties: Object.keys(binary).join(',') },
		});
		const file = workflow('Test', [manual(), cometChat('1', parameters)]);
		const pinData = { Manual: [{ json: {}, binary }] };
		const { error } = await runWorkflow(
			{ ...file, pinData },
			{ credentials: credentialsOf(service) },
		);
		if (error) throw error;
	};
	// Loads all code before the measurement
	await send({ data: await storeFile(1) });
	const before = measureMemoryMb();
	const binary: Record<string, IBinaryData> = {};
	for (let index = 0; index < count; index++) binary[`file${index}`] = await storeFile(megabytes);
	received.bytes = 0;
	received.peakMb = 0;
	await send(binary);
	const mode = binary.file0?.data.slice(0, 20);
	process.stdout.write(
		JSON.stringify({ mode, receivedMb: received.bytes / MB, growthMb: received.peakMb - before }),
	);
}

void main().then(() => process.exit(0));
