import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../nodes/CometChat/helpers/json';
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
import { SAMPLES } from './samples';
import { activate, itemsFrom } from './harness';

afterEach(() => jest.restoreAllMocks());

/** Delivers an event to a trigger with the default output, Simplified, and returns the items. */
async function simplify(delivery: object): Promise<IDataObject[]> {
	return await itemsFrom(await activate({ appEvents: 'always' }), delivery);
}

const isoTime = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');

const omitNull = (item: IDataObject) =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

test('Raw returns the envelope', async () => {
	expect(await itemsFrom(await activate({ output: 'raw' }), sent(501))).toEqual([sent(501)]);
});

test('Selected Fields returns columns, then fields of the message and of the envelope, and null for others', async () => {
	const fields = ['event', 'text', 'data.text', 'appId', 'data.group.guid', 'toString'];
	const webhook = await activate({ output: 'fields', fields });
	const { appId } = sent(501);
	expect(await itemsFrom(webhook, sent(501))).toEqual([
		{
			...{ id: '501', event: 'message_sent', text: 'Text 501', appId, toString: null },
			data: { text: 'Text 501', group: { guid: null } },
		},
	]);
});

test('Selected Fields finds the metadata of a message under its own name', async () => {
	const fields = ['metadata.user', 'tags'];
	const webhook = await activate({ output: 'fields', fields });
	const data = { text: 'Ticket', metadata: { user: 'tomas' } };
	expect(await itemsFrom(webhook, sent(501, { data, tags: ['ticket'] }))).toEqual([
		{ id: '501', metadata: { user: 'tomas' }, tags: ['ticket'] },
	]);
});

/** Lists the paths of all values in an object. A list counts as a value. */
const pathsOf = (value: IDataObject): string[] =>
	Object.entries(value).flatMap(([key, inner]) =>
		isObject(inner) ? pathsOf(inner).map((path) => `${key}.${path}`) : [key],
	);

test.each(SAMPLES)(
	'Selected Fields can return each column, and each path that Raw shows: $summary',
	async ({ value }) => {
		jest.spyOn(Date, 'now').mockReturnValue(1_770_000_000_999);
		const simplified = await simplify(value);
		const fields = [...Object.keys(simplified[0]), ...pathsOf(value)];
		const webhook = await activate({ output: 'fields', fields, appEvents: 'always' });
		expect(await itemsFrom(webhook, value)).toEqual([{ ...value, ...simplified[0] }]);
	},
);

describe('With Include Actions, an action message', () => {
	const itemOf = async (action: string, entities: IDataObject, includeActions = true) => {
		const changes = { type: 'groupMember', data: { action, entities } };
		const delivery = envelope('message_sent', { message: note(9, action, 'noor', {}, changes) });
		const webhook = await activate({ options: { includeActions } });
		const [item = {}] = await itemsFrom(webhook, delivery);
		return item;
	};
	const [noor, theo] = ['noor', 'theo'].map((uid) => ({ entity: user(uid), entityType: 'user' }));
	const support = { entity: { guid: 'support' }, entityType: 'group' };

	test('says what happened to whom', async () => {
		expect(await itemOf('kicked', { by: noor, on: theo, for: support })).toMatchObject({
			...{ sender: 'noor', action: 'kicked', uid: 'theo', name: 'THEO' },
		});
		expect(await itemOf('joined', { by: noor, on: support })).toMatchObject({
			...{ sender: 'noor', action: 'joined', uid: 'noor', name: 'NOOR' },
		});
	});

	test('about another message names no user', async () => {
		const delivery = envelope('message_sent', { message: note(9, 'edited', 'noor', message(501)) });
		const webhook = await activate({ options: { includeActions: true } });
		expect(await itemsFrom(webhook, delivery)).toMatchObject([{ action: 'edited', uid: null }]);
	});

	test('has the same columns as any other message', async () => {
		const webhook = await activate({ options: { includeActions: true } });
		const [item = {}] = await itemsFrom(webhook, sent(501));
		expect(item).toMatchObject({ action: null, uid: null, name: null });
		expect(Object.keys(await itemOf('kicked', {}))).toEqual(Object.keys(item));
		expect(Object.keys((await simplify(sent(501)))[0])).not.toContain('action');
	});
});

const VARIANTS: Array<[string, Envelope]> = [
	['a reply in a thread', sent(502, { parentId: '501' })],
	['an edit without a user and a time', editedLive(501, 'New', { updatedAt: 160 })],
	[
		'an edit with two different users',
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
		'a new group by a user who is not its owner',
		envelope('group_created', { group: group('a'), by: user('noor'), members: {} }),
	],
	['a removed member', memberEvent('member_kicked', 'a', { noor: {} })],
	[
		'a banned member beside the user who banned them',
		memberEvent('member_banned', 'a', { mira: {}, noor: {} }, 'Mira'),
	],
	[
		'a lifted ban with only the user who lifted it',
		memberEvent('member_unbanned', 'a', { mira: {} }, 'mira'),
	],
];

/** Delivery time in Unix seconds, which is used if an event doesn't contain a time. */
const NOW = 1_770_000_000;

test.each(SAMPLES)(
	'has the columns that the contract names: $value.trigger: $summary',
	async ({ value, 'x-item': { at = NOW, ...columns } }) => {
		jest.spyOn(Date, 'now').mockReturnValue(NOW * 1_000 + 999);
		expect(await simplify(value)).toMatchObject([{ at: isoTime(Number(at)), ...columns }]);
	},
);

const ROWS = SAMPLES.map(({ summary, value }): [string, Envelope] => [
	`${value.trigger}: ${summary}`,
	value,
]);

test.each([...ROWS, ...VARIANTS])('has flat columns: %s', async (_what, delivery) => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW * 1_000 + 999);
	const [item, ...others] = await simplify(delivery);
	const columns = Object.keys(item);
	expect(columns.slice(0, 2)).toEqual(['event', 'at']);
	// The user's column comes after the columns for the event, its time, and its subject
	if ('by' in item) expect(columns.indexOf('by')).toBe(Math.min(4, columns.length - 2));
	expect(Object.values(item).filter(isObject)).toEqual([]);
	expect(omitNull(item)).toMatchSnapshot();
	expect(others).toEqual([]);
});

test('returns one item per member or blocked user', async () => {
	const members = { noor: { scope: 'admin' }, theo: { scope: 'moderator' } };
	expect(
		await simplify(memberEvent('member_scope_changed', 'support', members, 'mira')),
	).toMatchObject([
		{ uid: 'noor', scope: 'admin', guid: 'support', by: 'mira' },
		{ uid: 'theo', scope: 'moderator', groupName: 'Group support', byName: 'MIRA' },
	]);
	const both = await simplify(
		envelope('user_unblocked', {
			users: { noor: user('noor'), theo: user('theo') },
			by: user('mira'),
		}),
	);
	expect(both).toMatchObject([{ uid: 'noor' }, { uid: 'theo' }]);
});

test('reads members with their UIDs as keys', async () => {
	const byKey = envelope('group_member_added', { group: group('b'), members: { theo: {} } });
	expect(await simplify(byKey)).toMatchObject([{ uid: 'theo', guid: 'b' }]);
});

// hostile.test.ts tests a longer name
test.each(['something_new', 'x'.repeat(100)])(
	'returns the unknown event %s unchanged',
	async (name) => {
		const delivery = envelope(name, { id: '1', receiver: 'noor', status: 'sent' });
		expect(await simplify(delivery)).toEqual([delivery]);
	},
);

test('returns the rule, the reason and the actions of moderation, from both known formats', async () => {
	const rule = { id: 'r', name: 'Words', revisionId: '1', action: ['blockMessage', 'kick'] };
	const condition = { entity: 'message', message: ['lamp', 'oil'] };
	const inList = [{ rule: { ...rule, blockedAt: 1_760_000_222.5 }, condition }];
	const delivery = envelope('moderation_engine_blocked', {
		message: message(7),
		moderation: inList,
	});
	expect(await simplify(delivery)).toMatchObject([
		{ at: isoTime(1_760_000_222), ruleName: 'Words', reason: ['lamp', 'oil'] },
	]);
	const select = async (envelope: Envelope) =>
		await itemsFrom(await activate({ output: 'fields', fields: ['actions', 'sentAt'] }), envelope);
	expect(await select(delivery)).toEqual([
		{ id: '7', actions: ['blockMessage', 'kick'], sentAt: isoTime(1_760_000_000) },
	]);
	const data = {
		text: 'x',
		moderation: { status: 'disapproved', rule: { id: 'r', name: 'Words' } },
	};
	const within = envelope('moderation_engine_blocked', { message: message(8, { data }) });
	expect(await simplify(within)).toMatchObject([
		{ moderationStatus: 'disapproved', ruleName: 'Words', reason: null },
	]);
	expect(await select(within)).toMatchObject([{ actions: null }]);
});

test.each([
	...['message_sent', 'message_edited', 'message_deleted', 'message_pinned'],
	...['message_reaction_added', 'message_read_receipt', 'group_updated', 'group_member_left'],
	...['user_blocked', 'user_connection_status_changed', 'call_initiated', 'call_started'],
	...['after_feed_item_read', 'after_push_notification_sent', 'after_campaign_failed'],
])('returns a %s of an unknown format unchanged', async (trigger) => {
	const delivery = envelope(trigger, { something: { else: true }, user: 'noor' });
	expect(await simplify(delivery)).toEqual([delivery]);
});

test('Simplified contains no objects from unexpected values', async () => {
	const odd = { sender: { a: 1 }, sentAt: { b: 2 }, data: { entities: { sender: 5 } } };
	const [item] = await simplify(envelope('message_sent', { message: { ...message(1), ...odd } }));
	expect(Object.values(item).flat().filter(isObject)).toEqual([]);
});
