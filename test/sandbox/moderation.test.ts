import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import type { StoreEvent } from '../../sandbox/store/events';
import { useSandbox } from '../engine/harness';
import { call } from './client';

const sandbox = useSandbox();

/** A moderation engine that answers as it is told, and what it was asked. */
let answer: (response: ServerResponse) => void;
const asked: Array<{ authorization?: string; body: unknown }> = [];
let server: Server;
let url: string;

beforeAll(async () => {
	server = createServer((request: IncomingMessage, response) => {
		let text = '';
		request.on('data', (part) => (text += part));
		request.on('end', () => {
			asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
			answer(response);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

beforeEach(() => asked.splice(0));

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const saying = (body: unknown, status = 200) => {
	answer = (response) => response.writeHead(status).end(JSON.stringify(body));
};

/** Sends a message, and gives what was told of it until it was decided about. */
async function told(text = 'Hello'): Promise<{ id: string; events: StoreEvent[] }> {
	const events: StoreEvent[] = [];
	const stop = sandbox().store.onEvent((event) => events.push(event));
	const { id } = sandbox().store.sendMessage({ sender: 'leo', receiver: 'all-hands', text });
	for (
		let turn = 0;
		turn < 300 && sandbox().store.message(id)?.moderation?.status === 'pending';
		turn++
	) {
		await wait(10);
	}
	stop();
	return { id, events };
}

const triggers = (events: StoreEvent[]) => events.map(({ trigger }) => trigger);

const match = { isMatchingCondition: true, confidence: 0.9, reason: 'Rude' };

test.each<[string, object, string[]]>([
	[
		'no match',
		{ isMatchingCondition: false, confidence: 1 },
		['moderation_engine_approved', 'message_sent'],
	],
	['a match', match, ['moderation_engine_blocked']],
	[
		'a match that is not sure',
		{ ...match, confidence: 0.4 },
		['moderation_engine_approved', 'message_sent'],
	],
])('an engine decides about a message: %s', async (_, body, expected) => {
	saying(body);
	sandbox().setEngine({ url, username: 'ann', password: 'secret', context: 2 });
	const { events } = await told();
	expect(triggers(events)).toEqual(expected);
	const [{ authorization, body: sent }] = asked;
	expect(authorization).toBe(`Basic ${Buffer.from('ann:secret').toString('base64')}`);
	const { contextMessages } = sent as { contextMessages: object[] };
	expect(contextMessages).toHaveLength(3);
	expect(contextMessages.at(-1)).toMatchObject({
		'all-hands': {
			message: { sender: 'leo', data: { text: 'Hello', moderation: { status: 'pending' } } },
		},
	});
});

test.each<[string, () => void, string]>([
	['a refusal', () => saying({}, 401), 'http_4xx'],
	['a fault', () => saying({}, 500), 'http_5xx'],
	['another shape', () => saying({ ok: true }), 'invalid_response'],
	['a closed connection', () => (answer = (response) => response.destroy()), 'connection_error'],
	['nothing for two seconds', () => (answer = () => {}), 'timeout'],
])(
	'an engine that gives no answer that counts is told of, and the setting decides: %s',
	async (_, prepare, category) => {
		prepare();
		for (const [onError, outcome] of [
			['approve', 'message_sent'],
			['block', 'moderation_engine_blocked'],
		] as const) {
			sandbox().setEngine({ url, onError });
			const { events } = await told();
			expect(triggers(events)[0]).toBe('moderation_engine_failed');
			expect(events[0]).toMatchObject({ failure: { category } });
			expect(triggers(events).at(-1)).toBe(outcome);
		}
	},
);

test('a rule flags or blocks by words, and a moderator decides', async () => {
	const { store } = sandbox();
	store.moderation.rules = [
		{ id: 'r1', name: 'Ads', words: ['Cheap'], action: 'flagMessage' },
		{ id: 'r2', name: 'Worse', words: ['lamp oil'], action: 'blockMessage' },
	];
	const flagged = await told('cheap lamps');
	expect(triggers(flagged.events)).toEqual(['message_sent']);
	expect(store.moderation.reportsOf(flagged.id)).toMatchObject([
		{ uid: 'app_system', reasonId: 'r1' },
	]);
	const blocked = await told('cheap LAMP OIL');
	expect(triggers(blocked.events)).toEqual(['moderation_engine_blocked']);
	const listed = await call(sandbox(), '/groups/all-hands/messages?limit=100');
	expect(listed.text).toContain('cheap lamps');
	expect(listed.text).not.toContain('LAMP OIL');
	store.reviewMessage('blocked', blocked.id, 'approved');
	expect((await call(sandbox(), '/groups/all-hands/messages?limit=100')).text).toContain(
		'LAMP OIL',
	);
	expect(() => store.reviewMessage('blocked', blocked.id, 'approved')).toThrow(
		'no blocked message',
	);
});

test('an engine and rules are set on the page, only on this machine, and in words that are right', async () => {
	const put = async (body: object) =>
		await fetch(`${sandbox().url}/_sandbox/moderation`, {
			method: 'PUT',
			headers: { 'x-sandbox-control': '1' },
			body: JSON.stringify(body),
		});
	const rules = [{ name: 'Ads', words: ['cheap'], action: 'flagMessage' }];
	expect((await put({ rules, engine: { url } })).status).toBe(200);
	const state = await (await fetch(`${sandbox().url}/_sandbox/moderation`)).json();
	expect(state).toMatchObject({ rules: [{ id: 'rule-1', name: 'Ads' }], engine: { url } });
	expect((await put({ engine: { url: 'https://example.com/' } })).status).toBe(400);
	expect((await put({ rules: [{ name: 'Ads', words: [], action: 'flagMessage' }] })).status).toBe(
		400,
	);
	expect((await put({ engine: null })).status).toBe(200);
});
