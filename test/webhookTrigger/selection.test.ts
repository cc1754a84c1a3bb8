import type { INodeParameters } from 'n8n-workflow';

import { EVENTS, findEventDefinition } from '../../nodes/CometChat/webhookTrigger/events';
import {
	deleted,
	edited,
	editedLive,
	envelope,
	group,
	groupEvent,
	memberEvent,
	message,
	note,
	reaction,
	sent,
	user,
	type Envelope,
} from './envelopes';

import { readCausedEvents } from './causes';
import { SAMPLES, TRIGGERS, WITHOUT_OPERATION, replaceUser, sampled } from './samples';
import { activate, APP_ID, deliver, itemsFrom, post } from './harness';

const raw = { output: 'raw' };

const direct = { receiverType: 'user', receiver: 'noor', conversationId: 'mira_user_noor' };

const joined = (...uids: string[]) =>
	memberEvent('member_joined', 'support', Object.fromEntries(uids.map((uid) => [uid, {}])));

/** Delivers an event and returns the number of executions it starts. */
async function countFor(delivery: object, options: INodeParameters = {}): Promise<number> {
	const webhook = await activate({ ...raw, options });
	expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
	await webhook.idle();
	return webhook.executions.length;
}

describe('Events', () => {
	test('start the workflow if selected, and get status 200 otherwise', async () => {
		const webhook = await activate({ ...raw, events: ['message_edited', 'group_created'] });
		const created = envelope('group_created', { group: group('a'), by: user('mira') });
		const chosen = [edited(501, 'x'), created];
		const others = [sent(501), deleted(501), reaction('added'), groupEvent('updated', 'a')];
		for (const delivery of [...others, ...chosen]) {
			expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
		}
		await webhook.idle();
		expect(webhook.executions.map(({ items }) => items[0].json)).toEqual(chosen);
	});

	test('with an unknown name start the workflow only with All Events, the default', async () => {
		const unknown = envelope('something_new', { by: user('mira') });
		expect(await itemsFrom(await activate({ events: ['message_sent'] }), unknown)).toEqual([]);
		expect(await itemsFrom(await activate(), unknown)).toEqual([unknown]);
	});

	test.each(['={{ ["message_sent", "group_created"] }}', '={{ "message_sent,group_created" }}'])(
		'may be selected by an expression: %s',
		async (events) => {
			const webhook = await activate({ ...raw, events });
			expect(await itemsFrom(webhook, sent(501), edited(502, 'x'))).toEqual([sent(501)]);
		},
	);
});

describe('Action messages', () => {
	const action = envelope('message_sent', { message: note(9, 'edited', 'mira', message(501)) });

	test('start the workflow only with Include Actions', async () => {
		expect(await countFor(action)).toBe(0);
		expect(await countFor(action, { includeActions: false })).toBe(0);
		expect(await countFor(action, { includeActions: true })).toBe(1);
	});

	test("aren't ignored in other events", async () => {
		expect(await countFor(edited(501, 'x'))).toBe(1);
		expect(await countFor(sent(501, { category: 'custom' }))).toBe(1);
	});
});

describe('An action by the app itself', () => {
	const unknown = [
		{ by: user('noor') },
		{ user: user('noor') },
		{ sender: 'noor' },
		{ body: { user: user('noor') } },
		{ message: { sender: 'noor' } },
	].map((data) => envelope('something_new', data));
	const named = SAMPLES.filter((sample) => !sample['x-nameless']).map(({ value }) => value);

	test.each([...named, ...unknown])(
		'starts the workflow by default unless it could loop: $trigger',
		async (sample) => {
			const delivery = replaceUser(sample, 'app_system');
			const count = async (parameters: INodeParameters) =>
				(await itemsFrom(await activate({ ...raw, ...parameters }), delivery)).length;
			const { canLoop } = findEventDefinition(delivery.trigger) ?? { canLoop: true };
			const safe = canLoop ? 0 : 1;
			expect(await count({})).toBe(safe);
			expect(await count({ appEvents: 'safe' })).toBe(safe);
			expect(await count({ appEvents: 'always' })).toBe(1);
			expect(await count({ appEvents: 'never' })).toBe(0);
		},
	);

	test('counts as looping if an operation of the node can cause it again and again', async () => {
		const { ofOthers, ofMembers, ofMembersAgain } = await readCausedEvents();
		// A repeated change of a member changes nothing, so the workflow doesn't start again
		expect([...ofMembersAgain]).toEqual([]);
		const byOtherRequests = TRIGGERS.filter((trigger) => WITHOUT_OPERATION.has(trigger));
		expect(byOtherRequests.filter((trigger) => ofOthers.has(trigger))).toEqual([]);
		const repeatable = [...ofOthers, ...byOtherRequests].filter(
			(trigger) => !ofMembers.has(trigger),
		);
		const looping = EVENTS.filter(({ canLoop }) => canLoop).map(({ trigger }) => trigger);
		// An event that the sandbox doesn't have names the request that causes it, in `x-caused-by` of webhooks.yaml
		expect({ canLoop: looping.sort() }).toEqual({ canLoop: repeatable.sort() });
	});

	test('gets a response that names the reason', async () => {
		const webhook = await activate(raw);
		const answer = await deliver(webhook, sent(501, { sender: 'app_system' }));
		expect(answer).toMatchObject({ status: 200 });
		expect(JSON.stringify(answer)).toContain("Ignored because of the node's settings.");
	});
});

describe('A new group', () => {
	test('counts as created by the app, if nobody is named', async () => {
		const created = groupEvent('created', 'a');
		const count = async (parameters: INodeParameters) =>
			(await itemsFrom(await activate({ ...raw, ...parameters }), created)).length;
		expect(await count({})).toBe(0);
		expect(await count({ appEvents: 'never' })).toBe(0);
		expect(await count({ appEvents: 'always' })).toBe(1);
		// The workflow may also have created the group as its owner
		expect(await count({ appEvents: 'always', options: { ignoreUsers: ['MIRA'] } })).toBe(0);
		expect(await count({ appEvents: 'always', options: { ignoreUsers: ['leo'] } })).toBe(1);
		const ignored = { appEvents: 'always', options: { ignoreUsers: ['app_system'] } };
		expect(await count(ignored)).toBe(0);
	});

	test('counts as created by the user whom the event names', async () => {
		const created = envelope('group_created', { group: group('a'), by: user('mira') });
		expect(await countFor(created)).toBe(1);
		expect(await countFor(created, { ignoreUsers: ['mira'] })).toBe(0);
	});
});

describe('Ignored users', () => {
	const ignoreUsers = ['other', 'bot'];

	test("don't matter as the sender of a message or the owner of a group if someone else changes the message or group", async () => {
		const ofBot = message(501, { sender: 'bot' });
		const edit = envelope('message_edited', { message: note(9, 'edited', 'mira', ofBot) });
		expect(await countFor(edit, { ignoreUsers })).toBe(1);
		const live = editedLive(501, 'x', { sender: 'bot', editedBy: 'mira' });
		expect(await countFor(live, { ignoreUsers })).toBe(1);
		const given = groupEvent('owner_transferred', 'a', { owner: 'bot', updatedBy: 'mira' });
		expect(await countFor(given, { ignoreUsers })).toBe(1);
	});

	test('are matched case-insensitively', async () => {
		expect(await countFor(sent(501, { sender: 'Bot' }), { ignoreUsers: ['BOT '] })).toBe(0);
	});

	test.each([
		{ by: user('bot') },
		{ user: user('bot') },
		{ body: { user: user('bot') } },
		{ sender: 'bot' },
		{ resource: { sender: 'bot' } },
		{ message: { sender: 'bot' } },
	])('are found in an unknown event: %j', async (data) => {
		expect(await countFor(envelope('something_new', data))).toBe(1);
		expect(await countFor(envelope('something_new', data), { ignoreUsers })).toBe(0);
	});

	test('are removed from an event with several members', async () => {
		const webhook = await activate({ options: { ignoreUsers } });
		expect(await itemsFrom(webhook, joined('bot', 'noor'))).toMatchObject([{ uid: 'noor' }]);
		expect(webhook.executions).toHaveLength(1);
	});
});

describe.each(['email', 'sms'])('Missed messages from several senders, by %s,', (kind) => {
	const missedFrom = (...senders: string[]) =>
		envelope(`${kind}-notification-payload-generated`, {
			to: user('theo'),
			messages: senders.map((sender, index) => ({
				sender: user(sender),
				message: `From ${sender}`,
				messageObject: message(501 + index, { sender, sentAt: 1_760_000_000 + index }),
			})),
			groupDetails: { guid: 'support', name: 'Support' },
			smsContent: `From ${senders.at(-1)}`,
		});

	test.each<[string, INodeParameters, string[], object[]]>([
		["include the app's own messages", {}, ['app_system'], [{ messages: 1, sender: 'app_system' }]],
		[
			"leave out the app's own messages",
			{ appEvents: 'never' },
			['noor', 'app_system'],
			[{ messages: 1, text: 'From noor', sender: 'noor', at: '2025-10-09T08:53:20Z' }],
		],
		[
			'leave out messages of ignored users',
			{ options: { ignoreUsers: ['bot'] } },
			['bot', 'noor', 'BOT', 'theo', 'bot'],
			[{ messages: 2, text: 'From theo', sender: 'theo' }],
		],
		[
			"don't start the workflow without another sender",
			{ appEvents: 'never', options: { ignoreUsers: ['bot'] } },
			['bot', 'app_system'],
			[],
		],
	])('%s', async (_what, parameters, senders, expected) => {
		const delivery = missedFrom(...senders);
		expect(await itemsFrom(await activate(parameters), delivery)).toMatchObject(expected);
		const asSent = await itemsFrom(await activate({ ...raw, ...parameters }), delivery);
		expect(asSent).toEqual(expected.map(() => delivery));
	});

	test("don't take their text from a message that is left out", async () => {
		const delivery = missedFrom('noor', 'bot');
		const [first] = [delivery.data.messages].flat();
		delete Object(first).message;
		const webhook = await activate({ options: { ignoreUsers: ['bot'] } });
		expect(await itemsFrom(webhook, delivery)).toMatchObject([{ text: null, sender: 'noor' }]);
	});
});

describe('Watched groups', () => {
	const watched = { watch: 'groups', groupIds: ['Support'] };

	const countIn = async (delivery: object) =>
		(await itemsFrom(await activate({ ...raw, ...watched }), delivery)).length;

	const inGroup: Array<[string, (guid: string) => Envelope]> = [
		['a message', (guid) => sent(501, { receiver: guid, conversationId: 'other' })],
		[
			'a message without a receiver type',
			(guid) => sent(501, { receiverType: '', conversationId: `group_${guid}` }),
		],
		[
			'an edit without a receiver',
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
		[
			'missed messages without a group beside them',
			(guid) => {
				const event = sampled('email-notification-payload-generated', 'noor', { support: guid });
				return { ...event, data: { ...event.data, groupDetails: undefined } };
			},
		],
		['an unknown event', (guid) => envelope('something_new', { group: { guid } })],
	];

	test.each(inGroup)('accept %s in a watched group only', async (_what, at) => {
		expect(await countIn(at('support'))).toBe(1);
		expect(await countIn(at('random'))).toBe(0);
	});

	const missed = sampled('email-notification-payload-generated');

	const betweenUsers = [
		sent(501, direct),
		sent(502, { ...direct, receiverType: undefined }),
		{
			...missed,
			data: { ...missed.data, groupDetails: undefined, senderDetails: user('noor') },
		},
		...['message_read_receipt', 'call_initiated'].map((trigger) =>
			sampled(trigger, 'mira', { '"group"': '"user"', support: 'noor' }),
		),
	];

	test.each(betweenUsers.map((event): [string, Envelope] => [event.trigger, event]))(
		'reject a %s between users',
		async (_trigger, delivery) => {
			expect(await countIn(delivery)).toBe(0);
			expect(await countFor(delivery)).toBe(1);
		},
	);

	const unknown = { receiver: undefined, receiverType: undefined, conversationId: undefined };

	test.each([
		sent(501, unknown),
		envelope('message_edited', { message: note(9, 'edited', 'mira', { id: '501' }, unknown) }),
		envelope('message_deleted', { message: note(9, 'deleted', 'mira', { id: '501' }, unknown) }),
		envelope('message_deleted', { message: {} }),
		envelope('something_new', { call: { id: '501' } }),
	])('reject a message or call without its group, and log why: $trigger', async (delivery) => {
		const logged: string[] = [];
		const filtered = { ...raw, ...watched };
		const webhook = await activate(filtered, { onLog: (text) => logged.push(text) });
		expect(await itemsFrom(webhook, delivery)).toEqual([]);
		expect(logged).toEqual([
			expect.stringContaining(`Ignored ${delivery.trigger}, because its group is unknown`),
		]);
		expect(await countFor(delivery)).toBe(1);
	});
});

describe('The selected app', () => {
	test.each([
		[APP_ID, 1, APP_ID],
		[` ${APP_ID.toUpperCase()} `, 1, APP_ID],
		[APP_ID, 1, APP_ID.toUpperCase()],
		['another', 0, APP_ID],
		['', 1, APP_ID],
		[APP_ID, 0, undefined],
	])('with the ID "%s" starts %d executions for an event of %s', async (selected, count, appId) => {
		expect(await countFor({ ...sent(501), appId }, { appId: selected })).toBe(count);
	});
});

describe('Invalid parameters', () => {
	const WRONG: Array<[string, INodeParameters]> = [
		["'Trigger On' is empty", { events: [] }],
		["'Trigger On'", { events: ['message_seen'] }],
		["'Ignored User Names or IDs'", { options: { ignoreUsers: ['a b'] } }],
		["'Groups to Watch'", { watch: 'groups', groupIds: ['a/b'] }],
		["'Only From'", { options: { onlySenders: ['a b'] } }],
		["'Fields'", { output: 'fields', fields: [] }],
		["'Fetch Message'", { options: { fetchMessage: 'perhaps' } }],
	];

	test.each(WRONG)('prevent the activation, and fail executions: %s', async (field, parameters) => {
		const webhook = await activate(parameters);
		await expect(webhook.activate()).rejects.toThrow(field);
		expect(await deliver(webhook, sent(501))).toMatchObject({ status: 500 });
		await webhook.idle();
		expect(webhook.executions).toMatchObject([
			{ error: { name: 'NodeOperationError', message: expect.stringContaining(field) } },
		]);
	});

	test("don't fail an execution for an unauthorized delivery", async () => {
		const webhook = await activate({ events: [] });
		expect(await post(webhook, '{}', { authorization: '' })).toMatchObject({ status: 401 });
		await webhook.idle();
		expect(webhook.executions).toEqual([]);
	});
});

test('More Events adds events to those in the menu', async () => {
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

/** An event's first sample. */
const firstSamples = TRIGGERS.flatMap(
	(trigger) => SAMPLES.find(({ value }) => value.trigger === trigger) ?? [],
);

describe('Each option applies to the event', () => {
	test.each(firstSamples)(
		'$value.trigger',
		async ({ value: delivery, 'x-nameless': isNameless = false }) => {
			const count = async (options: INodeParameters) =>
				(await itemsFrom(await activate({ ...raw, appEvents: 'always', options }), delivery))
					.length;
			expect(await count({ appId: 'another' })).toBe(0);
			expect(await count({ ignoreUsers: ['noor'] })).toBe(isNameless ? 1 : 0);
			// The app itself may have created a group for its owner
			const others = delivery.trigger === 'group_created' ? 0 : 1;
			expect(await count({ ignoreUsers: ['app_system', 'theo', 'mira'] })).toBe(others);
			expect(await count({ onlySenders: ['noor'] })).toBe(isNameless ? 0 : others);
			expect(await count({ onlySenders: ['theo'] })).toBe(0);
		},
	);
});
