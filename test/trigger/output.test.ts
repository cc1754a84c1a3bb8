import { activate, itemsFrom } from './harness';
import {
	deleted,
	edited,
	envelope,
	group,
	groupEvent,
	memberEvent,
	mentioned,
	reaction,
	sent,
	user,
} from './envelopes';

const simplified = { events: ['*'], output: 'simplified' };

test('raw is the envelope', async () => {
	const delivery = sent(501);
	expect(await itemsFrom(await activate(), delivery)).toEqual([delivery]);
});

test('selected fields are taken from the envelope, what is not there is left out', async () => {
	const fields = ['trigger', 'data.message.data.text', 'data.group.guid', 'toString'];
	const webhook = await activate({ output: 'fields', fields });
	expect(await itemsFrom(webhook, sent(501))).toEqual([
		{ trigger: 'message_sent', data: { message: { data: { text: 'Text 501' } } } },
	]);
});

test('a simplified message is flat, with who sent it and when', async () => {
	expect(await itemsFrom(await activate(simplified), sent(501))).toEqual([
		{
			event: 'message_sent',
			at: 1_760_000_000,
			by: 'mira',
			byName: 'MIRA',
			id: '501',
			text: 'Text 501',
			sender: 'mira',
			receiver: 'support',
			receiverType: 'group',
			type: 'text',
			conversationId: 'group_support',
			sentAt: 1_760_000_000,
			updatedAt: 1_760_000_000,
		},
	]);
});

test('a simplified edit is the edited message and who edited it, not the note', async () => {
	const [item] = await itemsFrom(await activate(simplified), edited(501, 'New text'));
	expect(item).toMatchObject({
		event: 'message_edited',
		at: 1_760_000_100,
		by: 'noor',
		byName: 'NOOR',
		id: '501',
		text: 'New text',
		sender: 'mira',
	});
});

test('a simplified deletion says which message, by whom and when, and where it was', async () => {
	expect(await itemsFrom(await activate(simplified), deleted(501))).toEqual([
		{
			event: 'message_deleted',
			at: 1_760_000_200,
			by: 'noor',
			byName: 'NOOR',
			id: '501',
			deleted: true,
			deletedAt: 1_760_000_200,
			deletedBy: 'noor',
			receiver: 'support',
			receiverType: 'group',
			conversationId: 'group_support',
		},
	]);
});

test('a deletion whose note says little still tells who deleted the message', async () => {
	const entity = { id: '501', deletedAt: 1_760_000_200, deletedBy: 'noor' };
	const delivery = envelope('message_deleted', {
		message: { id: '9', data: { entities: { on: { entity } } } },
	});
	const [item] = await itemsFrom(await activate(simplified), delivery);
	expect(item).toMatchObject({ id: '501', by: 'noor', deletedBy: 'noor' });
	expect(item).not.toHaveProperty('byName');
});

test('a simplified reaction says who made it', async () => {
	expect(await itemsFrom(await activate(simplified), reaction('added'))).toEqual([
		{
			event: 'message_reaction_added',
			at: 1_760_000_300,
			by: 'mira',
			byName: 'MIRA',
			id: '71',
			messageId: '501',
			reaction: '👍',
			uid: 'mira',
			name: 'MIRA',
			reactedAt: 1_760_000_300,
		},
	]);
});

test('a reaction is removed when the delivery comes, not when it was added', async () => {
	const before = Math.floor(Date.now() / 1000);
	const [item] = await itemsFrom(await activate(simplified), reaction('removed'));
	expect(item).toMatchObject({ event: 'message_reaction_removed', reactedAt: 1_760_000_300 });
	expect(item.at).toBeGreaterThanOrEqual(before);
	expect(item.at).toBeLessThanOrEqual(Date.now() / 1000);
});

test('a simplified mention is the message', async () => {
	const [item] = await itemsFrom(await activate(simplified), mentioned(501, ['noor']));
	expect(item).toMatchObject({ event: 'user_mentioned', id: '501', text: 'Hello', by: 'mira' });
});

test.each([
	['created', { by: 'mira', at: 1_760_000_000 }],
	['updated', { at: 1_760_000_400 }],
	['deleted', {}],
])('a simplified group_%s is the group', async (name, expected) => {
	const [item] = await itemsFrom(await activate(simplified), groupEvent(name, 'support'));
	expect(item).toMatchObject({
		event: `group_${name}`,
		guid: 'support',
		name: 'Group support',
		membersCount: 3,
		...expected,
	});
	expect('by' in item).toBe('by' in expected);
});

test('a group that a user other than its owner created is told to be theirs', async () => {
	const delivery = envelope('group_created', { group: group('a'), by: user('noor'), members: {} });
	const [item] = await itemsFrom(await activate(simplified), delivery);
	expect(item).toMatchObject({ by: 'noor', owner: 'mira' });
});

test('a group with another owner says who it was before', async () => {
	const delivery = groupEvent('owner_transferred', 'support', { owner: 'noor', oldOwner: 'mira' });
	const [item] = await itemsFrom(await activate(simplified), delivery);
	expect(item).toMatchObject({ guid: 'support', owner: 'noor', oldOwner: 'mira' });
});

test('members come as one item each, with their group and who did it', async () => {
	const members = {
		noor: { scope: 'admin', oldScope: 'participant' },
		theo: { scope: 'moderator', oldScope: 'participant' },
	};
	const delivery = memberEvent('member_scope_changed', 'support', members, 'mira');
	const items = await itemsFrom(await activate(simplified), delivery);
	expect(items).toMatchObject([
		{ uid: 'noor', scope: 'admin', oldScope: 'participant', guid: 'support', by: 'mira' },
		{ uid: 'theo', scope: 'moderator', groupName: 'Group support', byName: 'MIRA' },
	]);
	expect(items).toHaveLength(2);
	expect(items[0]).not.toHaveProperty('group');
});

test('who joins does it themselves, at the time of joining', async () => {
	const delivery = memberEvent('member_joined', 'support', { noor: { joinedAt: 1_760_000_500 } });
	const [item] = await itemsFrom(await activate(simplified), delivery);
	expect(item).toMatchObject({ uid: 'noor', by: 'noor', byName: 'NOOR', at: 1_760_000_500 });
});

test('who left did it themselves', async () => {
	const delivery = memberEvent('member_left', 'support', { noor: {} });
	const [item] = await itemsFrom(await activate(simplified), delivery);
	expect(item).toMatchObject({ uid: 'noor', by: 'noor' });
});

test('nobody is named where the delivery names nobody', async () => {
	const delivery = memberEvent('member_kicked', 'support', { noor: {} });
	const [item] = await itemsFrom(await activate(simplified), delivery);
	expect(item).not.toHaveProperty('by');
});

test('members are read from a list too, and take their UID from its key', async () => {
	const webhook = await activate(simplified);
	const asList = envelope('group_member_added', { group: group('a'), members: [user('noor')] });
	const byKey = envelope('group_member_added', { group: group('b'), members: { theo: {} } });
	expect(await itemsFrom(webhook, asList, byKey)).toMatchObject([
		{ uid: 'noor', guid: 'a' },
		{ uid: 'theo', guid: 'b' },
	]);
});

test('events that are not in the list stay raw, simplified or not', async () => {
	const delivery = envelope('user_connection_status_changed', { user: user('noor') });
	expect(await itemsFrom(await activate(simplified), delivery)).toEqual([delivery]);
	expect(await itemsFrom(await activate(), delivery)).toEqual([delivery]);
});

test.each(['message_sent', 'message_edited', 'message_reaction_added', 'group_updated'])(
	'a %s of another shape stays raw',
	async (trigger) => {
		const delivery = envelope(trigger, { something: { else: true } });
		expect(await itemsFrom(await activate(simplified), delivery)).toEqual([delivery]);
	},
);

test('simplified items are flat', async () => {
	const webhook = await activate(simplified);
	const odd = sent(501, { sender: { a: 1 }, sentAt: { b: 2 }, receiver: ['x'] });
	const deliveries = [sent(1), edited(2, 'x'), deleted(3), reaction('added'), odd];
	const items = await itemsFrom(webhook, ...deliveries, groupEvent('updated', 'a'));
	expect(items).toHaveLength(6);
	for (const value of items.flatMap((item) => Object.values(item))) {
		expect(typeof value === 'object' && !Array.isArray(value)).toBe(false);
	}
});
