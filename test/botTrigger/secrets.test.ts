import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';

import type { Instance } from '../../tools/n8nEngine/activation';
import type { Bot } from '../../tools/sandbox/store/bots';
import {
	botWorkflow,
	itemsOf,
	loginHeader,
	makeForeignBot,
	post,
	readBot,
	relay,
	startN8n,
	TAKE_OVER,
	useBotSandbox,
} from './harness';

const sandbox = useBotSandbox();

/** Ways in which a text can contain a bot's password. */
const listForms = ({ username = '', password = '' }: Partial<Bot>): string[] => [
	password,
	JSON.stringify(password).slice(1, -1),
	loginHeader({ username, password }).replace('Basic ', ''),
];

/** Creates an error of CometChat that repeats a bot, and its password in several ways. */
function createEcho(bot: Partial<Bot>): IDataObject {
	const { uid, username, password } = bot;
	const [plain, , header] = listForms(bot);
	return {
		code: 'ERR_BOT_BROKEN',
		message: `The bot could not be read: ${JSON.stringify({ uid, username, password })}`,
		devMessage: `The login is ${username}:${plain}`,
		details: { password: [`The value ${plain} is not allowed.`], authorization: `Basic ${header}` },
	};
}

/** Makes all requests with a method fail with an error that repeats the bot and its password. */
function failWithEcho(method: string, bot: Partial<Bot>): void {
	const status = { status: 400, body: { error: createEcho(bot) } };
	sandbox().setFaults([{ match: { method, path: '/v3/bots' }, effect: { status } }]);
}

describe("No error, log or record repeats a bot's password if CometChat repeats it", () => {
	/** Starts n8n, and returns everything that n8n shows and stores. */
	async function startWatched() {
		const database = { staticData: new Map<string, string>() };
		const n8n = await startN8n({ database });
		const errors: unknown[] = [];
		const attempt = async (change: Promise<void>): Promise<void> => {
			await change.catch((error: unknown) => errors.push(error));
		};
		const listOutput = (): string => {
			const shown = errors.map((error) => [
				JSON.stringify(error),
				inspect(error, { depth: 20, showHidden: true }),
			]);
			return [...shown.flat(), ...n8n.logs, ...database.staticData.values()].join('\n');
		};
		return { n8n, errors, attempt, listOutput };
	}

	type Watched = Awaited<ReturnType<typeof startWatched>>;

	/** Expects that CometChat's error arrived, without the password in any form. */
	function expectNoSecret({ listOutput }: Watched, bot: Partial<Bot>): void {
		const output = listOutput();
		expect(output).toContain('ERR_BOT_BROKEN');
		for (const form of listForms(bot)) expect(output).not.toContain(form);
	}

	/** Publishes a workflow to find out the login that the node derives. */
	async function readDerivedLogin(n8n: Instance): Promise<Bot> {
		await n8n.publish(botWorkflow());
		const bot = readBot();
		sandbox().store.bots.delete('reminder-bot');
		if (!bot) throw new Error('Publishing made no bot');
		return bot;
	}

	test('when it refuses to make the bot', async () => {
		const watched = await startWatched();
		const { n8n, attempt } = watched;
		const bot = await readDerivedLogin(n8n);
		failWithEcho('POST', bot);
		await attempt(n8n.publish(botWorkflow()));
		expectNoSecret(watched, bot);
		expect(watched.listOutput()).toContain('The bot could not be read');
	});

	test('when it refuses to change the own bot, whose change is quoted', async () => {
		const watched = await startWatched();
		const { n8n, attempt } = watched;
		await n8n.publish(botWorkflow());
		const bot = readBot() ?? {};
		failWithEcho('PUT', bot);
		await attempt(n8n.unpublish(botWorkflow()));
		expect(watched.errors).toEqual([]);
		expect(n8n.logs.join()).toContain('could not be turned off');
		expect(n8n.logs.join()).toContain('The bot could not be read');
		expectNoSecret(watched, bot);
	});

	test.each(
		['owners-secret', 'pa "quoted" \\ ßecret', 'abc'].flatMap((password) =>
			['GET', 'PUT'].map((method) => [method, password] as const),
		),
	)("when it refuses a %s of a bot with its owner's password %s", async (method, password) => {
		const watched = await startWatched();
		const { n8n, attempt } = watched;
		const bot = makeForeignBot({ password });
		failWithEcho(method, bot);
		await attempt(n8n.publish(botWorkflow(TAKE_OVER)));
		await attempt(n8n.unpublish(botWorkflow(TAKE_OVER)));
		expectNoSecret(watched, bot);
		sandbox().setFaults([]);
		await n8n.publish(botWorkflow(TAKE_OVER));
		for (const form of listForms(bot)) expect(watched.listOutput()).not.toContain(form);
	});
});

test('A web page of a proxy is explained, although a short password can not be redacted', async () => {
	const n8n = await startN8n();
	makeForeignBot({ password: 'abc' });
	sandbox().setFaults([
		{ match: { method: 'PUT' }, effect: { status: { status: 403, body: '<html>Denied</html>' } } },
	]);
	await expect(n8n.publish(botWorkflow(TAKE_OVER))).rejects.toThrow(
		'Check any proxy between n8n and CometChat.',
	);
});

describe("No item repeats the bot's password if a message contains it", () => {
	const PARAMETERS: INodeParameters[] = [
		{},
		{ output: 'raw' },
		{ output: 'fields', fields: ['bot', 'bot.password', 'data.bot', 'metadata', 'text'] },
	];

	test.each(PARAMETERS)('with %j', async (parameters) => {
		const n8n = await startN8n();
		await n8n.publish(botWorkflow(parameters));
		const bot: Partial<Bot> = readBot() ?? {};
		const { uid, username, password } = bot;
		const message = relay(
			{ data: { text: 'Hi', metadata: { bot: { password } } }, bot: { username, password } },
			{ bot: { uid, username, password } },
		);
		const url = `${n8n.url}/webhook/hook-w1/webhook`;
		expect(await post(url, message, loginHeader(bot))).toBe(200);
		const output = JSON.stringify(itemsOf(n8n));
		expect(output).toContain('Hi');
		for (const form of listForms(bot)) expect(output).not.toContain(form);
	});
});

test("A word that is somebody's password stays in people's messages", async () => {
	makeForeignBot({ password: 'password' });
	const n8n = await startN8n();
	await n8n.publish(botWorkflow(TAKE_OVER));
	await post(
		`${n8n.url}/webhook/hook-w1/webhook`,
		relay({ data: { text: 'I forgot my password' } }),
		loginHeader(readBot() ?? {}),
	);
	expect(itemsOf(n8n)).toMatchObject([{ text: 'I forgot my password' }]);
});

test.each<[string, (typed: string) => INodeParameters]>([
	["'Bot'", (typed) => ({ botId: typed })],
	["'Only From'", (typed) => ({ options: { onlySenders: [typed] } })],
])('An error about the API key in %s does not repeat the key', async (label, parametersOf) => {
	const n8n = await startN8n();
	const parameters = parametersOf(`${sandbox().apiKey} x`);
	const publishing = n8n.publish(botWorkflow(parameters));
	const error: unknown = await publishing.catch((thrown: unknown) => thrown);
	const { message, description } = Object(error);
	const output = [message, description, ...n8n.logs].join();
	expect(output).toContain(label);
	expect(output).not.toContain(sandbox().apiKey);
});
