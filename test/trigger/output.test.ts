import type { IDataObject } from 'n8n-workflow';

import { EVENTS } from '../../nodes/CometChat/trigger/events';
import {
	editedLive,
	envelope,
	group,
	memberEvent,
	message,
	note,
	sent,
	user,
	type Envelope,
} from './envelopes';
import { DOINGS, NAMELESS } from './samples';
import { activate, itemsFrom } from './harness';

afterEach(() => jest.restoreAllMocks());

/** Every event that is known starts the workflow. */
const all = { appEvents: 'always' };

/** The items of a delivery, by default: simplified. */
async function simplified(delivery: object): Promise<IDataObject[]> {
	return await itemsFrom(await activate(all), delivery);
}

const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');

/** Values that are neither plain nor lists of plain values. */
const nestedIn = (item: IDataObject) =>
	Object.values(item)
		.flat()
		.filter((value) => value && typeof value === 'object');

/** What has a value. */
const filled = (item: IDataObject) =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

test('raw is the envelope', async () => {
	expect(await itemsFrom(await activate({ output: 'raw' }), sent(501))).toEqual([sent(501)]);
});

test('selected fields are taken from the envelope, what is not there is left out', async () => {
	const fields = ['trigger', 'data.message.data.text', 'data.group.guid', 'toString'];
	const webhook = await activate({ output: 'fields', fields });
	expect(await itemsFrom(webhook, sent(501))).toEqual([
		{ trigger: 'message_sent', data: { message: { data: { text: 'Text 501' } } } },
	]);
});

/** What is told otherwise than by default. */
const OTHERS: Array<[string, Envelope]> = [
	['a reply in a thread', sent(502, { parentId: '501' })],
	['an edit that says neither who nor when', editedLive(501, 'New', { updatedAt: 160 })],
	[
		'an edit whose note names another user',
		envelope('message_edited', {
			message: note(9, 'edited', 'theo', { id: '501', editedBy: 'NOOR', editedAt: 1 }),
		}),
	],
	[
		'a receipt with its time as text',
		envelope('message_read_by_all', {
			receiver: 'support',
			body: { messageId: '501', action: 'readByAll', timestamp: '1760000600123' },
		}),
	],
	[
		'a new group that another user than its owner created',
		envelope('group_created', { group: group('a'), by: user('noor'), members: {} }),
	],
	['a removed member', memberEvent('member_kicked', 'a', { noor: {} })],
	[
		'a banned member, told together with the user who did it',
		memberEvent('member_banned', 'a', { mira: {}, noor: {} }, 'Mira'),
	],
	[
		'a lifted ban that tells only who did it',
		memberEvent('member_unbanned', 'a', { mira: {} }, 'mira'),
	],
];

/** When it is told, for what does not say when it happened. */
const NOW = 1_770_000_000;

const OF_NOOR = DOINGS.map(([what, told, item]): [string, Envelope, IDataObject] => [
	`noor ${what}`,
	told('noor'),
	{ by: 'noor', ...item },
]).filter(([, { trigger }]) => !trigger.startsWith('something'));

const OF_NOBODY = NAMELESS.map(([what, told, item]): [string, Envelope, IDataObject] => [
	what,
	told,
	{ by: null, byName: null, ...item },
]);

test.each([...OF_NOOR, ...OF_NOBODY])(
	'%s: what happened, when, to whom, and who did it',
	async (_what, delivery, expected) => {
		jest.spyOn(Date, 'now').mockReturnValue(NOW * 1_000 + 999);
		const [item, ...others] = await simplified(delivery);
		const { at = NOW, by, ...rest } = expected;
		// Who did it to themselves is told by the columns of the user
		const [who, name] = 'by' in item ? [item.by, item.byName] : [item.uid, item.name];
		expect(item).toMatchObject({ event: delivery.trigger, at: isoTime(Number(at)), ...rest });
		expect(who).toBe(by);
		// The name comes with the UID wherever the delivery has both
		const isNamed = JSON.stringify(delivery).includes('"NOOR"');
		if (by === 'noor') expect(name).toBe(isNamed ? 'NOOR' : null);
		expect(others).toEqual([]);
	},
);

test.each(
	[...OF_NOOR, ...OF_NOBODY, ...OTHERS].map(([what, told]): [string, Envelope] => [what, told]),
)('%s, simplified', async (_what, delivery) => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW * 1_000 + 999);
	const [item, ...others] = await simplified(delivery);
	const columns = Object.keys(item);
	expect(columns.slice(0, 2)).toEqual(['event', 'at']);
	// After the two columns that say what it is about
	if ('by' in item) expect(columns.indexOf('by')).toBe(Math.min(4, columns.length - 2));
	expect(nestedIn(item)).toEqual([]);
	expect(filled(item)).toMatchSnapshot();
	expect(others).toEqual([]);
});

test('several members or blocked users come as one item each', async () => {
	const members = { noor: { scope: 'admin' }, theo: { scope: 'moderator' } };
	expect(
		await simplified(memberEvent('member_scope_changed', 'support', members, 'mira')),
	).toMatchObject([
		{ uid: 'noor', scope: 'admin', guid: 'support', by: 'mira' },
		{ uid: 'theo', scope: 'moderator', groupName: 'Group support', byName: 'MIRA' },
	]);
	const both = await simplified(
		envelope('user_unblocked', {
			users: { noor: user('noor'), theo: user('theo') },
			by: user('mira'),
		}),
	);
	expect(both).toMatchObject([{ uid: 'noor' }, { uid: 'theo' }]);
});

test('members are read from a list too, and take their UID from its key', async () => {
	const asList = envelope('group_member_added', { group: group('a'), members: [user('noor')] });
	expect(await simplified(asList)).toMatchObject([{ uid: 'noor', guid: 'a' }]);
	const byKey = envelope('group_member_added', { group: group('b'), members: { theo: {} } });
	expect(await simplified(byKey)).toMatchObject([{ uid: 'theo', guid: 'b' }]);
});

test('an event that is not in the list stays raw', async () => {
	const delivery = envelope('something_new', { id: '1', receiver: 'noor', status: 'sent' });
	expect(await simplified(delivery)).toEqual([delivery]);
});

test('moderation says which rule was met, why, and what it did, in both shapes that were seen', async () => {
	const rule = { id: 'r', name: 'Words', revisionId: '1', action: ['blockMessage', 'kick'] };
	const condition = { entity: 'message', message: ['lamp', 'oil'] };
	const inList = [{ rule: { ...rule, blockedAt: 1_760_000_222.5 }, condition }];
	const told = envelope('moderation_engine_blocked', { message: message(7), moderation: inList });
	expect(await simplified(told)).toMatchObject([
		{
			at: isoTime(1_760_000_222),
			ruleName: 'Words',
			reason: ['lamp', 'oil'],
			actions: ['blockMessage', 'kick'],
		},
	]);
	const data = {
		text: 'x',
		moderation: { status: 'disapproved', rule: { id: 'r', name: 'Words' } },
	};
	const within = envelope('moderation_engine_blocked', { message: message(8, { data }) });
	expect(await simplified(within)).toMatchObject([
		{ moderationStatus: 'disapproved', ruleName: 'Words', reason: null, actions: null },
	]);
});

test('every event in the menu has a shape of its own here', () => {
	const shown = [...OF_NOOR, ...OF_NOBODY].map(([, { trigger }]) => trigger);
	const inMenu = EVENTS.map(({ trigger }) => trigger).sort();
	expect([...new Set(shown)].sort()).toEqual(inMenu);
});

test.each([
	...['message_sent', 'message_edited', 'message_deleted', 'message_pinned'],
	...['message_reaction_added', 'message_read_receipt', 'group_updated', 'group_member_left'],
	...['user_blocked', 'user_connection_status_changed', 'call_initiated', 'call_started'],
	...['after_feed_item_read', 'after_push_notification_sent', 'after_campaign_failed'],
])('a %s of another shape stays raw', async (trigger) => {
	const delivery = envelope(trigger, { something: { else: true }, user: 'noor' });
	expect(await simplified(delivery)).toEqual([delivery]);
});

test('simplified items are flat', async () => {
	const odd = { sender: { a: 1 }, sentAt: { b: 2 }, data: { entities: { sender: 5 } } };
	const [item] = await simplified(envelope('message_sent', { message: { ...message(1), ...odd } }));
	expect(nestedIn(item)).toEqual([]);
});
