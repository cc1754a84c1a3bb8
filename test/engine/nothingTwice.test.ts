import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { makeCertificate } from '../../tools/sandbox/server';
import { NODE, callTool, credentialsOf, errorOf, get, run } from './harness';
import { json, responding, withRecorder, type Recorded, type Reply } from './recorder';

const RETRYING = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const send = (more: INodeParameters): INodeParameters => ({
	resource: 'message',
	operation: 'send',
	groupId: '={{ $json.guid }}',
	text: '={{ $json.text }}',
	...more,
});

const bodyOf = ({ body }: Recorded) => JSON.parse(body ?? '{}') as IDataObject;

/** How often each of the items was sent, by a word that is in its body. */
const countsOf = (requests: Recorded[], words: string[]) =>
	words.map((word) => requests.filter(({ body }) => body?.includes(word)).length);

const refused = (response: Parameters<Reply>[0]) =>
	json(response, 400, { error: { code: 'ERR_BAD_REQUEST', message: 'Not yet' } });

describe('Retry On Fail sends nothing twice', () => {
	const WORDS = ['first', 'second', 'third'];
	const input = WORDS.map((text) => ({ text, guid: `group-${text}` }));

	/** Other values at each attempt, as $now or a random ID has them. */
	const ANEW: Array<[string, INodeParameters]> = [
		['a text', send({ text: '={{ $json.text }} at {{ $now.toMillis() }} {{ Math.random() }}' })],
		['a muid', send({ additionalFields: { muid: '={{ Math.random().toString(36) }}' } })],
		[
			'a GUID',
			{
				resource: 'group',
				operation: 'create',
				guid: '=g-{{ Math.random().toString(36).slice(2) }}',
				name: '={{ $json.text }}',
			},
		],
	];

	test.each(ANEW)('although %s is another one at each attempt', async (_, parameters) => {
		let refusals = 0;
		const reply: Reply = (response, request, number) => {
			if (request.body?.includes('second') && refusals++ === 0) refused(response);
			else responding({})(response, request, number);
		};
		await withRecorder(reply, async (recorder) => {
			const { error, items } = await run(recorder, parameters, { input, settings: RETRYING });
			expect(error).toBeUndefined();
			expect(items(NODE).map(({ pairedItem }) => pairedItem)).toEqual(
				input.map((__, item) => ({ item })),
			);
			expect(countsOf(recorder.requests, WORDS)).toEqual([1, 2, 1]);
		});
	});

	test.each([500, 303])(
		'whose outcome is unknown after status %i, and says so again',
		async (status) => {
			const reply: Reply = (response, request, number) => {
				if (request.body?.includes('second')) json(response, status, {});
				else responding({})(response, request, number);
			};
			await withRecorder(reply, async (recorder) => {
				const { message } = await errorOf(recorder, ANEW[0][1], { input, settings: RETRYING });
				expect(message).toBe('CometChat may already have sent the message');
				expect(countsOf(recorder.requests, WORDS)).toEqual([1, 1, 1]);
			});
		},
	);

	test('part by part: only the members that were refused are added again', async () => {
		const uids = Array.from({ length: 60 }, (_, index) => `user-${index}`);
		let refusals = 0;
		const reply: Reply = (response, { body = '' }) => {
			if (body.includes('"user-25"') && refusals++ === 0) return refused(response);
			const { participants } = JSON.parse(body) as { participants: string[] };
			const added = participants.map((uid) => [uid, { success: true }]);
			json(response, 200, { data: { participants: Object.fromEntries(added) } });
		};
		await withRecorder(reply, async (recorder) => {
			const parameters = { resource: 'group', operation: 'addMembers', groupId: 'lunch', uids };
			const { error, items } = await run(recorder, parameters, { settings: RETRYING });
			expect(error).toBeUndefined();
			expect(items(NODE)).toHaveLength(60);
			expect(countsOf(recorder.requests, ['"user-0"', '"user-25"', '"user-50"'])).toEqual([
				1, 2, 1,
			]);
		});
	});
});

describe('Retry On Fail and members who are refused within a response of success', () => {
	const uids = Array.from({ length: 30 }, (_, index) => `user-${index}`);
	const parameters = { resource: 'group', operation: 'addMembers', groupId: 'lunch', uids };
	const sentIn = ({ body = '' }: Recorded) =>
		(JSON.parse(body) as { participants: string[] }).participants;

	test('are tried again, and nobody else', async () => {
		const refusal = { success: false, error: { code: 'ERR_BUSY', message: 'Not now' } };
		const reply: Reply = (response, request, number) => {
			const results = sentIn(request).map((uid) => [
				uid,
				number <= 2 && ['user-3', 'user-27'].includes(uid) ? refusal : { success: true },
			]);
			json(response, 200, { data: { participants: Object.fromEntries(results) } });
		};
		await withRecorder(reply, async (recorder) => {
			const { error, items } = await run(recorder, parameters, { settings: RETRYING });
			expect(error).toBeUndefined();
			expect(items(NODE).map(({ json: { uid } }) => uid)).toEqual(uids);
			expect(recorder.requests.map(sentIn)).toEqual([
				uids.slice(0, 25),
				uids.slice(25),
				['user-3', 'user-27'],
			]);
		});
	});

	test('who may have been added is not added again, and the error says may', async () => {
		const reply: Reply = (response, request) => {
			const all = sentIn(request);
			if (all.includes('user-25')) return json(response, 500, {});
			const added = all.map((uid) => [uid, { success: true }]);
			json(response, 200, { data: { participants: Object.fromEntries(added) } });
		};
		await withRecorder(reply, async (recorder) => {
			const { message, description } = await errorOf(recorder, parameters, { settings: RETRYING });
			expect(message).toBe('5 of 30 users may have been added');
			expect(description).toMatch(
				/^user-25, user-26, user-27, user-28, and user-29: CometChat may already have added the members\. Check the members of the group .* 25 succeeded\.$/,
			);
			expect(recorder.requests).toHaveLength(2);
		});
	});

	test('both kinds are counted by themselves', async () => {
		const refusal = { success: false, error: { code: 'ERR_X', message: 'Never' } };
		const reply: Reply = (response, request) => {
			const all = sentIn(request);
			if (all.includes('user-25')) return void response.destroy();
			const results = all.map((uid) => [uid, uid === 'user-1' ? refusal : { success: true }]);
			json(response, 200, { data: { participants: Object.fromEntries(results) } });
		};
		await withRecorder(reply, async (recorder) => {
			const { message, description } = await errorOf(recorder, parameters);
			expect(message).toBe('1 of 30 users could not be added, and 5 may have been added');
			expect(description).toMatch(
				/^user-1: Never \(ERR_X\)\. user-25, .* and user-29: CometChat may/,
			);
		});
	});
});

describe("An agent's tool with Retry On Fail", () => {
	const SEND = send({ groupId: 'lunch', text: "={{ $fromAI('text') }}" });

	test('sends once what may have been sent, and tells the agent', async () => {
		const reply: Reply = (response) => json(response, 500, {});
		await withRecorder(reply, async (recorder) => {
			const [said] = await callTool(recorder, SEND, [{ text: 'Hello' }], RETRYING);
			expect(said).toContain('CometChat may already have sent the message');
			expect(recorder.requests).toHaveLength(1);
		});
	});

	test('sends again what was refused', async () => {
		const reply: Reply = (response, request, number) =>
			number === 1 ? refused(response) : responding({})(response, request, number);
		await withRecorder(reply, async (recorder) => {
			const [said] = await callTool(recorder, SEND, [{ text: 'Hello' }], RETRYING);
			expect(said).toContain('"id":"101"');
			expect(recorder.requests.map((request) => bodyOf(request).data)).toEqual([
				{ text: 'Hello' },
				{ text: 'Hello' },
			]);
		});
	});

	test('sends each of two calls with the same values', async () => {
		await withRecorder(responding({}), async (recorder) => {
			const calls = [{ text: 'Hello' }, { text: 'Hello' }];
			expect(await callTool(recorder, SEND, calls, RETRYING)).toHaveLength(2);
			expect(recorder.requests).toHaveLength(2);
		});
	});
});

describe('A connection that breaks after the request was read', () => {
	let server: Server;
	let sent: string[];

	/** Listens, notes what comes, and breaks the connection as told. */
	async function listen(secure: boolean, breaks: (raw: Socket) => void): Promise<string> {
		sent = [];
		const { key, cert } = await makeCertificate();
		server = createServer((raw) => {
			const socket = secure ? new TLSSocket(raw, { isServer: true, key, cert }) : raw;
			socket.on('error', () => {});
			socket.on('data', (data: Buffer) => {
				sent.push(data.toString());
				breaks(raw);
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		return `${secure ? 'https' : 'http'}://127.0.0.1:${port}/v3`;
	}

	afterEach(() => void server.close());

	const BREAKS: Array<[string, boolean, (raw: Socket) => void]> = [
		['is reset', false, (raw) => raw.resetAndDestroy()],
		['is closed', false, (raw) => raw.destroy()],
		['goes on with what is no TLS', true, (raw) => raw.write('HTTP/1.1 200 OK\r\n\r\n')],
	];

	test.each(BREAKS)(
		'and %s: a message is posted once, and may be there',
		async (_, secure, breaks) => {
			const baseUrl = await listen(secure, breaks);
			const parameters = send({
				groupId: 'lunch',
				text: 'Hello',
			});
			const target = { apiKey: '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c', baseUrl };
			const { message, description } = await errorOf(target, parameters, {
				settings: RETRYING,
				credentials: credentialsOf(target, { allowUnauthorizedCerts: true }),
			});
			expect(message).toBe('CometChat may already have sent the message');
			expect(description).toMatch(/^Check the conversation before you run this item again\./);
			expect(sent.filter((text) => text.startsWith('POST'))).toHaveLength(1);
		},
	);

	test('and is reset: what changes nothing is read again', async () => {
		const baseUrl = await listen(false, (raw) => raw.resetAndDestroy());
		const target = { apiKey: '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c', baseUrl };
		await errorOf(target, get('101', { requestOptions: { maxTries: 2 } }));
		expect(sent).toHaveLength(2);
	});
});
