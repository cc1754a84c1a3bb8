import { setTimeout as wait } from 'node:timers/promises';

import { memoryStore } from '../../engine/webhook';
import type { Envelope } from './envelopes';
import {
	blocked,
	call,
	deleted,
	edited,
	editedLive,
	envelope,
	groupEvent,
	marked,
	memberEvent,
	mentioned,
	moderated,
	participant,
	presence,
	reaction,
	receipt,
	sent,
	sessionStart,
	user,
} from './envelopes';
import { activate, deliver, itemsFrom } from './harness';

const RAW = { output: 'raw', options: { ignoreSenders: [], includeActions: true } };

/** Moves the clock: nothing else of it is replaced, so sockets and timers go on. */
function setClock(ms: number): void {
	jest.spyOn(Date, 'now').mockReturnValue(1_760_001_000_000 + ms);
}

afterEach(() => jest.restoreAllMocks());

const member = (name: string, guid = 'support', uid = 'noor') =>
	memberEvent(`member_${name}`, guid, { [uid]: {} }, 'mira');

/** Deliveries that are different events, however alike they are. */
const EVENTS: Envelope[] = [
	sent(501),
	sent(502),
	{ ...sent(501), appId: 'another' },
	mentioned(501, ['noor']),
	mentioned(501, ['noor', 'theo']),
	edited(501, 'First'),
	edited(501, 'Second'),
	edited(501, 'Second', { noteId: 777 }),
	edited(502, 'First'),
	deleted(501),
	deleted(502),
	reaction('added'),
	reaction('added', { id: 72, reactedAt: 1_760_000_301 }),
	reaction('added', { emoji: '👍🏽' }),
	reaction('added', { uid: 'noor' }),
	reaction('added', { messageId: '502' }),
	groupEvent('created', 'a'),
	groupEvent('created', 'b'),
	groupEvent('updated', 'a'),
	groupEvent('updated', 'a', { name: 'Another name in the same second' }),
	groupEvent('deleted', 'a'),
	groupEvent('owner_transferred', 'a', { oldOwner: 'noor' }),
	member('joined'),
	member('joined', 'random'),
	member('joined', 'support', 'theo'),
	receipt('message_read_receipt'),
	receipt('message_read_receipt', { uid: 'theo' }),
	receipt('message_read_receipt', { messageId: '502' }),
	call('initiated', 'mira'),
	call('rejected', 'noor'),
	sessionStart('call_started'),
	participant('call_participant_joined', 'mira'),
	participant('call_participant_joined', 'noor'),
	blocked('user_blocked', ['noor'], 'mira'),
	blocked('user_blocked', ['noor'], 'theo'),
	presence('noor'),
	presence('theo'),
	envelope('after_campaign_completed', { campaignId: '1' }),
	envelope('after_campaign_completed', { campaignId: '2' }),
	envelope('something_new', { user: user('noor') }),
];

test('every event starts the workflow, and once, however often each comes', async () => {
	const twice = EVENTS.flatMap((event) => [event, event, { ...event, webhook: 'second' }]);
	expect(await itemsFrom(await activate(RAW), ...twice)).toEqual(EVENTS);
});

test('a repetition is answered with 200', async () => {
	const webhook = await activate(RAW);
	await deliver(webhook, sent(501));
	expect(await deliver(webhook, sent(501))).toMatchObject({
		status: 200,
		text: '{"message":"This event was received before."}',
	});
});

test('copies that arrive at the same moment start the workflow once', async () => {
	const webhook = await activate(RAW);
	await Promise.all(Array.from({ length: 30 }, async () => await deliver(webhook, sent(501))));
	await webhook.idle();
	expect(webhook.executions).toHaveLength(1);
});

test('an event that n8n could not store is new when it comes again', async () => {
	let failures = 1;
	const webhook = await activate(RAW, {
		onStore: () => {
			if (failures-- > 0) throw new Error('No database');
		},
	});
	const statuses = [];
	for (let attempt = 0; attempt < 3; attempt++) {
		statuses.push((await deliver(webhook, sent(501))).status);
	}
	expect(statuses).toEqual([500, 200, 200]);
	expect(webhook.executions).toHaveLength(1);
});

test.each([
	['is stored', 200, () => {}],
	[
		'could not be stored',
		503,
		() => {
			throw new Error('No database');
		},
	],
])('a repetition is answered when the first delivery %s, and says so', async (_, status, end) => {
	let store = () => {};
	const storing = new Promise<void>((resolve) => (store = resolve)).then(end);
	const webhook = await activate(RAW, { onStore: async () => await storing });
	const first = deliver(webhook, sent(501)).catch(() => undefined);
	const repetition = deliver(webhook, sent(501));
	const early = await Promise.race([first, repetition, wait(1_000)]);
	expect(early).toBeUndefined();
	store();
	const answers = await Promise.all([first, repetition]);
	expect(answers.map((answer) => answer?.status).sort()).toEqual(
		status === 200 ? [200, 200] : [500, 503],
	);
});

test('what else happens to a message does not make its events new again', async () => {
	const ofOneMessage = [
		sent(501),
		mentioned(501, ['noor']),
		editedLive(501, 'x'),
		receipt('message_delivery_receipt'),
		receipt('message_read_receipt'),
		reaction('added'),
		marked('pinned', 'mira'),
		moderated('engine_approved'),
		deleted(501),
	];
	const webhook = await activate(RAW);
	expect(await itemsFrom(webhook, ...ofOneMessage, ...ofOneMessage)).toEqual(ofOneMessage);
});

const UNDONE: Array<[Envelope, Envelope]> = [
	[member('left'), member('joined')],
	[member('kicked'), member('added')],
	[member('banned'), member('unbanned')],
	[member('scope_changed'), member('joined')],
	[reaction('added'), reaction('removed')],
	[marked('pinned', 'mira'), marked('unpinned', 'mira')],
	[blocked('user_blocked', ['noor'], 'mira'), blocked('user_unblocked', ['noor'], 'mira')],
	[moderated('engine_blocked'), moderated('manual_approved')],
	[
		participant('meeting_participant_left', 'mira'),
		participant('meeting_participant_joined', 'mira'),
	],
	[edited(501, 'This'), edited(501, 'That')],
	[groupEvent('updated', 'a', { name: 'This' }), groupEvent('updated', 'a', { name: 'That' })],
];

describe.each(
	UNDONE.map(([event, other]): [string, Envelope, Envelope] => [event.trigger, event, other]),
)('%s, undone and done again at once', (trigger, event, other) => {
	test('is another event each time', async () => {
		const webhook = await activate(RAW);
		const all = [event, other, event, other];
		expect(await itemsFrom(webhook, ...all)).toEqual(all);
	});

	test('is so too when the events between start nothing', async () => {
		const webhook = await activate({ ...RAW, events: [trigger] });
		expect((await itemsFrom(webhook, event, other, event)).at(-1)).toEqual(event);
		expect(webhook.executions.length).toBeGreaterThanOrEqual(2);
	});
});

test('what happened to several members can happen again only when it was undone for each', async () => {
	const both = memberEvent('member_added', 'a', { noor: {}, theo: {} }, 'mira');
	const webhook = await activate(RAW);
	const [theo, noor] = ['theo', 'noor'].map((uid) => member('kicked', 'a', uid));
	const all = await itemsFrom(webhook, both, theo, both, noor, both, both);
	expect(all).toEqual([both, theo, noor, both]);
});

test.each([sent(501), member('left'), envelope('something_new', { a: 1 })])(
	'a delivery counts as a repetition for a minute after the last: $trigger',
	async (delivery) => {
		const webhook = await activate(RAW);
		const startedAt = async (ms: number) => {
			setClock(ms);
			return (await itemsFrom(webhook, delivery)).length;
		};
		expect(await startedAt(0)).toBe(1);
		expect(await startedAt(59_999)).toBe(1);
		expect(await startedAt(119_998)).toBe(1);
		expect(await startedAt(179_998)).toBe(2);
		expect(await startedAt(180_000)).toBe(2);
	},
);

test('a delivery that n8n is slow to answer counts as a repetition for a minute after the answer', async () => {
	const webhook = await activate(RAW, { onStore: () => setClock(50_000) });
	setClock(0);
	await deliver(webhook, sent(501));
	setClock(109_999);
	expect(await itemsFrom(webhook, sent(501))).toHaveLength(1);
});

test('twenty thousand things are remembered, and no more', async () => {
	const webhook = await activate({ ...RAW, events: ['message_sent'] });
	const crowd = (guid: string, size: number) =>
		memberEvent(
			'member_added',
			guid,
			Object.fromEntries(Array.from({ length: size }, (_, id) => [`u${id}`, {}])),
		);
	await itemsFrom(webhook, sent(501), crowd('a', 19_000));
	expect(await itemsFrom(webhook, sent(501))).toHaveLength(1);
	// What is too much is forgotten with the next delivery, the oldest first
	await itemsFrom(webhook, crowd('b', 1_001), sent(502));
	expect(await itemsFrom(webhook, sent(501))).toHaveLength(3);
	expect(await itemsFrom(webhook, sent(502))).toHaveLength(3);
});

test('a test event starts the workflow as often as it comes, and is not remembered', async () => {
	const trial = await activate(RAW, { workflowId: 'tried out', mode: 'manual' });
	expect(await itemsFrom(trial, sent(501), sent(501))).toHaveLength(2);
	const published = await activate(RAW, { workflowId: 'tried out' });
	expect(await itemsFrom(published, sent(501))).toHaveLength(1);
});

test('workflows do not know of each other, nor do the nodes of one', async () => {
	const webhooks = [
		await activate(RAW, { workflowId: 'one' }),
		await activate(RAW, { workflowId: 'another' }),
		await activate(RAW, { workflowId: 'one', nodeId: 'second' }),
	];
	for (const webhook of webhooks) expect(await itemsFrom(webhook, sent(501))).toHaveLength(1);
	// The same node, as n8n loads it for the next delivery
	const again = await activate(RAW, { workflowId: 'one' });
	expect(await itemsFrom(again, sent(501))).toEqual([]);
});

test('what other nodes keep in the static data of the workflow is theirs', async () => {
	// While a delivery is handled, a Code node counts and the polling trigger goes on
	const counts = { global: { count: 0 }, 'node:CometChat Polling Trigger': { cursor: 0 } };
	const staticData = memoryStore();
	await staticData.save(JSON.stringify(counts));
	const webhook = await activate(RAW, {
		staticData: {
			...staticData,
			async load() {
				const loaded = await staticData.load();
				const { global, ...rest } = JSON.parse(loaded);
				const { cursor } = rest['node:CometChat Polling Trigger'];
				const next = {
					global: { count: global.count + 1 },
					'node:CometChat Polling Trigger': { cursor: cursor + 1 },
				};
				await staticData.save(JSON.stringify(next));
				return loaded;
			},
		},
	});
	await itemsFrom(webhook, ...Array.from({ length: 20 }, (_, id) => sent(id)), sent(1));
	expect(webhook.executions).toHaveLength(20);
	expect(JSON.parse(await staticData.load())).toEqual({
		global: { count: 21 },
		'node:CometChat Polling Trigger': { cursor: 21 },
	});
});
