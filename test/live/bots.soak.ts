import { checkBots } from '../../tools/live/bots';
import { QUESTIONS, readAnswers } from '../../tools/live/questions';
import { startRecorder } from '../../tools/live/recorder';
import type { CheckResult } from '../../tools/live/results';
import { getBotUrl, startListener } from '../../tools/live/webhooks';
import { loadContract } from '../../tools/sandbox/contract';
import type { Settings } from '../../tools/sandbox/server';
import { useSandbox } from '../actionNode/harness';

const sandbox = useSandbox();

/**
 * Users and groups of the sandbox. Leo, who becomes the bot, is a member of the first group, but not of the
 * second.
 */
const RUN = {
	...{ id: 'n8n-check-1', guid: 'all-hands', otherGuid: 'brand', messageId: '0' },
	...{ owner: 'mira', member: 'leo', guest: 'noor' },
};

const bots = () => sandbox().store.bots;

afterEach(() => jest.restoreAllMocks());

interface Setup {
	listens?: boolean;
	/** Stops the check after the result with this name. */
	stopAfter?: string;
}

/** Checks bots against the sandbox, and collects everything that the report could contain. */
async function checkSandbox({ listens = true, stopAfter }: Setup = {}) {
	const { apiKey, baseUrl } = sandbox();
	const recorder = await startRecorder(baseUrl);
	const { exchanges } = recorder;
	const listener = listens ? await startListener(0, 100) : undefined;
	const stop = new AbortController();
	const operations: CheckResult[] = [];
	let passwords: unknown[] = [];
	const onResult = (result: CheckResult) => {
		operations.push(result);
		if (result.name === 'bot create')
			passwords = bots()
				.all()
				.map(({ password }) => password);
		if (result.name === stopAfter) stop.abort();
	};
	try {
		const results = await checkBots(
			{ apiKey, contract: await loadContract(), recorder, run: RUN },
			{ signal: stop.signal, listener, onResult },
		);
		const answers = readAnswers({ exchanges, bots: results });
		const said = JSON.stringify([operations, results, answers]);
		return { ...results, operations, passwords, answers, said };
	} finally {
		await listener?.close();
		await recorder.close();
	}
}

const deviationsOf = (results: CheckResult[]) => results.flatMap(({ deviations }) => deviations);

const ALL = ['bot get, without a bot', 'bot create', 'bot list', 'bot get', 'bot update'];

const NUMBERS = [23, 30, 31];

test.each<[Partial<Settings>, string[]]>([
	[{}, ['no', 'no', 'no']],
	[{ botOwnMessages: true, botField: 'missing' }, ['yes', 'no', 'no']],
	[{ botGroups: 'all', botField: 'object' }, ['no', 'yes', 'no']],
	[{ botRetries: true }, ['no', 'no', 'yes']],
])(
	'with the settings %j, questions 23, 30 and 31 get the answers %j',
	async (settings, expected) => {
		sandbox().setSettings(settings);
		sandbox().webhooks.relayTimeScale = 1000;
		const { answers, events, operations, passwords, isRemoved, said } = await checkSandbox();
		expect(NUMBERS.map((number) => answers[number])).toEqual(expected);
		for (const { number, answers: known } of QUESTIONS) {
			if (NUMBERS.includes(number)) expect(known).toHaveProperty([String(answers[number])]);
		}
		expect(deviationsOf([...operations, ...events])).toEqual([]);
		expect(operations.map(({ name }) => name)).toEqual([...ALL, 'bot delete']);
		expect(isRemoved).toBe(true);
		expect(bots().all()).toEqual([]);
		expect(passwords).toEqual([expect.stringMatching(/^[a-f0-9]{32}$/)]);
		expect(said).not.toContain(passwords[0]);
	},
);

test('without a listener, the bot stays turned off and nobody writes to the bot', async () => {
	const update = jest.spyOn(bots(), 'update');
	const { answers, events } = await checkSandbox({ listens: false });
	const seen = update.mock.results.map(({ value: { enabled, webhookURL } }) => [
		enabled,
		webhookURL,
	]);
	expect(seen).toEqual(Array(1).fill([false, 'https://n8n-check.invalid/']));
	expect(NUMBERS.map((number) => answers[number])).toEqual([undefined, undefined, undefined]);
	expect(events).toEqual([]);
	expect(sandbox().log.filter(({ url }) => url.includes('/messages'))).toEqual([]);
	expect(bots().all()).toEqual([]);
});

describe('The bot is deleted', () => {
	test('after a request that failed', async () => {
		sandbox().setFaults([{ match: { method: 'PUT' }, effect: { status: { status: 503 } } }]);
		const { operations, isRemoved } = await checkSandbox({ listens: false });
		expect(deviationsOf(operations)).toEqual(['unexpected status: 503, not 200']);
		expect([isRemoved, bots().all()]).toEqual([true, []]);
	});

	test.each(['bot create', 'bot update'])('if the check is stopped after %s', async (stopAfter) => {
		const { operations, isRemoved } = await checkSandbox({ stopAfter });
		expect(operations.at(-1)?.name).toBe(stopAfter);
		expect([isRemoved, bots().all()]).toEqual([true, []]);
	});

	test('if the response to its creation was lost', async () => {
		sandbox().setFaults([{ match: { method: 'POST' }, effect: { cutAfter: true } }]);
		const { isRemoved } = await checkSandbox({ listens: false });
		expect([isRemoved, bots().all()]).toEqual([true, []]);
	});

	test('although CometChat refuses the deletion at first', async () => {
		const match = { method: 'DELETE', nth: [1, 2] };
		sandbox().setFaults([{ match, effect: { status: { status: 503 } } }]);
		const { operations, isRemoved } = await checkSandbox({ listens: false });
		expect(operations.at(-1)).toEqual({ name: 'bot delete', outcome: '200', deviations: [] });
		expect([isRemoved, bots().all()]).toEqual([true, []]);
	});
});

test('the time that CometChat asks for is waited before a request is repeated', async () => {
	const match = { method: 'DELETE', nth: [1] };
	sandbox().setFaults([{ match, effect: { tooManyRequests: { seconds: 1 } } }]);
	const { isRemoved } = await checkSandbox({ listens: false });
	const [first, second] = sandbox().log.filter(({ method }) => method === 'DELETE');
	expect(second.at - first.at).toBeGreaterThan(900);
	expect(isRemoved).toBe(true);
});

test('messages to the bot may arrive late', async () => {
	const { webhooks } = sandbox();
	const relay = webhooks.relay.bind(webhooks);
	jest.spyOn(webhooks, 'relay').mockImplementation((...args) => {
		setTimeout(() => relay(...args), 1000);
	});
	const { events } = await checkSandbox();
	expect(events).toEqual([{ name: 'message to a bot', outcome: '2', deviations: [] }]);
});

test.each([
	['https://example.com/hook', 'https://example.com/hook?for=n8n-check-bot'],
	['https://example.com/hook?a=1', 'https://example.com/hook?a=1&for=n8n-check-bot'],
])('with --listen %s, messages to the bot arrive at %s', (address, expected) => {
	expect(getBotUrl({ address })).toBe(expected);
});

test('a bot that can not be deleted is reported', async () => {
	sandbox().setFaults([{ match: { method: 'DELETE' }, effect: { status: { status: 503 } } }]);
	expect(await checkSandbox({ listens: false })).toMatchObject({ isRemoved: false });
	expect(bots().all()).toHaveLength(1);
});

test('an app without bots is reported, and nothing has to be deleted', async () => {
	const body = { error: { code: 'AUTH_ERR_NO_ACCESS' } };
	sandbox().setFaults([{ match: { path: '/v3/bots' }, effect: { status: { status: 403, body } } }]);
	const { operations, isRemoved } = await checkSandbox();
	expect(operations.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
		'bot get, without a bot: 403 AUTH_ERR_NO_ACCESS',
		'bot create: 403 AUTH_ERR_NO_ACCESS',
	]);
	expect(isRemoved).toBe(true);
});

test('faulty deliveries and settings are reported without their values', async () => {
	const { webhooks } = sandbox();
	const relay = webhooks.relay.bind(webhooks);
	jest.spyOn(webhooks, 'relay').mockImplementation(({ url }, body) => {
		const webhook = { url, username: 'n8n-check', password: 'another' };
		relay(webhook, Object.assign(body, { region: undefined, webhook: 'Secret Name' }));
	});
	const update = bots().update.bind(bots());
	jest
		.spyOn(bots(), 'update')
		.mockImplementation((uid, change) => update(uid, { ...change, username: 'Secret Name' }));
	const { events, operations, said } = await checkSandbox();
	expect(deviationsOf(operations)).toEqual(['unexpected value: username']);
	expect(deviationsOf(events)).toEqual([
		'missing: region',
		"missing: the bot's login",
		'unexpected field: webhook',
	]);
	expect(said).not.toContain('Secret Name');
});
