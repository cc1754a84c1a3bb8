import type { INodeParameters } from 'n8n-workflow';

import { activate, APP_ID, deliver, itemsFrom, post } from './harness';
import type { Envelope } from './envelopes';
import {
	deleted,
	edited,
	envelope,
	groupEvent,
	memberEvent,
	mentioned,
	message,
	note,
	reaction,
	sent,
	user,
} from './envelopes';

const direct = { receiverType: 'user', receiver: 'noor', conversationId: 'mira_user_noor' };

const joined = (...uids: string[]) =>
	memberEvent('member_joined', 'support', Object.fromEntries(uids.map((uid) => [uid, {}])));

describe('events', () => {
	test('only those that are chosen start the workflow; the others are answered with 200', async () => {
		const webhook = await activate({ events: ['message_edited', 'group_created'] });
		const chosen = [edited(501, 'x'), groupEvent('created', 'a')];
		const others = [sent(501), deleted(501), reaction('added'), groupEvent('updated', 'a')];
		for (const delivery of [...others, ...chosen]) {
			expect(await deliver(webhook, delivery)).toMatchObject({ status: 200 });
		}
		await webhook.idle();
		expect(webhook.executions.map(({ items }) => items[0].json)).toEqual(chosen);
	});

	test('events that are not in the list need all events', async () => {
		const unknown = envelope('user_blocked', { by: user('mira') });
		const webhook = await activate({ events: ['message_sent'] });
		expect(await itemsFrom(webhook, unknown)).toEqual([]);
		expect(await itemsFrom(await activate({ events: ['*', 'message_sent'] }), unknown)).toEqual([
			unknown,
		]);
	});

	test('a new node takes all events', async () => {
		expect(await itemsFrom(await activate(), sent(501), groupEvent('deleted', 'a'))).toHaveLength(
			2,
		);
	});

	test('may come from an expression', async () => {
		const webhook = await activate({ events: '={{ ["message_sent", "group_created"] }}' });
		expect(await itemsFrom(webhook, sent(501), edited(502, 'x'))).toHaveLength(1);
		const asText = await activate({ events: '={{ "message_sent,group_created" }}' });
		expect(await itemsFrom(asText, sent(501), edited(502, 'x'))).toHaveLength(1);
	});
});

type Case = [string, Envelope];

const CHAT_ACTIONS: Case[] = [
	['a message', sent(501, { sender: 'bot' })],
	['an edit', edited(501, 'x', { by: 'bot' })],
	['a deletion', deleted(501, { by: 'bot' })],
	['a reaction', reaction('added', { uid: 'bot' })],
	['a reaction that was removed', reaction('removed', { uid: 'bot' })],
	['a mention', mentioned(501, ['noor'], { sender: 'bot' })],
	['a new group', groupEvent('created', 'a', { owner: 'bot' })],
	['adding a member', memberEvent('member_added', 'a', { noor: {} }, 'bot')],
	['removing a member', memberEvent('member_kicked', 'a', { noor: {} }, 'bot')],
	['joining', joined('bot')],
	['leaving', memberEvent('member_left', 'a', { bot: {} })],
	['something else', envelope('user_blocked', { by: user('bot'), user: user('noor') })],
];

describe('ignored senders', () => {
	const options = { ignoreSenders: ['other', 'bot'] };

	test.each(CHAT_ACTIONS)('%s of an ignored user starts nothing', async (_what, delivery) => {
		expect(await itemsFrom(await activate({ options }), delivery)).toEqual([]);
	});

	test.each(CHAT_ACTIONS)('%s of another user starts the workflow', async (_what, delivery) => {
		const webhook = await activate({ options: { ignoreSenders: ['noor', 'bo'] } });
		expect(await itemsFrom(webhook, delivery)).toEqual([delivery]);
	});

	test('an edit by another user of the message of an ignored one starts the workflow', async () => {
		const entity = message(501, { sender: 'bot' });
		const delivery = envelope('message_edited', { message: note(9, 'edited', 'mira', entity) });
		expect(await itemsFrom(await activate({ options }), delivery)).toHaveLength(1);
	});

	test('UIDs are alike in any case, as for the service', async () => {
		const webhook = await activate({ options: { ignoreSenders: ['BOT '] } });
		expect(await itemsFrom(webhook, sent(501, { sender: 'Bot' }))).toEqual([]);
	});

	test('members who are not ignored start the workflow, without the others', async () => {
		const webhook = await activate({ options, output: 'simplified' });
		expect(await itemsFrom(webhook, joined('bot', 'noor'))).toMatchObject([{ uid: 'noor' }]);
		expect(webhook.executions).toHaveLength(1);
	});
});

describe('groups', () => {
	const options = { groupIds: ['Support'] };

	const inGroup = (guid: string): Case[] => {
		const there = { receiver: guid, conversationId: `group_${guid}` };
		const bare = { id: '501', conversationId: `group_${guid}`, deletedAt: 1 };
		return [
			['a message', sent(501, there)],
			['a message that says only its conversation', sent(501, { ...there, receiverType: '' })],
			[
				'an edit',
				envelope('message_edited', {
					message: note(9, 'edited', 'mira', message(501, there), there),
				}),
			],
			[
				'a deletion whose note says no receiver',
				envelope('message_deleted', {
					message: note(9, 'deleted', 'mira', bare, {
						receiverType: undefined,
						conversationId: undefined,
					}),
				}),
			],
			['a changed group', groupEvent('updated', guid)],
			['a new member', memberEvent('member_added', guid, { noor: {} }, 'mira')],
			['an event that is not in the list', envelope('call_started', { group: { guid } })],
		];
	};

	test.each(inGroup('support'))(
		'%s in a wanted group starts the workflow',
		async (_what, delivery) => {
			expect(await itemsFrom(await activate({ options }), delivery)).toHaveLength(1);
		},
	);

	test.each(inGroup('random'))('%s in another group starts nothing', async (_what, delivery) => {
		expect(await itemsFrom(await activate({ options }), delivery)).toEqual([]);
	});

	test('messages between users start nothing', async () => {
		const webhook = await activate({ options });
		const onlyConversation = { ...direct, receiverType: undefined };
		expect(await itemsFrom(webhook, sent(501, direct), sent(502, onlyConversation))).toEqual([]);
		expect(await itemsFrom(await activate(), sent(501, direct))).toHaveLength(1);
	});

	test('events that do not name their group start the workflow', async () => {
		const webhook = await activate({ options });
		const blocked = envelope('user_blocked', { by: user('mira') });
		expect(await itemsFrom(webhook, reaction('added'), blocked)).toHaveLength(2);
	});
});

describe('the app', () => {
	test.each([
		[APP_ID, 1],
		[` ${APP_ID.toUpperCase()} `, 1],
		['another', 0],
		['', 1],
	])('for "%s" %d of the deliveries start the workflow', async (appId, count) => {
		expect(await itemsFrom(await activate({ options: { appId } }), sent(501))).toHaveLength(count);
	});

	test('a delivery that does not say its app is not of the app', async () => {
		const webhook = await activate({ options: { appId: APP_ID } });
		expect(await itemsFrom(webhook, { ...sent(501), appId: undefined })).toEqual([]);
	});
});

describe('settings that mean nothing', () => {
	const WRONG: Array<[string, INodeParameters]> = [
		["'Events'", { events: [] }],
		["'Events'", { events: ['message_seen'] }],
		["'Ignore Senders'", { options: { ignoreSenders: ['a b'] } }],
		["'Group IDs'", { options: { groupIds: ['a/b'] } }],
		["'Fields'", { output: 'fields', fields: [] }],
		["'Fields'", { output: 'fields', fields: ['data.__proto__'] }],
		["'Fetch Message'", { options: { fetchMessage: 'perhaps' } }],
	];

	test.each(WRONG)('are told when the workflow is activated: %s', async (field, parameters) => {
		const webhook = await activate(parameters);
		await expect(webhook.activate()).rejects.toThrow(field);
	});

	test.each(WRONG)(
		'are a failed execution when a delivery comes: %s',
		async (field, parameters) => {
			const webhook = await activate(parameters);
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
