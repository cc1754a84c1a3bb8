import type { INode } from 'n8n-workflow';

import { openWindow } from '../lib/browser';
import { forwardRequest } from '../lib/forwardRequest';
import { serve } from '../../../tools/n8nEngine/serve';
import type { ChatRequest } from '../lib/chatModel';
import { waitFor } from '../lib/processes';
import { createQuestions, DOUBLE, readLinks, UNANSWERED, type Waiting } from '../lib/questions';
import { addModelCredential, agentNodes, agentWires, fromAi, tool } from '../lib/agent';
import { BROWSER, submitAnswer, submitDecision } from '../lib/answerForm';
import { useBrowser, useChatModel, useTestSystem } from '../lib/testHooks';
import { code, manual, workflow, type Wire } from '../../../tools/n8nEngine/draft';

const BOT = { 'user-agent': 'Slackbot-LinkExpanding 1.0' };
const INPUT = {
	...{ approved: true, chatInput: 'Yes', guid: 'makers' },
	data: { approved: true, id: 7 },
};

const system = useTestSystem();
const browser = useBrowser();
const model = useChatModel();
const { questionNode, ask, readText, hasLink, waitForAnswers } = createQuestions(system);

afterEach(() => expect(system().sandbox.violations).toEqual([]));

/** Ten labels, the maximum, with characters that HTML, URLs or forms could change. */
const LABELS = [
	...['Today', 'C++ & 100% "sure"', "<b>It's</b> {{ now }}", 'غدًا، إن شاء الله', 'Later, or never'],
	...['👩‍💻 👍🏽', '#?answer=Today', 'In\u00a0two days', 'x'.repeat(100), 'ex '.repeat(33).trim()],
];

/** The labels as the page shows them. */
const SHOWN = LABELS.map((label) => label.replace('\u00a0', ' '));

const CHOICE = { responseType: 'choice', choices: LABELS, options: { askComment: true } };

const threeItems = code('Items', [INPUT, { n: 2 }, { n: 3 }]);

/** Sets a wait limit that expires in 30 seconds. n8n checks for expired waits when it starts and once a minute. */
const inHalfAMinute = () => ({
	limitWaitTime: {
		values: {
			limitType: 'atSpecifiedTime',
			maxDateAndTime: new Date(Date.now() + 30_000).toISOString(),
		},
	},
});

/** Answers a choice with ten long labels on a phone, by the link of one answer. */
async function answerOnPhone({ executionId, messageId, urls }: Waiting): Promise<void> {
	const window = await openWindow(browser(), { isPhone: true });
	const page = await window.newPage();
	await page.goto(urls[8]);
	const buttons = page.getByRole('button');
	// The answer of the opened link comes first
	expect(await buttons.allTextContents()).toEqual([LABELS[8], ...SHOWN.toSpliced(8, 1)]);
	const fields = [...(await buttons.all()), ...(await page.getByRole('textbox').all())];
	expect(fields).toHaveLength(12);
	for (const field of fields) {
		const { x, width, height } = (await field.boundingBox()) ?? { x: 0, width: 0, height: 0 };
		expect(x).toBeGreaterThan(0);
		expect(x + width).toBeLessThan(390);
		expect(height).toBeGreaterThanOrEqual(44);
		expect(await field.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
			0,
		);
	}
	await page.getByLabel('Your name').fill('Ada');
	await page.getByLabel('Comment').fill('Before noon');
	await page.getByRole('button', { name: 'Later, or never' }).tap();
	await page.getByText('Your answer: Later, or never').waitFor();
	await window.close();
	expect(await waitForAnswers(executionId)).toMatchObject([
		{ data: { answer: 'Later, or never', comment: 'Before noon', respondedBy: 'Ada' } },
	]);
	await waitFor('The answer in the message', () =>
		/Answered by Ada on .*: Later, or never\nComment: Before noon$/.test(readText(messageId)),
	);
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DATE = /Answered on \w+ \d+, 20\d\d, [\d:]+\s[AP]M \w+: /.source;

describe('Send and Wait for Response', () => {
	test('continues when a button is clicked, not when a link is opened', async () => {
		const question = questionNode({ approvalOptions: DOUBLE, onBehalfOf: 'yuki' });
		const { executionId, messageId, urls } = await ask(
			workflow('Orders', [manual(), threeItems, question]),
		);
		const [, page] = /^Order "lamps" & <b>bulbs<\/b>\?\n\nYes \/ No: (https?:\S+)$/.exec(
			readText(messageId),
		) ?? [''];
		// The link in the text offers both answers
		expect(await (await fetch(page)).text()).toMatch(/Yes<\/button>.*No<\/button>/s);
		expect(system().sandbox.store.messages.get(messageId)?.metadata).toEqual({
			sendAndWait: {
				answers: [
					{ label: 'Yes', approved: true, url: urls[0] },
					{ label: 'No', approved: false, url: urls[1] },
				],
			},
		});
		for (const headers of [BROWSER, BOT]) {
			await fetch(urls[1], { method: 'HEAD', headers });
			const page = await fetch(urls[1], { headers });
			expect(page.status).toBe(200);
			expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
			expect(page.headers.get('referrer-policy')).toBe('no-referrer');
			expect(await page.text()).toContain('through the n8n workflow “Orders”');
		}
		const forged = urls[0].replace('approved=true', 'approved=false');
		expect((await submitDecision(forged, false)).status).toBe(401);
		expect((await system().client.getExecution(executionId)).status).toBe('waiting');

		const given = [
			submitDecision(urls[1], false),
			submitDecision(urls[0], true),
			submitDecision(urls[0], true),
		];
		const statuses = (await Promise.all(given)).map(({ status }) => status);
		// A repeated answer gets status 200 while n8n is still processing the first answer
		const approved = statuses[0] !== 200;
		expect(statuses.slice(1).includes(200)).toBe(approved);
		expect(await waitForAnswers(executionId)).toEqual([
			{ data: { answered: true, approved, respondedAt: expect.stringMatching(TIME) } },
		]);
		await waitFor('The change of the message', () =>
			system().sandbox.log.some(({ method }) => method === 'PUT'),
		);
		expect(readText(messageId)).toMatch(
			new RegExp(`^Order "lamps" & <b>bulbs</b>\\?\n\n${DATE}${approved ? 'Yes' : 'No'}$`),
		);

		expect(await (await submitDecision(urls[0], true)).text()).toContain('No action required');
	});

	test('accepts a free-text answer in a browser, even if the message cannot be updated', async () => {
		const { executionId, messageId, urls } = await ask(
			workflow('Feedback', [
				manual(),
				questionNode({
					responseType: 'freeText',
					message: 'How many lamps shall we order for the workshop on Friday?',
				}),
			]),
		);
		expect(urls).toHaveLength(1);
		system().sandbox.setFaults([{ match: { method: 'PUT' }, effect: { status: { status: 403 } } }]);
		const window = await openWindow(browser(), { dark: true });
		const page = await window.newPage();
		const complaints: string[] = [];
		page.on('console', (message) => complaints.push(message.text()));
		await page.goto(urls[0]);
		await page.getByLabel('Your answer').fill('Twelve,\n<i>please</i> 💡');
		await page.getByRole('button').click();
		await page.getByText('Your answer: Twelve').waitFor();
		await window.close();
		await waitFor('The change that fails', () =>
			system().sandbox.log.some(({ method, status }) => method === 'PUT' && status === 403),
		);
		system().sandbox.setFaults([]);
		expect(complaints).toEqual([]);
		expect(await waitForAnswers(executionId)).toEqual([
			{
				data: {
					answered: true,
					text: 'Twelve,\n<i>please</i> 💡',
					respondedAt: expect.stringMatching(TIME),
				},
			},
		]);
		expect(readText(messageId)).toContain(urls[0]);
	});

	test('approves only if someone presses the button, on a phone with two questions in a row', async () => {
		const [first, second] = ['First', 'Second'].map((name) =>
			questionNode(
				{ message: `${name}?`, options: { askName: true, updateMessage: false } },
				{ name, id: name },
			),
		);
		const { executionId, urls } = await ask(workflow('Two', [manual(), first, second]));
		const statusOf = async () => (await system().client.getExecution(executionId)).status;
		const window = await openWindow(browser(), { isPhone: true });
		const [page, otherTab] = [await window.newPage(), await window.newPage()];
		for (const tab of [page, otherTab]) await tab.goto(urls[0]);
		for (const key of ['Enter', 'NumpadEnter', 'Control+Enter']) {
			await page.getByLabel('Your name').fill('Ada');
			await page.getByLabel('Your name').press(key);
			await page.reload();
		}
		await page.goBack().catch(() => null);
		await page.goto(urls[0]);
		expect(await statusOf()).toBe('waiting');
		await page.getByLabel('Your name').fill('Ada');
		await page.getByRole('button', { name: 'Approve' }).tap();
		await page.getByText('Your answer: Approve').waitFor();

		// Repeats the answer while the second question waits
		const { store } = system().sandbox;
		const secondUrls = await waitFor('The second question', () =>
			store.messages
				.all()
				.filter(({ text }) => text?.startsWith('Second?'))
				.map(readLinks)
				.at(0),
		);
		await page.reload();
		await otherTab.getByLabel('Your name').fill('Grace');
		await otherTab.getByRole('button', { name: 'Approve' }).tap();
		await otherTab.waitForEvent('load');
		for (const url of [...urls, ...secondUrls]) await fetch(url, { headers: BOT });
		expect(await statusOf()).toBe('waiting');
		expect(
			(await submitAnswer(secondUrls[1], { approved: 'false', respondedBy: 'Leo' })).status,
		).toBe(200);
		const { items } = await system().client.waitForEnd(executionId);
		expect(['First', 'Second'].map((name) => items(name)[0].json)).toMatchObject([
			{ data: { approved: true, respondedBy: 'Ada' } },
			{ data: { approved: false, respondedBy: 'Leo' } },
		]);
		await window.close();
	});

	test.each(['SIGTERM', 'SIGKILL'] as const)(
		'gives the message and the workflow the same answer if n8n ends on %s during the update',
		async (signal) => {
			const draft = workflow('Ended', [manual(), questionNode({ approvalOptions: DOUBLE })]);
			const { executionId, messageId, urls } = await ask(draft);
			system().sandbox.setFaults([
				{ match: { method: 'PUT' }, effect: { latency: { ms: 3_000 } } },
			]);
			expect((await submitDecision(urls[0], true)).status).toBe(200);
			// Let the execution end first, because restarting n8n would crash it
			const { status } = await system().client.waitForEnd(executionId);
			await system().restart(signal);
			system().sandbox.setFaults([]);
			expect(status).toBe('success');
			expect(await waitForAnswers(executionId)).toMatchObject([{ data: { approved: true } }]);
			expect(hasLink(messageId) || new RegExp(`${DATE}Yes$`).test(readText(messageId))).toBe(true);
			const late = await submitDecision(urls[1], false);
			expect(await late.text()).toContain('No action required');
			expect(readText(messageId)).not.toMatch(new RegExp(`${DATE}No$`));
		},
	);

	test('keeps waiting after a restart of n8n, and returns one item after the time limit', async () => {
		const limitedChoice = await ask(
			workflow('Limited choice', [
				manual(),
				questionNode({ ...CHOICE, options: { askComment: true, ...inHalfAMinute() } }),
			]),
		);
		const chosen = await ask(
			workflow('Kept choice', [
				manual(),
				questionNode({ ...CHOICE, options: { askComment: true, askName: true } }),
			]),
		);
		const limited = await ask(
			workflow('Limited', [manual(), threeItems, questionNode({ options: inHalfAMinute() })]),
		);
		const gated = await askAgent({ options: inHalfAMinute() });
		const { executionId, messageId, urls } = await ask(
			workflow('Kept', [
				manual(),
				questionNode({ approvalOptions: DOUBLE, options: { updateMessage: false } }),
			]),
		);
		await system().restart();
		// While n8n starts, waiting executions can look as if they had crashed
		await waitFor(
			'The time limit',
			async () => (await system().client.getExecution(limited.executionId)).status === 'success',
		);
		expect(await waitForAnswers(limited.executionId)).toEqual([UNANSWERED]);
		expect(await (await submitDecision(limited.urls[0], true)).text()).toContain(
			'No action required',
		);
		expect(await gated.waitForResult()).toContain('rejected the tool call');
		expect(gated.isDeleted()).toBe(false);

		expect((await submitDecision(urls[0], true)).status).toBe(200);
		expect(await waitForAnswers(executionId)).toEqual([
			{ data: { answered: true, approved: true, respondedAt: expect.stringMatching(TIME) } },
		]);
		expect(hasLink(messageId)).toBe(true);

		expect(await waitForAnswers(limitedChoice.executionId)).toEqual([UNANSWERED]);
		await answerOnPhone(chosen);
	}, 150_000);
});

describe('A choice with a comment', () => {
	test('is answered with the keyboard alone, and the message shows the answer and the comment', async () => {
		const question = questionNode(CHOICE);
		const asked = await ask(workflow('Choice', [manual(), threeItems, question]));
		const { executionId, messageId } = asked;
		const [, link] = / \/ .*: (http\S+)$/.exec(readText(messageId)) ?? [''];
		const window = await openWindow(browser());
		const [page, otherTab] = [await window.newPage(), await window.newPage()];
		const dialogs: string[] = [];
		page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
		for (const tab of [page, otherTab]) await tab.goto(link);
		const focused = page.locator(':focus');
		await page.keyboard.press('Tab');
		expect(await focused.getAttribute('aria-label')).toBe('Comment (optional)');
		await page.keyboard.type('<img src=x onerror=alert(1)>');
		await page.keyboard.press('Enter');
		await page.keyboard.type('Ask <@uid:mira>');
		await page.keyboard.press('Control+Enter');
		const visited: Array<string | null> = [];
		for (let count = 0; count < LABELS.length; count++) {
			await page.keyboard.press('Tab');
			visited.push(await focused.textContent());
		}
		expect(visited).toEqual(SHOWN);
		expect(await page.getByRole('button').all()).toHaveLength(LABELS.length);
		expect((await system().client.getExecution(executionId)).status).toBe('waiting');
		for (let back = 0; back < 7; back++) await page.keyboard.press('Shift+Tab');
		await page.keyboard.press('Enter');
		await page.getByText(`Your answer: ${LABELS[2]}`).waitFor();
		const answer = {
			answered: true,
			answer: LABELS[2],
			comment: '<img src=x onerror=alert(1)>\nAsk <@uid:mira>',
			respondedAt: expect.stringMatching(TIME),
		};
		expect(await waitForAnswers(executionId)).toEqual([{ data: answer }]);
		await otherTab.getByRole('button', { name: 'Today', exact: true }).click();
		await otherTab.getByText('No action required').waitFor();
		await window.close();
		expect(dialogs).toEqual([]);
		await waitFor('The change of the message', () => !readText(messageId).includes('http'));
		const comment = '<img src=x onerror=alert(1)> Ask <\u200b@uid:mira>';
		expect(readText(messageId)).toMatch(new RegExp(`\\?\n\n${DATE}<b>It's</b> {{ now }}\n`));
		expect(readText(messageId).split('\n').at(-1)).toBe(`Comment: ${comment}`);
		expect(system().sandbox.store.messages.get(messageId)?.metadata).toEqual({
			sendAndWait: { answers: [], ...answer, answered: undefined },
		});
	});

	test('is not answered by previews, changed links, or answers that are not offered', async () => {
		const { executionId, urls } = await ask(workflow('Choice', [manual(), questionNode(CHOICE)]));
		await fetch(urls[0], { method: 'HEAD', headers: BOT });
		const pages = await Promise.all(urls.map(async (url) => await fetch(url, { headers: BOT })));
		// n8n accepts the signatures of all labels
		expect(pages.map(({ status }) => status)).toEqual(LABELS.map(() => 200));
		const changed = new URL(urls[0]);
		changed.searchParams.set('answer', LABELS[4]);
		for (const name of ['answer', 'signature']) {
			const shortened = new URL(urls[0]);
			shortened.searchParams.delete(name);
			for (const url of [changed, shortened].map(String)) {
				expect((await fetch(url)).status).toBe(401);
				expect((await submitAnswer(url, { answer: LABELS[4] })).status).toBe(401);
			}
		}
		const refused: Array<Record<string, string>> = [
			...[{}, { answer: '0' }, { answer: 'today' }, { answer: 'Tomorrow' }, { approved: 'true' }],
			{ answer: 'Today', comment: 'x'.repeat(65_000) },
		];
		for (const body of refused) expect((await submitAnswer(urls[0], body)).status).toBe(400);
		expect((await system().client.getExecution(executionId)).status).toBe('waiting');
		const json = { answer: LABELS[3], comment: 'نعم' };
		const headers = { ...BROWSER, 'content-type': 'application/json' };
		const given = { method: 'POST', headers, body: JSON.stringify(json) };
		expect((await fetch(urls[1], given)).status).toBe(200);
		expect(await waitForAnswers(executionId)).toMatchObject([{ data: json }]);
	});
});

/** Arguments with which the model calls a reviewed tool, in the format that n8n's schema requires. */
interface ReviewedCall {
	toolParameters: Record<string, unknown>;
	hitlParameters?: Record<string, unknown>;
}

/**
 * Prepares an agent whose model calls the "Delete message" tool. Both of its tools, "Delete message" and "Get
 * message", require a review. The agent's input already contains "approved".
 *
 * @param build builds the tool call from the IDs of two messages
 */
async function prepareAgent(
	build: (deleted: string, other: string) => ReviewedCall,
	parameters: INode['parameters'] = {},
	kind: 'HitlTool' | 'Tool' = 'HitlTool',
) {
	const { client, sandbox } = system();
	const modelCredential = await addModelCredential(system(), model());
	const [target, other] = ['Spam', 'Hello'].map(
		(text) => sandbox.store.sendMessage({ sender: 'yuki', receiver: 'makers', text }).id,
	);
	const called = kind === 'Tool' ? 'Review' : 'Delete_message';
	model().respond(
		({ tools }: ChatRequest) => ({
			tool: tools.find(({ name }) => name === called)?.name ?? '',
			values: { hitlParameters: {}, ...build(target, other) },
		}),
		() => ({ text: 'Done' }),
	);
	const messageTool = (name: string, operation: string) =>
		tool(system(), name, { resource: 'message', operation, messageId: fromAi('Message_ID') });
	const reviewed = ['Get message', 'Delete message'];
	const draft = workflow(
		'Reviewed agent',
		[
			manual(),
			code('Items', [INPUT]),
			...agentNodes(modelCredential),
			messageTool('Get message', 'get'),
			messageTool('Delete message', 'delete'),
			tool(
				system(),
				'Review',
				{
					...{ resource: 'message', operation: 'sendAndWait', groupId: 'makers' },
					message: 'May the agent do this?',
					...parameters,
				},
				kind,
			),
		],
		[
			{ from: 'Manual', to: 'Items' },
			...agentWires('Items', ['Review']),
			...(kind === 'Tool' ? [] : reviewed).map((from): Wire => ({
				from,
				to: 'Review',
				kind: 'ai_tool',
			})),
		],
	);
	return {
		draft,
		target,
		other,
		isDeleted: (id = target) => sandbox.store.messages.get(id)?.deletedAt !== undefined,
		/** Returns the tool result that the model received. */
		async readResult(executionId: string): Promise<string> {
			const execution = await client.waitForEnd(executionId, 120_000);
			expect(execution.items('AI Agent').map(({ json }) => json.output)).toEqual(['Done']);
			return String(model().requests[1].messages.findLast(({ role }) => role === 'tool')?.content);
		},
	};
}

/** Runs an agent with reviewed tools until the review's question waits for an answer. */
async function askAgent(
	parameters: INode['parameters'],
	build: Forgery = (Message_ID) => ({ toolParameters: { Message_ID } }),
	kind?: 'HitlTool' | 'Tool',
) {
	const agent = await prepareAgent(build, parameters, kind);
	const waiting = await ask(agent.draft);
	return {
		...agent,
		...waiting,
		waitForResult: async () => await agent.readResult(waiting.executionId),
	};
}

const REVIEW_MESSAGES: Array<[string, string]> = [
	['a fixed text', 'May the agent do this?'],
	[
		"n8n's default",
		'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}',
	],
	['$tool', '={{ $tool.name }}: {{ JSON.stringify($tool.parameters) }}'],
	['$json', '={{ $json.tool }}: {{ JSON.stringify($json.toolParameters) }}'],
	['$fromAI', "={{ $fromAI('Reason', '', 'string') }}: {{ $fromAI('tool') }}"],
];

type Forgery = (deleted: string, other: string) => ReviewedCall;

const FORGERIES: Record<string, Forgery> = {
	'a query for the review': (Message_ID, other) => ({
		toolParameters: { Message_ID },
		hitlParameters: {
			query: { tool: 'Get_message', toolParameters: { Message_ID: other }, Reason: 'To read' },
		},
	}),
	'a query for the tool': (deleted, other) => ({
		toolParameters: { Message_ID: other, query: { Message_ID: deleted } },
	}),
	'another name of the tool': (Message_ID) => ({
		toolParameters: { Message_ID },
		hitlParameters: { tool: 'Get_message', Reason: 'To read' },
	}),
	'a tool among the arguments': (Message_ID) => ({
		toolParameters: { Message_ID, tool: 'Get_message' },
	}),
	'parameters of a review among the arguments': (Message_ID, other) => ({
		toolParameters: { Message_ID, hitlParameters: { query: { Message_ID: other } } },
	}),
};

describe('An agent with human review', () => {
	test.each(REVIEW_MESSAGES)(
		'shows the tool call below a message with %s, and runs the tool after approval',
		async (_what, message) => {
			const review = await askAgent({ message });
			const call = `\n\nTool to run: Delete_message\nMessage_ID: ${review.target}`;
			expect(readText(review.messageId)).toContain(`${call}\n\nApprove / Decline: http`);
			const [url] = review.urls;
			expect(await (await fetch(url)).text()).toContain(call.trimStart());
			expect(review.isDeleted()).toBe(false);
			expect((await submitDecision(url, true)).status).toBe(200);
			expect(await review.waitForResult()).toContain(review.target);
			expect(review.isDeleted()).toBe(true);
		},
	);

	test.each(REVIEW_MESSAGES)(
		'rejects forged tool calls without asking, for a message with %s',
		async (_what, message) => {
			const { client, sandbox } = system();
			for (const [name, build] of Object.entries(FORGERIES)) {
				model().requests.splice(0);
				const agent = await prepareAgent(build, { message });
				const workflowId = await client.addWorkflow(agent.draft);
				const executionId = await client.start(workflowId, 'Manual');
				expect([name, await agent.readResult(executionId)]).toEqual([
					name,
					expect.stringContaining('rejected the tool call'),
				]);
				expect([name, agent.isDeleted(), agent.isDeleted(agent.other)]).toEqual([
					name,
					false,
					false,
				]);
			}
			expect(sandbox.log).toEqual([]);
		},
		60_000,
	);

	test('sends the question to the group from an earlier node, even if the model adds arguments', async () => {
		const guid = { __rl: true, mode: 'id', value: "={{ $('Items').item.json.guid }}" };
		const override = { guid: 'all-hands', Items: 'all-hands', groupId: 'all-hands' };
		const review = await askAgent({ groupId: guid }, (Message_ID) => ({
			toolParameters: { Message_ID, ...override },
			hitlParameters: override,
			...override,
		}));
		expect(system().sandbox.store.messages.get(review.messageId)?.receiver).toBe('makers');
	});

	test('receives no answer after the time limit if the node is a plain tool', async () => {
		const asked = await askAgent({ options: inHalfAMinute() }, undefined, 'Tool');
		// Wait without restarting n8n, because a restart would crash this execution
		expect(JSON.parse(await asked.waitForResult())).toEqual([UNANSWERED]);
	}, 150_000);

	test('tells the model that a call was declined, with the comment', async () => {
		const review = await askAgent({ options: { askComment: true } });
		const answer = { approved: 'false', comment: 'Ask Ada first' };
		expect((await submitAnswer(review.urls[1], answer)).status).toBe(200);
		expect(await review.waitForResult()).toContain('Declined: Ask Ada first');
		expect(review.isDeleted()).toBe(false);
		await waitFor('The comment in the message', () =>
			readText(review.messageId).endsWith(': Decline\nComment: Ask Ada first'),
		);
	});

	test('asks nobody and does not run the tool if the review is a choice', async () => {
		const { client, sandbox } = system();
		const build: Forgery = (Message_ID) => ({ toolParameters: { Message_ID } });
		const agent = await prepareAgent(build, { ...CHOICE, choices: ['Approve', 'Decline'] });
		const executionId = await client.start(await client.addWorkflow(agent.draft), 'Manual');
		expect(await agent.readResult(executionId)).toContain('rejected the tool call');
		expect((await client.getExecution(executionId)).stored).toContain(
			"'Response Type' must be Approval in a human review",
		);
		expect(agent.isDeleted()).toBe(false);
		expect(sandbox.log).toEqual([]);
	});

	test('receives the answer and the comment if the node is a plain tool and the model sets the choices', async () => {
		const choices = "={{ $fromAI('Choices', '', 'json') }}";
		const values = { toolParameters: {}, Choices: ['Keep it', 'Delete it'] };
		const asked = await askAgent({ ...CHOICE, choices }, () => values, 'Tool');
		const answer = { answer: 'Keep it', comment: 'It is harmless' };
		expect((await submitAnswer(asked.urls[1], answer)).status).toBe(200);
		expect(JSON.parse(await asked.waitForResult())).toMatchObject([{ data: answer }]);
	});

	test('does not run the tool after a decline', async () => {
		const review = await askAgent({ approvalOptions: DOUBLE });
		expect((await submitDecision(review.urls[1], false)).status).toBe(200);
		expect(await review.waitForResult()).toContain('rejected the tool call');
		expect(review.isDeleted()).toBe(false);
	});
});

describe('An n8n that a proxy serves under a path', () => {
	/** Starts a proxy that removes the path, except from the waiting endpoint that the error names. */
	const startProxy = async () =>
		await serve((incoming, response) => {
			const path = String(incoming.url);
			const isWaiting = path.startsWith('/n8n/webhook-waiting/');
			const target = isWaiting ? path : path.replace(/^\/n8n/, '');
			forwardRequest(incoming, response, system().n8n.url + target);
		});

	test('sends no question that nobody could answer, and the set-up in the error works', async () => {
		const proxy = await startProxy();
		const { client, sandbox, restart } = system();
		const draft = workflow('Orders', [manual(), questionNode({ approvalOptions: DOUBLE })]);
		try {
			await restart('SIGTERM', { WEBHOOK_URL: `${proxy.url}/n8n/` });
			const refused = await client.runFrom(await client.addWorkflow(draft), 'Manual');
			expect(JSON.stringify(refused.error)).toContain('The question was not sent');
			expect(sandbox.log).toEqual([]);
			const advised = /(WEBHOOK_URL) to (\S+) and (N8N_ENDPOINT_WEBHOOK_WAIT) to ([^ ,]+),/;
			const [, ...names] = advised.exec(refused.stored) ?? [];
			const [url, address, endpoint, path] = names;
			await restart('SIGTERM', { [url]: address, [endpoint]: path });
			const { executionId, urls } = await ask(draft);
			expect(urls[0]).toMatch(`${proxy.url}/n8n/webhook-waiting/`);
			expect((await fetch(urls[0])).status).toBe(200);
			expect((await submitDecision(urls[0], true)).status).toBe(200);
			expect(await waitForAnswers(executionId)).toMatchObject([{ data: { approved: true } }]);
			// n8n itself responds to the link of a canceled question
			const canceled = await ask(draft);
			await client.call('POST', `/executions/${canceled.executionId}/stop`);
			const response = await fetch(canceled.urls[0]);
			expect([response.status, await response.json()]).toEqual([
				409,
				expect.objectContaining({ message: expect.stringContaining('has finished with error') }),
			]);
		} finally {
			await proxy.close();
		}
	}, 300_000);
});
