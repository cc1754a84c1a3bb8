import {
	WAIT_INDEFINITELY,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IRun,
} from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, manual, workflow } from '../../tools/n8nEngine/draft';
import { resumeWorkflow, runWorkflow } from '../../tools/n8nEngine/engine';
import { askWorkflow } from '../../tools/n8nEngine/links';
import { core } from '../../tools/n8nEngine/n8n';
import { QUESTION_CONTEXT_KEY } from '../../nodes/CometChat/sendAndWait/execute';
import {
	AS_TOOL,
	AS_TOOL_OF_NEW_AGENT,
	CONTINUE,
	NODE,
	credentialsOf,
	hintsOf,
	message as messageOperation,
	refusalOf,
	run,
	useSandbox,
	wire,
} from './harness';
import { json, responding, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox();

const ask = (more: INodeParameters = {}) =>
	messageOperation('sendAndWait', { groupId: 'makers', message: 'Order lamps?', ...more });

/** Item that replaces the answer if nobody answers in time. */
const UNANSWERED = { data: { answered: false } };

const limit = (values: INodeParameters): INodeParameters => ({
	options: { limitWaitTime: { values } },
});

const labels = (values: INodeParameters): INodeParameters => ({ approvalOptions: { values } });

const readContext = ({ data }: IRun) =>
	JSON.parse(String(data.executionData?.contextData[`node:${NODE}`][QUESTION_CONTEXT_KEY]));

const SAME_LABEL = "'Decline Button Label' is the same as 'Approve Button Label'";

/** Runs a callback without `getSignedResumeUrl`, a method that n8n 1.107 and earlier lack. */
async function withoutSignedLinks<T>(work: () => Promise<T>): Promise<T> {
	const name = 'getSignedResumeUrl';
	let owner: object | null = core.ExecuteContext.prototype;
	while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
	const method = Object.getOwnPropertyDescriptor(owner ?? {}, name);
	if (!owner || !method) return await work();
	Reflect.deleteProperty(owner, name);
	return await work().finally(() => Object.defineProperty(owner, name, method));
}

test('Send and Wait requires an n8n version that signs links', async () => {
	const error = await withoutSignedLinks(async () => await refusalOf(sandbox(), ask()));
	expect(error.message).toBe('Send and Wait for Response needs n8n 1.108 or later');
});

describe('Send and Wait', () => {
	test('asks once for several items, and a hint suggests Loop Over Items', async () => {
		const input = [{ n: 1 }, { n: 2 }, { n: 3 }];
		const result = await run(sandbox(), ask(), { input });
		expect(result.error).toBeUndefined();
		expect(result.run.data.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(result.items(NODE).map(({ json }) => json)).toEqual([UNANSWERED]);
		expect(wire(sandbox())).toEqual(['POST /messages']);
		expect(hintsOf(result)).toEqual([
			'The question was asked once, for the first of 3 items. To ask for each item, put Loop Over Items before this node, and connect every branch back to it.',
			expect.stringContaining('WEBHOOK_URL'),
		]);
	});

	test('sends one link for a free-text question, without a decision', async () => {
		await run(sandbox(), ask({ responseType: 'freeText' }));
		const { text, metadata } = sandbox().store.messages.all().at(-1) ?? {};
		const [, url] = /^Order lamps\?\n\nRespond: (\S+)$/.exec(String(text)) ?? [];
		expect([...new URL(url).searchParams.keys()].sort()).toEqual(['question', 'signature']);
		expect(metadata).toEqual({ sendAndWait: { answers: [{ label: 'Respond', url }] } });
	});

	test('sends a signed link for each choice', async () => {
		const choices = ['Today', ' In  two\u0000\u202e days '];
		await run(sandbox(), ask({ responseType: 'choice', choices }));
		const { text, metadata } = sandbox().store.messages.all().at(-1) ?? {};
		expect(text).toMatch(/^Order lamps\?\n\nToday \/ In two days: http\S+$/);
		const { answers } = Object(Object(metadata).sendAndWait);
		expect(answers.map(({ label, answer }: IDataObject) => [label, answer])).toEqual([
			['Today', 'Today'],
			['In two days', 'In two days'],
		]);
		const links = answers.map(({ url }: IDataObject) => new URL(String(url)).searchParams);
		expect(links.map((link: URLSearchParams) => link.get('answer'))).toEqual([
			'Today',
			'In two days',
		]);
		expect(new Set(links.map((link: URLSearchParams) => link.get('signature'))).size).toBe(2);
	});

	test('does not wait if the execution is stopped before the question is sent', async () => {
		const stop = new AbortController();
		const reply: Reply = (response) => {
			stop.abort();
			setTimeout(() => response.destroy(), 50);
		};
		await withRecorder(reply, async (recorder) => {
			const result = await run(recorder, ask(), { signal: stop.signal });
			expect(result.run.status).toBe('canceled');
			expect(result.run.data.waitTill).toBeUndefined();
		});
	});

	test.each([
		[{ resumeAmount: 2, resumeUnit: 'minutes' }, 120],
		[{ limitType: 'afterTimeInterval', resumeAmount: 3, resumeUnit: 'days' }, 259_200],
		[{}, 3_600],
		[
			{ limitType: '={{ "afterTimeInterval" }}', resumeAmount: 2, maxDateAndTime: '={{ "" }}' },
			7_200,
		],
		[
			{ limitType: 'atSpecifiedTime', maxDateAndTime: new Date(Date.now() + 60_000).toISOString() },
			60,
		],
	])('waits for the time limit %j', async (values, seconds) => {
		const result = await run(sandbox(), ask(limit(values)));
		const till = Number(result.run.data.waitTill?.getTime()) - Date.now();
		expect(Math.abs(till / 1_000 - seconds)).toBeLessThan(30);
	});

	test('does not count time spent waiting for the rate limit toward the time limit', async () => {
		let sentAt = 0;
		const reply: Reply = (response, request, number) => {
			if (number === 1) return json(response, 429, {}, { 'retry-after': '1' });
			sentAt = Date.now();
			responding({})(response, request, number);
		};
		await withRecorder(reply, async (recorder) => {
			const limited = limit({ resumeAmount: 1, resumeUnit: 'minutes' });
			const result = await run(recorder, ask(limited));
			expect(Number(result.run.data.waitTill?.getTime()) - sentAt).toBeGreaterThanOrEqual(60_000);
		});
	});

	test.each<[INodeParameters, string]>([
		[{ message: 'x'.repeat(65_500) }, "'Message' is longer than"],
		[
			limit({ resumeAmount: 0.5 }),
			"'Amount' must be a whole number from 1 to 10000, but it is 0.5",
		],
		[
			limit({ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-01-31T08:00:00Z' }),
			"'Max Date and Time' is in the past",
		],
		[limit({ limitType: 'atSpecifiedTime' }), "'Max Date and Time' is empty"],
		[{ options: { limitWaitTime: {} } }, "'Limit Wait Time' is empty"],
		[labels({ approveLabel: 'Go', disapproveLabel: ' go\n' }), SAME_LABEL],
		[{ responseType: 'choice' }, "'Choices' is empty"],
		[
			{ responseType: 'choice', choices: ['Yes'] },
			"'Choices' must be 2 to 10 labels, but there is 1",
		],
		[
			{ responseType: 'choice', choices: Array.from('abcdefghijk') },
			"'Choices' must be 2 to 10 labels, but there are 11",
		],
		[{ responseType: 'choice', choices: ['Yes', 'yes '] }, "'Choices' must be different labels"],
		[
			{ responseType: 'choice', choices: ['Yes', 'x'.repeat(101)] },
			"'Choices' must be labels of at most 100 characters",
		],
		[labels({ approveLabel: 'Decline' }), SAME_LABEL],
		[labels({ approveLabel: 'De\u00adcline\u200b' }), SAME_LABEL],
		[
			labels({ approveLabel: 'x'.repeat(101) }),
			"'Approve Button Label' is longer than 100 characters",
		],
		[labels({ disapproveLabel: '\u200b' }), "'Decline Button Label' has no visible characters"],
		[{ responseType: 'choice', choices: ['Café', 'Cafe\u200b\u0301'] }, 'must be different labels'],
		[{ responseType: 'choice', choices: ['Yes', '\u200b\u3164'] }, 'but there is 1'],
		[{ responseType: 'choice', choices: ['Yes', '={{ "Yes" }}'] }, 'but there is 1'],
		[{ responseType: 'choice', choices: ['Yes', '={{ $json.none }}'] }, 'returned no value'],
		[
			{ responseType: 'choice', choices: ['Yes', `${'x'.repeat(39)}${'😀'.repeat(50)}`] },
			`but one starts with "${'x'.repeat(39)}"`,
		],
		[labels({ disapproveLabel: '={{ "Approve" }}' }), SAME_LABEL],
		[
			{ ...labels({ approveLabel: 'Go' }), responseType: '={{ "freeText" }}' },
			"'Approval Options' requires 'Response Type' to be Approval",
		],
	])('rejects %.80j, and sends nothing', async (parameters, message) => {
		const error = await refusalOf(sandbox(), ask(parameters));
		expect(error.message).toContain(message);
	});

	test('explains an empty field that has no expression', async () => {
		const error = await refusalOf(sandbox(), ask({ options: { limitWaitTime: {} } }));
		expect(error).toMatchObject({
			message: expect.stringMatching(/'Limit Wait Time' is empty( \[item 0\])?$/),
			description: expect.stringMatching(/^Fill in 'Limit Wait Time'/),
		});
	});

	test.each<[INodeParameters, string[]]>([
		[{ approvalOptions: {} }, ['Approve', 'Decline']],
		[labels({ approveLabel: 'Go' }), ['Go', 'Decline']],
		[labels({ disapproveLabel: 'Stop' }), ['Approve', 'Stop']],
		[labels({ approvalType: 'single' }), ['Approve']],
		[
			labels({ approveLabel: ' Yes ', disapproveLabel: 'Not\n  this time\r\n' }),
			['Yes', 'Not this time'],
		],
		[labels({ approvalType: 'single', approveLabel: 'Decline' }), ['Decline']],
	])('with %j, sends links for the answers %j', async (parameters, answers) => {
		await run(sandbox(), ask(parameters));
		const { text, metadata } = sandbox().store.messages.all().at(-1) ?? {};
		expect(metadata).toEqual({
			sendAndWait: {
				answers: answers.map((label, index) => ({
					...{ label, approved: index === 0 },
					url: expect.stringContaining(`approved=${index === 0}&question=`),
				})),
			},
		});
		// The message text contains one link for all answers. The metadata contains a link for each answer.
		const [, list, link] = /^(.+): (https?:.*)$/m.exec(String(text)) ?? [];
		expect(list).toBe(answers.join(' / '));
		expect(link).not.toContain('approved=');
	});

	test.each([
		['the app', {}, undefined],
		['a user', { onBehalfOf: { __rl: true, mode: 'id', value: 'noor' } }, 'noor'],
	])('remembers that %s asked, to update the message as the same sender', async (_, more, uid) => {
		const { run: asked } = await run(sandbox(), ask(more));
		expect(readContext(asked).onBehalfOf).toBe(uid);
	});

	test('keeps the ID of its question when n8n runs the node again', async () => {
		const settings: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const input = [{ error: 'Out of stock' }];
		const { run: done } = await run(sandbox(), ask(), { input, settings });
		expect(sandbox().log).toHaveLength(1);
		const [, linked] =
			/[?&]question=(\d+)/.exec(String(sandbox().store.messages.all().at(-1)?.text)) ?? [];
		expect(readContext(done)).toMatchObject({ id: linked });
	});

	test.each([
		['a node', {}],
		['a human review', { type: 'n8n-nodes-cometchat.cometChatHitlTool' }],
	])('of %s sends nothing if WEBHOOK_URL has a path', async (_what, settings) => {
		const origin = 'https://example.com/n8n';
		const error = await refusalOf(sandbox(), ask(), { origin, settings });
		// n8n shows a tool's advice in the message
		expect(`${error.message} ${error.description}`).toMatch(
			/^The question was not sent, .* has the path \/n8n\/.* N8N_ENDPOINT_WEBHOOK_WAIT to n8n\/webhook-waiting/,
		);
	});

	test('continues with an error item if a choice has a single label', async () => {
		const single = ask({ responseType: 'choice', choices: ['Yes'] });
		const result = await run(sandbox(), single, { ...CONTINUE, input: [{ n: 1 }, { n: 2 }] });
		expect(result.run.data.waitTill).toBeUndefined();
		expect(result.items(NODE)).toEqual([
			{ json: { error: expect.stringContaining('2 to 10 labels') }, pairedItem: { item: 0 } },
		]);
		expect(sandbox().log).toEqual([]);
	});

	test('does not wait if the question was not sent', async () => {
		const result = await run(sandbox(), ask({ groupId: 'nowhere' }), CONTINUE);
		expect(result.run.data.waitTill).toBeUndefined();
		expect(result.items(NODE)).toEqual([
			{ json: { error: expect.stringContaining("Check 'Group'") }, pairedItem: { item: 0 } },
		]);
	});

	test('rejects an agent that cannot wait for its tools', async () => {
		const error = await refusalOf(sandbox(), ask(), { settings: AS_TOOL });
		expect(error.message).toContain("can't be a tool here");
	});
});

describe('An answer with a comment', () => {
	const choice = { responseType: 'choice', choices: '={{ "Today\\nEn dos días, mañana" }}' };
	const commented = (more: INodeParameters = {}) => ({ options: { askComment: true, ...more } });

	test.each<[INodeParameters, Record<string, string>, string]>([
		[commented(), { approved: 'false', comment: 'Too many' }, 'Decline\nComment: Too many'],
		[commented(), { approved: 'true', comment: '' }, 'Approve'],
		[
			{ ...commented(), ...labels({ approvalType: 'single', approveLabel: 'Seen' }) },
			{ approved: 'true', comment: 'Thanks 💡' },
			'Seen\nComment: Thanks 💡',
		],
		[
			{ ...commented({ askName: true }), ...choice },
			{ answer: 'En dos días, mañana', comment: 'حسنًا', respondedBy: 'Ada' },
			'En dos días, mañana\nComment: حسنًا',
		],
	])('is returned and shown in the message: %j, %j', async (parameters, answer, shown) => {
		const file = workflow('Test', [manual(), cometChat('1', ask(parameters), { name: NODE })]);
		const { answered, close } = await askWorkflow(file, { credentials: credentialsOf(sandbox()) });
		const question = sandbox().store.messages.all().at(-1);
		const [link] = /http\S+/.exec(String(question?.text)) ?? [];
		await fetch(String(link), { method: 'POST', body: new URLSearchParams(answer) });
		const [item] = (await answered).items(NODE);
		while (!sandbox().log.some(({ method }) => method === 'PUT')) await wait(10);
		await close();
		const { approved } = answer;
		const decision = approved === undefined ? {} : { approved: approved === 'true' };
		const given = { ...answer, ...decision, respondedAt: expect.any(String) };
		expect(item.json).toEqual({ data: { answered: true, ...given } });
		const by = answer.respondedBy === undefined ? '' : ` by ${answer.respondedBy}`;
		const { text, metadata } = sandbox().store.messages.get(question?.id ?? '') ?? {};
		expect(text?.split(/ on \w+ \d+, 20\d\d, [\d:]+\s[AP]M \w+: /)).toEqual([
			`Order lamps?\n\nAnswered${by}`,
			shown,
		]);
		expect(metadata).toEqual({ sendAndWait: { answers: [], ...given } });
	});
});

describe("Send and Wait as an agent's tool", () => {
	const asTool = (name: string, value: string | null) => {
		const parameters = ask({ receiverType: 'user', userId: 'leo', [name]: '={{ $json.v }}' });
		const setup = { input: [{ v: value }], settings: AS_TOOL_OF_NEW_AGENT };
		return [sandbox(), parameters, setup] as const;
	};

	test('accepts a mention instead of a UID', async () => {
		const { error } = await run(...asTool('userId', '<@uid:mira>'));
		expect(error).toBeUndefined();
		expect(sandbox().store.messages.all().at(-1)).toMatchObject({ receiver: 'mira' });
	});

	test.each<[string, string | null, string]>([
		['userId', 'mira, leo', 'but it is "mira, leo". Give one ID, e.g. mira.'],
		['userId', '', "'User' is empty. Fill in 'User', e.g. "],
		['message', null, "'Message' is empty. Fill in 'Message', e.g. "],
		['onBehalfOf', '', "'Send As' is empty. Fill in 'Send As', e.g. "],
		['responseType', 'yes', 'must be one of approval, choice, freeText, but it is "yes"'],
	])('rejects %s = %j with an error that the model can act on', async (name, value, text) => {
		expect((await refusalOf(...asTool(name, value))).message).toContain(text);
	});
});

const REVIEW: Partial<INode> = { type: 'n8n-nodes-cometchat.cometChatHitlTool' };

/**
 * Runs a human review of a tool call. @returns the text of the question with the link removed, or the error
 * message if the review fails
 */
async function review(
	toolParameters: unknown,
	item: IDataObject = {},
	parameters: INodeParameters = {},
): Promise<string> {
	const input = [
		{ tool: 'Ban_user', toolCallId: 'call_1', ...item, toolParameters },
	] as IDataObject[];
	const { error } = await run(sandbox(), ask(parameters), { input, settings: REVIEW });
	if (error) return error.message;
	const { text } = sandbox().store.messages.all().at(-1) ?? {};
	return String(text).replace(/\n\nApprove \/ Decline: \S+$/, '');
}

describe('Send and Wait in a thread', () => {
	const inThread = (parentId: INodeParameters[string], more: INodeParameters = {}) =>
		ask({ groupId: 'all-hands', onBehalfOf: 'mira', options: { parentId }, ...more });

	test.each<[string, Partial<INode>]>([
		['a node', {}],
		['a tool of an AI agent', AS_TOOL_OF_NEW_AGENT],
		['a human review', REVIEW],
	])('asks there, as %s', async (_what, settings) => {
		const input = [{ thread: 109, tool: 'Ban_user', toolCallId: 'call_1', toolParameters: {} }];
		const parameters = inThread('={{ $json.thread }}');
		const { error, run: waiting } = await run(sandbox(), parameters, { input, settings });
		expect(error).toBeUndefined();
		expect(waiting.data.waitTill).toEqual(WAIT_INDEFINITELY);
		expect(wire(sandbox())).toEqual(['POST /messages/109/thread']);
		expect(sandbox().store.messages.all().at(-1)).toMatchObject({
			...{ parentId: '109', receiver: 'all-hands', sender: 'mira' },
			text: expect.stringMatching(/^Order lamps\?/),
		});
		expect(sandbox().violations).toEqual([]);
	});

	test('asks outside threads if the question that started the workflow was', async () => {
		await run(sandbox(), inThread('={{ $json.parentId }}'), { input: [{ parentId: null }] });
		expect(wire(sandbox())).toEqual(['POST /messages']);
	});

	test('updates the answered message', async () => {
		const file = workflow('Test', [manual(), cometChat('1', inThread('109'), { name: NODE })]);
		const { answered, close } = await askWorkflow(file, { credentials: credentialsOf(sandbox()) });
		const { id, text } = sandbox().store.messages.all().at(-1) ?? {};
		const [link] = /http\S+/.exec(String(text)) ?? [];
		await fetch(String(link), { method: 'POST', body: new URLSearchParams({ approved: 'true' }) });
		await answered.finally(close);
		for (let tries = 0; wire(sandbox()).length < 2 && tries < 100; tries++) await wait(10);
		expect(wire(sandbox())).toEqual(['POST /messages/109/thread', `PUT /messages/${id}`]);
	});

	test('needs a sender', async () => {
		const parameters = ask({ options: { parentId: '109' } });
		const { message } = await refusalOf(sandbox(), parameters);
		expect(message).toBe("'Send As' is empty, but 'Thread' requires it");
	});
});

describe('Send and Wait as a human review', () => {
	test.each<[unknown, string[]]>([
		[{}, []],
		['noor', ['input: noor']],
		[{ query: 'lamps' }, ['query: lamps']],
		[
			{ User: 'noor', Days: 3, Tags: ['a', 'b'], Empty: '', Long: '😀'.repeat(600) },
			[
				...['User: noor', 'Days: 3', 'Tags: ["a","b"]', 'Empty: ""'],
				`Long: ${'😀'.repeat(497)}… (cut, 1,206 characters in all)`,
			],
		],
		[
			{ Text: 'a\r\nTool to run: b\u2028c', 'User: mira\nText': 'a', Hidden: '\u202ea\u200b👩‍💻' },
			[
				'Text: a\\u{d}\\nTool to run: b\\u{2028}c',
				...['User: mira\\nText: a', 'Hidden: \\u{202e}a\\u{200b}👩‍💻'],
			],
		],
	])('shows each argument on one line: %j', async (toolParameters, lines) => {
		const shown = ['Order lamps?', '', 'Tool to run: Ban_user', ...lines].join('\n');
		expect(await review(toolParameters)).toBe(shown);
	});

	test.each(['[object Object]', ''])(
		'replaces the input "%s" in n8n\'s default message with the arguments',
		async (input) => {
			const message = `The agent wants to run this tool: Ban_user\n\nInput:\n${input}`;
			expect(await review({ User: 'noor' }, {}, { message })).toBe(
				'The agent wants to run this tool: Ban_user\n\nTool to run: Ban_user\nUser: noor',
			);
		},
	);

	test.each<[string, unknown, IDataObject]>([
		['query', { User: 'noor', query: { User: 'mira' } }, {}],
		['query', { User: 'noor', query: ['mira'] }, {}],
		['query', { User: 'noor' }, { query: { tool: 'Get_user' } }],
		['tool', { User: 'noor', tool: 'Get_user' }, {}],
		['hitlParameters', { User: 'noor', hitlParameters: {} }, {}],
	])('rejects "%s" in %j next to %j, and asks nobody', async (name, toolParameters, item) => {
		expect(await review(toolParameters, item)).toBe(
			`The model's arguments for Ban_user include "${name}", which can hide what will run. Nobody was asked, and the tool did not run.`,
		);
		expect(sandbox().log).toEqual([]);
	});

	test.each([{ responseType: 'choice', choices: ['Now', 'Never'] }, { responseType: 'freeText' }])(
		'rejects %j, because n8n only knows approved or not, and asks nobody',
		async (parameters) => {
			expect(await review({ User: 'noor' }, {}, parameters)).toBe(
				"'Response Type' must be Approval in a human review",
			);
			expect(sandbox().log).toEqual([]);
		},
	);

	test('rejects more than 50 arguments, and asks nobody', async () => {
		const named = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, index]));
		expect(await review(named(51))).toBe(
			'The call to Ban_user has 51 arguments, more than the 50 that a review can show. Nobody was asked, and the tool did not run.',
		);
		expect(await review(named(50))).toContain('\na49: 49');
	});
});

describe('Send and Wait after the time limit', () => {
	const ANSWERED = { approved: true, chatInput: 'Yes', data: { approved: true, answered: true } };
	const input = [{ tool: 'Ban_user', toolParameters: {}, ...ANSWERED }, { n: 2 }];

	/** Runs a question until its time limit has passed. */
	const timeOut = async (settings: Partial<INode>, ...items: IDataObject[]) => {
		const file = workflow('Test', [
			manual(),
			cometChat('1', ask(), { name: NODE, ...settings }),
			cometChat('1', ask(), { name: 'Next' }),
		]);
		const options = { credentials: credentialsOf(sandbox()), input: items };
		return await resumeWorkflow(file, options, await runWorkflow(file, options));
	};

	test.each<[string, Partial<INode>]>([
		['a node', {}],
		['a node with Execute Once', { executeOnce: true }],
		['a human review', REVIEW],
	])('%s returns one item without an answer', async (_what, settings) => {
		const result = await timeOut(settings, ...input);
		expect(result.items(NODE)).toEqual([{ json: UNANSWERED, pairedItem: { item: 0 } }]);
		// Other nodes can still read the input
		expect(result.items('Manual').map(({ json }) => json)).toEqual(input);
	});

	test('the question is not answered by the question before it', async () => {
		const file = workflow('Test', [
			manual(),
			...['First', 'Second'].map((name) => cometChat('1', ask(), { name })),
		]);
		const options = { credentials: credentialsOf(sandbox()) };
		const { asked, answered, close } = await askWorkflow(file, options);
		expect(asked.run.data.waitTill).toEqual(WAIT_INDEFINITELY);
		const [link] = /http\S+/.exec(String(sandbox().store.messages.all().at(-1)?.text)) ?? [];
		await fetch(String(link), { method: 'POST', body: new URLSearchParams({ approved: 'true' }) });
		const first = await answered.finally(close);
		const answer = { answered: true, approved: true, respondedAt: expect.any(String) };
		expect(first.items('First').map(({ json }) => json)).toEqual([{ data: answer }]);
		const second = await resumeWorkflow(file, options, first);
		expect(second.items('Second').map(({ json }) => json)).toEqual([UNANSWERED]);
	});
});
