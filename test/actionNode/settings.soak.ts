import type { INodeParameters } from 'n8n-workflow';
import * as fc from 'fast-check';

import type { StoredGroup } from '../../tools/sandbox/data/sample';
import type { Settings } from '../../tools/sandbox/server';
import { SETTINGS } from '../../tools/sandbox/settings';
import { countCases } from '../countCases';
import { LOGIN, activate, itemsOf as eventsOf } from '../webhookTrigger/harness';
import { CONTINUE, NODE, errorOf, group, jsonOf, message, run, useSandbox } from './harness';

type NumberName = {
	[Name in keyof Settings]: Settings[Name] extends number ? Name : never;
}[keyof Settings];

/** Unusual values of the sandbox's settings that are numbers. */
const NUMBERS: Pick<Settings, NumberName> = {
	clockSkew: 90,
	maxPerPage: 4,
	maxMessagesPerPage: 3,
	accessDelay: 0.2,
	reactionsPerPage: 2,
	maxMembers: 2,
	takenStatus: 409,
	mediaLifetime: 900,
};

/** Possible values of each sandbox setting. Each setting covers behavior that CometChat doesn't document. */
const VALUES = Object.entries(SETTINGS.shape).map(
	([name, { def }]): [string, readonly unknown[]] => {
		const { innerType, defaultValue } = def;
		if (innerType.def.type === 'enum') return [name, Object.values(innerType.def.entries)];
		const other = typeof defaultValue === 'boolean' ? !defaultValue : NUMBERS[name as NumberName];
		return [name, [defaultValue, other]];
	},
);

/** Unix time, in seconds, at which two sample groups were last changed. */
const EDGE = 1_754_299_980;

const sandbox = useSandbox({ now: () => 1_770_000_000 });

const raw = async (parameters: INodeParameters) =>
	await jsonOf(sandbox(), { output: 'raw', ...parameters });

const failureOf = async (parameters: INodeParameters) =>
	(await errorOf(sandbox(), parameters)).message;

const idsIn = (items: object[], name = 'id') =>
	items.map((item) => String((item as Record<string, unknown>)[name]));

const all = (more: INodeParameters) => ({ returnAll: true, options: { perPage: 9 }, ...more });

/** Expects that lists return each group, member, message, and reaction once and in the right order. */
async function testLists(settings: Settings): Promise<void> {
	const { store } = sandbox();
	const guids = store.groups.all().map(({ guid }) => guid);
	expect(idsIn(await raw(group('list', all({}))), 'guid').sort()).toEqual(guids.sort());

	const isChanged = ({ createdAt, updatedAt }: StoredGroup) => {
		const at = settings.updatedAtOnlyAfterChange ? (updatedAt ?? 0) : (updatedAt ?? createdAt);
		return settings.boundary === 'inclusive' ? at >= EDGE : at > EDGE;
	};
	const filters = { updatedAfter: EDGE };
	const changed = await raw(group('list', all({ filters })));
	const expected = store.groups.all().filter(isChanged);
	expect(idsIn(changed, 'guid').sort()).toEqual(idsIn(expected, 'guid').sort());

	const { members = [] } = store.groups.get('all-hands') ?? {};
	const listed = await raw(group('listMembers', all({ groupId: 'all-hands' })));
	expect(idsIn(listed, 'uid').sort()).toEqual(idsIn(members, 'uid').sort());

	for (let n = 0; n < 7; n++)
		store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'Hi', sentAt: EDGE + n });
	store.editMessage('114', { text: 'Hello' });
	const inGroup = store.messages.all().filter(({ receiver }) => receiver === 'lunch');
	const shown = idsIn(
		inGroup.filter(({ category }) => settings.listActions || category !== 'action'),
	);
	const listInOrder = async (order: string, filters = {}) => {
		const options = { perPage: 4, includeActions: true, order };
		return idsIn(await raw(message('list', all({ groupId: 'lunch', options, filters }))));
	};
	expect(await listInOrder('oldestFirst')).toEqual(shown);
	expect(await listInOrder('newestFirst')).toEqual([...shown].reverse());
	expect(await listInOrder('oldestFirst', { toTimestamp: EDGE + 2 })).toEqual(
		idsIn(inGroup.filter(({ sentAt }) => sentAt <= EDGE + 2)),
	);

	const reactions = store.messages.get('109')?.reactions.all() ?? [];
	const listReactions = message('listReactions', { messageId: '109', returnAll: true });
	// If CometChat ignores the cursor, a list that may be incomplete ends with an error
	const isIgnored = settings.reactionPages === 'single';
	const { error, items } = await run(sandbox(), { ...listReactions, output: 'raw' });
	if (isIgnored && error) expect(error.message).toMatch(/^CometChat sent nothing new/);
	else expect(idsIn(items(NODE).map(({ json }) => json))).toEqual(idsIn(reactions));
}

/**
 * Tests that messages can be sent, read, edited, and deleted.
 *
 * @returns the ID of a message that was sent on behalf of a user
 */
async function testMessages(settings: Settings): Promise<unknown> {
	const { repeatedMuid, reactionsInMessages, absentReaction } = settings;
	const own = { onBehalfOf: 'mira' };
	const content = { groupId: 'all-hands', text: 'Hello' };
	const withMuid = message('send', { ...content, additionalFields: { muid: 'm-1' } });
	const [sent] = await raw(withMuid);
	expect(sent.sender).toBe('app_system');
	if (repeatedMuid === 'accept') expect(await raw(withMuid)).toHaveLength(1);
	else expect(await failureOf(withMuid)).toMatch(/already|rejected a field/);

	const [{ id }] = await raw(message('send', { ...content, ...own }));
	const target = { messageId: String(id), ...own };
	const [got] = await raw(message('get', target));
	expect([got.id, got.data]).toEqual([id, expect.objectContaining({ text: 'Hello' })]);
	expect('reactions' in Object(got.data)).toBe(reactionsInMessages);

	const update = message('update', { ...target, updateFields: { text: 'Later' } });
	expect(await jsonOf(sandbox(), update)).toMatchObject([
		{ id: String(id), text: 'Later', sender: 'mira' },
	]);

	const reaction = { ...target, reaction: '👍' };
	expect(await jsonOf(sandbox(), message('addReaction', reaction))).toMatchObject([
		{ reaction: '👍', uid: 'mira', reactions: [{ reaction: '👍', count: 1, reactedByMe: true }] },
	]);
	const removal = message('removeReaction', reaction);
	expect(await raw(removal)).toHaveLength(1);
	if (absentReaction === 'accept') expect(await raw(removal)).toHaveLength(1);
	else expect(await failureOf(removal)).toMatch(/did not add this reaction/);

	const deleted = { id, deletedBy: 'mira' };
	expect(await jsonOf(sandbox(), message('delete', target))).toMatchObject([
		{ ...deleted, id: String(id), deleted: true },
	]);
	expect(await raw(message('get', target))).toMatchObject([deleted]);
	const byApp = { messageId: String(sent.id), permanent: true };
	expect(await jsonOf(sandbox(), message('delete', byApp))).toMatchObject([
		{ id: expect.anything(), deleted: true },
	]);
	expect(await failureOf(message('get', byApp))).toBe('No message has this ID');
	return id;
}

/** Tests that groups can be changed and deleted, and that members can be added, banned and removed. */
async function testGroups({ maxMembers }: Settings): Promise<void> {
	const existing = group('create', { guid: 'lunch', name: 'Lunch' });
	expect(await failureOf(existing)).toBe('A group with this GUID already exists');
	const updateFields = { metadata: '{"b": 2}' };
	const [updated] = await raw(group('update', { groupId: 'incidents', updateFields }));
	expect(Object.keys(Object(updated.metadata))).toEqual(['a', 'b']);

	const uids = ['leo', 'nobody', 'mira', 'Yuki'];
	const add = group('addMembers', { groupId: 'lunch', uids, scope: 'moderator', output: 'raw' });
	const added = await jsonOf(sandbox(), add, CONTINUE);
	expect(added.map(({ uid, success }) => [uid, success])).toEqual([
		['leo', false],
		['nobody', false],
		['mira', true],
		['Yuki', maxMembers === 0],
	]);
	for (const { success, error } of added) expect(error === undefined).toBe(success);
	for (const [operation, banned] of [
		['banMember', true],
		['unbanMember', false],
	] as const) {
		const member = { guid: 'lunch', uid: 'mira', banned };
		const parameters = group(operation, { groupId: 'lunch', userId: 'mira' });
		expect(await jsonOf(sandbox(), parameters)).toEqual([member]);
	}
	expect(await raw(group('removeMember', { groupId: 'all-hands', userId: 'leo' }))).toHaveLength(1);
	expect(await raw(group('delete', { groupId: 'incidents' }))).toHaveLength(1);
}

const anyValues = fc.record(
	Object.fromEntries(VALUES.map(([name, values]) => [name, fc.constantFrom(...values)])),
) as fc.Arbitrary<Settings>;

/** Random settings, except combinations that silently shorten pages and also report a wrong page count. */
const anySettings = anyValues.filter(
	({ maxPerPage, perPageShown, totalPagesShown, totalShown }) =>
		maxPerPage === 0 ||
		[perPageShown, totalPagesShown].some((shown) => shown !== 'asked') ||
		totalShown === 'right',
);

test.each(fc.sample(anySettings, countCases({ eachChange: 24, nightly: 100 })))(
	'Results do not depend on undocumented behavior of CometChat (sample %#)',
	async (settings) => {
		sandbox().setSettings(settings);
		await testLists(settings);
		sandbox().store.updateGroup('incidents', { metadata: { a: 1 } });
		// Ignores events that the app itself caused
		const webhook = await activate({ appEvents: 'never' });
		sandbox().webhooks.set([{ url: webhook.url, ...LOGIN }]);
		const id = await testMessages(settings);
		await testGroups(settings);
		await sandbox().webhooks.idle();
		await webhook.idle();
		const byMira = { sender: 'mira', receiver: 'all-hands' };
		const reaction = { messageId: String(id), reaction: '👍', uid: 'mira' };
		expect(eventsOf(webhook)).toMatchObject([
			{ event: 'message_sent', id: String(id), text: 'Hello', ...byMira },
			{ event: 'message_edited', id: String(id), text: 'Later', ...byMira },
			{ event: 'message_reaction_added', ...reaction },
			{ event: 'message_reaction_removed', ...reaction },
			{ event: 'message_deleted', id: String(id), by: 'mira', receiver: 'all-hands' },
			{ event: 'group_deleted', guid: 'incidents' },
		]);
		// These settings break the contract on purpose
		const isBroken = settings.limitShown === 'missing' || settings.emptyPage !== 'list';
		expect(isBroken ? [] : sandbox().violations).toEqual([]);
	},
);
