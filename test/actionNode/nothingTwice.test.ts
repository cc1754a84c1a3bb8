import type { INodeParameters } from 'n8n-workflow';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { makeCertificate } from '../../tools/sandbox/server';
import { NODE, callTool, credentialsOf, errorOf, group, message, run } from './harness';
import {
	KEY,
	adding,
	json,
	readBody,
	responding,
	uidsIn,
	withRecorder,
	type Recorded,
	type Reply,
} from './recorder';

const RETRYING = { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } };

const send = (more: INodeParameters): INodeParameters =>
	message('send', { groupId: '={{ $json.guid }}', text: '={{ $json.text }}', ...more });

const countRequests = (requests: Recorded[], words: string[]) =>
	words.map((word) => requests.filter(({ body }) => body?.includes(word)).length);

const refuse: Reply = (response) =>
	json(response, 400, { error: { code: 'ERR_BAD_REQUEST', message: 'Not yet' } });

/** Rejects the first request whose body contains this word, and responds normally to all other requests. */
function refusingOnce(word: string, otherwise: Reply): Reply {
	let refusals = 0;
	return (response, request, number) =>
		request.body?.includes(word) && refusals++ === 0
			? refuse(response, request, number)
			: otherwise(response, request, number);
}

describe('Retry On Fail', () => {
	const WORDS = ['first', 'second', 'third'];
	const input = WORDS.map((text) => ({ text, guid: `group-${text}` }));
	const NEW_TEXT = send({ text: '={{ $json.text }} at {{ $now.toMillis() }} {{ Math.random() }}' });
	const guid = '=g-{{ Math.random().toString(36).slice(2) }}';

	test.each<[string, INodeParameters]>([
		['messages', NEW_TEXT],
		['groups', group('create', { guid, name: '={{ $json.text }}' })],
	])(
		'sends only refused %s again, even if expressions return new values',
		async (_, parameters) => {
			await withRecorder(refusingOnce('second', responding({})), async (recorder) => {
				const { error, items } = await run(recorder, parameters, { input, ...RETRYING });
				expect(error).toBeUndefined();
				expect(items(NODE).map(({ pairedItem }) => pairedItem)).toEqual(
					input.map((__, item) => ({ item })),
				);
				expect(countRequests(recorder.requests, WORDS)).toEqual([1, 2, 1]);
			});
		},
	);

	test('never sends a message again after status 500', async () => {
		const reply: Reply = (response, request, number) => {
			if (request.body?.includes('second')) json(response, 500, {});
			else responding({})(response, request, number);
		};
		await withRecorder(reply, async (recorder) => {
			const error = await errorOf(recorder, NEW_TEXT, { input, ...RETRYING });
			expect(error.message).toBe('CometChat may already have sent the message');
			expect(countRequests(recorder.requests, WORDS)).toEqual([1, 1, 1]);
		});
	});
});

describe('Retry On Fail of Add Members', () => {
	const UIDS = Array.from({ length: 30 }, (_, index) => `user-${index}`);
	const BATCHES = [UIDS.slice(0, 25), UIDS.slice(25)];
	const ADD = group('addMembers', { groupId: 'lunch', uids: UIDS });

	const REFUSED = { success: false, error: { code: 'ERR_X', message: 'Never' } };

	test.each<[string, Reply, string[]]>([
		[
			'members that a successful response rejects',
			adding((uid, number) =>
				number <= 2 && ['user-3', 'user-27'].includes(uid) ? REFUSED : { success: true },
			),
			['user-3', 'user-27'],
		],
		['a refused batch', refusingOnce('"user-25"', adding()), BATCHES[1]],
	])('adds only %s again', async (_, reply, again) => {
		await withRecorder(reply, async (recorder) => {
			const { error, items } = await run(recorder, ADD, RETRYING);
			expect(error).toBeUndefined();
			expect(items(NODE).map(({ json: { uid } }) => uid)).toEqual(UIDS);
			expect(recorder.requests.map(uidsIn)).toEqual([...BATCHES, again]);
		});
	});

	test.each<[string, Reply]>([
		['status 500', (response) => json(response, 500, {})],
		['a closed connection', (response) => void response.destroy()],
	])('adds no members again after %s, and counts them separately', async (_, fail) => {
		const reply: Reply = (response, request, number) =>
			uidsIn(request).includes('user-25')
				? fail(response, request, number)
				: adding((uid) => (uid === 'user-1' ? REFUSED : { success: true }))(
						response,
						request,
						number,
					);
		await withRecorder(reply, async (recorder) => {
			const error = await errorOf(recorder, ADD, RETRYING);
			expect(error.message).toBe('1 of 30 users could not be added, and 5 more may not have been');
			expect(error.description).toMatch(
				/^user-1: Never \(ERR_X\)\. user-25, user-26, user-27, user-28, and user-29: CometChat may already have added the members\. Check the members of the group .* 24 succeeded\.$/,
			);
			expect(recorder.requests.map(uidsIn)).toEqual([...BATCHES, ['user-1'], ['user-1']]);
		});
	});
});

describe("An agent's tool with Retry On Fail", () => {
	const SEND = send({ groupId: 'lunch', text: "={{ $fromAI('text') }}" });
	const HELLO = { text: 'Hello' };

	test('never sends a message again if it may have been sent', async () => {
		const reply: Reply = (response) => json(response, 500, {});
		await withRecorder(reply, async (recorder) => {
			const [output] = await callTool(recorder, SEND, [HELLO], RETRYING.settings);
			expect(output).toContain('CometChat may already have sent the message');
			expect(recorder.requests).toHaveLength(1);
		});
	});

	test('sends a refused message again', async () => {
		await withRecorder(refusingOnce('Hello', responding({})), async (recorder) => {
			const [output] = await callTool(recorder, SEND, [HELLO], RETRYING.settings);
			expect(output).toContain('"id":"101"');
			expect(recorder.requests.map((request) => readBody(request).data)).toEqual([HELLO, HELLO]);
		});
	});

	test('sends each of two calls with equal arguments', async () => {
		await withRecorder(responding({}), async (recorder) => {
			const outputs = await callTool(recorder, SEND, [HELLO, HELLO], RETRYING.settings);
			expect(outputs).toHaveLength(2);
			expect(recorder.requests).toHaveLength(2);
		});
	});
});

test.each<[string, boolean, (raw: Socket) => void]>([
	['a reset', false, (raw) => raw.resetAndDestroy()],
	['invalid TLS', true, (raw) => raw.write('HTTP/1.1 200 OK\r\n\r\n')],
])('After %s, the node never sends a message again', async (_, secure, breakConnection) => {
	const received: string[] = [];
	const { key, cert } = await makeCertificate();
	const server = createServer((raw) => {
		const socket = secure ? new TLSSocket(raw, { isServer: true, key, cert }) : raw;
		socket.on('error', () => {});
		socket.on('data', (data: Buffer) => {
			received.push(data.toString());
			breakConnection(raw);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const target = { apiKey: KEY, baseUrl: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/v3` };
	const error = await errorOf(target, send({ groupId: 'lunch', text: 'Hello' }), {
		...RETRYING,
		credentials: credentialsOf(target, { allowUnauthorizedCerts: true }),
	});
	server.close();
	expect(error.message).toBe('CometChat may already have sent the message');
	expect(error.description).toMatch(/^Check the conversation before you run this item again\./);
	expect(received.filter((text) => text.startsWith('POST'))).toHaveLength(1);
});
