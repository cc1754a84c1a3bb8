import { credentialsOf } from '../actionNode/harness';
import type { InstanceOptions } from '../../tools/n8nEngine/activation';
import type { Bot } from '../../tools/sandbox/store/bots';
import {
	botWorkflow,
	loginHeader,
	makeForeignBot,
	makeOwner,
	post,
	readBot,
	relay,
	shortenTimeLimits,
	startN8n,
	TAKE_OVER,
	textsOf,
	useBotSandbox,
	useFastClock,
	writeToBot,
} from './harness';

const sandbox = useBotSandbox();
const clock = useFastClock();

const NEW_KEY = 'b7c1d0e2f3a4958677869504132233445566778f';

/** Settings that somebody sees in a bot, without the time of the last change. */
function settingsOf(bot: Bot | undefined) {
	return { ...bot, createdAt: 0, updatedAt: 0 };
}

/** Settings of a bot that the node has turned off. */
const TURNED_OFF = { enabled: false, useBasicAuth: false };

test('publishing makes the bot, which starts the workflow, and unpublishing turns the bot off', async () => {
	const n8n = await startN8n();
	const workflow = botWorkflow();
	await n8n.publish(workflow);
	const bot = {
		uid: 'reminder-bot',
		webhookURL: `${n8n.url}/webhook/hook-w1/webhook`,
		groupChatSetting: 'mentionedMessages',
		useBasicAuth: true,
		username: expect.stringMatching(/^n8n[a-f0-9]{45}$/),
		password: expect.stringMatching(/^[a-f0-9]{50}$/),
		enabled: true,
	};
	expect(readBot()).toMatchObject(bot);
	await writeToBot('Hello');
	expect(textsOf(n8n)).toEqual(['Hello']);
	await n8n.unpublish(workflow);
	expect(readBot()).toMatchObject({ ...bot, ...TURNED_OFF });
	await writeToBot('Nobody listens');
	await n8n.publish(workflow);
	await writeToBot('Again');
	expect(textsOf(n8n)).toEqual(['Hello', 'Again']);
	expect(sandbox().log.filter(({ method }) => method === 'DELETE')).toEqual([]);
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
	test('borrows the bot of the published workflow, and gives it back before the step runs the workflow', async () => {
		const n8n = await startN8n();
		const workflow = botWorkflow();
		await n8n.publish(workflow);
		const published = settingsOf(readBot());
		const step = botWorkflow({ groupMessages: 'allMessages' });
		await n8n.startTest(step);
		const bot = readBot();
		expect(bot).toMatchObject({
			webhookURL: `${n8n.url}/webhook-test/hook-w1/webhook`,
			groupChatSetting: 'allMessages',
		});
		n8n.holdEndOfTest();
		expect(await post(bot?.webhookURL ?? '', relay(), loginHeader(bot ?? {}))).toBe(200);
		await n8n.idle();
		expect(settingsOf(readBot())).toEqual(published);
		await writeToBot('Live');
		expect(n8n.executions.map(({ isTest }) => isTest)).toEqual([true, false]);
		await n8n.stopTest(step);
		expect(settingsOf(readBot())).toEqual(published);
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

	test.each([
		['refuses', { status: { status: 400 } }],
		['loses the response to', { cutAfter: true as const }],
	])('gives the bot back if CometChat %s the change', async (_name, effect) => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		const published = settingsOf(readBot());
		sandbox().setFaults([{ match: { method: 'PUT', nth: [1, 2] }, effect }]);
		await expect(n8n.startTest(botWorkflow())).rejects.toThrow();
		expect(settingsOf(readBot())).toEqual(published);
	});

	test('says in the log what helps if the credential was deleted meanwhile', async () => {
		let isDeleted = false;
		const credentials = () => {
			if (isDeleted) throw new Error('Credential with ID "1" does not exist');
			return credentialsOf(sandbox());
		};
		const n8n = await startN8n({ credentials });
		await n8n.startTest(botWorkflow());
		isDeleted = true;
		await n8n.stopTest(botWorkflow());
		expect(n8n.logs).toEqual([
			expect.stringMatching(
				/could not be given back: Credential .* unpublish the workflow, then publish it\. Otherwise,/,
			),
		]);
	});

	describe('that CometChat does not let give back the bot', () => {
		/** Executes a step of a published workflow, while CometChat refuses to change the bot. */
		async function startRefusedStep() {
			const n8n = await startN8n();
			await n8n.publish(botWorkflow());
			const published = settingsOf(readBot());
			await n8n.startTest(botWorkflow());
			const bot = readBot();
			sandbox().setFaults([{ match: { method: 'PUT' }, effect: { status: { status: 503 } } }]);
			await post(bot?.webhookURL ?? '', relay(), loginHeader(bot ?? {}));
			await n8n.idle();
			return { n8n, published, getRetryLogs: () => n8n.logs.slice(1) };
		}

		/** Lets the next pause pass, and waits until the bot was tried to be given back. */
		async function passPause(): Promise<void> {
			clock.passTime();
			for (let count = 0; count < 50 && clock.countPauses() === 0; count++) {
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		}

		test('says so once in the log, and gives the bot back as soon as CometChat lets it', async () => {
			const { n8n, published, getRetryLogs } = await startRefusedStep();
			expect(n8n.logs).toEqual([
				expect.stringMatching(
					/^After Execute step, the CometChat bot of .* could not be given back: CometChat is currently unavailable\. .* n8n tries again for five minutes\.$/,
				),
			]);
			await passPause();
			await passPause();
			expect(readBot()?.webhookURL).toContain('/webhook-test/');
			sandbox().setFaults([]);
			await passPause();
			expect(settingsOf(readBot())).toEqual(published);
			expect(getRetryLogs()).toEqual([expect.stringContaining('no longer leads to the Test URL')]);
			expect(clock.countPauses()).toBe(0);
		});

		test('gives up after some minutes, and says what helps', async () => {
			const { getRetryLogs } = await startRefusedStep();
			let count = 0;
			for (; clock.countPauses() > 0; count++) await passPause();
			expect(count).toBe(8);
			expect(getRetryLogs()).toEqual([
				expect.stringMatching(
					/unavailable\. .* unpublish the workflow, then publish it\. Otherwise,/,
				),
			]);
		});

		test('leaves the bot alone that was published in between', async () => {
			const { n8n } = await startRefusedStep();
			sandbox().setFaults([]);
			await n8n.publish(botWorkflow({ groupMessages: 'none' }));
			const bot = readBot();
			expect(bot?.webhookURL).toContain('/webhook/');
			await passPause();
			expect(readBot()).toEqual(bot);
			expect(clock.countPauses()).toBe(0);
		});

		test('lets a new step have the bot, and gives it back to the published workflow afterwards', async () => {
			const { n8n, published, getRetryLogs } = await startRefusedStep();
			sandbox().setFaults([]);
			await n8n.startTest(botWorkflow());
			await passPause();
			expect(getRetryLogs()).toEqual([]);
			expect(readBot()?.webhookURL).toContain('/webhook-test/');
			await n8n.stopTest(botWorkflow());
			expect(settingsOf(readBot())).toEqual(published);
		});

		test('and of which n8n was killed, gets its bot back when n8n starts', async () => {
			const { n8n, published } = await startRefusedStep();
			sandbox().setFaults([]);
			const again = await startN8n({ origin: n8n.url });
			await again.publish(botWorkflow(), 'init');
			expect(settingsOf(readBot())).toEqual(published);
		});
	});

	test.each([
		['CometChat fails', { status: { status: 503 } }],
		['CometChat is silent', { half: 'stall' as const }],
	])(
		'started a second time while %s gives back the bot of the first start',
		async (_name, effect) => {
			const n8n = await startN8n();
			await n8n.publish(botWorkflow());
			const published = settingsOf(readBot());
			await n8n.startTest(botWorkflow());
			// Half a second to give the bot back, which takes longer on a busy machine
			shortenTimeLimits(8);
			sandbox().setFaults([{ match: { nth: [1, 2] }, effect }]);
			await expect(n8n.startTest(botWorkflow())).rejects.toThrow();
			expect(settingsOf(readBot())).toEqual(published);
		},
	);

	test('refuses a bot of somebody else, also with Take Over Bot', async () => {
		const owned = makeForeignBot();
		const n8n = await startN8n();
		for (const parameters of [{}, TAKE_OVER]) {
			await expect(n8n.startTest(botWorkflow(parameters))).rejects.toThrow(
				"then publish it with the option 'Take Over Bot'",
			);
		}
		expect(readBot()).toEqual(owned);
	});
});

describe('A bot of somebody else', () => {
	test('is left alone without Take Over Bot, and the message says where it leads, and what to do', async () => {
		const owned = makeForeignBot();
		const n8n = await startN8n();
		await expect(n8n.publish(botWorkflow())).rejects.toMatchObject({
			message:
				"The bot \"reminder-bot\" already sends its messages to bots.example.com. Choose another user in 'Bot', or add the option 'Take Over Bot' and publish the workflow.",
		});
		expect(readBot()).toEqual(owned);
	});

	test.each<[string, Partial<Bot>]>([
		['with a login', {}],
		['that is off', { useBasicAuth: false, enabled: false }],
		['without a login', { useBasicAuth: false, username: '', password: '' }],
	])(
		'%s is redirected with Take Over Bot, and the log has its earlier address',
		async (_name, fields) => {
			makeForeignBot();
			sandbox().store.bots.update('reminder-bot', fields);
			const n8n = await startN8n();
			await n8n.publish(botWorkflow(TAKE_OVER));
			expect(readBot()).toMatchObject({
				webhookURL: `${n8n.url}/webhook/hook-w1/webhook`,
				groupChatSetting: 'mentionedMessages',
				...{ useBasicAuth: true, enabled: true, username: expect.stringMatching(/^n8n/) },
			});
			const { webhookURL, groupChatSetting, username } = { ...makeOwner(), ...fields };
			expect(n8n.logs.join()).toContain(webhookURL);
			expect(n8n.logs.join()).toContain(`"${username}"`);
			expect(n8n.logs.join()).toContain(`"${groupChatSetting}"`);
			await writeToBot('Hello');
			expect(textsOf(n8n)).toEqual(['Hello']);
			await n8n.unpublish(botWorkflow(TAKE_OVER));
			expect(readBot()).toMatchObject(TURNED_OFF);
		},
	);

	test.each<[string, Partial<Bot>, string]>([
		['somebody has redirected', { username: 'owner' }, 'bots.example.com'],
		['leads to the same node at another address', {}, 'this node at bots.example.com'],
	])('that %s meanwhile is left alone, and the log says so', async (_name, fields, place) => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		const change = { webhookURL: 'https://bots.example.com/', ...fields };
		const redirected = { ...sandbox().store.bots.update('reminder-bot', change) };
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toEqual(redirected);
		expect(n8n.logs.join()).toContain(`is left as it is. The bot leads to ${place}.`);
		const outcome = await n8n.publish(botWorkflow()).then(() => 'published', String);
		expect(outcome).toContain(fields.username ? 'bots.example.com' : 'published');
	});
});

test('a second workflow gets the bot only with Take Over Bot', async () => {
	const n8n = await startN8n();
	await n8n.publish(botWorkflow());
	const first = settingsOf(readBot());
	const publishing = n8n.publish(botWorkflow({}, 'w2'));
	await expect(publishing).rejects.toThrow(
		/another workflow of this n8n .*The other workflow then stays published, but hears nothing\. .*Execute Sub-workflow/,
	);
	expect(settingsOf(readBot())).toEqual(first);
	await n8n.publish(botWorkflow(TAKE_OVER, 'w2'));
	await writeToBot('Second');
	expect(n8n.logs.join()).toContain(first.webhookURL);
	await n8n.unpublish(botWorkflow());
	await writeToBot('Second again');
	expect(textsOf(n8n)).toEqual(['Second', 'Second again']);
	await n8n.unpublish(botWorkflow(TAKE_OVER, 'w2'));
	expect(readBot()).toMatchObject(TURNED_OFF);
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
	});

	test('is refused in another n8n', async () => {
		await (await startN8n()).publish(botWorkflow());
		const first = settingsOf(readBot());
		const other = await startN8n({ instanceId: 'other' });
		await expect(other.publish(botWorkflow())).rejects.toThrow('another n8n (127.0.0.1');
		expect(settingsOf(readBot())).toEqual(first);
	});
});

describe('A copy of the node in the same workflow', () => {
	const createCopy = (parameters = {}) => {
		const { id, node } = botWorkflow(parameters);
		return { id, node: { ...node, ...{ id: 'copy', webhookId: 'hook-copy', name: 'Copy' } } };
	};

	test.each([[{}], [TAKE_OVER]])('is refused as a second node with %j', async (parameters) => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow(parameters));
		const first = settingsOf(readBot());
		await expect(n8n.publish(createCopy(parameters))).rejects.toThrow(
			/another node of this workflow.*delete one of the two nodes/,
		);
		expect(settingsOf(readBot())).toEqual(first);
	});
});

describe('Two nodes for one bot that are published at the same time', () => {
	const createSecond = () => {
		const { id, node } = botWorkflow({ groupMessages: 'slashedMessages' });
		return { id, node: { ...node, ...{ id: 'second', webhookId: 'hook-2', name: 'Second' } } };
	};
	test.each([
		['of one workflow', createSecond],
		['of two workflows', () => botWorkflow({}, 'w2')],
	])('%s: one gets the bot, and the other fails aloud', async (_name, create) => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		await n8n.unpublish(botWorkflow());
		sandbox().setFaults([{ effect: { latency: { ms: 30 } } }]);
		const workflows = [botWorkflow(), create()];
		const outcomes = await Promise.allSettled(
			workflows.map(async (workflow) => await n8n.publish(workflow)),
		);
		const reasons = outcomes.map((outcome) =>
			String(Reflect.get(outcome, 'reason') ?? 'published'),
		);
		const winner = workflows[reasons.indexOf('published')];
		expect(reasons.sort()).toEqual([
			expect.stringContaining('already sends its messages to'),
			'published',
		]);
		expect(readBot()?.webhookURL).toContain(winner.node.webhookId);
		expect(readBot()?.enabled).toBe(true);
	});
});

test('a renamed node keeps its bot, and a node with another bot turns the first one off', async () => {
	const n8n = await startN8n();
	const { id, node } = botWorkflow();
	await n8n.publish({ id, node });
	const renamed = { id, node: { ...node, name: 'Renamed' } };
	await n8n.unpublish({ id, node });
	await n8n.publish(renamed);
	expect(readBot()).toMatchObject({ enabled: true });
	await n8n.unpublish(renamed);
	await n8n.publish(botWorkflow({ botId: 'leo' }));
	expect(readBot()).toMatchObject(TURNED_OFF);
	expect(readBot('leo')).toMatchObject({ enabled: true });
});

test('messages of an earlier bot of the node are refused', async () => {
	const n8n = await startN8n();
	await n8n.publish(botWorkflow());
	const first = readBot();
	await n8n.publish(botWorkflow({ botId: 'leo' }));
	expect(await post(first?.webhookURL ?? '', relay(), loginHeader(first ?? {}))).toBe(401);
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

	test('the bot still starts the workflow, publishing changes its password, and unpublishing turns it off', async () => {
		const { n8n, changeKey } = await startWithTwoKeys();
		await n8n.publish(botWorkflow());
		const { password } = readBot() ?? {};
		changeKey();
		await writeToBot('Hello');
		await n8n.publish(botWorkflow());
		expect(readBot()?.password).not.toBe(password);
		const { length } = sandbox().log;
		await writeToBot('Again');
		expect(sandbox().log).toHaveLength(length);
		expect(textsOf(n8n)).toEqual(['Hello', 'Again']);
		changeKey();
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toMatchObject(TURNED_OFF);
	});

	test('a caller with a wrong password is refused, and nobody without the username reaches CometChat', async () => {
		const { n8n, changeKey } = await startWithTwoKeys();
		await n8n.publish(botWorkflow());
		changeKey();
		const { webhookURL = '', username, password } = readBot() ?? {};
		const { length } = sandbox().log;
		expect(await post(webhookURL, relay(), loginHeader({ username: 'x', password }))).toBe(401);
		expect(await post(webhookURL, relay(), loginHeader({ username: '', password: '' }))).toBe(401);
		expect(await post(webhookURL, relay(), 'Basic ÄÖ')).toBe(401);
		expect(sandbox().log).toHaveLength(length);
		expect(await post(webhookURL, relay(), loginHeader({ username, password: 'x' }))).toBe(401);
		sandbox().setFaults([{ effect: { status: { status: 503 } } }]);
		expect(await post(webhookURL, relay(), loginHeader({ username, password: 'x' }))).toBe(503);
		expect(n8n.executions).toEqual([]);
	});
});

describe('When n8n starts', () => {
	/** Publishes a workflow, and starts n8n again, by default at the same address. */
	async function restart(options: Partial<InstanceOptions> = {}) {
		const before = await startN8n({ origin: 'http://127.0.0.1:1' });
		await before.publish(botWorkflow());
		return await startN8n({ origin: 'http://127.0.0.1:1', ...options });
	}

	test('the bot is redirected if n8n has moved, and the log has its earlier address', async () => {
		const n8n = await restart({ origin: undefined });
		const { webhookURL } = readBot() ?? {};
		await n8n.publish(botWorkflow(), 'init');
		await writeToBot('Hello');
		expect(textsOf(n8n)).toEqual(['Hello']);
		expect(n8n.logs.join()).toContain(
			`is redirected to ${n8n.url}/webhook/hook-w1/webhook. Until now, the bot sent its messages to ${webhookURL}`,
		);
	});

	test('a bot that somebody turned off in the dashboard stays off, until the workflow is published', async () => {
		const n8n = await restart();
		sandbox().store.bots.update('reminder-bot', { enabled: false });
		await n8n.publish(botWorkflow(), 'init');
		await n8n.publish(botWorkflow(), 'leadershipChange');
		expect(readBot()).toMatchObject({ enabled: false });
		await n8n.publish(botWorkflow(), 'update');
		expect(readBot()).toMatchObject({ enabled: true });
	});
});

describe('While CometChat fails', () => {
	const DOWN = { effect: { status: { status: 503 } } };

	test('unpublishing says so in the log, and unpublishing again turns the bot off', async () => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow());
		sandbox().setFaults([DOWN]);
		await n8n.unpublish(botWorkflow());
		expect(n8n.logs.join()).toContain(
			'could not be turned off: CometChat is currently unavailable',
		);
		sandbox().setFaults([]);
		await n8n.publish(botWorkflow());
		await n8n.unpublish(botWorkflow());
		expect(readBot()).toMatchObject(TURNED_OFF);
	});

	test.each([
		['right away', 0, 1],
		['as long as n8n may try', 120_000, 1],
		['later', 120_001, 2],
	])(
		'publishing again %s leaves the bot on, logs the failure of each node, and unpublishing turns the bot off',
		async (_name, pauseMs, lines) => {
			const n8n = await startN8n();
			await n8n.publish(botWorkflow());
			sandbox().setFaults([DOWN]);
			for (const ms of [1_000, 1_000 + pauseMs]) {
				clock.setTime(ms);
				await expect(n8n.publish(botWorkflow(), 'update')).rejects.toThrow('unavailable');
			}
			expect(n8n.logs).toHaveLength(lines);
			await expect(n8n.publish(botWorkflow({ botId: 'leo' }, 'w2'))).rejects.toThrow('unavailable');
			expect(n8n.logs).toHaveLength(lines + 1);
			sandbox().setFaults([]);
			expect(readBot()).toMatchObject({ enabled: true });
			await n8n.unpublish(botWorkflow());
			expect(readBot()).toMatchObject(TURNED_OFF);
		},
	);

	test('a bot that was made although the response was lost is turned off again', async () => {
		const n8n = await startN8n();
		sandbox().setFaults([{ match: { method: 'POST' }, effect: { cutAfter: true } }]);
		await expect(n8n.publish(botWorkflow())).rejects.toThrow();
		expect(readBot()).toMatchObject(TURNED_OFF);
	});

	test('a bot that was taken over although the response was lost is turned off, and the log has its address', async () => {
		const { webhookURL } = makeForeignBot();
		const n8n = await startN8n();
		sandbox().setFaults([{ match: { method: 'PUT', nth: [1, 2] }, effect: { cutAfter: true } }]);
		await expect(n8n.publish(botWorkflow(TAKE_OVER))).rejects.toThrow();
		expect(readBot()).toMatchObject(TURNED_OFF);
		expect(n8n.logs.join()).toContain(webhookURL);
	});
});

describe('Publishing is refused', () => {
	test('with advice if the user does not exist', async () => {
		const n8n = await startN8n();
		await expect(n8n.publish(botWorkflow({ botId: 'nobody' }))).rejects.toThrow(
			/^No active user has the UID of the bot.*User → Create/,
		);
	});

	test('with the maximum if the app has 25 bots', async () => {
		for (let n = 0; n < 25; n++) {
			sandbox().store.bots.create({ uid: `bot-${n}`, webhookURL: 'https://bots.example.com' });
		}
		const n8n = await startN8n();
		await expect(n8n.publish(botWorkflow())).rejects.toThrow(
			"The app already has 25 bots, which is CometChat's maximum",
		);
	});

	test('for a UID of more than 50 characters, before anything is sent', async () => {
		const n8n = await startN8n();
		const publishing = n8n.publish(botWorkflow({ botId: 'x'.repeat(51) }));
		await expect(publishing).rejects.toThrow("'Bot' has a UID of 51 characters");
		expect(sandbox().log).toEqual([]);
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
		const message = await n8n.publish(botWorkflow()).then(String, String);
		expect(message).toContain(`CometChat can't reach this n8n at ${origin}. `);
		expect(message).toContain('WEBHOOK_URL');
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
