import type { INodeParameters } from 'n8n-workflow';

import { activateTrigger } from '../../tools/n8nEngine/poll';
import { activate, itemsOf as itemsOfWebhook, LOGIN } from '../webhookTrigger/harness';
import { credentialsOf, jsonOf, message, moderation, useSandbox } from './harness';

const sandbox = useSandbox();

/** Columns of a message that quotes message 109 of the sample data. */
const QUOTE = {
	quotedMessageId: '109',
	quotedText: 'Aurora ships on Monday. Thank you all!',
	quotedSender: 'mira',
};

const NAMES = Object.keys(QUOTE);

/** Sends a message that quotes another one. @returns the ID */
const sendQuote = (fields: object = {}): string =>
	sandbox().store.sendMessage({
		...{ sender: 'leo', receiver: 'all-hands', text: 'Yes', quotedMessageId: '109', ...fields },
	}).id;

const SEND: INodeParameters = { onBehalfOf: 'leo', groupId: 'all-hands', text: 'Yes' };

/** Operations that return a message, with parameters for the message's ID. */
const OPERATIONS: Array<[string, (id: string) => INodeParameters]> = [
	['Send', () => message('send', { ...SEND, additionalFields: { quotedMessageId: '109' } })],
	['Get', (messageId) => message('get', { messageId })],
	['List', () => message('list', { groupId: 'all-hands', returnAll: false, limit: 1 })],
	['Update', (messageId) => message('update', { messageId, updateFields: { text: 'No' } })],
	['Delete', (messageId) => message('delete', { messageId })],
	[
		'Add Reaction',
		(messageId) => message('addReaction', { messageId, reaction: '👍', onBehalfOf: 'mira' }),
	],
	['Moderation → List', () => moderation('list', { queue: 'flagged', limit: 1 })],
];

describe('A row of a message that quotes another one says so', () => {
	test.each(OPERATIONS)('in %s, also by Selected Fields', async (name, parametersFor) => {
		for (const output of ['simplified', 'fields']) {
			const id = sendQuote();
			sandbox().store.flagMessage(id, { uid: 'mira', reasonId: 'spam' });
			const parameters = { ...parametersFor(id), output, fields: NAMES };
			const [row] = await jsonOf(sandbox(), parameters);
			// A deleted message says nothing
			expect(row).toMatchObject(name === 'Delete' ? { quotedMessageId: '109' } : QUOTE);
		}
	});

	test('in List Replies, if Send wrote the reply', async () => {
		const additionalFields = { parentId: '109', quotedMessageId: '109' };
		await jsonOf(sandbox(), message('send', { ...SEND, additionalFields }));
		const parameters = message('listReplies', { messageId: '109', onBehalfOf: 'leo' });
		expect(await jsonOf(sandbox(), parameters)).toMatchObject([QUOTE]);
	});

	test.each([
		['messageSent', { watch: 'app' }],
		['messageFlagged', {}],
	])('in the polled event %s', async (event, more) => {
		sandbox().store.flagMessage(sendQuote(), { uid: 'mira', reasonId: 'spam' });
		const trigger = {
			...{ id: 'poll', name: 'Poll', typeVersion: 1, position: [0, 0] as [number, number] },
			type: 'n8n-nodes-cometchat.cometChatPollingTrigger',
			parameters: { event, ...more },
			credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
		};
		const credentials = credentialsOf(sandbox());
		const items = await activateTrigger(trigger, { credentials }).poll('manual');
		expect(items?.at(-1)?.json).toMatchObject(QUOTE);
	});

	test('in events of the CometChat Trigger', async () => {
		const webhook = await activate({ appEvents: 'always' });
		sandbox().webhooks.set([{ url: webhook.url, ...LOGIN }]);
		const { store, webhooks } = sandbox();
		const id = sendQuote({ text: 'Yes, <@uid:noor>' });
		store.editMessage(id, { text: 'No' }, 'leo');
		await webhooks.idle();
		await webhook.idle();
		webhooks.set([]);
		expect(itemsOfWebhook(webhook)).toMatchObject([
			{ event: 'message_sent', ...QUOTE },
			{ event: 'user_mentioned', ...QUOTE },
			{ event: 'message_edited', ...QUOTE },
		]);
	});
});

test('A row has the ID of a quoted message that was deleted for good, and other rows have no quote', async () => {
	const id = sendQuote();
	sandbox().store.deleteMessage('109', { permanent: true, by: 'mira' });
	const [quoting] = await jsonOf(sandbox(), message('get', { messageId: id }));
	expect(quoting).toMatchObject({ quotedMessageId: '109' });
	expect(quoting).not.toHaveProperty('quotedText');
	const [other] = await jsonOf(sandbox(), message('get', { messageId: '101' }));
	expect(Object.keys(other).filter((name) => name.startsWith('quoted'))).toEqual([]);
});
