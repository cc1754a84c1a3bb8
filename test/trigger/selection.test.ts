import type { INodeParameters } from 'n8n-workflow';

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
import { DOINGS, NAMELESS, sampled } from './samples';
import { activate, APP_ID, deliver, itemsFrom, post } from './harness';

const raw = { output: 'raw' };

const direct = { receiverType: 'user', receiver: 'noor', conversationId: 'mira_user_noor' };

const joined = (...uids: string[]) =>
	memberEvent('member_joined', 'support', Object.fromEntries(uids.map((uid) => [uid, {}])));

/** How many executions a delivery starts with these options. */
async function countFor(delivery: object, options: INodeParameters = {}): Promise<number> {
	const webhook = await activate({ ...raw, options });
	expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
	await webhook.idle();
	return webhook.executions.length;
}

describe('events', () => {
	test('only those that are chosen start the workflow; the others are answered with 200', async () => {
		const webhook = await activate({ ...raw, events: ['message_edited', 'group_created'] });
		const chosen = [edited(501, 'x'), groupEvent('created', 'a')];
		const others = [sent(501), deleted(501), reaction('added'), groupEvent('updated', 'a')];
		for (const delivery of [...others, ...chosen]) {
			expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
		}
		await webhook.idle();
		expect(webhook.executions.map(({ items }) => items[0].json)).toEqual(chosen);
	});

	test('events that are not in the list need all events, as a new node has them', async () => {
		const unknown = envelope('something_new', { by: user('mira') });
		expect(await itemsFrom(await activate({ events: ['message_sent'] }), unknown)).toEqual([]);
		const both = await activate({ events: ['*', 'message_sent'] });
		expect(await itemsFrom(both, unknown)).toEqual([unknown]);
		expect(await itemsFrom(await activate(), unknown)).toEqual([unknown]);
	});

	test.each(['={{ ["message_sent", "group_created"] }}', '={{ "message_sent,group_created" }}'])(
		'may come from an expression: %s',
		async (events) => {
			const webhook = await activate({ ...raw, events });
			expect(await itemsFrom(webhook, sent(501), edited(502, 'x'))).toEqual([sent(501)]);
		},
	);
});

describe('notes about what was done, which come like messages', () => {
	const action = envelope('message_sent', { message: note(9, 'edited', 'mira', message(501)) });

	test('start nothing, unless actions are included', async () => {
		expect(await countFor(action)).toBe(0);
		expect(await countFor(action, { includeActions: false })).toBe(0);
		expect(await countFor(action, { includeActions: true })).toBe(1);
	});

	test('are left out of no other event', async () => {
		expect(await countFor(edited(501, 'x'))).toBe(1);
		expect(await countFor(sent(501, { category: 'custom' }))).toBe(1);
	});
});

describe('what the app itself does', () => {
	/** The kinds of events by which a workflow that acts as the app could start itself. */
	const LOOPS =
		/^(message_(sent|edited|deleted|pinned|unpinned|reaction_\w+)|user_mentioned|group_(created|updated|deleted|owner_transferred)|moderation_\w+|(email|sms|push)-notification-payload-generated)$/;

	test.each(DOINGS)('starts what cannot loop, unless set otherwise: %s', async (_what, by) => {
		const delivery = by('app_system');
		const started = async (parameters: INodeParameters) => {
			const webhook = await activate({ ...raw, ...parameters });
			await deliver(webhook, delivery);
			await webhook.idle();
			return webhook.executions.length;
		};
		const safe = LOOPS.test(delivery.trigger) ? 0 : 1;
		expect(await started({})).toBe(safe);
		expect(await started({ appEvents: 'safe' })).toBe(safe);
		expect(await started({ appEvents: 'always' })).toBe(1);
		expect(await started({ appEvents: 'never' })).toBe(0);
	});

	test('says to the caller that the settings left it out', async () => {
		const webhook = await activate(raw);
		const answer = await deliver(webhook, sent(501, { sender: 'app_system' }));
		expect(answer).toMatchObject({ status: 200 });
		expect(JSON.stringify(answer)).toContain("Ignored because of the node's settings.");
	});
});

describe('ignored senders', () => {
	const ignoreSenders = ['other', 'bot'];

	test.each(DOINGS)('whoever is ignored and %s starts nothing; others do', async (_what, by) => {
		expect(await countFor(by('bot'), { ignoreSenders })).toBe(0);
		expect(await countFor(by('noor'), { ignoreSenders })).toBe(1);
	});

	test.each(NAMELESS)('nobody is ignored where nobody is named: %s', async (_what, delivery) => {
		expect(await countFor(delivery)).toBe(1);
		expect(await countFor(delivery, { ignoreSenders: ['app_system', 'theo', 'mira'] })).toBe(1);
	});

	test('may be the app itself', async () => {
		const delivery = memberEvent('member_banned', 'support', { mira: {} }, 'app_system');
		expect(await countFor(delivery)).toBe(1);
		expect(await countFor(delivery, { ignoreSenders: ['app_system'] })).toBe(0);
	});

	test('may change what others wrote to them or about them', async () => {
		const ofBot = message(501, { sender: 'bot' });
		const edit = envelope('message_edited', { message: note(9, 'edited', 'mira', ofBot) });
		expect(await countFor(edit, { ignoreSenders })).toBe(1);
		const live = editedLive(501, 'x', { sender: 'bot', editedBy: 'mira' });
		expect(await countFor(live, { ignoreSenders })).toBe(1);
		const given = groupEvent('owner_transferred', 'a', { owner: 'bot', updatedBy: 'mira' });
		expect(await countFor(given, { ignoreSenders })).toBe(1);
	});

	test('are alike in any case, as for the service', async () => {
		expect(await countFor(sent(501, { sender: 'Bot' }), { ignoreSenders: ['BOT '] })).toBe(0);
	});

	test('leave the members who are not ignored', async () => {
		const webhook = await activate({ options: { ignoreSenders } });
		expect(await itemsFrom(webhook, joined('bot', 'noor'))).toMatchObject([{ uid: 'noor' }]);
		expect(webhook.executions).toHaveLength(1);
	});
});

describe('groups', () => {
	const options = { groupIds: ['Support'] };

	const inGroup: Array<[string, (guid: string) => Envelope]> = [
		['a message', (guid) => sent(501, { receiver: guid, conversationId: 'other' })],
		[
			'a message that says only its conversation',
			(guid) => sent(501, { receiverType: '', conversationId: `group_${guid}` }),
		],
		[
			'an edit whose note says no receiver',
			(guid) => {
				const where = { receiverType: undefined, conversationId: undefined };
				const on = message(501, { receiver: guid });
				return envelope('message_edited', { message: note(9, 'edited', 'mira', on, where) });
			},
		],
		[
			'a deletion',
			(guid) =>
				envelope('message_deleted', {
					message: note(9, 'deleted', 'mira', { id: '501' }, { receiver: guid }),
				}),
		],
		['a receipt', (guid) => sampled('message_read_receipt', 'noor', { support: guid })],
		['a call', (guid) => sampled('call_initiated', 'mira', { support: guid })],
		['a changed group', (guid) => groupEvent('updated', guid)],
		['a new member', (guid) => memberEvent('member_added', guid, { noor: {} }, 'mira')],
		['an event that is not in the list', (guid) => envelope('something_new', { group: { guid } })],
	];

	test.each(inGroup)(
		'%s in a wanted group starts the workflow, elsewhere not',
		async (_what, at) => {
			expect(await countFor(at('support'), options)).toBe(1);
			expect(await countFor(at('random'), options)).toBe(0);
		},
	);

	const betweenUsers = [
		sent(501, direct),
		sent(502, { ...direct, receiverType: undefined }),
		...['message_read_receipt', 'call_initiated'].map((trigger) =>
			sampled(trigger, 'mira', { '"group"': '"user"', support: 'noor' }),
		),
	];

	test.each(betweenUsers.map((event): [string, Envelope] => [event.trigger, event]))(
		'a %s between users starts nothing',
		async (_trigger, delivery) => {
			expect(await countFor(delivery, options)).toBe(0);
			expect(await countFor(delivery)).toBe(1);
		},
	);

	test.each([
		reaction('added'),
		sampled('user_connection_status_changed'),
		sampled('call_started'),
	])('an event that does not name its group starts the workflow: $trigger', async (delivery) => {
		expect(await countFor(delivery, options)).toBe(1);
	});
});

describe('the app', () => {
	test.each([
		[APP_ID, 1],
		[` ${APP_ID.toUpperCase()} `, 1],
		['another', 0],
		['', 1],
	])('for "%s" %d of the deliveries start the workflow', async (appId, count) => {
		expect(await countFor(sent(501), { appId })).toBe(count);
	});

	test('a delivery that does not say its app is not of the app', async () => {
		expect(await countFor({ ...sent(501), appId: undefined }, { appId: APP_ID })).toBe(0);
	});
});

describe('settings that mean nothing', () => {
	const WRONG: Array<[string, INodeParameters]> = [
		["'Events' is empty", { events: [] }],
		["'Events'", { events: ['message_seen'] }],
		["'Ignored User Names or IDs'", { options: { ignoreSenders: ['a b'] } }],
		["'Group Names or IDs'", { options: { groupIds: ['a/b'] } }],
		["'Fields'", { output: 'fields', fields: [] }],
		["'Fetch Message'", { options: { fetchMessage: 'perhaps' } }],
	];

	test.each(WRONG)(
		'are told when the workflow is activated, and are a failed execution when a delivery comes: %s',
		async (field, parameters) => {
			const webhook = await activate(parameters);
			await expect(webhook.activate()).rejects.toThrow(field);
			expect(await deliver(webhook, sent(501))).toMatchObject({ status: 500 });
			await webhook.idle();
			expect(webhook.executions).toMatchObject([
				{ error: { name: 'NodeOperationError', message: expect.stringContaining(field) } },
			]);
		},
	);

	test('whoever is not let in starts no failed execution', async () => {
		const webhook = await activate({ events: [] });
		expect(await post(webhook, '{}', { authorization: '' })).toMatchObject({ status: 401 });
		await webhook.idle();
		expect(webhook.executions).toEqual([]);
	});

	test('right ones are not minded', async () => {
		const webhook = await activate({ options: { ignoreSenders: ['bot'], appId: APP_ID } });
		await expect(webhook.activate()).resolves.toBeUndefined();
	});
});

test('the events under More Events start the workflow, next to those in the menu or alone', async () => {
	const busy = sampled('call_busy');
	const webhook = await activate({
		...raw,
		events: ['message_sent'],
		options: { moreEvents: ['call_busy'] },
	});
	expect(await itemsFrom(webhook, busy, sent(501), edited(501, 'x'))).toEqual([busy, sent(501)]);
	const alone = await activate({ ...raw, events: [], options: { moreEvents: ['call_busy'] } });
	expect(await itemsFrom(alone, sent(501), busy)).toEqual([busy]);
});

describe('What names its group or its sender in a place of its own', () => {
	const ELSEWHERE = [
		'moderation_engine_failed',
		...['email', 'sms', 'push'].map((kind) => `${kind}-notification-payload-generated`),
	];

	test.each(ELSEWHERE)('%s starts for its group and its sender alone', async (trigger) => {
		const webhook = await activate({
			events: ['*'],
			options: { groupIds: ['support'], ignoreSenders: ['noor'] },
		});
		const cases = [
			['mira', 'other'],
			['noor', 'support'],
			['mira', 'support'],
		];
		const deliveries = cases.map(([sender, guid], index) => {
			return sampled(trigger, sender, { support: guid, 501: `60${index}` });
		});
		expect(await itemsFrom(webhook, ...deliveries)).toMatchObject([{ by: 'mira' }]);
	});

	test('messages between two users are of no group', async () => {
		const { data, ...rest } = sampled('email-notification-payload-generated', 'mira');
		const { groupDetails, ...others } = data;
		const between = {
			...rest,
			data: { ...others, senderDetails: groupDetails && { uid: 'mira' } },
		};
		const webhook = await activate({ options: { groupIds: ['support'] } });
		expect(await itemsFrom(webhook, between)).toEqual([]);
	});
});

test.each([
	[
		'message_read_receipt',
		{
			...{ messageId: '5', receiptType: 'read', messageSender: 'mira', receiptSender: 'noor' },
			...{ receiptReceiver: 'mira', receiverType: 'user' },
		},
	],
	['after_connection_status_changed', { user: { uid: 'noor' }, event: { type: 'online' } }],
	['after_message', { id: '5', sender: 'mira', receiverType: 'user', category: 'message' }],
])('the older kind of %s is refused with an explanation', async (trigger, data) => {
	const webhook = await activate();
	const { status, text } = await deliver(webhook, { trigger, data, appId: 'a', region: 'us' });
	expect([status, text]).toEqual([
		400,
		expect.stringContaining('the older kind of CometChat webhook'),
	]);
});
