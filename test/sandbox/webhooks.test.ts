import { setTimeout } from 'node:timers/promises';

import { type Envelope, type Webhook } from '../../tools/sandbox/server';
import { useSandbox } from './client';
import { startReceiver, type Receiver } from './receiver';

const sandbox = useSandbox();
let receiver: Receiver;

beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(() => receiver.close());

const listen = (more: Partial<Webhook> = {}) =>
	sandbox().webhooks.set([{ url: receiver.url, ...more }]);

const react = (reaction = 'ok') => sandbox().store.addReaction('109', 'leo', reaction);

/** Waits for all deliveries to end and returns their bodies. */
async function delivered(): Promise<Envelope[]> {
	await sandbox().webhooks.idle();
	return receiver.received.map(({ body }) => body);
}

const triggers = async () => (await delivered()).map(({ trigger }) => trigger);

describe('a delivery', () => {
	test('is a POST of the envelope as JSON, with Basic authentication if the webhook has a user', async () => {
		listen({ name: 'my-hook' });
		react();
		await delivered();
		listen({ username: 'hook', password: 'secret1' });
		react('seen');
		await delivered();
		const [{ method, path, headers, body }, authorized] = receiver.received;
		expect([method, path]).toEqual(['POST', '/webhook/chat']);
		expect(headers['content-type']).toBe('Application/json');
		expect(headers).not.toHaveProperty('authorization');
		expect(body).toEqual({
			trigger: 'message_reaction_added',
			data: expect.any(Object),
			appId: sandbox().appId,
			region: 'us',
			webhook: 'my-hook',
		});
		const expected = `Basic ${Buffer.from('hook:secret1').toString('base64')}`;
		expect(authorized.headers.authorization).toBe(expected);
	});

	test('is sent for the selected triggers only', async () => {
		listen({ triggers: ['group_deleted'] });
		react();
		sandbox().store.deleteGroup('lunch');
		expect(await triggers()).toEqual(['group_deleted']);
	});

	test("isn't sent after a reset, or for events before the webhook was set", async () => {
		react();
		listen();
		sandbox().reset();
		react();
		expect(await delivered()).toEqual([]);
		expect(sandbox().webhooks.list).toEqual([]);
	});
});

describe('deliveries can be repeated and reordered', () => {
	test.each<[Partial<Webhook>, number[]]>([
		[{ copies: 2 }, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]],
		[{ reversed: 3 }, [2, 1, 0, 4, 3]],
	])('%j', async (more, expected) => {
		listen({ triggers: ['message_reaction_added'], ...more });
		for (let n = 0; n < 5; n++) react(String(n));
		const data = (await delivered()).map((envelope) => envelope.data);
		expect(data).toMatchObject(expected.map((n) => ({ reaction: { reaction: String(n) } })));
	});
});

describe('a failed delivery', () => {
	const attempts = () =>
		sandbox().webhooks.deliveries.map(({ attempt, status }) => [attempt, status]);

	test.each<[string, boolean, number[], number]>([
		['once is lost if retries are off', false, [500, 200], 1],
		['once is repeated after 10 s', true, [500, 200], 2],
		['twice is repeated after another 30 s', true, [401, 302, 200], 3],
		['three times is not repeated again', true, [204, 404, 503, 200], 3],
	])('%s', async (_, retries, statuses, count) => {
		receiver.answer = (nth) => statuses[nth - 1];
		listen({ retries, timeScale: 100 });
		react();
		await delivered();
		expect(attempts()).toEqual(statuses.slice(0, count).map((status, n) => [n + 1, status]));
		const times = sandbox().webhooks.deliveries.map(({ at }) => at);
		if (count > 1) expect(times[1] - times[0]).toBeGreaterThanOrEqual(98);
		if (count > 2) expect(times[2] - times[1]).toBeGreaterThanOrEqual(298);
		expect(receiver.received.every(({ path }) => path === '/webhook/chat')).toBe(true);
	});

	test('ends at the time limit without a response', async () => {
		receiver.answer = () => 'hang';
		listen({ timeoutMs: 80 });
		react();
		await delivered();
		expect(attempts()).toEqual([[1, 0]]);
		expect(sandbox().webhooks.deliveries[0].error).toBe('No answer within 80 ms');
	});
});

test.each([
	['approve', 'approved', 'moderation_engine_approved'],
	['block', 'disapproved', 'moderation_engine_blocked'],
] as const)(
	'a moderation engine that fails lets its setting decide (%s)',
	async (onError, outcome, decided) => {
		const triggersOfEngine = ['moderation_engine_failed', decided];
		listen({ triggers: triggersOfEngine });
		sandbox().setModerationEngine({ url: receiver.url, onError });
		receiver.answer = (nth) => (nth === 1 ? 500 : 200);
		const content = { category: 'message', type: 'text', text: 'Hello' } as const;
		const place = { sender: 'leo', receiverType: 'user', receiver: 'mira' } as const;
		sandbox().store.sendMessage({ ...place, ...content });
		while (sandbox().webhooks.deliveries.length < 2) await setTimeout(2);
		const [, failed, last] = receiver.received.map(({ body }) => body);
		expect([failed.trigger, last.trigger]).toEqual(triggersOfEngine);
		expect(failed.data).toMatchObject({ outcome, failures: [{ httpStatus: 500 }] });
	},
);

test.each<[object, string]>([
	...[
		'http://example.com/hook',
		'http://127.0.0.1.example.com/hook',
		'http://user:pass@localhost/hook',
		`http://localhost/${'x'.repeat(255)}`,
		'',
	].map((url): [object, string] => [{ url }, 'url']),
	[{ retries: 'yes' }, 'retries'],
	[{ copies: 0 }, 'copies'],
	[{ colour: 'red' }, 'colour'],
])('a webhook with %j is refused', (more, name) => {
	const webhook = { url: 'http://localhost:1/', ...more } as Webhook;
	expect(() => sandbox().webhooks.set([webhook])).toThrow(name);
});
