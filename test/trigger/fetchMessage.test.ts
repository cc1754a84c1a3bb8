import type { IDataObject } from 'n8n-workflow';

import type { ActiveWebhook, WebhookOptions } from '../../tools/n8nEngine/webhook';
import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { groupEvent, reaction, sent } from './envelopes';
import { activate, deliver, itemsFrom, itemsOf } from './harness';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await sandbox.close());

const groupMessage = () => {
	const found = sandbox.store.messages.all().find(({ receiverType }) => receiverType === 'group');
	if (!found) throw new Error('The sample data has no message in a group');
	return found;
};

async function activateFetching(
	{ options = {}, ...parameters }: { options?: object; output?: string; fields?: string[] } = {},
	engine: WebhookOptions & { types?: string[] } = {},
): Promise<ActiveWebhook> {
	const { apiKey, baseUrl } = sandbox;
	const cometChatApi = { apiKey, region: 'custom', baseUrl };
	const credentials = { cometChatApi, ...engine.credentials };
	const fetching = { output: 'raw', ...parameters, options: { fetchMessage: true, ...options } };
	return await activate(fetching, { ...engine, credentials });
}

async function itemFor(messageId: string, parameters = {}, engine = {}): Promise<IDataObject> {
	const webhook = await activateFetching(parameters, engine);
	const items = await itemsFrom(webhook, reaction('added', { messageId }));
	expect(items).toHaveLength(1);
	return items[0];
}

/** What the node waits for at most; a twentieth of it is waited. */
function hurry(): number[] {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const waits: number[] = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		waits.push(ms);
		return timeout(ms / 20);
	});
	return waits;
}

test('a raw reaction comes with its message beside the envelope', async () => {
	const { id, text } = groupMessage();
	expect(await itemFor(id)).toEqual({
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
		by: 'mira',
		messageId: id,
		messageText: text,
		messageSender: sender,
		messageReceiver: receiver,
		messageReceiverType: 'group',
		messageError: null,
	});
	expect(Object.values(item).filter((value) => value && typeof value === 'object')).toEqual([]);
});

test('the columns of a message that does not come are null', async () => {
	const withMessage = await itemFor(groupMessage().id, { output: 'simplified' });
	sandbox.setFaults([{ effect: { status: { status: 404 } } }]);
	const without = await itemFor(groupMessage().id, { output: 'simplified' });
	expect(Object.keys(without)).toEqual(Object.keys(withMessage));
	expect(without).toMatchObject({ messageText: null, messageSender: null, by: 'mira' });
	expect(without.messageError).toEqual(expect.any(String));
});

test('a reaction that was removed has a message too; other events fetch nothing', async () => {
	const { id } = groupMessage();
	const webhook = await activateFetching();
	const others = [sent(501), groupEvent('updated', 'a')];
	const removed = reaction('removed', { messageId: id });
	// The one that comes again is fetched once
	const items = await itemsFrom(webhook, ...others, removed, removed);
	expect(items.map((item) => 'message' in item)).toEqual([false, false, true]);
	expect(sandbox.log.map(({ method, path }) => `${method} ${path}`)).toEqual([
		`GET /v3/messages/${id}`,
	]);
});

test('nothing is fetched unless it is asked for', async () => {
	const webhook = await activateFetching({ options: { fetchMessage: false } });
	const items = await itemsFrom(webhook, reaction('added'));
	expect(items).toEqual([reaction('added')]);
	expect(sandbox.log).toEqual([]);
});

test('a workflow without the CometChat API credential is not activated', async () => {
	const without = await activateFetching({}, { types: ['cometChatWebhookApi'] });
	await expect(without.activate()).rejects.toMatchObject({
		message: "'Fetch Message' requires the CometChat API credential",
		description: 'Choose a credential, or remove the option.',
	});
	await expect((await activateFetching()).activate()).resolves.toBeUndefined();
	const off = { options: { fetchMessage: false } };
	const unneeded = await activateFetching(off, { types: ['cometChatWebhookApi'] });
	await expect(unneeded.activate()).resolves.toBeUndefined();
});

test('what is left out fetches nothing', async () => {
	const webhook = await activateFetching({ options: { ignoreSenders: ['mira'] } });
	expect(await itemsFrom(webhook, reaction('added'))).toEqual([]);
	expect(sandbox.log).toEqual([]);
});

test('CometChat gets its response when the message is there: what was answered is not lost', async () => {
	sandbox.setFaults([{ effect: { latency: { ms: 50 } } }]);
	const webhook = await activateFetching();
	const answer = await deliver(webhook, reaction('added', { messageId: groupMessage().id }));
	expect(answer.status).toBe(200);
	expect(sandbox.stats).toMatchObject({ requests: 1, inFlight: 0 });
	await webhook.idle();
	expect(itemsOf(webhook)).toMatchObject([{ message: { id: groupMessage().id } }]);
});

describe('the event comes all the same, with the reason', () => {
	const errorFor = async (messageId = groupMessage().id, engine = {}): Promise<string> => {
		const item = await itemFor(messageId, {}, engine);
		expect(item).not.toHaveProperty('message');
		expect(item).toMatchObject({ trigger: 'message_reaction_added' });
		expect(JSON.stringify(item)).not.toContain(sandbox.apiKey);
		return String(item.messageError);
	};

	test('when there is no such message', async () => {
		expect(await errorFor('999999')).toContain('ERR_MESSAGE_ID_NOT_FOUND');
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
		expect(text).not.toContain('Longest Retry Wait');
		expect(sandbox.log).toHaveLength(1);
	});

	test('when the message does not come within 1.5 seconds: CometChat waits for two', async () => {
		const waits = hurry();
		sandbox.setFaults([{ effect: { trickle: { everyMs: 5 } } }]);
		expect(await errorFor()).toBe('CometChat sent no message within 1.5 seconds');
		expect(waits).toContain(1_500);
	});

	test('when an attempt fails and the next one would be too late', async () => {
		hurry();
		sandbox.setFaults([{ effect: { status: { status: 503 } } }]);
		expect(await errorFor()).toBe('CometChat sent no message within 1.5 seconds');
		expect(sandbox.log).toHaveLength(1);
	});

	test.each(['..', '.', '', '\ud83d'])('when its ID is "%s"', async (messageId) => {
		await errorFor(messageId);
		expect(sandbox.log).toEqual([]);
	});

	test('when its ID would be another address', async () => {
		await errorFor('a/b?c#d');
		expect(sandbox.log.map(({ path }) => path)).toEqual(['/v3/messages/a%2Fb%3Fc%23d']);
	});
});

test('an attempt that fails is made once more', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	sandbox.setFaults([{ match: { nth: [1] }, effect: { status: { status: 503 } } }]);
	expect(await itemFor(groupMessage().id)).toHaveProperty('message');
	expect(sandbox.log).toHaveLength(2);
});

test('the rate limit of one delivery is not held against a later one', async () => {
	sandbox.setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 600 } } }]);
	expect(await itemFor(groupMessage().id)).toHaveProperty('messageError');
	expect(await itemFor(groupMessage().id)).toHaveProperty('message');
});

test('a message that repeats the API key comes without it', async () => {
	sandbox.setFaults([{ effect: { echoKeyInItem: true } }]);
	const item = await itemFor(groupMessage().id);
	expect(item).toHaveProperty('message');
	expect(JSON.stringify(item)).not.toContain(sandbox.apiKey);
});

describe('only some groups', () => {
	const countFor = async (messageId: string, ...groupIds: string[]) => {
		const webhook = await activateFetching({ options: { groupIds } });
		const { status } = await deliver(webhook, reaction('added', { messageId }));
		expect(status).toBe(200);
		await webhook.idle();
		return webhook.executions.length;
	};

	test('a reaction to a message there starts the workflow, one elsewhere does not', async () => {
		const { id, receiver } = groupMessage();
		expect(await countFor(id, receiver, 'other')).toBe(1);
		expect(await countFor(id, 'other')).toBe(0);
	});

	test('a reaction to a message between users does not', async () => {
		const direct = sandbox.store.messages.all().find(({ receiverType }) => receiverType === 'user');
		expect(await countFor(String(direct?.id), 'other')).toBe(0);
	});

	test('a reaction to a message that cannot be fetched does', async () => {
		expect(await countFor('999999', 'other')).toBe(1);
	});
});
