import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { serve } from '../../tools/n8nEngine/serve';
import type { FaultEffect } from '../../tools/sandbox/server';
import type { Attachment } from '../../tools/sandbox/store/messages';
import {
	AS_TOOL_OF_NEW_AGENT,
	CONTINUE,
	NODE,
	TO_ERROR_OUTPUT,
	callTool,
	credentialsOf,
	errorOf,
	hintsOf,
	message,
	refusalOf,
	run,
	useSandbox,
	type RunSetup,
} from './harness';
import { findLeaks } from './findLeaks';
import { watchSignals } from './watchSignals';

/** The sandbox's time in Unix seconds. */
let now = 1_760_000_000;

const sandbox = useSandbox({ now: () => now });

beforeEach(() => {
	now = 1_760_000_000;
});

const FILES: Attachment[] = [
	{ url: 'media/a.jpg', name: 'a.jpg', mimeType: 'image/jpeg', size: '3000' },
	{ url: 'media/b.pdf', name: 'b.pdf', mimeType: 'application/pdf', size: '70000' },
	{ url: 'media/c.txt', name: 'c.txt', mimeType: 'text/plain', size: '12' },
];

/** Stores a message with files, and returns its ID. */
const addMessage = (attachments: Attachment[] = FILES): string => {
	const sent = { sender: 'leo', receiver: 'makers', receiverType: 'group', type: 'file' } as const;
	return sandbox().store.messages.add({ ...sent, attachments }, now).id;
};

const download = (messageId: INodeParameters[string], options: INodeParameters = {}) =>
	message('downloadFiles', { messageId, options });

const NO_RETRY = { requestOptions: { maxTries: 1 } };

/** Describes a file in an item, as the next node reads it. */
const describeFile = ({ json, binary = {} }: INodeExecutionData) =>
	Object.entries(binary).map(([field, { fileName, mimeType, data }]) => [
		...[field, json.name, fileName, mimeType],
		Buffer.from(data, 'base64').length,
	]);

const runFiles = async (attachments: Attachment[], options = {}, setup: RunSetup = {}) =>
	await run(sandbox(), { ...download(addMessage(attachments), options), ...NO_RETRY }, setup);

/** Returns the error of a download of one file. */
async function failureOf(file: Partial<Attachment>, options = {}): Promise<string> {
	const { error } = await runFiles([{ ...FILES[0], ...file }], options);
	if (!error) throw new Error('The file was downloaded');
	return `${error.message}. ${String(Object(error).description)}`;
}

const filesRequested = () => sandbox().log.filter(({ path }) => !path.startsWith('/v3/'));

describe.each(['plain', 'signed', 'token', 'tokenRedirect'] as const)(
	'If files are %s',
	(mediaAccess) => {
		test('each file becomes an item with its content, name and type', async () => {
			sandbox().setSettings({ mediaAccess });
			const { items } = await runFiles(FILES);
			expect(items(NODE).map(({ json }) => json)).toEqual(
				FILES.map(({ name, mimeType, size }) => ({
					messageId: expect.stringMatching(/^\d+$/),
					...{ name, mimeType, size: Number(size) },
				})),
			);
			expect(items(NODE).flatMap(describeFile)).toEqual(
				FILES.map(({ name, mimeType, size }) => ['data', name, name, mimeType, Number(size)]),
			);
			const [{ binary }] = items(NODE);
			const text = Buffer.from(String(binary?.data.data), 'base64').toString();
			expect(text).toBe('media/a.jpg '.repeat(250));
		});

		test('the key is sent only if the media host asks for it', async () => {
			sandbox().setSettings({ mediaAccess });
			await runFiles(FILES.slice(0, 1));
			const withKey = filesRequested().map(({ headers, status }) => [
				status,
				headers.apikey !== undefined,
			]);
			expect(withKey).toEqual(
				{
					plain: [[200, false]],
					signed: [[200, false]],
					token: [
						[401, false],
						[200, true],
						[200, false],
					],
					tokenRedirect: [
						[401, false],
						[302, true],
						[200, false],
					],
				}[mediaAccess],
			);
		});
	},
);

test('A media host that asks for the key gets the App ID, too', async () => {
	sandbox().setSettings({ mediaAccess: 'token' });
	const credentials = credentialsOf(sandbox(), { appId: sandbox().appId });
	await runFiles(FILES.slice(0, 1), {}, { credentials });
	expect(filesRequested().map(({ headers }) => headers.appid)).toEqual([
		...[undefined, sandbox().appId, undefined],
	]);
});

test.each([
	[65_536, /Turn off token-based file access/],
	[65_537, /is larger than/],
])('The address of a file is read from JSON of at most 65,536 bytes: %i', async (bytes, reason) => {
	sandbox().setSettings({ mediaAccess: 'token' });
	const body = { text: 'x'.repeat(bytes - '{"text":""}'.length) };
	const match = { path: '^/.*/media/a', nth: [2] };
	sandbox().setFaults([{ match, effect: { status: { status: 200, body } } }]);
	expect(await failureOf({})).toMatch(reason);
});

test('A file is downloaded from an address that is fresh, even if the message is old', async () => {
	const id = addMessage();
	now += 30 * 86_400;
	const { error } = await run(sandbox(), download(id));
	expect(error).toBeUndefined();
});

test('An expired address is reported with what to do', async () => {
	sandbox().setSettings({ mediaLifetime: -1 });
	expect(await failureOf({})).toMatch(
		/^The file is not allowed to be downloaded, or its address has expired \(127.* status 403\)\. Run the node again for a fresh address\. A file that was forwarded by its address has to be sent again/,
	);
});

const BROKEN: Array<[string, FaultEffect, RegExp]> = [
	['is cut', { half: 'cut' }, /failed before the whole file arrived.*\(ECONNRESET|ERR_BAD/],
	['is shorter than announced', { wrongLength: 500 }, /failed before the whole file arrived/],
	[
		'stalls',
		{ half: 'stall' },
		/failed before the whole file arrived.*nothing received for 600 ms/,
	],
	['is closed', { cutBefore: true }, /failed before the whole file arrived/],
	['is gone', { status: { status: 404 } }, /does not exist any longer/],
	['is refused', { status: { status: 401 } }, /is not allowed to be downloaded/],
	['meets a broken host', { status: { status: 500 } }, /responded with status 500/],
	[
		'leads elsewhere',
		{ redirect: { status: 302, location: 'http://elsewhere.example.com/a.jpg' } },
		/not from elsewhere\.example\.com\. If you trust elsewhere\.example\.com, add it to 'Other Hosts'/,
	],
	['redirects forever', { redirect: { status: 307, location: '?again' } }, /redirects too often/],
];

const ONE_FILE = '^/.*/media/b';

test.each(BROKEN)('If a file %s, the others are kept', async (_, effect, reason) => {
	sandbox().setFaults([{ match: { path: ONE_FILE }, effect }]);
	const requestOptions = { maxTries: 1, timeout: 'half' in effect ? 600 : 5_000 };
	const parameters = { ...download(addMessage()), requestOptions };
	const { items } = await run(sandbox(), parameters, CONTINUE);
	expect(items(NODE).map(({ json }) => [json.name, json.reason ?? null])).toEqual([
		['a.jpg', null],
		['b.pdf', expect.stringMatching(reason)],
		['c.txt', null],
	]);
	expect(items(NODE).flatMap(describeFile)).toHaveLength(2);
	sandbox().setFaults([{ match: { path: ONE_FILE }, effect }]);
	const error = await errorOf(sandbox(), parameters);
	expect(error.message).toBe('1 of 3 files could not be downloaded');
	expect(error.description).toMatch(/^b\.pdf: /);
	expect(error.description).toMatch(reason);
});

test.each([
	[3, /^$/],
	[4, /redirects too often/],
])('The reason of a file behind %i redirects matches %p', async (count, reason) => {
	const host = await serve((request, response) => {
		const left = Number(request.url?.slice(1));
		if (left === 0) response.end('file');
		else response.writeHead(302, { location: `/${left - 1}` }).end();
	});
	const file = { ...FILES[0], url: `${host.url}/${count}` };
	try {
		const { items } = await runFiles([file], { hosts: [new URL(host.url).host] }, CONTINUE);
		expect(items(NODE)[0].json.reason ?? '').toMatch(reason);
	} finally {
		await host.close();
	}
});

test('A file that fails goes to the error output, and the others to the success output', async () => {
	sandbox().setFaults([{ match: { path: ONE_FILE }, effect: { status: { status: 404 } } }]);
	const { items } = await run(sandbox(), download(addMessage()), TO_ERROR_OUTPUT);
	expect(items(NODE).map(({ json }) => json.name)).toEqual(['a.jpg', 'c.txt']);
	expect(items(NODE, 1).map(({ json }) => String(json.error))).toEqual([
		expect.stringMatching(/^b\.pdf: .* does not exist any longer/),
	]);
});

test.each<[string, FaultEffect]>([
	['cut', { half: 'cut' }],
	['unavailable', { status: { status: 503 } }],
	['refused by a rate limit', { tooManyRequests: { seconds: 0 } }],
])('A file that is %s once is downloaded again', async (_, effect) => {
	sandbox().setFaults([{ match: { path: ONE_FILE, times: 1 }, effect }]);
	const { error, items } = await run(sandbox(), download(addMessage()));
	expect(error).toBeUndefined();
	expect(
		items(NODE)
			.flatMap(describeFile)
			.map((file) => file[4]),
	).toEqual([3000, 70_000, 12]);
});

describe('If one host refuses downloads for longer than allowed', () => {
	/** Starts a host that refuses downloads, and another one that serves them. */
	async function startHosts() {
		const busy = await serve((_, response) => {
			response.writeHead(429, { 'retry-after': '900' }).end();
		});
		const requests: string[] = [];
		const open = await serve((request, response) => {
			requests.push(String(request.url));
			if (request.url === '/elsewhere') {
				response.writeHead(302, { location: `${busy.url}/a.png` }).end();
			} else response.end('file');
		});
		const hosts = [busy, open].map(({ url }) => new URL(url).host);
		const close = async () => {
			await Promise.all([busy.close(), open.close()]);
		};
		return { busy, open, hosts, requests, close };
	}

	test('another host is asked all the same', async () => {
		const { busy, open, hosts, close } = await startHosts();
		const files = [busy, open].map(({ url }) => ({ ...FILES[0], url: `${url}/a.png` }));
		const { items } = await runFiles(files, { hosts }, CONTINUE);
		await close();
		expect(items(NODE).map(({ json }) => json.reason)).toEqual([
			`${hosts[0]} responded with status 429. Try again later.`,
			undefined,
		]);
	});

	test('a host that redirects to it goes on serving', async () => {
		const { open, hosts, requests, close } = await startHosts();
		const toMessage = (path: string) => addMessage([{ ...FILES[0], url: `${open.url}${path}` }]);
		const input = ['/elsewhere', '/a', '/b'].map((path) => ({ id: toMessage(path) }));
		const { items } = await run(
			sandbox(),
			{ ...download('={{ $json.id }}', { hosts }), ...NO_RETRY },
			{ ...CONTINUE, input },
		);
		await close();
		expect(requests.sort()).toEqual(['/a', '/b', '/elsewhere']);
		expect(items(NODE).map(({ json }) => json.reason ?? json.error ?? 'stored')).toEqual([
			expect.stringContaining(`${hosts[0]} responded with status 429`),
			...['stored', 'stored'],
		]);
	});

	test('a file that is not requested because of that is reported without a status', async () => {
		const { busy, hosts, close } = await startHosts();
		// The pause lasts as long as a run uses the host
		const slow = await serve(async (_, response) => {
			response.write('f');
			await wait(600);
			response.end('ile');
		});
		hosts.push(new URL(slow.url).host);
		const toFile = (url: string) => ({ ...FILES[0], url: `${url}/a.png` });
		const first = runFiles(
			[busy, slow].map(({ url }) => toFile(url)),
			{ hosts },
			CONTINUE,
		);
		await wait(300);
		const { items } = await runFiles([toFile(busy.url)], { hosts }, CONTINUE);
		await Promise.all([first, close()]);
		await slow.close();
		expect(items(NODE)[0].json.reason).toMatch(
			/^The file was not requested, because 127\.0\.0\.1:\d+ limits downloads\. Try again in (899\.\d|900) seconds, or raise 'Longest Retry Wait \(Seconds\)' under Settings → Request Options\.$/,
		);
	});
});

test("A message's files are downloaded at the same time", async () => {
	let open = 0;
	let most = 0;
	const host = await serve(async (_, response) => {
		most = Math.max(most, ++open);
		await wait(100);
		open--;
		response.end('file');
	});
	const files = FILES.map((file) => ({ ...file, url: `${host.url}/${file.name}` }));
	const { items } = await runFiles(files, { hosts: [new URL(host.url).host] });
	await host.close();
	expect(most).toBe(3);
	expect(items(NODE).map(({ json }) => json.name)).toEqual(FILES.map(({ name }) => name));
});

test('A slow file is downloaded as long as bytes arrive within the time limit', async () => {
	const host = await serve(async (_, response) => {
		for (let part = 0; part < 15; part++) {
			response.write('x');
			await wait(100);
		}
		response.end();
	});
	const file = { ...FILES[0], url: `${host.url}/slow.bin` };
	const parameters = download(addMessage([file]), { hosts: [new URL(host.url).host] });
	const requestOptions = { maxTries: 1, timeout: 600 };
	try {
		const { error, items } = await run(sandbox(), { ...parameters, requestOptions });
		expect(error).toBeUndefined();
		expect(items(NODE).flatMap(describeFile).at(0)?.at(4)).toBe(15);
	} finally {
		await host.close();
	}
});

test.each([
	['announces', false],
	['does not announce', true],
])('A file that is too large is not downloaded, if its host %s the size', async (_, isChunked) => {
	const host = await serve((_request, response) => {
		const chunk = Buffer.alloc(64_000);
		if (!isChunked) response.setHeader('content-length', 4_000_000);
		const write = () => {
			while (!response.destroyed && response.write(chunk));
		};
		response.on('drain', write).on('error', () => {});
		write();
	});
	const url = `${host.url}/big.bin`;
	const options = { maxSize: 2, hosts: [new URL(url).host] };
	try {
		expect(await failureOf({ url }, options)).toBe(
			"The file is larger than 2 MB. Raise 'Largest File (MB)' under Options.",
		);
	} finally {
		await host.close();
	}
});

test('50 MB is the limit unless the user sets another', async () => {
	const host = await serve((_, response) => {
		response.writeHead(200, { 'content-length': 50_000_001 }).write('x');
	});
	const url = `${host.url}/big.bin`;
	try {
		const reason = await failureOf({ url }, { hosts: [new URL(url).host] });
		expect(reason).toMatch(/larger than 50 MB/);
	} finally {
		await host.close();
	}
});

describe('No request is sent to', () => {
	const port = () => String(sandbox().port);
	const ADDRESSES: Array<[string, () => string]> = [
		['this machine', () => 'http://localhost/a'],
		['another port of this machine', () => 'http://127.0.0.1:1/a'],
		['an IPv6 address of this machine', () => `http://[::1]:${port()}/a`],
		['an IPv4 address in IPv6', () => `http://[::ffff:127.0.0.1]:${port()}/a`],
		['a private address', () => 'http://10.0.0.5/a'],
		['a link-local address', () => 'http://169.254.169.254/latest/meta-data'],
		['an address as a number', () => `http://2130706433:1/a`],
		['any other host', () => 'https://files.example.com/a'],
		['a host that starts like a media host', () => 'https://media-us.cometchat.io.evil.example/a'],
		['a host that ends like a media host', () => 'https://evil-media-us.cometchat.io/a'],
		['an unknown host of CometChat', () => 'https://api-us.cometchat.io/v3/users'],
		['a host behind a username', () => 'https://media-us.cometchat.io@evil.example/a'],
		['a media host with a username', () => 'https://user@media-us.cometchat.io/a'],
		['a media host with a port', () => 'https://media-us.cometchat.io:8443/a'],
		['a media host without TLS', () => 'http://media-us.cometchat.io/a'],
		['a host in percent encoding', () => 'https://media-us.cometchat.io%2eevil.example/a'],
		['a host behind a backslash', () => 'https://evil.example\\@media-us.cometchat.io/a'],
		['a host with a dot at its end', () => 'https://media-us.cometchat.io./a'],
		['the API itself', () => `${sandbox().baseUrl}/users`],
		['the API through dots', () => `${sandbox().url}/files/../v3/users`],
		['the API in percent encoding', () => `${sandbox().url}/%763/users`],
		['the API in double percent encoding', () => `${sandbox().url}/%25763/users`],
		['the API behind two slashes', () => `${sandbox().url}//V3/users`],
		['a file of the machine', () => 'file:///etc/passwd'],
		['no address', () => ''],
		['a name', () => 'photo.png'],
	];

	test.each(ADDRESSES)('%s', async (_, address) => {
		const failure = await failureOf({ url: address() });
		expect(failure).toMatch(
			/^(Files are downloaded only from|The file's address (is not a URL|contains a username|on \S+ is not encrypted))/,
		);
		expect(filesRequested()).toEqual([]);
		expect(sandbox().log).toHaveLength(1);
	});
});

test.each([
	(host: string) => host,
	(host: string) => `http://${host}/files/`,
	(host: string) => `files.example.com, ${host.toUpperCase()}`,
])('A host that the user allows serves files, and never receives the key', async (toEntry) => {
	const requests: IncomingMessage[] = [];
	const host = await serve((request, response) => {
		requests.push(request);
		response.writeHead(401).end();
	});
	const url = `${host.url}/a.jpg`;
	const reason = await failureOf({ url }, { hosts: [toEntry(new URL(url).host)] });
	await host.close();
	expect(reason).toMatch(/^The file is not allowed to be downloaded \(127/);
	expect(requests).toHaveLength(1);
	expect(JSON.stringify(requests[0].rawHeaders)).not.toContain(sandbox().apiKey);
});

test.each(['*.example.com', 'user@example.com', 'a b', 'https://'])(
	'%s is refused as a host before anything is sent',
	async (host) => {
		const error = await refusalOf(sandbox(), download('117', { hosts: [host] }));
		expect(error.message).toBe(`'Other Hosts' must be a host, but it is "${host}"`);
		expect(error.description).toContain('e.g. files.example.com');
	},
);

test.each<[Partial<Attachment>, string]>([
	[{ name: '../../.bashrc' }, '.bashrc'],
	[{ name: 'C:\\Temp\\plan.pdf' }, 'plan.pdf'],
	[{ name: 'rüdiger \u202egpj.exe' }, 'rüdiger gpj.exe'],
	[{ name: '..' }, 'a.jpg'],
	[{ name: `${'ä'.repeat(32_767)}.jpeg` }, `${'ä'.repeat(195)}.jpeg`],
	[{ name: `a.${'b'.repeat(300)}` }, `a.${'b'.repeat(198)}`],
	[{ name: '' }, 'a.jpg'],
	[{ name: undefined, url: 'media/the%20caf%C3%A9.png' }, 'the café.png'],
])('A file that is described by %j is named %s', async (file, name) => {
	const { items } = await runFiles([{ ...FILES[0], ...file }]);
	const [{ json, binary }] = items(NODE);
	expect([json.name, binary?.data.fileName, binary?.data.directory]).toEqual([
		name,
		name,
		undefined,
	]);
});

test('The reason of a file with an endless name is readable', async () => {
	sandbox().setFaults([{ match: { path: ONE_FILE }, effect: { status: { status: 404 } } }]);
	const name = `${'n'.repeat(32_767)}.pdf`;
	const { error } = await runFiles([FILES[0], { ...FILES[1], name }]);
	expect(error).toMatchObject({
		message: '1 of 2 files could not be downloaded',
		description: expect.stringMatching(/^n{196}\.pdf: The file does not exist/),
	});
});

test('A file without a type has the type in the response', async () => {
	const host = await serve((_, response) => {
		response.writeHead(200, { 'content-type': 'image/webp; x=y' }).end('RIFF');
	});
	const url = `${host.url}/photo`;
	const { items } = await runFiles([{ url }], { hosts: [new URL(url).host] });
	await host.close();
	expect(items(NODE).flatMap(describeFile)).toEqual([['data', 'photo', 'photo', 'image/webp', 4]]);
});

describe.each(['own', 'other'] as const)("From a host with access '%s'", (access) => {
	/** Downloads a file from a host that sends one response for the file. */
	async function downloadFrom(
		respond: (response: ServerResponse) => void,
		file: Partial<Attachment> = {},
	) {
		const host = await serve((request, response) => {
			if (!request.url?.startsWith('/v3/')) {
				respond(response);
				return;
			}
			const attachments = [{ ...FILES[0], url: `${fileHost}/media/a.jpg`, size: '4', ...file }];
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ data: { id: 1, type: 'file', data: { attachments } } }));
		});
		const fileHost = access === 'own' ? host.url : `http://localhost:${host.port}`;
		const hosts = access === 'own' ? [] : [new URL(fileHost).host];
		const service = { apiKey: sandbox().apiKey, baseUrl: `${host.url}/v3` };
		try {
			const result = await run(service, { ...download('1', { hosts }), ...NO_RETRY }, CONTINUE);
			return { result, item: result.items(NODE)[0], host: new URL(fileHost).host };
		} finally {
			await host.close();
		}
	}

	/** Returns why a file wasn't downloaded. The name of the host becomes "HOST". */
	async function reasonFrom(
		respond: (response: ServerResponse) => void,
		file: Partial<Attachment> = {},
	): Promise<string> {
		const { item, host } = await downloadFrom(respond, file);
		expect(item.binary).toBeUndefined();
		return String(item.json.reason).replaceAll(host, 'HOST');
	}

	const send =
		(type: string, content = 'abcd') =>
		(response: ServerResponse) =>
			void response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(content);

	test.each([
		[202, /^The file is not ready yet \(HOST responded with status 202\)\. Try again later\.$/],
		[
			203,
			/^HOST responded with status 203\. Open the file's address in a browser to see the reason\.$/,
		],
		[
			204,
			/^The file did not arrive as a whole \(HOST responded with status 204\)\. Try again later\.$/,
		],
		[206, /^The file did not arrive as a whole/],
		[400, /^HOST responded with status 400\. Open the file's address in a browser/],
		[429, /^HOST responded with status 429\. Try again later\.$/],
		[503, /^HOST responded with status 503\. Try again later\.$/],
		[401, access === 'own' ? /Check 'REST API Key' and 'App ID'/ : /sends no login to this host/],
		[403, access === 'own' ? /Run the node again/ : /CometChat stores only its address/],
	])('a response with status %i is not a file', async (status, reason) => {
		const respond = (response: ServerResponse) =>
			void response.writeHead(status, { 'content-type': 'image/jpeg', 'retry-after': '900' }).end();
		expect(await reasonFrom(respond)).toMatch(reason);
	});

	test.each([
		['text/html; charset=utf-8', 'image/png', 'photo.png', 'a web page'],
		['TEXT/HTML', 'application/pdf', 'contract', 'a web page'],
		['application/xhtml+xml', 'image/png', 'photo.png', 'a web page'],
		['text/html', 'application/octet-stream', 'photo.png', 'a web page'],
		...['voice.m4a', 'voice.aac', 'clip.mkv', 'scan.tiff', 'notes.md', 'invite.ics', 'page'].map(
			(name): [string, string, string, string] => ['text/html', '', name, 'a web page'],
		),
		['application/json', 'application/octet-stream', 'song.flac', 'JSON'],
		['application/json', 'image/png', 'photo.png', 'JSON'],
		['application/problem+json', 'text/html', 'page.html', 'JSON'],
	])(
		'%s in place of a file of type "%s" named %s is a failure',
		async (sent, mimeType, name, content) => {
			const type = access === 'own' && sent === '' ? 'text/html' : sent;
			expect(await reasonFrom(send(type), { mimeType, name })).toBe(
				`HOST sent ${content} in place of the file. The file may require a login, or may no longer exist. Open the file's address in a browser to see the reason.`,
			);
		},
	);

	test.each([
		['text/html', 'text/html', 'page.html', 'text/html'],
		['application/json', 'application/geo+json', 'map.geojson', 'application/geo+json'],
		['application/json', '', 'export', 'application/json'],
		['text/html; charset=utf-8', 'null', 'page.htm', 'text/html'],
		['image/jpeg', 'jpeg', 'photo.jpg', 'image/jpeg'],
		['image/jpeg', 'image/*', 'photo.jpg', 'image/jpeg'],
		['image/jpeg', 'application/octet-stream', 'photo.jpg', 'image/jpeg'],
		['binary/octet-stream', 'IMAGE/JPEG; q=1', 'photo.jpg', 'image/jpeg'],
		['image/webp', 'image/jpeg', 'photo.jpg', 'image/jpeg'],
		['', 'image', 'photo.jpg', 'application/octet-stream'],
	])(
		'a response of type "%s" for a file of type "%s" named %s has type %s',
		async (sent, mimeType, name, type) => {
			const { item } = await downloadFrom(send(sent), { mimeType, name });
			expect([item.json.mimeType, item.binary?.data.mimeType]).toEqual([type, type]);
		},
	);

	test.each([
		['4', []],
		['', []],
		[undefined, []],
		[
			'3000',
			[
				"A file's size differs from the size that CometChat announced, e.g. a.jpg: 4 instead of 3,000 bytes",
			],
		],
	])('a file of 4 bytes whose announced size is %j gives the hints %j', async (size, hints) => {
		const { result } = await downloadFrom(send('image/jpeg'), { size });
		expect(hintsOf(result)).toEqual(hints);
	});

	test('a redirect without a URL is reported', async () => {
		const respond = (response: ServerResponse) => void response.writeHead(302).end();
		expect(await reasonFrom(respond)).toBe(
			"HOST redirected the download without a URL. Open the file's address in a browser to see the reason.",
		);
	});
});

test('The reason names the host that failed, even after a redirect', async () => {
	const last = await serve((_, response) => void response.writeHead(404).end());
	const first = await serve((_, response) => {
		response.writeHead(302, { location: `${last.url}/a.jpg` }).end();
	});
	const hosts = [first, last].map(({ url }) => new URL(url).host);
	const reason = await failureOf({ url: `${first.url}/a.jpg` }, { hosts });
	await Promise.all([first.close(), last.close()]);
	expect(reason).toContain(`(${hosts[1]} responded with status 404)`);
});

test('A host that refuses the connection is reported as a wrong address', async () => {
	const closed = await serve();
	await closed.close();
	const { host } = new URL(closed.url);
	const reason = await failureOf({ url: `${closed.url}/a.jpg` }, { hosts: [host] });
	expect(reason).toMatch(
		new RegExp(`^Couldn't connect to ${host}\\. Check the file's address and .*ECONNREFUSED`),
	);
});

test('The single file of a message from an SDK is downloaded', async () => {
	const host = await serve((request, response) => {
		if (!request.url?.startsWith('/v3/')) return void response.end('content');
		const url = `http://${request.headers.host}/media/sdk.png`;
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ data: { id: 1, type: 'image', data: { url } } }));
	});
	const service = { apiKey: sandbox().apiKey, baseUrl: `${host.url}/v3` };
	const { items } = await run(service, download('1'));
	await host.close();
	expect(items(NODE).map(({ json }) => [json.name, json.size])).toEqual([['sdk.png', 7]]);
});

test('The files of several messages are paired with the input, under the chosen name', async () => {
	const input = [{ id: addMessage() }, { id: '101' }, { id: addMessage(FILES.slice(1)) }];
	const { items } = await run(sandbox(), download('={{ $json.id }}', { binaryProperty: 'photo' }), {
		input,
	});
	expect(items(NODE).map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 0, 0, 2, 2].map((item) => ({ item })),
	);
	expect(items(NODE).map(({ binary }) => Object.keys(binary ?? {}))).toEqual(
		Array(5).fill(['photo']),
	);
});

test('A message without files gives no item, and the output pane says so', async () => {
	const result = await run(sandbox(), download('101'));
	expect(result.items(NODE)).toEqual([]);
	expect(hintsOf(result)).toEqual([expect.stringMatching(/^No message has files, so the nodes/)]);
});

test('A message that does not exist ends the item with its own error', async () => {
	const error = await errorOf(sandbox(), download('99999'));
	expect(error.message).toMatch(/message/i);
	expect(error.description).toContain('ERR_MESSAGE_ID_NOT_FOUND');
});

test.each([
	['an older agent', async (id: string) => await callTool(sandbox(), download(id), [{}])],
	[
		'a new agent',
		async (id: string) => {
			const { items } = await run(sandbox(), download(id), { settings: AS_TOOL_OF_NEW_AGENT });
			expect(items(NODE).filter(({ binary }) => binary)).toEqual([]);
			return [JSON.stringify(items(NODE).map(({ json }) => json))];
		},
	],
])(
	'In a tool of %s, the model gets names, types and sizes without any download',
	async (_, call) => {
		const [said] = await call(addMessage());
		for (const { name, mimeType, size } of FILES) {
			expect(said).toContain(JSON.stringify({ name, mimeType, size: Number(size) }).slice(1, -1));
		}
		expect(said).toContain("The files' content was not downloaded");
		expect(filesRequested()).toEqual([]);
	},
);

test('A canceled execution ends a download', async () => {
	sandbox().setFaults([{ match: { path: ONE_FILE }, effect: { half: 'stall' } }]);
	const controller = new AbortController();
	const running = run(sandbox(), download(addMessage()), { signal: controller.signal });
	while (filesRequested().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
	const startedAt = performance.now();
	controller.abort();
	await running;
	expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('The key is not shown, even if a file is named after it', async () => {
	sandbox().setSettings({ mediaAccess: 'token' });
	const name = `${sandbox().apiKey}.txt`;
	const result = await runFiles([{ ...FILES[2], name }]);
	expect(findLeaks(result.run, sandbox().apiKey)).toEqual([]);
	expect(result.items(NODE).map(({ binary }) => binary?.data.fileName)).toEqual(['**********.txt']);
});

test('Output → Raw returns the files as CometChat describes them, with their content', async () => {
	const id = addMessage(FILES.slice(0, 1));
	const { items } = await run(sandbox(), { ...download(id), output: 'raw' });
	const [{ json, binary }] = items(NODE);
	expect(json).toEqual({
		...FILES[0],
		size: 3000,
		url: expect.stringMatching(/Signature=/),
	});
	expect(binary?.data.fileName).toBe('a.jpg');
});

test("Downloads leave no listeners on the execution's signal", async () => {
	const signals = watchSignals();
	try {
		expect((await runFiles(FILES)).items(NODE)).toHaveLength(3);
		expect(signals.countAdded()).toBeGreaterThan(FILES.length);
		expect(signals.countLeft()).toBe(0);
	} finally {
		signals.stop();
	}
});
