import * as fc from 'fast-check';

import { memoryStore } from '../../engine/webhook';
import { activate, APP_ID, deliver, itemsFrom, itemsOf } from './harness';
import type { Envelope } from './envelopes';
import {
	deleted,
	edited,
	envelope,
	group,
	groupEvent,
	memberEvent,
	mentioned,
	message,
	reaction,
	sent,
	user,
} from './envelopes';

/** Moves the clock: nothing else of it is replaced, so sockets and timers go on. */
function passTime(seconds: number): void {
	const now = Date.now() + 1000 * seconds;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
}

afterEach(() => jest.restoreAllMocks());

const scope = (name: string, scopes: object = {}) =>
	memberEvent(name, 'support', { noor: { ...scopes } }, 'mira');

/** Deliveries that are different events, however alike they are. */
const EVENTS: Envelope[] = [
	sent(501),
	sent(502),
	{ ...sent(501), appId: 'another' },
	mentioned(501, ['noor']),
	mentioned(501, ['noor', 'theo']),
	mentioned(501, ['noor'], { editedAt: 1_760_000_900 }),
	edited(501, 'First'),
	edited(501, 'Second'),
	edited(501, 'First', { editedAt: 1_760_000_101 }),
	edited(501, 'First', { noteId: 777 }),
	edited(502, 'First'),
	deleted(501),
	deleted(501, { deletedAt: 1_760_000_201 }),
	deleted(502),
	reaction('added'),
	reaction('removed'),
	reaction('added', { reactedAt: 1_760_000_301 }),
	reaction('removed', { reactedAt: 1_760_000_301 }),
	reaction('added', { id: 72 }),
	reaction('added', { emoji: '👍🏽' }),
	reaction('added', { uid: 'noor' }),
	reaction('added', { messageId: '502' }),
	groupEvent('created', 'a'),
	groupEvent('created', 'b'),
	groupEvent('created', 'a', { createdAt: 1_760_000_001 }),
	groupEvent('updated', 'a'),
	groupEvent('updated', 'a', { updatedAt: 1_760_000_401 }),
	groupEvent('updated', 'a', { name: 'Another name in the same second' }),
	groupEvent('deleted', 'a'),
	groupEvent('deleted', 'b'),
	groupEvent('owner_transferred', 'a', { oldOwner: 'noor' }),
	groupEvent('owner_transferred', 'a', { oldOwner: 'theo' }),
	scope('member_added'),
	scope('member_kicked'),
	scope('member_banned'),
	scope('member_unbanned'),
	scope('member_scope_changed', { scope: 'admin', oldScope: 'participant' }),
	scope('member_scope_changed', { scope: 'participant', oldScope: 'admin' }),
	memberEvent('member_joined', 'support', { noor: {} }),
	memberEvent('member_joined', 'support', { theo: {} }),
	memberEvent('member_joined', 'random', { noor: {} }),
	memberEvent('member_left', 'support', { noor: {} }),
	envelope('user_blocked', { by: user('mira'), user: user('noor') }),
	envelope('user_blocked', { by: user('mira'), user: user('theo') }),
	envelope('user_unblocked', { by: user('mira'), user: user('noor') }),
];

const texts = (items: object[]) => items.map((item) => JSON.stringify(item)).sort();

test('different events all start the workflow', async () => {
	const items = await itemsFrom(await activate(), ...EVENTS);
	expect(texts(items)).toEqual(texts(EVENTS));
});

test.each(EVENTS.map((event): [string, Envelope] => [event.trigger, event]))(
	'a %s that comes again is answered with 200 and starts nothing',
	async (_trigger, delivery) => {
		const webhook = await activate();
		for (let time = 0; time < 3; time++) {
			expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
		}
		await webhook.idle();
		expect(webhook.executions).toHaveLength(1);
	},
);

test('each event starts the workflow once, in whatever order and however often it comes', async () => {
	const copies = fc.array(fc.nat({ max: EVENTS.length - 1 }), { minLength: 1, maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(copies, fc.integer({ min: 1, max: 20 }), async (order, atOnce) => {
			const webhook = await activate();
			for (let start = 0; start < order.length; start += atOnce) {
				const together = order.slice(start, start + atOnce);
				await Promise.all(together.map(async (index) => await deliver(webhook, EVENTS[index])));
			}
			await webhook.idle();
			const expected = [...new Set(order)].map((index) => EVENTS[index]);
			expect(texts(itemsOf(webhook))).toEqual(texts(expected));
		}),
		{ numRuns: 40 },
	);
});

test('copies that arrive at the same moment start the workflow once', async () => {
	const webhook = await activate();
	await Promise.all(Array.from({ length: 30 }, async () => await deliver(webhook, sent(501))));
	await webhook.idle();
	expect(webhook.executions).toHaveLength(1);
});

test('the same event by another webhook of the app is the same event', async () => {
	const webhook = await activate();
	expect(await itemsFrom(webhook, sent(501), { ...sent(501), webhook: 'second' })).toHaveLength(1);
});

test('what does not start the workflow is not remembered', async () => {
	const staticData = memoryStore();
	const common = { staticData, workflowId: 'filtered' };
	await itemsFrom(await activate({ events: ['message_edited'] }, common), sent(501));
	expect(await itemsFrom(await activate({}, common), sent(501))).toHaveLength(1);
});

test('the copies come 10 and 30 seconds later, also with what others do in between', async () => {
	const webhook = await activate();
	const join = memberEvent('member_joined', 'support', { noor: {} });
	for (const seconds of [0, 10, 30]) {
		passTime(seconds);
		await deliver(webhook, sent(501));
		await deliver(webhook, join);
		await deliver(webhook, sent(900 + seconds));
	}
	await webhook.idle();
	expect(webhook.executions).toHaveLength(5);
});

test('what tells its time is remembered for an hour, the rest for two minutes', async () => {
	const webhook = await activate();
	const left = memberEvent('member_left', 'support', { noor: {} });
	await itemsFrom(webhook, sent(501), left);
	passTime(100);
	expect(await itemsFrom(webhook, sent(501), left)).toHaveLength(2);
	passTime(30);
	expect(await itemsFrom(webhook, sent(501), left)).toEqual([sent(501), left, left]);
	passTime(3_000);
	expect(await itemsFrom(webhook, sent(501))).toHaveLength(3);
	passTime(600);
	expect(await itemsFrom(webhook, sent(501))).toHaveLength(4);
});

test.each(
	[
		sent(501),
		mentioned(501, ['noor']),
		edited(501, 'First'),
		deleted(501),
		reaction('added'),
		groupEvent('created', 'a'),
		groupEvent('updated', 'a'),
	].map((event): [string, Envelope] => [event.trigger, event]),
)('a %s is remembered for an hour, by what it says of itself', async (_trigger, delivery) => {
	const webhook = await activate();
	const { data } = delivery;
	await itemsFrom(webhook, delivery);
	passTime(3_500);
	// Sent again, with a field that says nothing of the event
	await itemsFrom(webhook, { ...delivery, data: { ...data, attempt: 2 } });
	expect(webhook.executions).toHaveLength(1);
	passTime(200);
	expect(await itemsFrom(webhook, delivery)).toHaveLength(2);
});

/** A delivery without some of its fields, wherever they are. */
function without(delivery: Envelope, ...names: string[]): Envelope {
	return JSON.parse(
		JSON.stringify(delivery, (name, value) => (names.includes(name) ? undefined : value)),
	);
}

test.each([
	['reaction without a time', without(reaction('removed'), 'reactedAt')],
	['group without a time', without(groupEvent('updated', 'a'), 'updatedAt')],
	['new group without a time', without(groupEvent('created', 'a'), 'createdAt')],
	['edit without a time', without(edited(501, 'x'), 'editedAt', 'updatedAt')],
	['message without an ID', without(sent(501), 'id')],
])('a %s is remembered for two minutes only', async (_what, delivery) => {
	const webhook = await activate();
	await itemsFrom(webhook, delivery, delivery);
	expect(webhook.executions).toHaveLength(1);
	passTime(121);
	expect(await itemsFrom(webhook, delivery)).toHaveLength(2);
});

test('a test event starts the workflow as often as it comes, and is not remembered', async () => {
	const staticData = memoryStore();
	const common = { staticData, workflowId: 'tried out' };
	const trial = await activate({}, { ...common, mode: 'manual' });
	expect(await itemsFrom(trial, sent(501), sent(501), sent(501))).toHaveLength(3);
	expect(await staticData.load()).toBe('{}');
	expect(await itemsFrom(await activate({}, common), sent(501), sent(501))).toHaveLength(1);
});

test('nodes do not know of each other', async () => {
	const [first, second] = [await activate(), await activate()];
	expect(await itemsFrom(first, sent(501))).toHaveLength(1);
	expect(await itemsFrom(second, sent(501))).toHaveLength(1);
});

describe('what is saved', () => {
	const savedIn = async (staticData: ReturnType<typeof memoryStore>): Promise<string> => {
		const [node] = Object.values<{ deliveries: string }>(JSON.parse(await staticData.load()));
		return node.deliveries;
	};

	test('is bounded, and holds nothing of the events', async () => {
		const staticData = memoryStore();
		const webhook = await activate({}, { staticData });
		const ids = Array.from({ length: 1_200 }, (_, id) => id);
		await Promise.all(ids.map(async (id) => await deliver(webhook, sent(`secret-${id}`))));
		await webhook.idle();
		await itemsFrom(webhook, sent('last'));
		const saved = await savedIn(staticData);
		expect(saved.split(' ')).toHaveLength(1_000);
		expect(saved.length).toBeLessThan(25_000);
		expect(saved).toMatch(/^[0-9a-f]{16}:[0-9a-z]+( [0-9a-f]{16}:[0-9a-z]+)*$/);
		expect(Object.keys(JSON.parse(await staticData.load()))).toHaveLength(1);
	});

	test('loses what has expired', async () => {
		const staticData = memoryStore();
		const webhook = await activate({}, { staticData });
		await itemsFrom(webhook, sent(1), sent(2), memberEvent('member_left', 'a', { noor: {} }));
		expect((await savedIn(staticData)).split(' ')).toHaveLength(3);
		passTime(200);
		await itemsFrom(webhook, sent(3));
		expect((await savedIn(staticData)).split(' ')).toHaveLength(3);
		passTime(3_700);
		await itemsFrom(webhook, sent(4));
		expect((await savedIn(staticData)).split(' ')).toHaveLength(1);
	});

	test('is read when the process does not know the node', async () => {
		const staticData = memoryStore();
		await itemsFrom(await activate({}, { staticData }), sent(501), sent(502));
		// Another workflow ID stands for a process that starts: the memory of this one is kept by it
		const restarted = await activate({}, { staticData, workflowId: 'after a restart' });
		expect(await itemsFrom(restarted, sent(501), sent(503), sent(502))).toEqual([sent(503)]);
	});

	test.each(['5', '"x y z"', '"0123456789abcdef:zzzzzzzzzzzz"', '{"a":1}', 'null', '[[]]', '""'])(
		'does no harm when it is %s',
		async (deliveries) => {
			const json = `{"node:CometChat Trigger":{"deliveries":${deliveries}}}`;
			const webhook = await activate({}, { staticData: memoryStore(json) });
			expect(await itemsFrom(webhook, sent(501), sent(501))).toHaveLength(1);
		},
	);

	test('of two processes comes together again when one overwrote the other', async () => {
		const staticData = memoryStore();
		const processes = ['one process', 'another process'].map((workflowId) => ({
			staticData,
			workflowId,
		}));
		const [one, another] = await Promise.all(
			processes.map(async (options) => await activate({}, options)),
		);
		const overwritten = await staticData.load();
		await itemsFrom(one, sent(501));
		await staticData.save(overwritten);
		await itemsFrom(one, sent(502));
		expect(await itemsFrom(another, sent(501), sent(502))).toEqual([]);
	});
});

test('an app ID, a member or a text that looks like the end of another is another event', async () => {
	const alike = [
		envelope('group_updated', { group: { ...group('a'), updatedAt: 1 } }),
		envelope('group_updated', { group: { ...group('a'), updatedAt: '1' } }),
		{ ...envelope('message_sent', { message: message(1) }), appId: `${APP_ID}1` },
		envelope('message_sent', { message: message(11) }),
	];
	expect(await itemsFrom(await activate(), ...alike)).toHaveLength(4);
});
