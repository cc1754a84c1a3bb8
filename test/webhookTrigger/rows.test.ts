import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CometChatTrigger } from '../../nodes/CometChat/CometChatTrigger.node';
import { EVENTS } from '../../nodes/CometChat/webhookTrigger/events';
import { group, itemsOf, message, useSandbox, wire } from '../actionNode/harness';
import { activate, itemsFrom } from './harness';
import { SAMPLES } from './samples';
import type { Envelope } from './envelopes';

const sandbox = useSandbox();

/** Columns that name who caused an event, what the event is about, and where it happened. */
interface Columns {
	who?: string;
	/** Column with the message's ID */
	message?: string;
	/** Column with the UID of the affected user */
	user?: string;
	/** Column with the group's GUID */
	group?: string;
}

const MESSAGE: Columns = { who: 'sender', message: 'id', group: 'receiver' };
const RECEIPT: Columns = { who: 'by', message: 'messageId', group: 'receiver' };
const MISSED: Columns = { who: 'sender', message: 'messageId', user: 'uid', group: 'guid' };

/** Columns of the events with a matching name. The first match applies. */
const COLUMNS: Array<[RegExp, Columns]> = [
	[/^(message_sent|user_mentioned|moderation_\w+)$/, MESSAGE],
	[/^message_(edited|deleted|pinned|unpinned)$/, { ...MESSAGE, who: 'by' }],
	[/^message_reaction_/, { who: 'uid', message: 'messageId' }],
	[/^message_\w+_receipt$/, RECEIPT],
	[/^message_\w+_all$/, { ...RECEIPT, who: undefined }],
	[/^(email|sms)-/, MISSED],
	[/^push-/, { ...MISSED, group: 'receiver' }],
	[/^group_member_(joined|left)$/, { who: 'uid', user: 'uid', group: 'guid' }],
	[/^group_member_/, { who: 'by', user: 'uid', group: 'guid' }],
	[/^group_created$/, { who: 'owner', group: 'guid' }],
	[/^group_deleted$/, { group: 'guid' }],
	[/^group_/, { who: 'by', group: 'guid' }],
	[/^call_(initiated|rejected|cancelled|busy|unanswered)$/, { who: 'by', group: 'receiver' }],
	[/^user_connection_/, { who: 'uid' }],
	[/^user_(un)?blocked$|_participant_|_clicked$|_item_(read|interacted)$/, { who: 'by' }],
	[/_(started|ended|generated|created|sent|delivered|completed|failed)$/, {}],
];

/** Each event's most complete sample, and its columns. */
const ROWS = EVENTS.map(({ trigger }): [string, Envelope, Columns] => {
	const samples = SAMPLES.map(({ value }) => value).filter((value) => value.trigger === trigger);
	const [sample] = samples.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
	const [, columns] = COLUMNS.find(([name]) => name.test(trigger)) ?? [];
	if (!columns) throw new Error(`COLUMNS has no entry for ${trigger}`);
	return [trigger, sample, columns];
});

/** Delivers an event to a trigger, and returns the rows. */
async function receive(delivery: object, parameters: INodeParameters = {}): Promise<IDataObject[]> {
	return await itemsFrom(await activate({ appEvents: 'always', ...parameters }), delivery);
}

describe('The IDs of a row work as they come in the action node', () => {
	/** Prepares the message, the reaction, the groups and the users of the samples. Returns the message's ID. */
	function prepare(): string {
		const { store } = sandbox();
		const members = ['noor', 'leo', 'carla'].map((uid) => ({ uid, scope: 'participant' as const }));
		store.createGroup({ guid: 'a', name: 'A', owner: 'mira' });
		for (const guid of ['support', 'a']) {
			store.addMembers(guid, members);
			// Owners can't be banned
			store.updateGroup(guid, { owner: 'carla' });
		}
		const { id } = store.sendMessage({ sender: 'noor', receiver: 'support', text: 'Hello' });
		store.addReaction(id, 'noor', '👍');
		return id;
	}

	test.each(ROWS.filter(([, , columns]) => columns.message ?? columns.group))(
		'%s',
		async (_, delivery, { who, message: id, user = who, group: where }) => {
			const known = prepare();
			const json = JSON.stringify(delivery).replaceAll('"501"', `"${known}"`);
			const [row] = await receive(JSON.parse(json.replaceAll('"theo"', '"leo"')) as Envelope);
			const drag = (name: string) => `={{ $json.${name} }}`;
			const act = async (parameters: INodeParameters) => {
				sandbox().log.length = 0;
				await itemsOf(sandbox(), parameters, { input: [row] });
				return wire(sandbox());
			};
			if (id !== undefined) {
				const messageId = drag(id);
				expect(await act(message('get', { messageId }))).toEqual([`GET /messages/${known}`]);
				const reply = message('reply', { messageId, text: 'Thanks', onBehalfOf: 'leo' });
				expect(await act(reply)).toEqual([`POST /messages/${known}/thread`]);
				if (who !== undefined) {
					const reaction = '👍';
					const own = { messageId, reaction, onBehalfOf: drag(who) };
					expect(await act(message('removeReaction', own))).toHaveLength(1);
				}
			}
			if (where !== undefined && user !== undefined) {
				const ban = group('banMember', { groupId: drag(where), userId: drag(user) });
				const uid = user === 'uid' && row.uid !== 'noor' ? 'leo' : 'noor';
				expect(await act(ban)).toEqual([`POST /groups/${String(row[where])}/bannedusers/${uid}`]);
			}
		},
	);
});

/** Words in the description of 'Group Names or IDs' for events that the option doesn't apply to. */
const GROUPLESS: Array<[words: string, triggers: RegExp]> = [
	['presence', /^user_connection/],
	['blocked users', /^user_(un)?blocked$/],
	['started calls and meetings', /^(call|meeting)_(started|ended|participant)/],
	['recordings', /^recording/],
	['transcripts', /^transcription/],
	['notifications', /notification/],
	['feed items', /feed_item/],
	['campaigns', /campaign/],
	['reactions without Fetch Message', /reaction/],
];

describe('An option applies to the event, or its description says that it does not', () => {
	const { properties } = new CometChatTrigger().description;
	const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
	const groupIds = options.find(({ name }) => name === 'groupIds');
	const hint = groupIds && 'hint' in groupIds ? groupIds.hint : '';

	test.each(ROWS)('%s', async (trigger, delivery, { who, group: where }) => {
		const count = async (chosen: INodeParameters) =>
			(await receive(delivery, { options: chosen })).length;
		expect(await count({ appId: 'another' })).toBe(0);
		expect(await count({ groupIds: ['support', 'a'] })).toBe(1);
		expect(await count({ groupIds: ['another'] })).toBe(where === undefined ? 1 : 0);
		expect(await count({ ignoreSenders: ['noor'] })).toBe(who === undefined ? 1 : 0);
		// The app itself may have created a group for its owner
		const others = trigger === 'group_created' ? 0 : 1;
		expect(await count({ ignoreSenders: ['app_system', 'theo', 'mira'] })).toBe(others);
		const [words] = GROUPLESS.filter(([, triggers]) => triggers.test(trigger)).flat();
		if (where === undefined) expect(hint).toContain(words);
	});
});
