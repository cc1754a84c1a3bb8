import type { INodeParameters } from 'n8n-workflow';

import type { StoredGroup } from '../../tools/sandbox/data/sample';
import type { Settings } from '../../tools/sandbox/server';
import { LOGIN, activate, itemsOf as eventsOf } from '../trigger/harness';
import { errorOf, jsonOf, useSandbox } from './harness';
import { pairwise, type Row } from './pairs';

/** Every way in which the service may behave where its documents say nothing. */
const FACTORS = {
	boundary: ['exclusive', 'inclusive'],
	clockSkew: [0, 90],
	dateShown: ['right', 'missing'],
	totalPages: ['count', 'next'],
	cursorPlace: ['meta', 'beside'],
	hideUpdatedAt: [false, true],
	updatedAtOnlyAfterChange: [false, true],
	maxPerPage: [0, 4],
	perPageShown: ['right', 'missing', 'asked'],
	totalPagesShown: ['right', 'missing', 'asked'],
	totalShown: ['right', 'missing'],
	messageOrder: ['ascending', 'descending'],
	idBoundary: ['exclusive', 'inclusive'],
	nextShown: ['more', 'always', 'never'],
	messageIds: ['text', 'number'],
	withoutAffix: ['prepend', 'append'],
	maxMessagesPerPage: [0, 3],
	messagesMeta: ['next', 'cursor'],
	listActions: [true, false],
	reactionsInMessages: [false, true],
	absentReaction: ['refuse', 'accept'],
	changeEvents: ['note', 'message'],
	changesSent: [false, true],
	takenStatus: [400, 409],
	accessDelay: [0, 0.2],
	reactionsPerPage: [100, 2],
	banResponse: ['action', 'success'],
	bannedInMembers: [false, true],
	threadPages: ['number', 'cursor'],
	emptyLists: ['missing', 'null'],
	maxMembers: [0, 2],
	permanentResponse: ['action', 'success'],
	permanentDefault: [false, true],
	groupMetadata: ['replace', 'merge'],
	repeatedMuid: ['accept', 'refuse'],
	reviewResponse: ['data', 'top', 'empty'],
	queuePages: ['none', 'cursor'],
	moderationInPlan: [true, false],
} as const satisfies { [Name in keyof Settings]: ReadonlyArray<Settings[Name]> };

/** Two groups were changed in this second. */
const EDGE = 1_754_299_980;

const sandbox = useSandbox({ now: () => 1_770_000_000 });

const operation = (resource: string, name: string, more: INodeParameters) => ({
	resource,
	operation: name,
	output: 'raw',
	...more,
});

const group = async (name: string, more: INodeParameters) =>
	await jsonOf(sandbox(), operation('group', name, more));

const message = async (name: string, more: INodeParameters) =>
	await jsonOf(sandbox(), operation('message', name, more));

const refusal = async (resource: string, name: string, more: INodeParameters) =>
	(await errorOf(sandbox(), operation(resource, name, more))).message;

const idsIn = (items: object[], name = 'id') =>
	items.map((item) => String((item as Record<string, unknown>)[name]));

const all = (more: INodeParameters) => ({ returnAll: true, options: { perPage: 9 }, ...more });

/** Lists of groups, members, messages and reactions have each thing once, in order. */
async function lists(settings: Row<typeof FACTORS>): Promise<void> {
	const { store } = sandbox();
	const guids = store.groups.all().map(({ guid }) => guid);
	expect(idsIn(await group('list', all({})), 'guid').sort()).toEqual(guids.sort());

	const isChanged = ({ createdAt, updatedAt }: StoredGroup) => {
		const at = settings.updatedAtOnlyAfterChange ? (updatedAt ?? 0) : (updatedAt ?? createdAt);
		return settings.boundary === 'inclusive' ? at >= EDGE : at > EDGE;
	};
	const changed = await group('list', all({ filters: { updatedAt: EDGE, affix: 'append' } }));
	const expected = store.groups.all().filter(isChanged);
	expect(idsIn(changed, 'guid').sort()).toEqual(idsIn(expected, 'guid').sort());

	const { members = [] } = store.groups.get('all-hands') ?? {};
	const listed = await group('listMembers', all({ groupId: 'all-hands' }));
	expect(idsIn(listed, 'uid').sort()).toEqual(idsIn(members, 'uid').sort());

	for (let n = 0; n < 7; n++)
		store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'Hi', sentAt: EDGE + n });
	store.editMessage('114', { text: 'Hello' });
	const shown = store.messages
		.all()
		.filter(({ receiver, category }) => {
			return receiver === 'lunch' && (settings.listActions || category !== 'action');
		})
		.map(({ id }) => id);
	const ofGroup = { groupId: 'lunch', options: { perPage: 4, includeActions: true } };
	const inOrder = async (order: string, filters = {}) =>
		idsIn(await message('list', all({ ...ofGroup, order, filters })));
	expect(await inOrder('oldestFirst')).toEqual(shown);
	expect(await inOrder('newestFirst')).toEqual([...shown].reverse());
	const early = store.messages
		.all()
		.filter(({ receiver, sentAt }) => receiver === 'lunch' && sentAt <= EDGE + 2);
	expect(await inOrder('oldestFirst', { toTimestamp: EDGE + 2 })).toEqual(idsIn(early));

	const made = store.messages.get('109')?.reactions.all() ?? [];
	expect(idsIn(await message('listReactions', { messageId: '109', returnAll: true }))).toEqual(
		idsIn(made),
	);
}

/**
 * Messages are sent, seen, changed and deleted; what cannot be done is told in the same words.
 *
 * @returns the ID of the message that a user sent
 */
async function messages(settings: Settings): Promise<unknown> {
	const { repeatedMuid, reactionsInMessages, absentReaction } = settings;
	const own = { onBehalfOf: 'mira' };
	const content = { groupId: 'all-hands', text: 'Hello', additionalFields: { muid: 'm-1' } };
	const [sent] = await message('send', content);
	expect(sent.sender).toBe('app_system');
	if (repeatedMuid === 'accept') expect(await message('send', content)).toHaveLength(1);
	else expect(await refusal('message', 'send', content)).toMatch(/already|rejected a field/);

	const [{ id }] = await message('send', { ...content, ...own, additionalFields: {} });
	const named = { messageId: String(id), ...own };
	const [got] = await message('get', named);
	expect([got.id, got.data]).toEqual([id, expect.objectContaining({ text: 'Hello' })]);
	expect('reactions' in Object(got.data)).toBe(reactionsInMessages);

	const [edited] = await message('update', {
		...named,
		output: 'simplified',
		updateFields: { text: 'Later' },
	});
	expect(edited).toMatchObject({ id, text: 'Later', sender: 'mira' });

	const reaction = { ...named, reaction: '👍' };
	const [reacted] = await message('addReaction', { ...reaction, output: 'simplified' });
	expect(reacted.reactions).toBe('👍 1');
	expect(await message('removeReaction', reaction)).toHaveLength(1);
	if (absentReaction === 'accept') {
		expect(await message('removeReaction', reaction)).toHaveLength(1);
	} else {
		expect(await refusal('message', 'removeReaction', reaction)).toMatch(/has not made this/);
	}

	const remove = async (more: INodeParameters) =>
		await message('delete', { ...more, output: 'simplified' });
	expect(await remove(named)).toMatchObject([{ id, deleted: true, deletedBy: 'mira' }]);
	expect(await message('get', named)).toMatchObject([{ id, deletedBy: 'mira' }]);
	const byApp = { messageId: String(sent.id), permanent: true };
	expect(await remove(byApp)).toMatchObject([{ id: expect.anything(), deleted: true }]);
	expect(await refusal('message', 'get', byApp)).toBe('No message has this ID');
	return id;
}

/** Groups are made, changed and deleted, and members come and go. */
async function groups({ maxMembers }: Settings): Promise<void> {
	const taken = { guid: 'lunch', name: 'Lunch' };
	expect(await refusal('group', 'create', taken)).toBe('A group with this GUID already exists');
	const [updated] = await group('update', {
		groupId: 'incidents',
		updateFields: { metadata: '{"b": 2}' },
	});
	expect(Object.keys(Object(updated.metadata))).toEqual(['a', 'b']);

	const uids = ['leo', 'nobody', 'mira', 'Yuki'];
	const added = await jsonOf(
		sandbox(),
		operation('group', 'addMembers', { groupId: 'lunch', uids, scope: 'moderator' }),
		{ onError: 'continueRegularOutput' },
	);
	expect(added.map(({ uid, success }) => [uid, success])).toEqual([
		['leo', false],
		['nobody', false],
		['mira', true],
		['yuki', maxMembers === 0],
	]);
	for (const { success, error } of added) expect(error === undefined).toBe(success);
	expect(await group('removeMember', { groupId: 'lunch', userId: 'mira' })).toHaveLength(1);
	expect(await group('delete', { groupId: 'incidents' })).toHaveLength(1);
}

/** Rows of settings in which every two values of two factors meet. */
export const ROWS = pairwise(FACTORS);

/** Tests that with each of these settings of the service the node gives the same. */
export function testSettings(rows: typeof ROWS): void {
	test.each(rows.map((row, index) => [index + 1, row] as const))(
		'Whatever the documents leave open, the result is the same: settings %i',
		async (_, row) => {
			sandbox().setSettings(row);
			await lists(row);
			sandbox().store.updateGroup('incidents', { metadata: { a: 1 } });
			// Not that the app changes groups and members
			const webhook = await activate({ appEvents: 'never' });
			sandbox().webhooks.set([{ url: webhook.url, ...LOGIN }]);
			const id = await messages(row);
			await groups(row);
			await sandbox().webhooks.idle();
			await webhook.idle();
			const told = { by: 'mira', receiver: 'all-hands' };
			expect(eventsOf(webhook)).toMatchObject([
				{ event: 'message_sent', id, text: 'Hello', ...told },
				{ event: 'message_edited', id, text: 'Later', ...told },
				{ event: 'message_reaction_added', messageId: id, reaction: '👍', by: 'mira' },
				{ event: 'message_reaction_removed', messageId: id, reaction: '👍', by: 'mira' },
				{ event: 'message_deleted', id, ...told },
				{ event: 'group_deleted', guid: 'incidents' },
			]);
			expect(sandbox().violations).toEqual([]);
		},
	);
}
