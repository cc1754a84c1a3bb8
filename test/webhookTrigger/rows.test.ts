import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CometChatTrigger } from '../../nodes/CometChat/CometChatTrigger.node';
import { EVENTS } from '../../nodes/CometChat/webhookTrigger/events';
import { group, itemsOf, message, useSandbox, wire } from '../actionNode/harness';
import { activate, itemsFrom } from './harness';
import { NAMELESS_EVENTS, USER_EVENTS } from './samples';
import type { Envelope } from './envelopes';

const sandbox = useSandbox();

/** Columns that name who caused an event, what the event is about, and where it happened. */
interface Columns {
	who?: string;
	/** Column with the message's ID */
	message?: string;
	/** Column with the ID of something else */
	what?: string;
	/** Column with the group's GUID */
	group?: string;
}

const MESSAGE: Columns = { who: 'sender', message: 'id', group: 'receiver' };
const CHANGED: Columns = { ...MESSAGE, who: 'by' };
const REACTION: Columns = { who: 'uid', message: 'messageId' };
const RECEIPT: Columns = { who: 'by', message: 'messageId', group: 'receiver' };
const MISSED: Columns = { who: 'sender', message: 'messageId', group: 'guid', what: 'uid' };
const GROUP: Columns = { who: 'by', what: 'guid', group: 'guid' };
const MEMBER: Columns = { who: 'by', what: 'uid', group: 'guid' };
const OWN: Columns = { who: 'uid', what: 'uid', group: 'guid' };
const USER: Columns = { who: 'by', what: 'uid' };
const CALL: Columns = { who: 'by', what: 'id', group: 'receiver' };
const SESSION: Columns = { what: 'sessionId' };
const PARTICIPANT: Columns = { who: 'by', what: 'sessionId' };

/** Columns of all events, keyed by trigger. */
const COLUMNS: Record<string, Columns> = {
	message_sent: MESSAGE,
	message_edited: CHANGED,
	message_deleted: CHANGED,
	message_reaction_added: REACTION,
	message_reaction_removed: REACTION,
	user_mentioned: MESSAGE,
	group_member_joined: OWN,
	group_member_added: MEMBER,
	group_member_left: OWN,
	group_member_kicked: MEMBER,
	group_member_banned: MEMBER,
	group_member_unbanned: MEMBER,
	group_member_scope_changed: MEMBER,
	group_created: { ...GROUP, who: 'owner' },
	group_updated: GROUP,
	group_deleted: { ...GROUP, who: undefined },
	user_connection_status_changed: { who: 'uid', what: 'uid' },
	user_blocked: USER,
	moderation_engine_blocked: MESSAGE,
	moderation_engine_approved: MESSAGE,
	'email-notification-payload-generated': MISSED,
	'sms-notification-payload-generated': MISSED,
	'push-notification-payload-generated': { ...MISSED, group: 'receiver' },
	group_owner_transferred: GROUP,
	moderation_engine_failed: MESSAGE,
	moderation_manual_approved: MESSAGE,
	message_pinned: CHANGED,
	message_unpinned: CHANGED,
	message_read_receipt: RECEIPT,
	message_read_by_all: { ...RECEIPT, who: undefined },
	message_delivery_receipt: RECEIPT,
	message_delivered_to_all: { ...RECEIPT, who: undefined },
	user_unblocked: USER,
	call_initiated: CALL,
	call_started: SESSION,
	call_ended: SESSION,
	call_rejected: CALL,
	call_cancelled: CALL,
	call_busy: CALL,
	call_unanswered: CALL,
	call_participant_joined: PARTICIPANT,
	call_participant_left: PARTICIPANT,
	meeting_started: SESSION,
	meeting_ended: SESSION,
	meeting_participant_joined: PARTICIPANT,
	meeting_participant_left: PARTICIPANT,
	recording_generated: SESSION,
	transcription_generated: SESSION,
	after_notification_created: { what: 'notificationId' },
	after_push_notification_sent: { what: 'pushNotificationId' },
	after_push_notification_delivered: { what: 'pushNotificationId' },
	after_push_notification_clicked: { who: 'by', what: 'pushNotificationId' },
	after_feed_item_sent: { what: 'id' },
	after_feed_item_delivered: { what: 'id' },
	after_feed_item_read: { who: 'by', what: 'id' },
	after_feed_item_interacted: { who: 'by', what: 'id' },
	after_campaign_completed: { what: 'campaignId' },
	after_campaign_failed: { what: 'campaignId' },
};

test('The table has all events', () => {
	expect(Object.keys(COLUMNS).sort()).toEqual(EVENTS.map(({ trigger }) => trigger).sort());
});

/** Each event's most complete sample. */
const ROWS = EVENTS.map(({ trigger }): [string, Envelope, Columns] => {
	const samples = [
		...USER_EVENTS.map(([, build]) => build('noor')),
		...NAMELESS_EVENTS.map(([, envelope]) => envelope),
	].filter((envelope) => envelope.trigger === trigger);
	const [sample] = samples.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
	return [trigger, sample, COLUMNS[trigger]];
});

/** Delivers an event to a trigger, and returns the rows. */
async function receive(delivery: object, parameters: INodeParameters = {}): Promise<IDataObject[]> {
	return await itemsFrom(await activate({ appEvents: 'always', ...parameters }), delivery);
}

test.each(ROWS)('The row of %s says who, what and where', async (_, delivery, columns) => {
	const [row] = await receive(delivery);
	const { who, message: id, what, group: where } = columns;
	for (const name of [who, id, what, where]) {
		if (name !== undefined) expect(row).toEqual({ ...row, [name]: expect.stringMatching(/^\S+$/) });
	}
	if (who !== undefined) expect(row[who]).toBe('noor');
	else expect(row.by ?? row.sender).not.toBe('noor');
});

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
		async (_, delivery, { who, message: id, what, group: where }) => {
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
			const user = what === 'uid' ? what : who;
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
		const [words] = GROUPLESS.filter(([, triggers]) => triggers.test(trigger)).flat();
		if (where === undefined) expect(hint).toContain(words);
	});
});
