import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ActiveWebhook, WebhookOptions } from '../../tools/n8nEngine/webhook';
import { startSandbox, type FaultEffect, type Sandbox } from '../../tools/sandbox/server';
import { groupEvent, reaction, sent } from './envelopes';
import { activate, deliver, itemsFrom, itemsOf } from './harness';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await sandbox.close());

const findGroupMessage = () => {
	const found = sandbox.store.messages
		.all()
		.find(({ receiverType, type }) => receiverType === 'group' && type === 'text');
	if (!found) throw new Error('The sample data has no text message in a group');
	return found;
};

async function activateFetching(
	{ options = {}, ...parameters }: INodeParameters = {},
	engine: WebhookOptions & { types?: string[] } = {},
): Promise<ActiveWebhook> {
	const { apiKey, baseUrl } = sandbox;
	const cometChatApi = { apiKey, region: 'custom', baseUrl };
	const credentials = { cometChatApi, ...engine.credentials };
	const fetching = {
		output: 'raw',
		...parameters,
		options: { fetchMessage: true, ...Object(options) },
	};
	return await activate(fetching, { ...engine, credentials });
}

async function fetchItem(messageId: string, parameters = {}, engine = {}): Promise<IDataObject> {
	const webhook = await activateFetching(parameters, engine);
	const items = await itemsFrom(webhook, reaction('added', { messageId }));
	expect(items).toHaveLength(1);
	return items[0];
}

test('Raw adds the message to the envelope', async () => {
	const { id, text } = findGroupMessage();
	expect(await fetchItem(id)).toEqual({
		...reaction('added', { messageId: id }),
		message: expect.objectContaining({ id, data: expect.objectContaining({ text }) }),
	});
});

test('Selected Fields may include fields of the message', async () => {
	const { id, text } = findGroupMessage();
	const fields = ['data.reaction.uid', 'message.data.text'];
	expect(await fetchItem(id, { output: 'fields', fields })).toEqual({
		messageId: id,
		data: { reaction: { uid: 'mira' } },
		message: { data: { text } },
	});
});

test('Simplified has columns for the message', async () => {
	const { id, text, sender, receiver } = findGroupMessage();
	const item = await fetchItem(id, { output: 'simplified' });
	expect(item).toMatchObject({
		uid: 'mira',
		messageId: id,
		messageText: text,
		messageSender: sender,
		messageReceiver: receiver,
		messageReceiverType: 'group',
		messageError: null,
	});
	expect(Object.values(item).filter((value) => value && typeof value === 'object')).toEqual([]);
});

test('Simplified has null columns for a missing message', async () => {
	const withMessage = await fetchItem(findGroupMessage().id, { output: 'simplified' });
	sandbox.setFaults([{ effect: { status: { status: 404 } } }]);
	const without = await fetchItem(findGroupMessage().id, { output: 'simplified' });
	expect(Object.keys(without)).toEqual(Object.keys(withMessage));
	expect(without).toMatchObject({ messageText: null, messageSender: null, uid: 'mira' });
	expect(without.messageError).toEqual(expect.any(String));
});

test('fetches the message once for each new reaction, and for no other events', async () => {
	const { id } = findGroupMessage();
	const webhook = await activateFetching();
	const others = [sent(501), groupEvent('updated', 'a')];
	const removed = reaction('removed', { messageId: id });
	const items = await itemsFrom(webhook, ...others, removed, removed);
	expect(items.map((item) => 'message' in item)).toEqual([false, false, true]);
	expect(sandbox.log.map(({ method, path }) => `${method} ${path}`)).toEqual([
		`GET /v3/messages/${id}`,
	]);
});

test.each<[INodeParameters, number]>([
	[{ fetchMessage: false }, 1],
	[{ ignoreUsers: ['mira'] }, 0],
])('sends no request with the options %j', async (options, count) => {
	const webhook = await activateFetching({ options });
	expect(await itemsFrom(webhook, reaction('added'))).toHaveLength(count);
	expect(sandbox.log).toEqual([]);
});

test('prevents the activation without the CometChat API credential, with a message that says what to do', async () => {
	const without = await activateFetching({}, { types: ['cometChatWebhookApi'] });
	await expect(without.activate()).rejects.toMatchObject({
		message:
			"'Fetch Message' requires the CometChat API credential. Choose a credential, or remove the option.",
		description: undefined,
	});
	await expect((await activateFetching()).activate()).resolves.toBeUndefined();
	const off = { options: { fetchMessage: false } };
	const unneeded = await activateFetching(off, { types: ['cometChatWebhookApi'] });
	await expect(unneeded.activate()).resolves.toBeUndefined();
});

test('responds to CometChat after the message was fetched', async () => {
	sandbox.setFaults([{ effect: { latency: { ms: 50 } } }]);
	const webhook = await activateFetching();
	const answer = await deliver(webhook, reaction('added', { messageId: findGroupMessage().id }));
	expect(answer.status).toBe(200);
	expect(sandbox.stats).toMatchObject({ requests: 1, inFlight: 0 });
	await webhook.idle();
	expect(itemsOf(webhook)).toMatchObject([{ message: { id: findGroupMessage().id } }]);
});

describe('The event starts the workflow with an error', () => {
	const fetchError = async (messageId = findGroupMessage().id, engine = {}): Promise<string> => {
		const item = await fetchItem(messageId, {}, engine);
		expect(item).not.toHaveProperty('message');
		expect(item).toMatchObject({ trigger: 'message_reaction_added' });
		expect(JSON.stringify(item)).not.toContain(sandbox.apiKey);
		return String(item.messageError);
	};

	test.each<[string, FaultEffect, RegExp]>([
		['a wrong API key, which is hidden', { echoKey: { status: 401 } }, /\*{10}/],
		// The trigger doesn't have the option "Longest Retry Wait"
		[
			'a long rate limit',
			{ tooManyRequests: { seconds: 600 } },
			/rate limit(?!.*Longest Retry Wait)/s,
		],
	])('if the request is refused because of %s', async (_what, effect, expected) => {
		sandbox.setFaults([{ effect }]);
		expect(await fetchError()).toMatch(expected);
		expect(sandbox.log).toHaveLength(1);
	});

	test.each<[string, FaultEffect]>([
		['fetching takes 1.5 seconds', { trickle: { everyMs: 5 } }],
		['a retry would take longer than 1.5 seconds', { status: { status: 503 } }],
	])("if %s, because CometChat's timeout is 2 seconds", async (_what, effect) => {
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		const shortened = jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((ms) => timeout(ms / 20));
		sandbox.setFaults([{ effect }]);
		expect(await fetchError()).toBe('CometChat did not respond within 1.5 seconds');
		expect(shortened).toHaveBeenCalledWith(1_500);
		expect(sandbox.log).toHaveLength(1);
	});

	test.each([{ types: ['cometChatWebhookApi'] }, { credentials: { cometChatApi: undefined } }])(
		'if the credential is missing or unreadable: %j',
		async (engine) => {
			expect(await fetchError(undefined, engine)).toMatch(/credential/i);
			expect(sandbox.log).toEqual([]);
		},
	);

	test.each(['..', '.', '', '\ud83d'])('if the message ID is "%s"', async (messageId) => {
		await fetchError(messageId);
		expect(sandbox.log).toEqual([]);
	});

	test('if neither the message ID nor the credential is usable, without an unhandled rejection', async () => {
		const onRejection = jest.fn();
		process.on('unhandledRejection', onRejection);
		try {
			expect(await fetchError('', { types: ['cometChatWebhookApi'] })).toMatch(/credential/i);
		} finally {
			process.off('unhandledRejection', onRejection);
		}
		expect(onRejection).not.toHaveBeenCalled();
	});

	test('if the message ID is unknown and contains special characters', async () => {
		expect(await fetchError('a/b?c#d')).toContain('ERR_MESSAGE_ID_NOT_FOUND');
		expect(sandbox.log.map(({ path }) => path)).toEqual(['/v3/messages/a%2Fb%3Fc%23d']);
	});
});

test('retries a failed request once', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	sandbox.setFaults([{ match: { nth: [1] }, effect: { status: { status: 503 } } }]);
	expect(await fetchItem(findGroupMessage().id)).toHaveProperty('message');
	expect(sandbox.log).toHaveLength(2);
});

test('ignores the rate limit of an earlier delivery', async () => {
	sandbox.setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 600 } } }]);
	expect(await fetchItem(findGroupMessage().id)).toHaveProperty('messageError');
	expect(await fetchItem(findGroupMessage().id)).toHaveProperty('message');
});

test('removes the API key from the message', async () => {
	sandbox.setFaults([{ effect: { echoKeyInItem: true } }]);
	const item = await fetchItem(findGroupMessage().id);
	expect(item).toHaveProperty('message');
	expect(JSON.stringify(item)).not.toContain(sandbox.apiKey);
});

describe('In watched groups', () => {
	const logged: string[] = [];
	const countFor = async (messageId: string, ...groupIds: string[]) => {
		logged.length = 0;
		const onLog = (text: string) => logged.push(text);
		const watched = { watch: 'groups', groupIds, options: { fetchMessage: false } };
		const webhook = await activateFetching(watched, { onLog });
		const { status } = await deliver(webhook, reaction('added', { messageId }));
		expect(status).toBe(200);
		await webhook.idle();
		return webhook.executions.length;
	};

	test('a reaction starts the workflow only if its message is in one of the groups', async () => {
		const { id, receiver } = findGroupMessage();
		const direct = sandbox.store.messages.all().find(({ receiverType }) => receiverType === 'user');
		expect(await countFor(id, receiver, 'other')).toBe(1);
		expect(await countFor(id, 'other')).toBe(0);
		expect(await countFor(String(direct?.id), 'other')).toBe(0);
		expect(logged).toEqual([]);
	});

	test('a reaction does not start the workflow if its message cannot be fetched, and the log says why', async () => {
		expect(await countFor('999999', findGroupMessage().receiver)).toBe(0);
		expect(logged).toEqual([
			expect.stringMatching(
				/^Ignored message_reaction_added, because its group is unknown and 'Watch' is Groups\. .*ERR_MESSAGE_ID_NOT_FOUND/,
			),
		]);
		sandbox.setFaults([{ effect: { status: { status: 503 } } }]);
		expect(await countFor(findGroupMessage().id, findGroupMessage().receiver)).toBe(0);
		expect(logged).toHaveLength(1);
	});

	test('a reaction starts the workflow without columns of the message, unless Fetch Message is on', async () => {
		const { id, receiver } = findGroupMessage();
		const itemWith = async (fetchMessage: boolean) => {
			const options = { fetchMessage };
			return await fetchItem(id, { watch: 'groups', groupIds: [receiver], options });
		};
		expect(await itemWith(false)).not.toHaveProperty('message');
		expect(await itemWith(true)).toHaveProperty('message');
		expect(sandbox.log).toHaveLength(2);
	});

	test('a reaction is ignored without a request if its user is watched', async () => {
		const webhook = await activateFetching({ watch: 'users', userIds: ['mira'] });
		expect(await itemsFrom(webhook, reaction('added'))).toEqual([]);
		expect(sandbox.log).toEqual([]);
	});
});
