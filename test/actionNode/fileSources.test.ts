import type { IBinaryData, IDataObject } from 'n8n-workflow';
import {
	appendFileSync,
	existsSync,
	readdirSync,
	readlinkSync,
	truncateSync,
	unlinkSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, manual, workflow } from '../../tools/n8nEngine/draft';
import { runWorkflow, type RunOptions } from '../../tools/n8nEngine/engine';
import { core, loadInjection } from '../../tools/n8nEngine/n8n';
import { serve } from '../../tools/n8nEngine/serve';
import { NODE, credentialsOf, message, useSandbox } from './harness';

const sandbox = useSandbox({ mediaAccess: 'plain' });

const storage = () => loadInjection().Container.get(core.BinaryDataService);

// n8n keeps files in memory until its storage is started, also in other test files of the same process
beforeAll(async () => {
	await storage().init();
	Reflect.set(storage(), 'mode', 'filesystem-v2');
});

afterAll(() => {
	Reflect.set(storage(), 'managers', {});
});

const MB = 1_048_576;

const CONTENT = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));
const BASE64 = CONTENT.toString('base64');
const INFO = { fileName: 'Bericht März.pdf', mimeType: 'application/pdf' };

const inMemory = (data: string): IBinaryData => ({ ...INFO, data });

/** Stores a file on the disk, as n8n is configured to. */
async function onDisk(content = CONTENT): Promise<IBinaryData> {
	const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
	const [stream, info] = [Readable.from([content]), { ...INFO, data: '' }];
	const service = storage();
	if (service.store.length === 3) return await service.store(location, stream, info);
	// Older versions of n8n take the IDs as arguments
	const { workflowId, executionId } = location;
	const given = [workflowId, executionId, stream, info];
	return await Reflect.apply(Reflect.get(service, 'store'), service, given);
}

/** Stores a file, and then lets a function damage the file or n8n's record of the file. */
async function broken(
	damage: (path: string) => void,
	record: '' | '.metadata' = '',
): Promise<IBinaryData> {
	const binary = await onDisk();
	damage(`${storage().getPath(String(binary.id))}${record}`);
	return binary;
}

const OPEN_FILES = '/proc/self/fd';

/** Paths of n8n's stored files that this process has open. */
const listOpenFiles = () => {
	// Only Linux lists the files
	if (!existsSync(OPEN_FILES)) return [];
	return readdirSync(OPEN_FILES).flatMap((name) => {
		try {
			const path = readlinkSync(`${OPEN_FILES}/${name}`);
			return /binary_?data/i.test(path) ? [path] : [];
		} catch {
			return [];
		}
	});
};

/** Waits until all stored files are closed. Returns the paths of the files that stay open. */
async function waitForClosedFiles(): Promise<string[]> {
	for (let tries = 0; listOpenFiles().length > 0 && tries < 50; tries++) await wait(10);
	return listOpenFiles();
}

async function send(
	data: IBinaryData,
	{ baseUrl, ...options }: Partial<RunOptions> & { baseUrl?: string } = {},
) {
	const parameters = message('send', {
		...{ receiverType: 'group', groupId: 'all-hands', messageType: 'media', mediaType: 'file' },
		...{ specifyAttachments: 'binary', requestOptions: { timeout: 5_000 } },
	});
	const { apiKey } = sandbox();
	const startedAt = Date.now();
	const { items, error } = await runWorkflow(
		{
			...workflow('Test', [manual(), cometChat('1', parameters, { name: NODE })]),
			pinData: { Manual: [{ json: {}, binary: { data } }] },
		},
		{
			credentials: credentialsOf({ apiKey, baseUrl: baseUrl ?? sandbox().baseUrl }),
			...options,
		},
	);
	const words = error ? `${error.message}. ${String(Object(error).description)}` : '';
	return { items: items(NODE), words, ms: Date.now() - startedAt };
}

const countMessages = () => sandbox().store.messages.all().length;

describe.each<[string, () => IBinaryData | Promise<IBinaryData>]>([
	['in memory', () => inMemory(BASE64)],
	['in memory, without padding', () => inMemory(BASE64.replace(/=+$/, ''))],
	['in memory, as base64url', () => inMemory(CONTENT.toString('base64url'))],
	['with line breaks in base64', () => inMemory(BASE64.replace(/.{76}/g, '$&\r\n'))],
	['with a line break after base64', () => inMemory(`${BASE64}\n`)],
	['with spaces around base64', () => inMemory(` ${BASE64} `)],
	['on the disk', () => onDisk()],
])('A file %s', (_source, create) => {
	test('arrives once, at once, with its bytes, name and type, and is closed', async () => {
		const before = countMessages();
		const { items, words, ms } = await send(await create());
		expect(words).toBe('');
		const [{ attachments }] = items.map(({ json }) => json);
		const [file] = attachments as IDataObject[];
		expect(file).toMatchObject({ name: INFO.fileName, mimeType: INFO.mimeType });
		const response = await fetch(String(file.url));
		expect(Buffer.from(await response.arrayBuffer())).toEqual(CONTENT);
		expect(countMessages() - before).toBe(1);
		expect(await waitForClosedFiles()).toEqual([]);
		expect(ms).toBeLessThan(2_500);
	});
});

describe.each<[string, () => IBinaryData | Promise<IBinaryData>, RegExp]>([
	[
		'that is a data URL',
		() => inMemory(`data:application/pdf;base64,${BASE64}`),
		/^'Input Binary Fields' names 'data', whose content is not base64\. It's a data URL\. Keep only the part after the comma/,
	],
	[
		"that isn't base64",
		() => inMemory('Hello, this is my text!'),
		/^'Input Binary Fields' names 'data', whose content is not base64\. Encode the content/,
	],
	[
		'that is cut in the middle of a byte',
		() => inMemory('AAAAA'),
		/^'Input Binary Fields' names 'data', whose content is not base64/,
	],
	[
		'without content',
		() => ({ ...INFO, data: undefined }) as unknown as IBinaryData,
		/^'Input Binary Fields' names 'data', which has no content/,
	],
	[
		"that is shorter than n8n's record",
		async () => await broken((path) => truncateSync(path, 100)),
		/^'Input Binary Fields' names 'data', whose file in n8n's storage doesn't have the size that n8n recorded\. n8n recorded 300 bytes, but the file has 100\. Create the file again\.$/,
	],
	[
		"that is longer than n8n's record",
		async () => await broken((path) => appendFileSync(path, CONTENT)),
		/^'Input Binary Fields' names 'data', .* n8n recorded 300 bytes, but the file has more\. Create the file again\.$/,
	],
	[
		'whose content is gone',
		async () => await broken(unlinkSync),
		/^'Input Binary Fields' names 'data', whose file could not be read from n8n's storage\. .*Create the file again\.$/,
	],
	[
		"whose record is gone from n8n's storage",
		async () => await broken(unlinkSync, '.metadata'),
		/^'Input Binary Fields' names 'data', whose file could not be read from n8n's storage\. .*Create the file again\.$/,
	],
])('A file %s', (_source, create, expected) => {
	test('is refused at once by the name of its field, without a message, and is closed', async () => {
		const before = countMessages();
		const { words, ms } = await send(await create());
		expect(words).toMatch(expected);
		expect(countMessages() - before).toBe(0);
		expect(await waitForClosedFiles()).toEqual([]);
		expect(ms).toBeLessThan(2_500);
	});
});

test.each([
	['is refused', 401, /^CometChat rejected the API key/],
	['is accepted', 200, /^$/],
])('A file that %s before its end is closed', async (_what, status, expected) => {
	const service = await serve((_, response) => {
		const data = { id: '1', data: { attachments: [{ url: 'https://a.example/1' }] } };
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(status === 200 ? { data } : { error: { code: 'AUTH_ERR' } }));
	});
	const file = await onDisk(Buffer.alloc(8 * MB));
	for (let count = 0; count < 3; count++) {
		const { words } = await send(file, { baseUrl: `${service.url}/v3` });
		expect(words).toMatch(expected);
	}
	expect(await waitForClosedFiles()).toEqual([]);
	await service.close();
});

test('A file whose connection breaks in the middle is closed', async () => {
	const service = await serve((request) => {
		request.on('error', () => {});
		request.once('data', () => request.socket.destroy());
	});
	const { words } = await send(await onDisk(Buffer.alloc(8 * MB)), {
		baseUrl: `${service.url}/v3`,
	});
	expect(words).toMatch(/^CometChat may already have sent the message/);
	expect(await waitForClosedFiles()).toEqual([]);
	await service.close();
});

test('A file whose execution is canceled is closed', async () => {
	const canceling = new AbortController();
	const service = await serve((request) => {
		request.pause();
		setTimeout(() => canceling.abort(), 50);
	});
	const { items } = await send(await onDisk(Buffer.alloc(8 * MB)), {
		...{ baseUrl: `${service.url}/v3`, signal: canceling.signal },
	});
	expect(items).toEqual([]);
	expect(await waitForClosedFiles()).toEqual([]);
	await service.close();
});
