import { credentialsOf } from '../actionNode/harness';
import type { InstanceOptions } from '../../tools/n8nEngine/publication';
import type { Bot } from '../../tools/sandbox/store/bots';
import {
	botWorkflow,
	loginHeader,
	makeForeignBot,
	post,
	readBot,
	relay,
	startN8n,
	TAKE_OVER,
	textsOf,
	useBotSandbox,
	writeToBot,
} from './harness';

const sandbox = useBotSandbox();

const NEW_KEY = 'b7c1d0e2f3a4958677869504132233445566778f';

/** Settings that somebody sees in a bot, without the time of the last change. */
function settingsOf(bot: Bot | undefined) {
	return { ...bot, createdAt: 0, updatedAt: 0 };
}

test('publishing makes the bot, which starts the workflow, and unpublishing deletes the bot', async () => {
	const n8n = await startN8n();
	const workflow = botWorkflow();
	await n8n.publish(workflow);
	expect(readBot()).toMatchObject({
		uid: 'reminder-bot',
		webhookURL: `${n8n.url}/webhook/hook-w1/webhook`,
		groupChatSetting: 'mentionedMessages',
		useBasicAuth: true,
		username: expect.stringMatching(/^[a-z0-9]{20,50}$/),
		password: expect.stringMatching(/^[a-f0-9]{50}$/),
		enabled: true,
	});
	await writeToBot('Hello');
	expect(textsOf(n8n)).toEqual(['Hello']);
	await n8n.unpublish(workflow);
	expect(readBot()).toBeUndefined();
	await n8n.publish(workflow);
	await writeToBot('Again');
	expect(textsOf(n8n)).toEqual(['Hello', 'Again']);
});

test('no password is in the static data, in an item, or in the log', async () => {
	const database = { staticData: new Map<string, string>() };
	const n8n = await startN8n({ database });
	const owned = makeForeignBot();
	await n8n.publish(botWorkflow({ ...TAKE_OVER, output: 'raw' }));
	await n8n.publish(botWorkflow({ botId: 'leo', output: 'raw' }, 'w2'));
	await writeToBot();
	const { password = '' } = readBot('leo') ?? {};
	const stored = JSON.stringify([...database.staticData.values(), n8n.executions, n8n.logs]);
	expect(n8n.executions).toHaveLength(1);
	for (const secret of [password, owned.password ?? '', sandbox().apiKey]) {
		expect(stored).not.toContain(secret);
		expect(stored).not.toContain(Buffer.from(`${owned.username}:${secret}`).toString('base64'));
	}
});

describe('Execute Step', () => {
	test('borrows the bot of the published workflow, and gives it back after one message', async () => {
		const n8n = await startN8n();
		const workflow = botWorkflow();
		await n8n.publish(workflow);
		const published = settingsOf(readBot());
		await n8n.startTest(botWorkflow({ groupMessages: 'allMessages' }));
		expect(readBot()).toMatchObject({
			webhookURL: `${n8n.url}/webhook-test/hook-w1/webhook`,
			groupChatSetting: 'allMessages',
		});
		await writeToBot('Test');
		expect(settingsOf(readBot())).toEqual(published);
		await writeToBot('Live');
		expect(n8n.executions.map(({ isTest }) => isTest)).toEqual([true, false]);
		await n8n.unpublish(workflow);
		expect(readBot()).toBeUndefined();
	});

	test('makes a bot without a published workflow, and deletes it when the test ends', async () => {
		const n8n = await startN8n();
		await n8n.startTest(botWorkflow());
		expect(readBot()).toBeDefined();
		await n8n.stopTest(botWorkflow());
		expect(readBot()).toBeUndefined();
	});

	test('started twice still gives the bot back to the published workflow', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		const published = settingsOf(readBot());
		await n8n.startTest(botWorkflow());
		await n8n.startTest(botWorkflow());
		await n8n.stopTest(botWorkflow());
		expect(settingsOf(readBot())).toEqual(published);
	});

	test('that fails leaves the published bot alone', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		const published = settingsOf(readBot());
		sandbox().setFaults([{ match: { method: 'PUT' }, effect: { status: { status: 400 } } }]);
		await expect(n8n.startTest(botWorkflow())).rejects.toThrow();
		expect(settingsOf(readBot())).toEqual(published);
	});

	test('leaves the bot to a workflow that is published during the test', async () => {
		const n8n = await startN8n();
		await n8n.startTest(botWorkflow());
		await n8n.publish(botWorkflow());
		await n8n.stopTest(botWorkflow());
		expect(readBot()).toMatchObject({ webhookURL: `${n8n.url}/webhook/hook-w1/webhook` });
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toBeUndefined();
	});

	test('borrows a bot of somebody else with Take Over Bot, and gives it back', async () => {
		const owned = settingsOf(makeForeignBot());
		const n8n = await startN8n();
		await n8n.startTest(botWorkflow(TAKE_OVER));
		await writeToBot('Test');
		expect(textsOf(n8n)).toEqual(['Test']);
		expect(settingsOf(readBot())).toEqual(owned);
	});
});

describe('A bot of somebody else', () => {
	test('is left alone without Take Over Bot, and the error names its host', async () => {
		const owned = makeForeignBot();
		const n8n = await startN8n();
		await expect(n8n.publish(botWorkflow())).rejects.toMatchObject({
			message: 'The bot "reminder-bot" already sends its messages to bots.example.com',
			description: expect.stringContaining("'Take Over Bot'"),
		});
		expect(readBot()).toEqual(owned);
	});

	test.each<[string, Partial<Bot>]>([
		['with its own login', {}],
		['with a login that is turned off', { useBasicAuth: false, enabled: false }],
	])('%s keeps the login with Take Over Bot, and gets everything back', async (_name, fields) => {
		makeForeignBot();
		const owned = settingsOf(sandbox().store.bots.update('reminder-bot', fields));
		const n8n = await startN8n();
		const workflow = botWorkflow(TAKE_OVER);
		await n8n.publish(workflow);
		expect(readBot()).toMatchObject({
			...{
				webhookURL: `${n8n.url}/webhook/hook-w1/webhook`,
				groupChatSetting: 'mentionedMessages',
			},
			...{ useBasicAuth: true, enabled: true, username: 'owner', password: 'owners-secret' },
		});
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
		await n8n.unpublish(workflow);
		expect(settingsOf(readBot())).toEqual(owned);
	});

	test.each([
		['accept', false],
		['keep', true],
		['refuse', true],
	] as const)(
		'without a login gets one while it is taken over, if CometChat would %s an empty login',
		async (emptyBotLogin, keepsLogin) => {
			sandbox().setSettings({ emptyBotLogin });
			const owned = makeForeignBot({ useBasicAuth: false });
			const n8n = await startN8n();
			const workflow = botWorkflow(TAKE_OVER);
			await n8n.publish(workflow);
			const { url } = n8n;
			expect(await post(`${url}/webhook/hook-w1/webhook`, relay())).toBe(401);
			await writeToBot('Hello');
			expect(textsOf(n8n)).toEqual(['Hello']);
			const { username, password } = readBot() ?? {};
			await n8n.unpublish(workflow);
			expect(settingsOf(readBot())).toEqual({
				...settingsOf(owned),
				...(keepsLogin ? { username, password } : { username: '', password: '' }),
			});
			expect(n8n.logs).toEqual([]);
			await n8n.publish(workflow);
			await writeToBot('Again');
			await n8n.unpublish(workflow);
			expect(textsOf(n8n)).toEqual(['Hello', 'Again']);
			expect(readBot()).toMatchObject({ webhookURL: owned.webhookURL, useBasicAuth: false });
		},
	);

	test('keeps what its owner changes while the workflow is published', async () => {
		makeForeignBot();
		const n8n = await startN8n();
		const workflow = botWorkflow(TAKE_OVER);
		await n8n.publish(workflow);
		sandbox().store.bots.update('reminder-bot', { groupChatSetting: 'none' });
		await n8n.unpublish(workflow);
		expect(readBot()).toMatchObject({
			...{ webhookURL: 'https://bots.example.com/hook', groupChatSetting: 'none', enabled: true },
		});
		await n8n.publish(workflow);
		const webhookURL = 'https://elsewhere.example.com/';
		sandbox().store.bots.update('reminder-bot', { webhookURL, enabled: false });
		await n8n.unpublish(workflow);
		expect(readBot()).toMatchObject({
			webhookURL,
			enabled: false,
			groupChatSetting: 'mentionedMessages',
		});
	});

	test('that this node made, but somebody has redirected, is not deleted', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		sandbox().store.bots.update('reminder-bot', { webhookURL: 'https://bots.example.com/' });
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toBeDefined();
		await expect(n8n.publish(botWorkflow())).rejects.toThrow('bots.example.com');
	});
});

test('a second workflow gets the bot only with Take Over Bot, and gives it back to the first', async () => {
	const n8n = await startN8n();
	await n8n.publish(botWorkflow());
	const first = settingsOf(readBot());
	await expect(n8n.publish(botWorkflow({}, 'w2'))).rejects.toThrow('another workflow of this n8n');
	expect(settingsOf(readBot())).toEqual(first);
	await n8n.publish(botWorkflow(TAKE_OVER, 'w2'));
	await writeToBot('Second');
	await n8n.unpublish(botWorkflow(TAKE_OVER, 'w2'));
	expect(settingsOf(readBot())).toEqual(first);
	await writeToBot('First');
	expect(textsOf(n8n)).toEqual(['Second', 'First']);
});

describe('A copy of the workflow with the same webhook URL', () => {
	const createCopy = (parameters = {}) => {
		const { node } = botWorkflow(parameters);
		return { id: `copy-${node.webhookId}`, node };
	};

	test('is refused, and the bot stays with the original', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		const first = settingsOf(readBot());
		await expect(n8n.publish(createCopy())).rejects.toThrow('another workflow of this n8n');
		await n8n.unpublish(createCopy());
		expect(settingsOf(readBot())).toEqual(first);
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toBeUndefined();
	});

	test('is refused in another n8n after a restart', async () => {
		await (await startN8n()).publish(botWorkflow());
		const first = settingsOf(readBot());
		const other = await startN8n();
		await expect(other.publish(createCopy())).rejects.toThrow('already sends its messages');
		expect(settingsOf(readBot())).toEqual(first);
	});
});

describe('A copy of the node in the same workflow', () => {
	const createCopy = (parameters = {}) => {
		const { id, node } = botWorkflow(parameters);
		return { id, node: { ...node, ...{ id: 'copy', webhookId: 'hook-copy', name: 'Copy' } } };
	};
	const OTHER_NODE = {
		message: 'The bot "reminder-bot" already sends its messages to another node of this workflow',
	};

	test.each([[{}], [TAKE_OVER]])('is refused as a second node with %j', async (parameters) => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow(parameters));
		const first = settingsOf(readBot());
		await expect(n8n.publish(createCopy(parameters))).rejects.toMatchObject({
			...OTHER_NODE,
			description: "Choose another user in 'Bot', or delete one of the two nodes.",
		});
		expect(settingsOf(readBot())).toEqual(first);
		await n8n.unpublish(botWorkflow(parameters));
		expect(readBot()).toBeUndefined();
	});

	test('borrows the bot for a test with Take Over Bot', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		const first = settingsOf(readBot());
		await expect(n8n.startTest(createCopy())).rejects.toMatchObject({
			...OTHER_NODE,
			description: expect.stringContaining("'Take Over Bot'"),
		});
		await n8n.startTest(createCopy(TAKE_OVER));
		await writeToBot('Test');
		expect(textsOf(n8n)).toEqual(['Test']);
		expect(settingsOf(readBot())).toEqual(first);
	});

	test('gets the bot if CometChat could not be reached while the first node was unpublished', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		sandbox().setFaults([{ effect: { status: { status: 503 } } }]);
		await n8n.unpublish(botWorkflow());
		sandbox().setFaults([]);
		await n8n.publish(createCopy(TAKE_OVER));
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
	});
});

test('a renamed node, and a node with another bot, leave no bot behind', async () => {
	const n8n = await startN8n();
	await n8n.publish(botWorkflow());
	const { node, id } = botWorkflow({ botId: 'leo' });
	await n8n.unpublish(botWorkflow());
	await n8n.publish({ id, node: { ...node, name: 'Renamed' } });
	expect(
		sandbox()
			.store.bots.all()
			.map(({ uid }) => uid),
	).toEqual(['leo']);
	await n8n.unpublish({ id, node: { ...node, name: 'Renamed' } });
	expect(sandbox().store.bots.all()).toEqual([]);
});

describe('After the API key changes,', () => {
	async function startWithTwoKeys(options: Partial<InstanceOptions> = {}) {
		let { apiKey } = sandbox();
		const credentials = () => credentialsOf(sandbox(), { apiKey });
		const n8n = await startN8n({ credentials, ...options });
		const changeKey = (): void => {
			apiKey = sandbox().secondKey;
		};
		return { n8n, changeKey };
	}

	test('the bot still starts the workflow, and can be unpublished', async () => {
		const { n8n, changeKey } = await startWithTwoKeys();
		await n8n.publish(botWorkflow());
		changeKey();
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toBeUndefined();
	});

	test.each<[string, Partial<Bot>]>([
		['with a login', {}],
		['without a login', { useBasicAuth: false }],
	])(
		'publishing again lets a bot that was taken over %s start the workflow',
		async (_name, fields) => {
			const { webhookURL } = makeForeignBot(fields);
			const owned = settingsOf(readBot());
			const { n8n, changeKey } = await startWithTwoKeys();
			await n8n.publish(botWorkflow(TAKE_OVER));
			changeKey();
			await n8n.publish(botWorkflow());
			await writeToBot('Hello');
			expect(textsOf(n8n)).toEqual(['Hello']);
			await n8n.unpublish(botWorkflow());
			expect(readBot()).toMatchObject({ webhookURL, useBasicAuth: owned.useBasicAuth });
			expect(settingsOf(readBot())).toEqual({ username: '', password: '', ...owned });
		},
	);

	test('unpublishing gives back a bot that was taken over', async () => {
		const owned = settingsOf(makeForeignBot());
		const { n8n, changeKey } = await startWithTwoKeys();
		await n8n.publish(botWorkflow(TAKE_OVER));
		changeKey();
		await n8n.unpublish(botWorkflow(TAKE_OVER));
		expect(settingsOf(readBot())).toEqual(owned);
	});

	test('and n8n moves, too, publishing redirects the bot, and keeps what to give back', async () => {
		const owned = settingsOf(makeForeignBot());
		const database = { staticData: new Map<string, string>() };
		const before = await startN8n({ database, origin: 'http://127.0.0.1:1' });
		await before.publish(botWorkflow(TAKE_OVER));
		const { n8n, changeKey } = await startWithTwoKeys({ database });
		changeKey();
		await n8n.publish(botWorkflow(TAKE_OVER));
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
		await n8n.unpublish(botWorkflow(TAKE_OVER));
		expect(settingsOf(readBot())).toEqual(owned);
	});
});

test('after n8n moves to another address, publishing redirects the bot, and keeps what to give back', async () => {
	const owned = settingsOf(makeForeignBot());
	const database = { staticData: new Map<string, string>() };
	const before = await startN8n({ database, origin: 'http://127.0.0.1:1' });
	await before.publish(botWorkflow(TAKE_OVER));
	await before.publish(botWorkflow({ botId: 'leo' }, 'w2'));
	const n8n = await startN8n({ database });
	await n8n.publish(botWorkflow());
	await n8n.publish(botWorkflow({ botId: 'leo' }, 'w2'));
	await writeToBot('Hello');
	expect(textsOf(n8n)).toEqual(['Hello']);
	await n8n.unpublish(botWorkflow());
	await n8n.unpublish(botWorkflow({ botId: 'leo' }, 'w2'));
	expect(settingsOf(readBot())).toEqual(owned);
	expect(readBot('leo')).toBeUndefined();
});

describe('After n8n was killed', () => {
	test('before it saved its record, the bot starts the workflow, and is deleted later', async () => {
		const database = { staticData: new Map<string, string>() };
		const n8n = await startN8n({ database });
		await n8n.publish(botWorkflow());
		database.staticData.clear();
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
		await n8n.publish(botWorkflow());
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toBeUndefined();
	});

	test('during a test, publishing takes the bot back from the Test URL', async () => {
		const database = { staticData: new Map<string, string>() };
		const n8n = await startN8n({ database });
		await n8n.publish(botWorkflow());
		const webhookURL = `${n8n.url}/webhook-test/hook-w1/webhook`;
		sandbox().store.bots.update('reminder-bot', { webhookURL });
		await n8n.publish(botWorkflow());
		expect(readBot()).toMatchObject({ webhookURL: `${n8n.url}/webhook/hook-w1/webhook` });
		sandbox().store.bots.update('reminder-bot', { webhookURL });
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toBeUndefined();
	});
});

describe('While CometChat fails', () => {
	const DOWN = { effect: { status: { status: 503 } } };

	test('publishing fails with a sentence, and works later', async () => {
		const n8n = await startN8n();
		sandbox().setFaults([DOWN]);
		await expect(n8n.publish(botWorkflow())).rejects.toMatchObject({
			message: 'CometChat is currently unavailable',
		});
		sandbox().setFaults([]);
		await n8n.publish(botWorkflow());
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
	});

	test('publishing ends with a sentence after a minute', async () => {
		const { timeout } = AbortSignal;
		const after = (ms: number) => timeout.call(AbortSignal, ms === 60_000 ? 200 : ms);
		const spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation(after);
		const n8n = await startN8n();
		sandbox().setFaults([{ effect: { latency: { ms: 5_000 } } }]);
		const publishing = n8n.publish(botWorkflow()).finally(() => spy.mockRestore());
		await expect(publishing).rejects.toMatchObject({
			message: 'CometChat did not respond in time',
			description: 'Try again later.',
		});
	});

	test('unpublishing keeps the record, and the next publishing repairs everything', async () => {
		const owned = settingsOf(makeForeignBot());
		const n8n = await startN8n();
		await n8n.publish(botWorkflow(TAKE_OVER));
		sandbox().setFaults([DOWN]);
		await n8n.unpublish(botWorkflow(TAKE_OVER));
		expect(n8n.logs.join()).toContain('could not be released: CometChat is currently unavailable');
		sandbox().setFaults([]);
		await n8n.publish(botWorkflow());
		await n8n.unpublish(botWorkflow());
		expect(settingsOf(readBot())).toEqual(owned);
	});

	test('a bot that was made although the response was lost is deleted again', async () => {
		const n8n = await startN8n();
		sandbox().setFaults([{ match: { method: 'POST' }, effect: { cutAfter: true } }]);
		await expect(n8n.publish(botWorkflow())).rejects.toThrow();
		expect(readBot()).toBeUndefined();
	});

	test('a bot that was taken over although the response was lost is given back', async () => {
		const owned = settingsOf(makeForeignBot());
		const n8n = await startN8n();
		sandbox().setFaults([{ match: { method: 'PUT', nth: [1, 2] }, effect: { cutAfter: true } }]);
		await expect(n8n.publish(botWorkflow(TAKE_OVER))).rejects.toThrow();
		expect(settingsOf(readBot())).toEqual(owned);
	});
});

describe('Publishing is refused', () => {
	test('with advice if the user does not exist', async () => {
		const n8n = await startN8n();
		await expect(n8n.publish(botWorkflow({ botId: 'nobody' }))).rejects.toMatchObject({
			message: 'No active user has the UID of the bot',
			description: expect.stringContaining('User → Create'),
		});
	});

	test('with the maximum if the app has 25 bots', async () => {
		for (let n = 0; n < 25; n++) {
			sandbox().store.bots.create({ uid: `bot-${n}`, webhookURL: 'https://bots.example.com' });
		}
		const n8n = await startN8n();
		await expect(n8n.publish(botWorkflow())).rejects.toMatchObject({
			message: "The app already has 25 bots, which is CometChat's maximum",
		});
	});

	test('for a UID of more than 50 characters, before anything is sent', async () => {
		const n8n = await startN8n();
		const publishing = n8n.publish(botWorkflow({ botId: 'x'.repeat(51) }));
		await expect(publishing).rejects.toThrow("'Bot' has a UID of 51 characters");
		expect(sandbox().log).toEqual([]);
	});

	test('for a URL of more than 255 characters, before anything is sent', async () => {
		const n8n = await startN8n({ origin: `https://n8n.example.com/${'x'.repeat(230)}` });
		await expect(n8n.publish(botWorkflow())).rejects.toThrow(
			/^The webhook URL has 2\d\d characters/,
		);
		expect(sandbox().log.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test.each([
		'http://localhost:5678',
		'https://localhost',
		'https://192.168.1.5',
		'https://10.0.0.2:8443',
		'https://n8n.local',
		'https://n8n',
		'http://n8n.example.com',
	])("at n8n's address %s, which CometChat can't reach", async (origin) => {
		const credentials = () => ({ apiKey: NEW_KEY, region: 'us', appId: 'app' });
		const n8n = await startN8n({ origin, credentials });
		await expect(n8n.publish(botWorkflow())).rejects.toMatchObject({
			message: `CometChat can't reach this n8n at ${origin}`,
			description: expect.stringContaining('WEBHOOK_URL'),
		});
	});
});

test('only a caller with the login of the bot starts the workflow', async () => {
	const n8n = await startN8n();
	await n8n.publish(botWorkflow());
	const bot = readBot() ?? {};
	const url = `${n8n.url}/webhook/hook-w1/webhook`;
	expect(await post(url, relay())).toBe(401);
	expect(await post(url, relay(), loginHeader({ ...bot, password: 'wrong' }))).toBe(401);
	expect(await post(url, relay(), loginHeader({ ...bot, username: 'wrong' }))).toBe(401);
	expect(n8n.executions).toEqual([]);
	expect(await post(url, relay(), loginHeader(bot))).toBe(200);
	expect(n8n.executions).toHaveLength(1);
});
