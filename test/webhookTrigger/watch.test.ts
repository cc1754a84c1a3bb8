import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { WebhookOptions } from '../../tools/n8nEngine/webhook';
import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import type { NewMessage } from '../../tools/sandbox/store/messages';
import {
	deleted,
	envelope,
	memberEvent,
	message,
	note,
	reaction,
	sent,
	user,
	type Envelope,
} from './envelopes';
import { TRIGGERS, sampled } from './samples';
import { activate, deliver } from './harness';
import { groups, mention, testPrivateMessages, users } from './privateMessages';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
	// The first request of a process may take longer than the trigger waits for a message
	await countFor(reaction('added'), { options: { fetchMessage: true } });
});
beforeEach(() => {
	sandbox.reset();
	sandbox.store.people.create({ uid: 'theo', name: 'Theo' });
});
afterAll(async () => await sandbox.close());

const logged: string[] = [];

async function watch(parameters: INodeParameters, options: WebhookOptions = {}) {
	logged.length = 0;
	const { apiKey, baseUrl } = sandbox;
	const cometChatApi = { apiKey, region: 'custom', baseUrl };
	return await activate(
		{ output: 'raw', appEvents: 'always', ...parameters },
		{ credentials: { cometChatApi }, onLog: (text) => logged.push(text), ...options },
	);
}

/** Delivers an event to a new trigger and returns the number of executions that it starts. */
async function countFor(delivery: object, parameters: INodeParameters): Promise<number> {
	const webhook = await watch(parameters);
	expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
	await webhook.idle();
	return webhook.executions.length;
}

/** People in the events: the first acts, the second wrote the message, and the last is never involved. */
const PEOPLE = ['noor', 'mira', 'theo', 'zoe'];

/**
 * The users whom each sample concerns besides Noor, who causes it. `undefined` is an event that concerns no user
 * and happens nowhere. `here` is an event that happens in a group, and `status` an event that doesn't.
 */
const CONCERNED: Record<string, { here?: string[]; status?: string[] }> = {
	message_sent: { here: [] },
	message_edited: { here: ['mira'] },
	message_deleted: { here: [] },
	message_reaction_added: { here: ['mira'] },
	message_reaction_removed: { here: ['mira'] },
	user_mentioned: { here: ['theo'] },
	message_pinned: { here: ['mira'] },
	message_unpinned: { here: ['mira'] },
	message_read_receipt: { here: ['mira'] },
	message_delivery_receipt: { here: ['mira'] },
	message_read_by_all: { here: ['mira'] },
	message_delivered_to_all: { here: ['mira'] },
	moderation_engine_blocked: { here: [] },
	moderation_engine_approved: { here: [] },
	moderation_engine_failed: { here: [] },
	moderation_manual_approved: { here: [] },
	'email-notification-payload-generated': { here: ['theo'] },
	'sms-notification-payload-generated': { here: ['theo'] },
	'push-notification-payload-generated': { here: ['theo'] },
	group_created: { here: [] },
	group_updated: { here: [] },
	group_deleted: { here: [] },
	group_owner_transferred: { here: ['mira', 'theo'] },
	group_member_joined: { here: [] },
	group_member_left: { here: [] },
	group_member_added: { here: ['theo'] },
	group_member_kicked: { here: ['theo'] },
	group_member_banned: { here: ['theo'] },
	group_member_unbanned: { here: ['theo'] },
	group_member_scope_changed: { here: ['theo'] },
	call_initiated: { here: [] },
	call_rejected: { here: [] },
	call_cancelled: { here: [] },
	call_busy: { here: [] },
	call_unanswered: { here: [] },
	user_blocked: { status: ['theo'] },
	user_unblocked: { status: ['theo'] },
	user_connection_status_changed: { status: ['noor'] },
	call_participant_joined: { status: ['noor'] },
	call_participant_left: { status: ['noor'] },
	meeting_participant_joined: { status: ['noor'] },
	meeting_participant_left: { status: ['noor'] },
	after_push_notification_sent: { status: ['noor'] },
	after_push_notification_delivered: { status: ['noor'] },
	after_push_notification_clicked: { status: ['noor'] },
	after_feed_item_sent: { status: ['noor'] },
	after_feed_item_delivered: { status: ['noor'] },
	after_feed_item_read: { status: ['noor'] },
	after_feed_item_interacted: { status: ['noor'] },
	call_started: {},
	call_ended: {},
	meeting_started: {},
	meeting_ended: {},
	recording_generated: {},
	transcription_generated: {},
	after_notification_created: {},
	after_campaign_completed: {},
	after_campaign_failed: {},
};

/** Sends a message, by default from Mira to a group, and returns reactions to this message. */
function reactTo(
	delivery: Envelope,
	message: Partial<NewMessage> = { receiver: 'makers' },
): Envelope {
	if (!('reaction' in delivery.data)) return delivery;
	const { id } = sandbox.store.sendMessage({
		...{ sender: 'mira', text: 'Hi', receiver: 'theo' },
		...message,
	});
	return JSON.parse(JSON.stringify(delivery).replace('"messageId":"501"', `"messageId":"${id}"`));
}

/** Delivers events to one trigger, and returns the names of those that start the workflow. */
async function listStarted(deliveries: Envelope[], parameters: INodeParameters) {
	const webhook = await watch(parameters);
	for (const delivery of deliveries) {
		expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
	}
	await webhook.idle();
	return webhook.executions.map(({ items }) => String(items[0].json.trigger)).sort();
}

const listEvents = (isExpected: (event: { here?: string[]; status?: string[] }) => unknown) =>
	TRIGGERS.filter((trigger) => isExpected(CONCERNED[trigger] ?? {})).sort();

test('The table lists every event', () => {
	expect(Object.keys(CONCERNED).sort()).toEqual([...TRIGGERS].sort());
});

describe('Of all events in a group,', () => {
	const inGroup = () => TRIGGERS.map((trigger) => reactTo(sampled(trigger)));

	test('all start the workflow if it watches the group or the whole app', async () => {
		const all = listEvents(() => true);
		expect(await listStarted(inGroup(), groups('Makers', 'SUPPORT', 'a'))).toEqual(all);
		expect(await listStarted(inGroup(), { watch: 'app' })).toEqual(all);
	});

	test('those that happen in no group start it if it watches another group', async () => {
		const placeless = listEvents(({ here }) => !here);
		expect(await listStarted(inGroup(), groups('other', ...PEOPLE))).toEqual(placeless);
		expect(logged).toEqual([]);
	});

	test.each(PEOPLE)(
		'those that concern %s or nobody start it if it watches this user',
		async (uid) => {
			const expected = listEvents(({ here, status }) => (here ?? status)?.includes(uid) ?? true);
			expect(await listStarted(inGroup(), users(uid.toUpperCase(), 'other'))).toEqual(expected);
		},
	);
});

/** Turns a sample's group into a private conversation between Noor, who acts, and Theo. */
function toPrivate(delivery: Envelope, author: string, receiver: string): Envelope {
	const json = JSON.stringify(delivery)
		.replaceAll('"group_support"', '"noor_user_theo"')
		.replaceAll(/"groupDetails":\{[^}]*\}/g, '"senderDetails":{"uid":"noor"}');
	return JSON.parse(json, (_key, value) => {
		if (value?.receiverType !== 'group') return value;
		const { sender, messageSender } = value;
		return {
			...{ ...value, receiverType: 'user' },
			...(sender === 'mira' ? { sender: author, receiver } : { receiver: 'theo' }),
			...(messageSender === undefined ? {} : { messageSender: author }),
		};
	});
}

describe.each([
	{ author: 'theo', receiver: 'noor' },
	{ author: 'mira', receiver: 'theo' },
])(
	'Of all events about private messages between Noor and Theo, and about one from $author to $receiver,',
	({ author, receiver }) => {
		const PRIVATE = TRIGGERS.filter(
			(trigger) => !/^group_|_all$/.test(trigger) && CONCERNED[trigger]?.here,
		).sort();
		const isReceipt = (trigger: string) => trigger.endsWith('_receipt');
		/** Events about the author's message. All others are about a message from Noor. */
		const isAboutAuthor = (trigger: string) => CONCERNED[trigger]?.here?.includes('mira');
		const betweenUsers = () =>
			PRIVATE.map((trigger) =>
				reactTo(toPrivate(sampled(trigger), author, receiver), {
					...{ sender: author, receiver, receiverType: 'user' },
				}),
			);

		test.each<[string, INodeParameters, (trigger: string) => unknown]>([
			[
				'none starts a workflow that watches groups with the same IDs',
				groups('support', 'makers', ...PEOPLE),
				() => false,
			],
			[
				'none starts a workflow that watches Zoe, who is not involved',
				users('zoe', 'support', 'makers'),
				() => false,
			],
			['none starts a workflow that watches Noor, who causes them', users('noor'), () => false],
			// A receipt concerns only the sender of the message
			[
				'those that concern Theo start a workflow that watches him',
				users('theo'),
				(trigger) => author === 'theo' || !isReceipt(trigger),
			],
			[
				'those about a message by Mira start a workflow that watches her',
				users('mira'),
				(trigger) => author === 'mira' && isAboutAuthor(trigger),
			],
			['all start a workflow that watches the whole app', { watch: 'app' }, () => true],
		])('%s', async (_, parameters, isExpected) => {
			expect(await listStarted(betweenUsers(), parameters)).toEqual(PRIVATE.filter(isExpected));
			expect(logged).toEqual([]);
		});
	},
);

const direct = (sender: string, receiver: string, changes: IDataObject = {}) =>
	sent(501, {
		...{ sender, receiver, receiverType: 'user', conversationId: `${sender}_user_${receiver}` },
		...changes,
	});

describe('A watched user', () => {
	test.each<[string, Envelope, number]>([
		['in the list of mentions', sent(501, mention('theo', 'Noor')), 1],
		['in the text', sent(501, { data: { text: 'Hi <@uid:NOOR>, look' } }), 1],
		['in a list without keys', sent(501, { data: { mentions: [user('noor')] } }), 1],
		['in a private message to somebody else', direct('mira', 'theo', mention('noor')), 1],
		['by name alone', sent(501, { data: { text: 'Hi @noor and <@uid:noora>' } }), 0],
		['by a watched user', sent(501, { sender: 'noor', ...mention('noor') }), 0],
	])('is heard if a message mentions them %s', async (_how, delivery, count) => {
		expect(await countFor(delivery, users('noor'))).toBe(count);
	});

	test('is heard through User Mentioned only if they are mentioned themselves', async () => {
		const mentioned = (...uids: string[]) => ({
			...direct('mira', 'noor', mention(...uids)),
			trigger: 'user_mentioned',
		});
		expect(await countFor(mentioned('noor'), users('noor'))).toBe(1);
		expect(await countFor(mentioned('theo'), users('noor'))).toBe(0);
	});

	test('never starts the workflow with their own messages, also to another watched user', async () => {
		expect(await countFor(direct('Bot', 'noor'), users('bot', 'noor'))).toBe(0);
		expect(await countFor(direct('mira', 'noor'), users('bot', 'noor'))).toBe(1);
	});

	test('gets one item per change of their own membership', async () => {
		const added = memberEvent('member_added', 'a', { theo: {}, noor: {}, zoe: {} }, 'mira');
		const webhook = await watch({ ...users('noor'), output: 'simplified' });
		await deliver(webhook, added);
		await webhook.idle();
		expect(webhook.executions.map(({ items }) => items.map(({ json }) => json.uid))).toEqual([
			['noor'],
		]);
	});

	test('hears of a new group that has them among its first members', async () => {
		const groupWith = (...members: string[]) => {
			const { data, ...rest } = sampled('group_created');
			const named = Object.fromEntries(members.map((uid) => [uid, user(uid)]));
			return { ...rest, data: { ...data, members: named } };
		};
		expect(await countFor(groupWith('noor', 'bot'), users('bot'))).toBe(1);
		expect(await countFor(groupWith('noor'), users('bot'))).toBe(0);
	});

	test('is heard when someone else edits, deletes or adds them with an action message', async () => {
		const ofBot = message(501, { sender: 'bot' });
		const edit = envelope('message_edited', { message: note(9, 'edited', 'mira', ofBot) });
		expect(await countFor(edit, users('bot'))).toBe(1);
		expect(await countFor(edit, users('mira'))).toBe(0);
		const added = envelope('message_sent', { message: note(9, 'added', 'mira', user('bot')) });
		const parameters = { ...users('bot'), options: { includeActions: true } };
		expect(await countFor(added, parameters)).toBe(1);
		expect(await countFor(added, { ...parameters, ...users('theo') })).toBe(0);
	});
});

describe('An event that does not say enough', () => {
	const unknown = { receiver: undefined, receiverType: undefined, conversationId: undefined };

	test.each<[string, Envelope]>([
		['a message without its place', sent(501, unknown)],
		['an event without content', envelope('message_sent', { something: 1 })],
		[
			'missed messages without a sender',
			envelope('email-notification-payload-generated', { to: {} }),
		],
		['an unknown event', envelope('something_new', { user: user('mira') })],
		[
			'an unknown event about a message',
			envelope('something_new', { message: message(1, unknown) }),
		],
		[
			'a reaction without its message',
			envelope('message_reaction_added', { reaction: { id: '1' } }),
		],
		['a group with an odd ID', envelope('something_new', { group: { guid: { a: 1 } } })],
		[
			'a conversation that could be a group',
			sent(501, { ...unknown, conversationId: 'group_support_user_noor' }),
		],
	])(
		'starts only a workflow that watches the whole app, and is logged: %s',
		async (_what, delivery) => {
			expect(await countFor(delivery, groups('support', 'support_user_noor'))).toBe(0);
			expect(logged).toEqual([
				expect.stringMatching(
					`^Ignored ${delivery.trigger}, because its group is unknown and 'Watch' is Groups`,
				),
			]);
			expect(await countFor(delivery, users('theo', 'support'))).toBe(0);
			expect(logged).toEqual([
				expect.stringMatching(
					`^Ignored ${delivery.trigger}, because the users it concerns are unknown and 'Watch' is Users`,
				),
			]);
			expect(await countFor(delivery, { watch: 'app' })).toBe(1);
		},
	);

	test('is logged if it happens in no conversation, and its only user is unknown', async () => {
		const delivery = envelope('user_connection_status_changed', { user: {} });
		expect(await countFor(delivery, users('theo'))).toBe(0);
		expect(logged).toEqual([expect.stringContaining('the users it concerns are unknown')]);
	});

	test('starts the workflow if it certainly happens in no group or conversation', async () => {
		for (const trigger of ['call_started', 'after_campaign_failed', 'recording_generated']) {
			expect(await countFor(envelope(trigger, { new: 'shape' }), groups('support'))).toBe(1);
			expect(await countFor(envelope(trigger, { new: 'shape' }), users('noor'))).toBe(1);
		}
	});

	test('starts it if an unknown event names a watched group, or a message to a watched user', async () => {
		const inGroup = (guid: string) => envelope('something_new', { group: { guid } });
		expect(await countFor(inGroup('support'), groups('support'))).toBe(1);
		expect(await countFor(inGroup('other'), groups('support'))).toBe(0);
		const toNoor = { ...direct('mira', 'noor'), trigger: 'something_new' };
		expect(await countFor(toNoor, users('noor'))).toBe(1);
		expect(await countFor(toNoor, users('mira'))).toBe(0);
		expect(await countFor(toNoor, users('theo'))).toBe(0);
	});

	test('is compared with users although its sender is unknown, if it was deleted', async () => {
		expect(await countFor(deleted(501), users('noor'))).toBe(0);
		expect(await countFor(deleted(501), groups('support'))).toBe(1);
	});
});

describe('Only From', () => {
	const onlyFrom = (...onlySenders: string[]) => ({ options: { onlySenders } });

	test('lets only events by these users start the workflow', async () => {
		expect(await countFor(sent(501), onlyFrom('MIRA', 'leo'))).toBe(1);
		expect(await countFor(sent(501), onlyFrom('leo'))).toBe(0);
		expect(await countFor(sampled('call_started'), onlyFrom('mira'))).toBe(0);
		const both = { ...groups('support'), ...onlyFrom('mira') };
		expect(await countFor(sent(501), both)).toBe(1);
		expect(await countFor(direct('mira', 'theo'), both)).toBe(0);
	});

	test('yields to Ignored Users', async () => {
		const options = { onlySenders: ['mira'], ignoreUsers: ['mira'] };
		expect(await countFor(sent(501), { options })).toBe(0);
	});
});

describe('The settings', () => {
	const activating = async (parameters: INodeParameters, types?: string[]) => {
		const webhook = await activate({ watch: undefined, ...parameters }, { types });
		return webhook.activate().then(
			() => 'active',
			(error: unknown) => (error instanceof Error ? error.message : ''),
		);
	};

	test('watch groups by default, and require one', async () => {
		const empty = (label: string) => `'${label}' is empty. Fill in '${label}'.`;
		expect(await activating({})).toBe(empty('Groups to Watch'));
		expect(await activating({ watch: 'users' })).toBe(empty('Users to Watch'));
		expect(await activating({ groupIds: ['support'] })).toBe('active');
		expect(await activating({ watch: 'app' })).toBe('active');
		expect(await activating(groups('a/b'))).toContain("'Groups to Watch'");
		expect(await activating(users('a b'))).toContain("'Users to Watch'");
	});

	test('require no groups if the chosen events happen in none', async () => {
		const choose = (...moreEvents: string[]) => ({ events: [], options: { moreEvents } });
		expect(await activating(choose('call_started'))).toBe('active');
		expect(await activating(choose('user_connection_status_changed'))).toBe('active');
		expect(await activating(choose('call_started', 'call_initiated'))).toBe(
			"'Groups to Watch' is empty. Fill in 'Groups to Watch'.",
		);
	});

	test('require the CometChat API credential for reactions in watched groups or of watched users', async () => {
		const withoutApi = ['cometChatWebhookApi'];
		const missing = /^'Watch' requires the CometChat API credential for reactions/;
		const reactions = { events: ['message_reaction_removed'] };
		expect(await activating(groups('a'), withoutApi)).toMatch(missing);
		expect(await activating({ ...users('a'), ...reactions }, withoutApi)).toMatch(missing);
		expect(await activating({ watch: 'app', ...reactions }, withoutApi)).toBe('active');
		const messages = { events: ['message_sent'] };
		expect(await activating({ ...groups('a'), ...messages }, withoutApi)).toBe('active');
	});
});

testPrivateMessages(40);
