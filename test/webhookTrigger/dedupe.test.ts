import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { createPathReader, setFieldAtPath } from '../../nodes/CometChat/helpers/json';
import { EVENTS as DECLARED } from '../../nodes/CometChat/webhookTrigger/events';
import {
	deleted,
	edited,
	editedLive,
	envelope,
	groupEvent,
	memberEvent,
	message,
	note,
	reaction,
	sent,
	user,
	type Envelope,
} from './envelopes';
import { TRIGGERS, sampled } from './samples';
import { LOGIN, activate, basic, deliver, itemsFrom } from './harness';

const RAW = { output: 'raw', appEvents: 'always', options: { includeActions: true } };

/** Mocks `performance.now`, which measures durations. Sockets and timers still use the real clock. */
function setClock(ms: number): void {
	jest.spyOn(performance, 'now').mockReturnValue(1_000_000 + ms);
}

afterEach(() => jest.restoreAllMocks());

const member = (name: string, guid = 'support', uid = 'noor') =>
	memberEvent(`member_${name}`, guid, { [uid]: {} }, 'mira');

/** Builds an edit in the documented format: an action message that contains the edited message. */
const editedInNote = (id: number, changes: IDataObject) =>
	envelope('message_edited', { message: note(9, 'edited', 'noor', message(id, changes)) });

const presence = (uid: string, status = 'online', at = '1760000800123') =>
	sampled('user_connection_status_changed', uid, { online: status, 1760000800123: at });

/** Distinct events, some of which are nearly identical. */
const EVENTS: Envelope[] = [
	sent(501),
	sent(502),
	{ ...sent(501), appId: 'another' },
	sampled('user_mentioned'),
	sampled('user_mentioned', 'theo'),
	edited(501, 'First'),
	edited(501, 'Second'),
	edited(501, 'Second', { noteId: 777 }),
	edited(502, 'First'),
	// Several edits to the same message within one second
	...[{ customData: { step: 1 } }, { customData: { step: 2 } }, { metadata: { step: 2 } }].map(
		(data) => editedLive(503, 'Same text', { data: { text: 'Same text', ...data } }),
	),
	editedLive(503, 'Same text', { tags: ['urgent'] }),
	...[{ customData: { step: 1 } }, { metadata: { step: 2 } }].map((data) =>
		editedInNote(504, { data: { text: 'Same text', ...data } }),
	),
	editedInNote(504, { tags: ['urgent'] }),
	deleted(501),
	deleted(502),
	reaction('added'),
	groupEvent('created', 'a'),
	groupEvent('updated', 'a'),
	groupEvent('updated', 'a', { name: 'Another name in the same second' }),
	groupEvent('deleted', 'a'),
	groupEvent('owner_transferred', 'a', { oldOwner: 'noor' }),
	member('joined'),
	member('joined', 'random'),
	member('joined', 'support', 'theo'),
	sampled('message_read_receipt'),
	sampled('message_read_receipt', 'theo'),
	sampled('message_read_receipt', 'noor', { 501: '502' }),
	sampled('call_initiated'),
	sampled('call_rejected'),
	sampled('call_started'),
	sampled('call_participant_joined', 'mira'),
	sampled('call_participant_joined'),
	sampled('user_blocked', 'mira'),
	sampled('user_blocked', 'leo'),
	presence('noor'),
	presence('theo'),
	envelope('after_campaign_completed', { campaignId: '1' }),
	envelope('after_campaign_completed', { campaignId: '2' }),
	envelope('something_new', { user: user('noor') }),
];

/** Fields that make up each event's deduplication key, paired with the event's trigger. */
const PARTS = DECLARED.flatMap(({ trigger, key = [] }) => key.map((part) => [trigger, part]));

test.each(PARTS)('%s: a different %s means a different event', async (trigger, part) => {
	const event = sampled(trigger);
	const other = structuredClone(event);
	setFieldAtPath(other.data, part, `${String(createPathReader(part)(event.data))}1`);
	expect(await itemsFrom(await activate(RAW), event, other)).toEqual([event, other]);
});

test('starts the workflow for each event', async () => {
	expect(await itemsFrom(await activate(RAW), ...EVENTS)).toEqual(EVENTS);
});

test('recognizes the same events from a second webhook, in any order', async () => {
	const both = EVENTS.flatMap((event) => [event, { ...event, webhook: 'second' }]);
	expect(await itemsFrom(await activate(RAW), ...both)).toEqual(EVENTS);
	const left = Array.from({ length: 3 }, () => member('left'));
	const again = left.map((event) => ({ ...event, webhook: 'second' }));
	const mixed = [again[0], left[0], again[1], again[2], left[1], left[2]];
	for (const deliveries of [[...left, ...again], mixed])
		expect(await itemsFrom(await activate(RAW), ...deliveries)).toHaveLength(3);
});

test('starts the workflow once for simultaneous copies, and responds to each', async () => {
	const webhook = await activate(RAW);
	const copies = Array.from({ length: 30 }, async () => await deliver(webhook, sent(501)));
	for (const { status } of await Promise.all(copies)) expect(status).toBe(200);
	expect(await deliver(webhook, sent(501))).toMatchObject({
		status: 200,
		text: '{"message":"This event was received before."}',
	});
	await webhook.idle();
	expect(webhook.executions).toHaveLength(1);
});

test.each([
	[1, 2, [200, 500]],
	[2, 5, [200, 200, 200, 500, 500]],
])(
	'with %i failures, %i simultaneous copies wait until one is stored',
	async (failures, count, statuses) => {
		let store = () => {};
		const storing = new Promise<void>((resolve) => (store = resolve));
		let remaining = failures;
		const onStore = async () => {
			await storing;
			if (remaining-- > 0) throw new Error('No database');
		};
		const webhook = await activate(RAW, { onStore });
		const deliveries = Array.from({ length: count }, async () => await deliver(webhook, sent(501)));
		expect(await Promise.race([...deliveries, wait(300)])).toBeUndefined();
		store();
		const answers = await Promise.all(deliveries);
		expect(answers.map(({ status }) => status).sort()).toEqual(statuses);
		expect(webhook.executions).toHaveLength(1);
	},
);

/** Names of events that contain neither a time nor an ID. */
const KEYLESS =
	/^(group_(member_\w+|updated|deleted|owner_transferred)|user_(un)?blocked|user_mentioned|moderation_(engine|manual)_(approved|blocked)|(email|sms)-\S+)$/;

const FIRST_SAMPLES = TRIGGERS.map((trigger) => sampled(trigger));

const LOOK_ALIKES = [
	...FIRST_SAMPLES.filter(({ trigger }) => KEYLESS.test(trigger)),
	envelope('call_participant_joined', { occupant: { uid: '' }, sessionId: 's' }),
	sampled('user_connection_status_changed', 'noor', { 1760000800123: 'null' }),
	sampled('user_connection_status_changed', 'noor', { 1760000800123: '0' }),
	envelope('something_new', { a: 1 }),
];

describe.each(LOOK_ALIKES.map((event): [string, Envelope] => [event.trigger, event]))(
	'%s, without a time or an ID,',
	(_, event) => {
		test('starts the workflow for each delivery after a timely response', async () => {
			const webhook = await activate(RAW);
			expect(await itemsFrom(webhook, event, event, event)).toHaveLength(3);
			for (let second = 50; second <= 600; second += 50) {
				setClock(1_000 * second);
				await deliver(webhook, event);
			}
			await webhook.idle();
			expect(webhook.executions).toHaveLength(15);
		});

		test('starts the workflow for each of two simultaneous deliveries', async () => {
			const webhook = await activate(RAW, { onStore: async () => await wait(50) });
			await Promise.all([deliver(webhook, event), deliver(webhook, event)]);
			await webhook.idle();
			expect(webhook.executions).toHaveLength(2);
		});
	},
);

/** Events that contain a time or an ID. */
const OWN = [
	...FIRST_SAMPLES.filter(({ trigger }) => !KEYLESS.test(trigger)),
	editedLive(501, 'x'),
	envelope('call_participant_left', { occupant: { name: 'Mira', left_at: 12 }, sessionId: 's' }),
];

test.each(OWN.map((event): [string, Envelope] => [event.trigger, event]))(
	'recognizes %s, which is not in KEYLESS, by its time or ID for a minute',
	async (_, event) => {
		const webhook = await activate(RAW);
		const others = [
			edited(501, 'y', { editedAt: 1_760_000_111 }),
			member('left'),
			presence('theo'),
		];
		// A user's status may have changed by the time the event is delivered again
		const again = JSON.parse(JSON.stringify(event).replaceAll('"offline"', '"away"')) as Envelope;
		setClock(0);
		await itemsFrom(webhook, event, ...others);
		setClock(30_000);
		await itemsFrom(webhook, again);
		setClock(59_900);
		expect(await itemsFrom(webhook, again)).toEqual([event, ...others]);
		setClock(60_100);
		expect(await itemsFrom(webhook, event)).toHaveLength(5);
	},
);

test.each([
	[1_500, 2],
	[1_501, 1],
])(
	'after a response within %i ms, an identical delivery makes %i executions',
	async (ms, count) => {
		const event = member('left');
		const webhook = await activate(RAW, { onStore: () => setClock(ms) });
		setClock(0);
		await deliver(webhook, event);
		expect(await itemsFrom(webhook, event)).toHaveLength(count);
	},
);

test('recognizes events that CometChat repeats because it gave up waiting', async () => {
	let giveUp: (() => void) | undefined;
	const webhook = await activate(RAW, {
		onStore: async () => {
			giveUp?.();
			if (giveUp) await wait(300);
		},
	});
	const events = [member('left'), member('joined')];
	for (const event of events) {
		const controller = new AbortController();
		giveUp = () => controller.abort();
		const headers = { 'content-type': 'application/json', authorization: basic(LOGIN) };
		const delivery = { method: 'POST', headers, body: JSON.stringify(event) };
		const { signal } = controller;
		await expect(fetch(webhook.url, { ...delivery, signal })).rejects.toThrow();
	}
	await webhook.idle();
	giveUp = undefined;
	expect(await itemsFrom(webhook, ...events, ...events)).toEqual(events);
});

test('recognizes a repetition of a late event for a minute', async () => {
	const event = member('left');
	for (const [again, executions] of [
		[59_900, 1],
		[60_100, 2],
	]) {
		const webhook = await activate(RAW, { onStore: () => setClock(50_000) });
		setClock(0);
		await deliver(webhook, event);
		setClock(again);
		expect(await itemsFrom(webhook, event)).toHaveLength(executions);
	}
});

test('starts the workflow for each test event, and forgets test events', async () => {
	const trial = await activate(RAW, { workflowId: 'tried out', mode: 'manual' });
	expect(await itemsFrom(trial, sent(501), sent(501))).toHaveLength(2);
	const published = await activate(RAW, { workflowId: 'tried out' });
	expect(await itemsFrom(published, sent(501))).toHaveLength(1);
});

test('remembers events separately for each workflow and node', async () => {
	const workflows = [
		{ workflowId: 'one' },
		{ workflowId: 'another' },
		{ workflowId: 'one', nodeId: 'second' },
	];
	for (const options of workflows) {
		expect(await itemsFrom(await activate(RAW, options), sent(501))).toHaveLength(1);
	}
	// n8n reloads the node for the next delivery
	expect(await itemsFrom(await activate(RAW, workflows[0]), sent(501))).toEqual([]);
});
