import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { fieldByPath, setField } from '../../nodes/CometChat/transport/json';
import { EVENTS as DECLARED } from '../../nodes/CometChat/trigger/events';
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
import { sampled } from './samples';
import { LOGIN, activate, basic, deliver, itemsFrom } from './harness';

const RAW = { output: 'raw', appEvents: 'always', options: { includeActions: true } };

/** Moves the clock of durations: nothing else of it is replaced, so sockets and timers go on. */
function setClock(ms: number): void {
	jest.spyOn(performance, 'now').mockReturnValue(1_000_000 + ms);
}

afterEach(() => jest.restoreAllMocks());

const member = (name: string, guid = 'support', uid = 'noor') =>
	memberEvent(`member_${name}`, guid, { [uid]: {} }, 'mira');

/** An edit as CometChat documents it: a note that contains the edited message. */
const editedInNote = (id: number, changes: IDataObject) =>
	envelope('message_edited', { message: note(9, 'edited', 'noor', message(id, changes)) });

const presence = (uid: string, status = 'online', at = '1760000800123') =>
	sampled('user_connection_status_changed', uid, { online: status, 1760000800123: at });

/** Deliveries that are different events, however alike they are. */
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
	// Edits of one message in one second
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

/** Each part of what tells an event from others of its type. */
const PARTS = DECLARED.flatMap(({ trigger, key = [] }) => key.map((part) => [trigger, part]));

test.each(PARTS)('%s: another %s is another event', async (trigger, part) => {
	const event = sampled(trigger);
	const other = structuredClone(event);
	setField(other.data, part, `${String(fieldByPath(part)(event.data))}1`);
	expect(await itemsFrom(await activate(RAW), event, other)).toEqual([event, other]);
});

test('every event starts the workflow', async () => {
	expect(await itemsFrom(await activate(RAW), ...EVENTS)).toEqual(EVENTS);
});

test('a second webhook on the same URL tells of the same events', async () => {
	const both = EVENTS.flatMap((event) => [event, { ...event, webhook: 'second' }]);
	expect(await itemsFrom(await activate(RAW), ...both)).toEqual(EVENTS);
	// One after the other, in whatever order
	const left = Array.from({ length: 3 }, () => member('left'));
	const again = left.map((event) => ({ ...event, webhook: 'second' }));
	expect(await itemsFrom(await activate(RAW), ...left, ...again)).toHaveLength(3);
	const mixed = [again[0], left[0], again[1], again[2], left[1], left[2]];
	expect(await itemsFrom(await activate(RAW), ...mixed)).toHaveLength(3);
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
	['is stored', [200, 200], 1, () => {}],
	[
		'could not be stored',
		[200, 500],
		1,
		(number: number) => {
			if (number === 1) throw new Error('No database');
		},
	],
])(
	'a repetition is answered when the first delivery %s, and takes over if it must',
	async (_, statuses, executions, end) => {
		let store = () => {};
		let number = 0;
		const storing = new Promise<void>((resolve) => (store = resolve));
		const webhook = await activate(RAW, {
			onStore: async () => {
				number++;
				const own = number;
				await storing;
				end(own);
			},
		});
		const first = deliver(webhook, sent(501)).catch(() => undefined);
		const repetition = deliver(webhook, sent(501));
		const early = await Promise.race([first, repetition, wait(300)]);
		expect(early).toBeUndefined();
		store();
		const answers = await Promise.all([first, repetition]);
		expect(answers.map((answer) => answer?.status).sort()).toEqual(statuses);
		expect(webhook.executions).toHaveLength(executions);
	},
);

test('of several that wait, one takes over, and the next when that fails too', async () => {
	let failures = 2;
	const webhook = await activate(RAW, {
		onStore: async () => {
			await wait(20);
			if (failures-- > 0) throw new Error('No database');
		},
	});
	const answers = await Promise.all(
		Array.from({ length: 5 }, async () => await deliver(webhook, sent(501))),
	);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 500, 500]);
	expect(webhook.executions).toHaveLength(1);
});

/** Events without a time or an ID of their own. */
const LOOK_ALIKES: Envelope[] = [
	member('left'),
	member('banned'),
	memberEvent('member_unbanned', 'support', { mira: {} }, 'mira'),
	groupEvent('deleted', 'a'),
	sampled('user_blocked'),
	sampled('moderation_engine_blocked'),
	envelope('call_participant_joined', { occupant: { uid: '' }, sessionId: 's' }),
	sampled('user_connection_status_changed', 'noor', { 1760000800123: 'null' }),
	sampled('user_connection_status_changed', 'noor', { 1760000800123: '0' }),
	envelope('something_new', { a: 1 }),
];

describe.each(LOOK_ALIKES.map((event): [string, Envelope] => [event.trigger, event]))(
	'%s, which has no time of its own,',
	(_, event) => {
		test('starts the workflow each time when it was answered in time', async () => {
			const webhook = await activate(RAW);
			expect(await itemsFrom(webhook, event, event, event)).toHaveLength(3);
		});

		test('starts it once every 50 seconds, for ten minutes', async () => {
			const webhook = await activate(RAW);
			for (let second = 0; second < 600; second += 50) {
				setClock(1_000 * second);
				await deliver(webhook, event);
			}
			await webhook.idle();
			expect(webhook.executions).toHaveLength(12);
		});

		test('starts it twice when it happens twice at the same moment', async () => {
			const webhook = await activate(RAW, { onStore: async () => void (await wait(50)) });
			await Promise.all([deliver(webhook, event), deliver(webhook, event)]);
			await webhook.idle();
			expect(webhook.executions).toHaveLength(2);
		});
	},
);

/** Events with a time or an ID of their own. */
const OWN: Envelope[] = [
	sent(501),
	edited(501, 'x'),
	editedLive(501, 'x'),
	deleted(501),
	reaction('added'),
	reaction('removed'),
	groupEvent('created', 'a'),
	sampled('message_pinned'),
	sampled('message_read_receipt'),
	presence('noor'),
	sampled('call_initiated'),
	sampled('call_started'),
	sampled('call_participant_joined'),
	envelope('call_participant_left', { occupant: { name: 'Mira', left_at: 12 }, sessionId: 's' }),
	envelope('after_campaign_completed', { campaignId: '1' }),
];

test.each(OWN.map((event): [string, Envelope] => [event.trigger, event]))(
	'%s, which has a time or an ID of its own, is known by it whatever else came and changed',
	async (_, event) => {
		const webhook = await activate(RAW);
		const others = [
			edited(501, 'y', { editedAt: 1_760_000_111 }),
			member('left'),
			presence('theo'),
		];
		// People's status is another one when the service tells it again
		const again = JSON.parse(JSON.stringify(event).replaceAll('"offline"', '"away"')) as Envelope;
		setClock(0);
		await itemsFrom(webhook, event, ...others);
		setClock(30_000);
		await itemsFrom(webhook, again);
		setClock(44_900);
		expect(await itemsFrom(webhook, again)).toEqual([event, ...others]);
		setClock(45_100);
		expect(await itemsFrom(webhook, event)).toHaveLength(5);
	},
);

const REPEATED: Array<[string, Envelope[]]> = [
	[
		'edits',
		[edited(501, 'One'), edited(501, 'Two', { noteId: 2 }), edited(501, 'Three', { noteId: 3 })],
	],
	['a member added and promoted', [member('added'), member('scope_changed')]],
	['a member who left, joined and left', [member('left'), member('joined'), member('left')]],
	[
		'presence',
		[
			presence('noor', 'online', '1'),
			presence('noor', 'offline', '2'),
			presence('noor', 'online', '3'),
		],
	],
	[
		'participants without uid',
		['Mira', 'Noor', 'Theo'].map((name, index) =>
			envelope('call_participant_joined', {
				occupant: { name, joined_at: 10 + index },
				sessionId: 's',
			}),
		),
	],
	[
		'two bans lifted by one moderator',
		['noor', 'theo'].map((uid) =>
			memberEvent('member_unbanned', 'a', { mira: {}, [uid]: {} }, 'mira'),
		),
	],
	[
		'what is not in the list',
		[envelope('something_new', { a: 1 }), envelope('something_new', { a: 2 })],
	],
];

describe.each(REPEATED)(
	'Deliveries that are repeated in turns, to a caller who gave up: %s',
	(_, all) => {
		/** Delivers and gives up as CometChat does; n8n goes on. */
		const giveUp = async (webhook: Awaited<ReturnType<typeof activate>>, event: Envelope) => {
			const controller = new AbortController();
			setTimeout(() => controller.abort(), 60);
			await fetch(webhook.url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', authorization: basic(LOGIN) },
				body: JSON.stringify(event),
				signal: controller.signal,
			}).catch(() => {});
		};

		test('start the workflow once each', async () => {
			let isSlow = true;
			const webhook = await activate(RAW, {
				onStore: async () => void (isSlow && (await wait(200))),
			});
			const clock = jest.spyOn(performance, 'now');
			let time = 1_000_000;
			clock.mockImplementation(() => time);
			for (const event of all) {
				time += 2_000;
				await giveUp(webhook, event);
			}
			await webhook.idle();
			isSlow = false;
			for (const delay of [10_000, 20_000]) {
				time += delay;
				for (const event of all) expect((await deliver(webhook, event)).status).toBe(200);
			}
			const distinct = new Set(all.map((event) => JSON.stringify(event))).size;
			await webhook.idle();
			expect(webhook.executions.length).toBeGreaterThanOrEqual(distinct);
			expect(webhook.executions.length).toBeLessThanOrEqual(all.length);
		});
	},
);

test('a late answer, and the same for a minute after it, is a repetition; then it is new', async () => {
	const event = member('left');
	for (const [again, executions] of [
		[109_900, 1],
		[110_100, 2],
	]) {
		const webhook = await activate(RAW, { onStore: () => setClock(50_000) });
		setClock(0);
		await deliver(webhook, event);
		setClock(again);
		expect(await itemsFrom(webhook, event)).toHaveLength(executions);
	}
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
