import type { IDataObject } from 'n8n-workflow';

import type { ActiveWebhook, WebhookOptions } from '../../engine/webhook';
import type { Sandbox } from '../../sandbox/server';
import { startSandbox } from '../../sandbox/server';
import { memoryStore } from '../../engine/webhook';
import { activate, deliver, itemsFrom, itemsOf } from './harness';
import { groupEvent, reaction, sent } from './envelopes';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const FETCH = { options: { fetchMessage: true } };

const groupMessage = () => {
	const found = sandbox.store.messages().find(({ receiverType }) => receiverType === 'group');
	if (!found) throw new Error('The sample data has no message in a group');
	return found;
};

async function activateFetching(
	parameters = {},
	options: WebhookOptions & { types?: string[] } = {},
): Promise<ActiveWebhook> {
	const { apiKey, baseUrl } = sandbox;
	const cometChatApi = { apiKey, region: 'custom', baseUrl };
	const credentials = { cometChatApi, ...options.credentials };
	return await activate({ ...FETCH, ...parameters }, { ...options, credentials });
}

async function itemFor(messageId: string, parameters = {}, options = {}): Promise<IDataObject> {
	const webhook = await activateFetching(parameters, options);
	const items = await itemsFrom(webhook, reaction('added', { messageId }));
	expect(items).toHaveLength(1);
	return items[0];
}

test('a raw reaction comes with its message beside the envelope', async () => {
	const { id, text } = groupMessage();
	const item = await itemFor(id);
	expect(item).toEqual({
		...reaction('added', { messageId: id }),
		message: expect.objectContaining({ id, data: expect.objectContaining({ text }) }),
	});
});

test('fields of the message can be selected', async () => {
	const { id, text } = groupMessage();
	const fields = ['data.reaction.uid', 'message.data.text'];
	expect(await itemFor(id, { output: 'fields', fields })).toEqual({
		data: { reaction: { uid: 'mira' } },
		message: { data: { text } },
	});
});

test('a simplified reaction has the columns of its message, flat', async () => {
	const { id, text, sender, receiver } = groupMessage();
	const item = await itemFor(id, { output: 'simplified' });
	expect(item).toMatchObject({
		id: '71',
		uid: 'mira',
		messageId: id,
		messageText: text,
		messageSender: sender,
		messageReceiver: receiver,
		messageReceiverType: 'group',
	});
	expect(Object.values(item).filter((value) => typeof value === 'object')).toEqual([]);
});

test('a reaction that was removed has a message too; other events fetch nothing', async () => {
	const { id } = groupMessage();
	const webhook = await activateFetching();
	const others = [sent(501), groupEvent('updated', 'a')];
	const items = await itemsFrom(webhook, ...others, reaction('removed', { messageId: id }));
	expect(items.map((item) => 'message' in item)).toEqual([false, false, true]);
	expect(sandbox.log.map(({ method, path }) => `${method} ${path}`)).toEqual([
		`GET /v3/messages/${id}`,
	]);
});

test('nothing is fetched unless it is asked for, nor for a reaction that came before', async () => {
	const webhook = await activateFetching({ options: {} });
	await itemsFrom(webhook, reaction('added'));
	expect(sandbox.log).toEqual([]);
	const fetching = await activateFetching();
	await itemsFrom(fetching, reaction('added'), reaction('added'));
	expect(sandbox.log).toHaveLength(1);
});

test('CometChat gets the response before the message is there', async () => {
	sandbox.setFaults([{ effect: { latency: { ms: 1_500 } } }]);
	const webhook = await activateFetching();
	const answer = await deliver(webhook, reaction('added', { messageId: groupMessage().id }));
	expect(answer.status).toBe(200);
	expect(webhook.executions).toEqual([]);
	await webhook.idle();
	expect(itemsOf(webhook)).toMatchObject([{ message: { id: groupMessage().id } }]);
});

test('what else comes until the message is there is remembered after a restart too', async () => {
	sandbox.setFaults([{ effect: { latency: { ms: 500 } } }]);
	const staticData = memoryStore();
	const webhook = await activateFetching({}, { staticData });
	const slow = reaction('added', { messageId: groupMessage().id });
	await deliver(webhook, slow);
	await deliver(webhook, sent(501));
	await webhook.idle();
	expect(itemsOf(webhook)).toMatchObject([sent(501), { trigger: slow.trigger }]);
	const restarted = await activateFetching({}, { staticData, workflowId: 'after a restart' });
	expect(await itemsFrom(restarted, sent(501), slow)).toEqual([]);
});

describe('the event comes all the same, with the reason', () => {
	const errorFor = async (messageId = groupMessage().id, options = {}): Promise<string> => {
		const item = await itemFor(messageId, {}, options);
		expect(item).not.toHaveProperty('message');
		expect(item).toMatchObject({ trigger: 'message_reaction_added' });
		expect(JSON.stringify(item)).not.toContain(sandbox.apiKey);
		return String(item.messageError);
	};

	test('when there is no such message', async () => {
		expect(await errorFor('999999')).toContain('ERR_MESSAGE_ID_NOT_FOUND');
		const simplified = await itemFor('999999', { output: 'simplified' });
		expect(simplified).toMatchObject({ uid: 'mira', messageError: expect.any(String) });
	});

	test('when the key is wrong, without the key', async () => {
		sandbox.setFaults([{ effect: { echoKey: { status: 401 } } }]);
		expect(await errorFor()).toMatch(/\*{10}/);
	});

	test('when there is no credential', async () => {
		expect(await errorFor(undefined, { types: ['cometChatWebhookApi'] })).toMatch(/credential/i);
		expect(sandbox.log).toEqual([]);
	});

	test('when the credential cannot be read', async () => {
		const credentials = { cometChatApi: undefined };
		expect(await errorFor(undefined, { credentials })).toMatch(/credential/i);
	});

	test('when the rate limit lasts too long, and without waiting for it', async () => {
		sandbox.setFaults([{ effect: { tooManyRequests: { seconds: 600 } } }]);
		const text = await errorFor();
		expect(text).toContain('rate limit');
		// The trigger has no such option
		expect(text).not.toContain('Max Wait');
		expect(sandbox.log).toHaveLength(1);
	});

	test('and the rate limit of one delivery is not held against a later one', async () => {
		const webhook = await activateFetching();
		const { id: messageId } = groupMessage();
		sandbox.setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 600 } } }]);
		const [first] = await itemsFrom(webhook, reaction('added', { messageId }));
		expect(first).toHaveProperty('messageError');
		const items = await itemsFrom(webhook, reaction('removed', { messageId }));
		expect(items.at(-1)).toHaveProperty('message.id', messageId);
	});

	test('when the connection is cut, after further attempts', async () => {
		sandbox.setFaults([{ effect: { cutBefore: true } }]);
		expect(await errorFor()).toContain('connection');
		expect(sandbox.log.length).toBeGreaterThan(1);
	});

	test('when the message does not come in ten seconds', async () => {
		sandbox.setFaults([{ effect: { trickle: { everyMs: 50 } } }]);
		expect(await errorFor()).toContain('within 10 seconds');
	});

	test.each(['..', '.', '', 'a/b?c#d', '\ud83d'])('when its ID is "%s"', async (messageId) => {
		await errorFor(messageId);
		const paths = sandbox.log.map(({ path }) => path);
		expect(paths.filter((path) => !path.startsWith('/v3/messages/a%2Fb%3Fc%23d'))).toEqual([]);
	});
});

test('a message that repeats the API key comes without it', async () => {
	sandbox.setFaults([{ effect: { echoKeyInItem: 'plain' } }]);
	const item = await itemFor(groupMessage().id);
	expect(item).toHaveProperty('message');
	expect(JSON.stringify(item)).not.toContain(sandbox.apiKey);
});

describe('only some groups', () => {
	const only = (...groupIds: string[]) => ({ options: { fetchMessage: true, groupIds } });
	const countFor = async (messageId: string, ...groupIds: string[]) => {
		const webhook = await activateFetching(only(...groupIds));
		return (await itemsFrom(webhook, reaction('added', { messageId }))).length;
	};

	test('a reaction to a message there starts the workflow, one elsewhere does not', async () => {
		const { id, receiver } = groupMessage();
		expect(await countFor(id, receiver, 'other')).toBe(1);
		expect(await countFor(id, 'other')).toBe(0);
	});

	test('a reaction to a message between users does not', async () => {
		const direct = sandbox.store.messages().find(({ receiverType }) => receiverType === 'user');
		expect(await countFor(String(direct?.id), 'other')).toBe(0);
	});

	test('a reaction to a message that cannot be fetched does', async () => {
		expect(await countFor('999999', 'other')).toBe(1);
	});
});

test('many reactions at once share one limit of requests in flight', async () => {
	sandbox.setFaults([{ effect: { latency: { ms: 100 } } }]);
	const webhook = await activateFetching();
	const { id: messageId } = groupMessage();
	const ids = Array.from({ length: 150 }, (_, id) => id);
	await Promise.all(
		ids.map(async (id) => await deliver(webhook, reaction('added', { id, messageId }))),
	);
	await webhook.idle();
	expect(itemsOf(webhook).filter((item) => 'message' in item)).toHaveLength(150);
	expect(sandbox.stats.peakInFlight).toBeLessThanOrEqual(60);
});
