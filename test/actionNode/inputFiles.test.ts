import type { IBinaryData, IDataObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { cometChat, manual, node, workflow } from '../../tools/n8nEngine/draft';
import { runWorkflow } from '../../tools/n8nEngine/engine';
import type { Sandbox } from '../../tools/sandbox/server';
import {
	CONTINUE,
	NODE,
	callTool,
	credentialsOf,
	message,
	useSandbox,
	type RunSetup,
} from './harness';

const sandbox = useSandbox({ mediaAccess: 'plain' });

/** Creates a file that n8n keeps in the item. */
const toBinary = (
	content: string | Buffer,
	fileName: string | undefined,
	mimeType: string,
	more: Partial<IBinaryData> = {},
): IBinaryData => ({ data: Buffer.from(content).toString('base64'), mimeType, fileName, ...more });

const REPORT = toBinary('%PDF-1.7 report', 'Bericht März.pdf', 'application/pdf');
const VOICE = toBinary(Buffer.from([0, 1, 2, 253, 254, 255]), 'voice.ogg', 'audio/ogg');

type Binary = Record<string, IBinaryData>;

/** Sends the binary fields of items with Send, or with another operation. */
async function send(
	binaries: Binary[],
	more: INodeParameters = {},
	{ operation = 'send', service = sandbox(), settings, onError, ...options }: Setup = {},
) {
	const parameters = message(operation, {
		...(operation === 'send' ? { receiverType: 'group', groupId: 'all-hands' } : {}),
		...{ messageType: 'media', mediaType: 'file', specifyAttachments: 'binary' },
		onBehalfOf: 'mira',
		...more,
	});
	const tested = cometChat('1', parameters, { name: NODE, onError, ...settings });
	const file = {
		...workflow('Test', [manual(), tested]),
		pinData: { Manual: binaries.map((binary, index) => ({ json: { index }, binary })) },
	};
	return await runWorkflow(file, { credentials: credentialsOf(service), ...options });
}

type Setup = RunSetup & { operation?: string; service?: Pick<Sandbox, 'apiKey' | 'baseUrl'> };

const failureOf = async (...args: Parameters<typeof send>): Promise<string> => {
	const { error } = await send(...args);
	if (!error) throw new Error('The message was sent');
	return `${error.message}. ${String(Object(error).description)}`;
};

/** Downloads the files of a message from the sandbox. */
async function readFiles({ attachments }: IDataObject) {
	const files = attachments as Array<Record<'url' | 'name' | 'mimeType', string>>;
	return await Promise.all(
		files.map(async ({ url, name, mimeType }) => {
			const response = await fetch(url);
			return { name, mimeType, content: Buffer.from(await response.arrayBuffer()) };
		}),
	);
}

const requestsWithFiles = () =>
	sandbox().log.filter(({ headers }) =>
		String(headers['content-type']).startsWith('multipart/form-data'),
	);

test('a file arrives with its name, its type and its bytes', async () => {
	const { items, error } = await send([{ data: REPORT }], { caption: 'For you' });
	expect(error).toBeUndefined();
	const [{ json }] = items(NODE);
	expect(json).toMatchObject({
		text: 'For you',
		type: 'file',
		sender: 'mira',
		receiver: 'all-hands',
	});
	expect(await readFiles(json)).toEqual([
		{
			name: 'Bericht März.pdf',
			mimeType: 'application/pdf',
			content: Buffer.from('%PDF-1.7 report'),
		},
	]);
});

test('several binary fields become the files of one message, in their order', async () => {
	const { items } = await send([{ data: REPORT, voice: VOICE }], {
		binaryProperties: 'voice, data',
	});
	const files = await readFiles(items(NODE)[0].json);
	expect(files.map(({ name, mimeType }) => [name, mimeType])).toEqual([
		['voice.ogg', 'audio/ogg'],
		['Bericht März.pdf', 'application/pdf'],
	]);
	expect(files[0].content).toEqual(Buffer.from([0, 1, 2, 253, 254, 255]));
	expect(requestsWithFiles()).toHaveLength(1);
});

test('a file without a name is named after its binary field', async () => {
	const photo = toBinary('x', undefined, 'image/png', { fileExtension: 'png' });
	const { items } = await send([{ photo }], { binaryProperties: 'photo' });
	expect((await readFiles(items(NODE)[0].json)).map(({ name }) => name)).toEqual(['photo.png']);
});

test.each(['reply', 'send'])('files are sent to a thread by %s', async (operation) => {
	const more: INodeParameters =
		operation === 'reply' ? { messageId: '118' } : { additionalFields: { parentId: '118' } };
	const { items, error } = await send([{ data: REPORT }], more, { operation });
	expect(error).toBeUndefined();
	expect(items(NODE)[0].json.parentId).toBe('118');
	expect(await readFiles(items(NODE)[0].json)).toHaveLength(1);
});

test.each([
	['in a group', null],
	['in a thread', '118'],
])('Answer sends a file where the bot was asked %s', async (_place, parentId) => {
	const bot = 'reminder-bot';
	sandbox().store.addMembers('all-hands', [{ uid: bot, scope: 'participant' }]);
	const { receiver } = sandbox().store.messages.existing('118');
	sandbox().store.addMembers(receiver, [{ uid: bot, scope: 'participant' }]);
	const trigger = node({
		name: 'Bot',
		type: 'n8n-nodes-cometchat.cometChatBotTrigger',
		parameters: { botId: { __rl: true, mode: 'id', value: bot } },
	});
	const answer = message('answer', {
		...{ messageType: 'media', mediaType: 'file', specifyAttachments: 'binary' },
	});
	const json = { replyTo: receiver, replyToType: 'group', parentId, bot };
	const file = {
		...workflow('Test', [trigger, cometChat('1', answer, { name: NODE })]),
		pinData: { Bot: [{ json, binary: { data: REPORT } }] },
	};
	const { items, error } = await runWorkflow(file, {
		...{ credentials: credentialsOf(sandbox()), trigger: 'Bot' },
	});
	expect(error).toBeUndefined();
	expect(items(NODE)[0].json).toMatchObject({ sender: bot, receiver, parentId });
	expect(await readFiles(items(NODE)[0].json)).toHaveLength(1);
});

test('metadata, tags and the message UID go with the files', async () => {
	const additionalFields = { metadata: '{"order": 7}', tags: ['a', 'b,c'], muid: 'order-7' };
	const { items } = await send([{ data: REPORT }], { additionalFields, output: 'raw' });
	expect(items(NODE)[0].json).toMatchObject({
		data: { metadata: { order: 7 } },
		tags: ['a', 'b,c'],
		muid: 'order-7',
	});
});

// Base64 of zeros is written here, because encoding two large files takes seconds
const [LARGEST, LARGE] = [104_857_600, 104_857_601].map((size) => ({
	...toBinary('', 'large.bin', 'application/octet-stream'),
	data: 'A'.repeat(Math.ceil((size * 4) / 3)).padEnd(4 * Math.ceil(size / 3), '='),
}));

test.each<[string, Binary, INodeParameters, RegExp]>([
	[
		'a field that the item lacks',
		{ data: REPORT, voice: VOICE },
		{ binaryProperties: 'data, photo' },
		/^'Input Binary Fields' names 'photo', but the item has no such binary field\. The item has data and voice/,
	],
	[
		'an item without files',
		{},
		{},
		/names 'data', but the item has no such binary field\. The item has no files/,
	],
	[
		'more than 10 files',
		{ data: REPORT },
		{ binaryProperties: Array.from({ length: 11 }, (_, index) => `f${index}`).join(',') },
		/^'Input Binary Fields' names 11 fields, but a message can have at most 10 files/,
	],
	[
		'a file of more than 100 MB',
		{ data: REPORT, video: LARGE },
		{ binaryProperties: 'data, video' },
		/^'Input Binary Fields' names 'video', whose file is larger than 100 MB: it has 104,857,601 bytes/,
	],
	[
		'a field that the item lacks, after a file of 100 MB,',
		{ video: LARGEST },
		{ binaryProperties: 'video, photo' },
		/^'Input Binary Fields' names 'photo', but the item has no such binary field/,
	],
	[
		'an expression that names no field',
		{ data: REPORT },
		{ binaryProperties: '={{ "" }}' },
		/^'Input Binary Fields' is empty/,
	],
	[
		"a file that n8n's storage lost",
		{ data: { ...REPORT, id: 'filesystem-v2:lost' } },
		{},
		/^'Input Binary Fields' names 'data', whose file could not be read from n8n's storage/,
	],
])('%s is refused before anything is sent', async (_what, binary, more, expected) => {
	expect(await failureOf([binary], more)).toMatch(expected);
	expect(sandbox().log).toEqual([]);
});

test('ten files of a message are allowed', async () => {
	const names = Array.from({ length: 10 }, (_, index) => `f${index}`);
	const binary = Object.fromEntries(names.map((name) => [name, REPORT]));
	const { items } = await send([binary], { binaryProperties: names.join(',') });
	expect(items(NODE)[0].json.attachments).toHaveLength(10);
});

test('after a refusal by the rate limit, the files are read anew and sent once', async () => {
	sandbox().setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 1 } } }]);
	const { items, error } = await send([{ data: REPORT }]);
	expect(error).toBeUndefined();
	expect(requestsWithFiles().map(({ status }) => status)).toEqual([429, 200]);
	const [file] = await readFiles(items(NODE)[0].json);
	expect(file.content).toEqual(Buffer.from('%PDF-1.7 report'));
});

test('a message with files that may have been sent is not sent again', async () => {
	sandbox().setFaults([{ effect: { cutAfter: true } }]);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const text = await failureOf([{ data: REPORT }], {}, { settings });
	expect(text).toMatch(/^CometChat may already have sent the message\. Check the conversation/);
	expect(requestsWithFiles()).toHaveLength(1);
});

test('a message that comes back without its files may have been sent, and is not sent again', async () => {
	const sent = { id: '900', category: 'message', type: 'file', data: { text: 'For you' } };
	sandbox().setFaults([{ effect: { status: { status: 200, body: { data: sent } } } }]);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const text = await failureOf([{ data: REPORT }], {}, { settings });
	expect(text).toMatch(/^CometChat may already have sent the message\./);
	expect(text).toContain("CometChat's response contains no files of the message");
	expect(requestsWithFiles()).toHaveLength(1);
});

test('a file adds the time of its upload to the time limit', async () => {
	sandbox().setFaults([{ effect: { latency: { ms: 1_000 } } }]);
	const requestOptions = { timeout: 100 };
	const fileOf = (bytes: number) =>
		toBinary(Buffer.alloc(bytes), 'file.bin', 'application/octet-stream');
	// 500 KB take four seconds at 1 Mbit/s
	const { error } = await send([{ data: fileOf(500_000) }], { requestOptions });
	expect(error).toBeUndefined();
	expect(await failureOf([{ data: REPORT }], { requestOptions })).toMatch(/within 10\d ms/);
	expect(await failureOf([{ data: fileOf(25_000) }], { requestOptions })).toMatch(/within 300 ms/);
});

test('a file can be sent with the largest Timeout', async () => {
	const requestOptions = { timeout: 2_147_483_647 };
	const { error } = await send([{ data: REPORT }], { requestOptions });
	expect(error).toBeUndefined();
});

test('the key goes to the host of the API only', async () => {
	const requests: IHttpRequestOptions[] = [];
	await send([{ data: REPORT }], {}, { onRequest: (request) => void requests.push(request) });
	const { baseUrl, apiKey } = sandbox();
	expect(requests.map(({ url, headers }) => [url, headers?.apikey])).toEqual([
		[`${baseUrl}/messages`, apiKey],
	]);
});

test('files are not sent to the host that a redirect names', async () => {
	const location = `${sandbox().url}/elsewhere`;
	sandbox().setFaults([{ effect: { redirect: { status: 307, location } } }]);
	expect(await failureOf([{ data: REPORT }])).toMatch(/redirect/i);
	expect(sandbox().log.map(({ path }) => path)).toEqual(['/v3/messages']);
});

test('an app that refuses files is reported with the ordinary words, and attachments by URL are recommended', async () => {
	sandbox().setSettings({ uploads: 'refuse' });
	expect(await failureOf([{ data: REPORT }])).toMatch(
		/^The message has no file\. Check 'Input Binary Fields' and 'Media Type'\..*ERR_EMPTY_MESSAGE_FILE.*CometChat may not take files from this API key\. Attachments by URL work: set 'Specify Attachments' to Using Fields or Using JSON/,
	);
	expect(requestsWithFiles()).toHaveLength(1);
});

test.each([
	[
		'AUTH_ERR_NO_ACCESS',
		403,
		/^This API key lacks full access\. Use a key with the fullAccess scope/,
	],
	['ERR_INVALID_METADATA', 400, /^CometChat does not accept the metadata\. Check 'Metadata'/],
	['ERR_API_NOT_FOUND', 404, /^CometChat has no API at this address/],
])(
	'a refusal of the message itself, %s, is not blamed on files',
	async (code, status, expected) => {
		const body = { error: { code, message: 'No' } };
		sandbox().setFaults([{ effect: { status: { status, body } } }]);
		const additionalFields = { metadata: '{"a": 1}' };
		const text = await failureOf([{ data: REPORT }], { additionalFields });
		expect(text).toMatch(expected);
		expect(text).not.toContain('Attachments by URL');
	},
);

test('an app that ignores the whole form is recognized by the fields that it misses', async () => {
	const details = { receiver: ['The receiver field is required.'] };
	const body = { error: { code: 'ERR_BAD_REQUEST', message: 'Failed to validate', details } };
	sandbox().setFaults([{ effect: { status: { status: 400, body } } }]);
	const text = await failureOf([{ data: REPORT }]);
	expect(text).toMatch(/^CometChat rejected a field value\..*Attachments by URL work/);
});

const KINDS: Array<[string, string | undefined, string]> = [
	['photo.png', 'image/png', 'image'],
	['clip.mp4', 'video/mp4', 'video'],
	['voice.ogg', 'audio/ogg; codecs=opus', 'audio'],
	['invoice.pdf', 'application/pdf', 'file'],
	['table.csv', 'text/csv', 'file'],
];

describe('Media Type', () => {
	test.each(KINDS)('is by default that of the first file: %s (%s)', async (name, type, kind) => {
		const first = toBinary('x', name, String(type));
		const more = { mediaType: 'automatic', binaryProperties: 'first,other' };
		const { items } = await send([{ first, other: VOICE }], more);
		expect(items(NODE)[0].json.type).toBe(kind);
	});

	test.each(KINDS)('can be a MIME type: %s (%s)', async (name, type, kind) => {
		const data = toBinary('x', name, String(type));
		const { items } = await send([{ data }], { mediaType: '={{ $binary.data.mimeType }}' });
		expect(items(NODE)[0].json.type).toBe(kind);
	});

	test.each<[IDataObject, string]>([
		[{ url: 'https://a.example/1', mimeType: 'video/mp4' }, 'video'],
		[{ url: 'https://a.example/photo.JPG?size=2' }, 'image'],
		[{ url: 'https://a.example/1', name: 'voice.m4a' }, 'audio'],
		[{ url: 'https://a.example/1', extension: 'png' }, 'image'],
		[{ url: 'https://a.example/1.png', mimeType: 'application/pdf' }, 'file'],
		[{ url: 'https://a.example/1' }, 'file'],
	])('of a file by URL is found out from %j: %s', async (attachment, kind) => {
		const attachmentsJson = JSON.stringify([attachment, { url: 'https://a.example/2.mp4' }]);
		const more = { mediaType: 'automatic', specifyAttachments: 'json', attachmentsJson };
		const { items } = await send([{}], more);
		expect(items(NODE)[0].json.type).toBe(kind);
	});

	test('that is chosen stays', async () => {
		const { items } = await send([{ data: toBinary('x', 'a.png', 'image/png') }]);
		expect(items(NODE)[0].json.type).toBe('file');
	});

	test('that is neither a choice nor a MIME type is refused', async () => {
		expect(await failureOf([{ data: REPORT }], { mediaType: '={{ "pdf" }}' })).toMatch(
			/^'Media Type' must be one of audio, automatic, file, image, video, but it is "pdf"/,
		);
	});
});

test.each([
	['data', 'image/png', 'data.png'],
	['data', 'audio/mpeg', 'data.mp3'],
	['invoice.2026', 'application/pdf', 'invoice.2026.pdf'],
	['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
	['report.xlsx', 'application/zip', 'report.xlsx'],
	['LICENSE', 'text/plain', 'LICENSE'],
	['data', 'application/octet-stream', 'data'],
])('a file with the name %s and the type %s arrives as %s', async (name, type, expected) => {
	const { items } = await send([{ data: toBinary('x', name, type) }]);
	expect((await readFiles(items(NODE)[0].json)).map((file) => file.name)).toEqual([expected]);
});

describe('A caption without files is sent alone', () => {
	test.each<[string, INodeParameters]>([
		['From Input, if the item has no files', {}],
		['From Input, if the expression gives no names', { binaryProperties: '={{ [] }}' }],
		['Using Fields', { specifyAttachments: 'fields', attachments: {} }],
		['Using JSON', { specifyAttachments: 'json', attachmentsJson: '={{ [] }}' }],
	])('%s', async (_way, more) => {
		const { items, error } = await send([{}], { caption: 'No file today', ...more });
		expect(error).toBeUndefined();
		expect(items(NODE)[0].json).toMatchObject({ type: 'text', text: 'No file today' });
	});

	test('but not if the item has other files than the one that is named', async () => {
		expect(await failureOf([{ photo: VOICE }], { caption: 'My photo' })).toMatch(
			/^'Input Binary Fields' names 'data', but the item has no such binary field\. The item has photo/,
		);
	});

	test.each<[string, INodeParameters, RegExp]>([
		['From Input', { binaryProperties: '={{ [] }}' }, /^'Input Binary Fields' is empty, and so is/],
		[
			'Using Fields',
			{ specifyAttachments: 'fields', attachments: {} },
			/^'Attachments' is empty, and/,
		],
		['Using JSON', { specifyAttachments: 'json' }, /^'Attachments' is empty, and so is 'Caption'/],
	])('and is required then: %s', async (_way, more, expected) => {
		expect(await failureOf([{}], more)).toMatch(expected);
	});
});

test.each([
	['one', '={{ $json.file }}', ['Bericht März.pdf']],
	['a list', '={{ [$json.file, "voice"] }}', ['Bericht März.pdf', 'voice.ogg']],
])("the binary field of another node's item can be sent: %s", async (_what, value, expected) => {
	const file = { ...workflow('Test', []) };
	const parameters = message('send', {
		...{ receiverType: 'group', groupId: 'all-hands', messageType: 'media' },
		...{ specifyAttachments: 'binary', binaryProperties: value },
	});
	const nodes = [manual(), cometChat('1', parameters, { name: NODE })];
	const pinData = { Manual: [{ json: { file: { ...REPORT } }, binary: { voice: VOICE } }] };
	const { items, error } = await runWorkflow(
		{ ...file, ...workflow('Test', nodes), pinData },
		{ credentials: credentialsOf(sandbox()) },
	);
	expect(error).toBeUndefined();
	const files = await readFiles(items(NODE)[0].json);
	expect(files.map(({ name }) => name)).toEqual(expected);
	expect(files[0].content).toEqual(Buffer.from('%PDF-1.7 report'));
});

test('an agent sends the file of a node before it', async () => {
	const parameters = message('send', {
		...{ receiverType: 'group', groupId: 'all-hands', messageType: 'media' },
		...{ specifyAttachments: 'binary', binaryProperties: `={{ (${JSON.stringify(REPORT)}) }}` },
	});
	const [text] = await callTool(sandbox(), parameters, [{}]);
	expect(text).toContain('Bericht März.pdf');
	expect(requestsWithFiles()).toHaveLength(1);
});

test('a refused field is named although the message has files', async () => {
	const tags = Array.from({ length: 30 }, (_, index) => `t${index}`);
	const text = await failureOf([{ data: REPORT }], { additionalFields: { tags } });
	expect(text).toMatch(/^CometChat rejected a field value\. Check 'Tags'/);
});

test('with On Error → Continue, other items are sent', async () => {
	const { items } = await send([{ data: REPORT }, {}, { data: VOICE }], {}, CONTINUE);
	expect(items(NODE).map(({ json }) => json.error ?? 'sent')).toEqual([
		'sent',
		expect.stringMatching(/^'Input Binary Fields' names 'data'/),
		'sent',
	]);
});

test('at most two messages with files are sent at a time', async () => {
	sandbox().setFaults([{ effect: { latency: { ms: 200 } } }]);
	const groups = ['all-hands', 'makers', 'lunch', 'brand'];
	const { items } = await send(
		groups.map(() => ({ data: REPORT })),
		{
			groupId: `={{ ${JSON.stringify(groups)}[$json.index] }}`,
			onBehalfOf: '',
		},
	);
	expect(items(NODE)).toHaveLength(4);
	expect(sandbox().stats.peakInFlight).toBe(2);
});

test('an AI agent is told that its tool has no files', async () => {
	const parameters = message('send', {
		...{ receiverType: 'group', groupId: 'all-hands', messageType: 'media' },
		specifyAttachments: 'binary',
	});
	const [text] = await callTool(sandbox(), parameters, [{}]);
	expect(text).toMatch(/'Input Binary Fields' names 'data', but an AI agent has no files/);
	expect(sandbox().log).toEqual([]);
});
