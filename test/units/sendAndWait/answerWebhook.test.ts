import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { QUESTION_CONTEXT_KEY } from '../../../nodes/CometChat/sendAndWait/execute';
import { renderQuestionPage } from '../../../nodes/CometChat/sendAndWait/page';
import {
	formatAnsweredMessage,
	type Question,
} from '../../../nodes/CometChat/sendAndWait/question';
import { webhook } from '../../../nodes/CometChat/sendAndWait/answerWebhook';
import { KEY } from '../context';

const HOSTILE = `"'><script>alert(1)</script>&amp;{{ $json }}`;

const question = (changes: Partial<Question> = {}): Question => ({
	id: String(Math.random()),
	text: 'Order lamps?',
	choices: [
		{ label: 'Yes', approved: true },
		{ label: 'No', approved: false },
	],
	askName: false,
	askComment: false,
	updateMessage: false,
	...changes,
});

const freeText = (changes: Partial<Question> = {}) =>
	question({ choices: [{ label: 'Respond' }], ...changes });

interface CallOptions {
	/** The stored question, serialized as JSON */
	kept?: unknown;
	query?: IDataObject;
	/** POST body. If omitted, a GET request is sent. */
	body?: unknown;
	/** Status of n8n's response to an answer, or a promise to delay the response */
	status?: number | Promise<number>;
	timezone?: string;
	/** Called with each warning logged in n8n */
	onWarning?: (text: string) => void;
	/** Called with each request to CometChat */
	onRequest?: (request: IHttpRequestOptions) => void;
}

/** Sends a request to the link in a question. Returns the response and the items passed to n8n. */
async function call(
	stored: Question,
	{ kept = JSON.stringify(stored), query, body, status = 200, ...on }: CallOptions = {},
) {
	const headers: Record<string, string> = {};
	let html = '';
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		setHeader: (name: string, value: string) => void (headers[name] = value),
		end: (text: string) => void (html = text),
	});
	const context: Partial<Record<keyof IWebhookFunctions, unknown>> = {
		getNode: () => ({ name: 'Ask "{{ them }}"' }),
		getWorkflow: () => ({ name: 'Orders' }),
		// Docker Compose files can leave quotes around the time zone
		getTimezone: () => on.timezone ?? '"Europe/Berlin"',
		getExecutionId: () => '7',
		getQueryData: () => query ?? { question: stored.id, approved: 'true', signature: 'x' },
		getRequestObject: () => ({ method: body === undefined ? 'GET' : 'POST' }),
		getBodyData: () => body,
		getResponseObject: () => response,
		evaluateExpression: (expression: string) => {
			const [, name] = /^\{\{ \$node\[(".*")\]\.context\.(\w+) \}\}$/.exec(expression) ?? [];
			if (expression.slice(2, -2).includes('{{') || JSON.parse(name) !== 'Ask "{{ them }}"') {
				throw new Error(`No such node: ${expression}`);
			}
			if (kept instanceof Error) throw kept;
			return expression.includes(QUESTION_CONTEXT_KEY) ? kept : undefined;
		},
		logger: { error: () => {}, warn: (text: string) => on.onWarning?.(text) },
		getCredentials: () => Promise.resolve({ apiKey: KEY, region: 'us', appId: 'app' }),
		helpers: {
			httpRequestWithAuthentication: (_: string, request: IHttpRequestOptions) => {
				on.onRequest?.(request);
				return Promise.resolve({ statusCode: 200, headers: {}, body: { data: { id: '501' } } });
			},
		},
	};
	const result = await webhook.call(context as unknown as IWebhookFunctions);
	if (result.workflowData) {
		// Simulates n8n resuming the execution and sending the response
		response.statusCode = await status;
		response.emit('prefinish');
		for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
	}
	const page = html || String(result.webhookResponse);
	return { status: response.statusCode, headers, page, items: result.workflowData?.[0] };
}

/** Asserts that an answer was rejected and no items were passed to n8n. */
const expectRejected = ({ status, items }: Awaited<ReturnType<typeof call>>, expected: number) =>
	expect([status, items]).toEqual([expected, undefined]);

const items = (answer: object) => [
	{ json: { data: { answered: true, ...answer, respondedAt: expect.any(String) } } },
];

describe('A link in a question', () => {
	test("shows the question with the link's answer first, and allows only the page's own style", async () => {
		const stored = question();
		const { status, page, headers, items } = await call(stored, {
			query: { question: stored.id, approved: 'false' },
		});
		expect([status, items]).toEqual([200, undefined]);
		expect(page).toContain('<title>Your answer is needed</title>');
		expect(page).toMatch(/value="false" class="main">No<.*value="true">Yes</);
		const [, style] = /<style>(.*)<\/style>/s.exec(page) ?? [];
		const hash = createHash('sha256').update(style).digest('base64');
		const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'`;
		expect(page).toContain(`content="${policy}"`);
		expect(headers).toEqual({
			'Cache-Control': 'no-store',
			'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
			'Content-Type': 'text/html; charset=utf-8',
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
		});
		expect(page).not.toMatch(/<script|<link|src=|url\(|@import/);
	});

	const TITLE = '<h1 dir="auto">Order lamps?</h1>';
	const SOURCE = '<p>Asked by the n8n workflow “Orders”</p>';

	test.each<[string, Question, string]>([
		['one line', question(), `${TITLE}${SOURCE}`],
		['no empty paragraph', question({ text: 'Order lamps?\n' }), `${TITLE}${SOURCE}`],
		[
			'two lines',
			question({ text: 'Order lamps?\nTwo' }),
			`${TITLE}<p class="more" dir="auto">Two</p>${SOURCE}`,
		],
		[
			'a paragraph of two lines',
			question({ text: 'Order lamps?\n\nTwo red\nand one blue\n' }),
			`${TITLE}<p class="more" dir="auto">Two red\nand one blue</p>${SOURCE}`,
		],
		['the asker', question({ asker: 'Mira' }), '>Asked by Mira through the n8n workflow “Orders”<'],
		['a decision', question(), ' name="approved" value="true" class="main">Yes<'],
		[
			'a choice',
			question({ choices: [{ label: 'Today', answer: 'Today' }] }),
			' name="answer" value="Today">Today<',
		],
		['a text area', freeText(), '<textarea name="text" '],
	])('shows %s', (_what, stored, html) => {
		expect(renderQuestionPage(stored, 'Orders')).toContain(html);
	});

	test('escapes text from users, workflows, and agents', () => {
		const pages = [question(), freeText()].map((stored) =>
			renderQuestionPage(
				{
					...stored,
					text: HOSTILE,
					asker: HOSTILE,
					choices: stored.choices.map((choice) => ({ ...choice, label: HOSTILE })),
				},
				HOSTILE,
			),
		);
		for (const page of pages) {
			expect(page).not.toMatch(/<script|"'>|&amp;\{/);
			expect(page.match(/&quot;&#39;&gt;&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(3);
		}
	});

	test.each([
		['for another question of the same execution', { query: { question: '1', approved: 'true' } }],
		['if no question is stored', { kept: null }],
	])('shows that the question is closed %s', async (_what, how) => {
		const response = await call(question(), { ...how, body: { approved: 'true' } });
		expectRejected(response, 410);
		expect(response.page).toContain('This question is closed');
		expect(response.page).toContain('Someone answered the question, or its time limit has passed.');
	});

	test.each([
		['is missing', question(), {}],
		[
			'is not offered',
			question({ choices: [{ label: 'Yes', approved: true }] }),
			{ approved: 'false' },
		],
		['is a list', question(), { approved: ['true', 'true'], x: 1 }],
		['is not a form', question(), 'approved=true'],
		['is a decision instead of a text', freeText(), { approved: 'true' }],
		['is empty', freeText(), { text: ' \r\n ' }],
		['is an object instead of a text', freeText(), { text: { length: 5 } }],
	])('rejects an answer that %s', async (_what, stored, body) => {
		const response = await call(stored, { body });
		expectRejected(response, 400);
		expect(response.page).toMatch(
			/(Choose one of the answers|The answer is empty)\. Go back and try again\.</,
		);
	});

	test.each([
		[freeText(), { text: ' Yes ' }, { text: 'Yes' }],
		[freeText(), { text: '\r\n\tTwo\r\n lines \u00a0' }, { text: 'Two\n lines' }],
		[question(), { approved: 'false ' }, { approved: false }],
	])('reads the answer without surrounding white space: %j, %j', async (asked, body, answer) => {
		expect((await call(asked, { body })).items).toEqual(items(answer));
	});

	test('accepts a long text with any line endings', async () => {
		const text = `${'x\n'.repeat(20_000)}yz`;
		const { items: given } = await call(freeText(), {
			body: { text: text.replaceAll('\n', '\r\n') },
		});
		expect(given).toEqual(items({ text }));
	});

	test('accepts the first of several simultaneous answers', async () => {
		const stored = question();
		const calls = ['false', 'true', 'false'].map(
			async (approved) => await call(stored, { body: { approved } }),
		);
		const [first, other, same] = await Promise.all(calls);
		expect(first.items).toEqual(items({ approved: false }));
		expect(first.page).toContain('Your answer: No');
		expectRejected(other, 410);
		// A double click counts as one answer
		expectRejected(same, 200);
		expect(same.page).toContain('Your answer: No');
	});

	test('accepts a second answer if n8n rejected the first', async () => {
		const stored = question();
		let decide: (status: number) => void = () => {};
		const status = new Promise<number>((resolve) => (decide = resolve));
		const first = call(stored, { body: { approved: 'false' }, status });
		const second = call(stored, { body: { approved: 'true' } });
		decide(409);
		expect((await first).items).toHaveLength(1);
		expect((await second).items).toEqual(items({ approved: true }));
	});

	test.each([
		[200, 1],
		[409, 0],
		[500, 0],
	])('updates the message only after n8n accepted the answer: %i', async (status, count) => {
		const sent: IHttpRequestOptions[] = [];
		let decide = () => {};
		const taken = new Promise<number>((resolve) => (decide = () => resolve(status)));
		const stored = question({ updateMessage: true, messageId: '501', onBehalfOf: 'mira' });
		const calling = call(stored, {
			body: { approved: 'true' },
			status: taken,
			onRequest: (request) => sent.push(request),
			timezone: 'UTC',
		});
		for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
		expect(sent).toEqual([]);
		decide();
		await calling;
		expect(sent.map(({ method, url, headers }) => [method, url, headers?.onBehalfOf])).toEqual(
			Array(count).fill(['PUT', '/messages/501', 'mira']),
		);
		if (count === 0) return;
		expect(JSON.parse(String(sent[0].body))).toMatchObject({
			data: {
				text: expect.stringMatching(/^Order lamps\?\n\nAnswered on .*: Yes$/),
				metadata: { sendAndWait: { answers: [], approved: true } },
			},
		});
	});

	test.each([
		['a short text', 'Twelve', 'Twelve'],
		['the longest whole text', 'x'.repeat(1_000), 'x'.repeat(1_000)],
		['a text of one character more', 'x'.repeat(1_001), `${'x'.repeat(1_000)}…`],
		['a long text', '💡'.repeat(2_000), `${'💡'.repeat(500)}…`],
	])('keeps the answer in the metadata, cut to 1,000 characters: %s', async (_what, text, kept) => {
		const sent: IHttpRequestOptions[] = [];
		const stored = freeText({ updateMessage: true, messageId: '501' });
		const response = await call(stored, {
			body: { text },
			onRequest: (request) => sent.push(request),
			timezone: 'UTC',
		});
		expect(response.items).toMatchObject([{ json: { data: { text } } }]);
		expect(JSON.parse(String(sent[0].body))).toMatchObject({
			data: { metadata: { sendAndWait: { answers: [], text: kept } } },
		});
	});

	test('accepts the answer if the message cannot be updated, and logs the reason', async () => {
		const warnings: string[] = [];
		const response = await call(question({ updateMessage: true, messageId: '501' }), {
			body: { approved: 'true' },
			onWarning: (text) => warnings.push(text),
		});
		expect(response).toMatchObject({ status: 200, items: items({ approved: true }) });
		expect(warnings).toEqual([expect.stringMatching(/was not updated: .*time zone/)]);
	});

	test('accepts another answer a minute after n8n got the first without resuming', async () => {
		const stored = question();
		await call(stored, { body: { approved: 'true' } });
		const now = performance.now();
		jest.spyOn(performance, 'now').mockReturnValue(now + 61_000);
		const response = await call(stored, { body: { approved: 'false' } });
		jest.restoreAllMocks();
		expect(response.items).toHaveLength(1);
	});

	test.each([{ kept: new Error('no') }, { kept: '{' }])(
		'rejects an answer if the stored question cannot be read',
		async ({ kept }) => {
			expectRejected(await call(question(), { kept, body: { approved: 'true' } }), 500);
		},
	);
});

test.each([
	[{ data: { approved: 'true' }, files: {} }, question(), { approved: true }],
	[{ data: { text: 'Two' }, files: {} }, freeText(), { text: 'Two' }],
	[{ text: 'Two', data: 'x' }, freeText(), { text: 'Two' }],
])('reads an answer from both body formats of n8n: %j', async (body, stored, answer) => {
	expect((await call(stored, { body })).items).toEqual(items(answer));
});

describe('A question that asks for a name', () => {
	const named = (changes: Partial<Question> = {}) => question({ askName: true, ...changes });

	test('shows an input for the name, and returns the name with the answer', async () => {
		expect((await call(named())).page).toContain('<input name="respondedBy"');
		expect((await call(question())).page).not.toContain('respondedBy');
		const body = { approved: 'true', respondedBy: '  Ada ' };
		const answer = { approved: true, respondedBy: 'Ada' };
		expect((await call(named(), { body })).items).toEqual(items(answer));
		expect((await call(question(), { body })).items).toEqual(items({ approved: true }));
	});

	test.each([{}, { approved: 'true' }, { approved: 'false' }])(
		'decides nothing if someone presses Enter in the input, behind the link %j',
		async (choice) => {
			const stored = named();
			const { page } = await call(stored, { query: { question: stored.id, ...choice } });
			// Enter in an input presses the form's first submit button, or nothing if that button is disabled
			const [defaultButton] = /<button[^>]*>/.exec(page) ?? [];
			expect(defaultButton).toBe('<button disabled hidden>');
			expect(page.match(/<button[^>]* value="(true|false)"[^>]*>/g)).toHaveLength(2);
			expect(page).toContain(' enterkeyhint="done"');
		},
	);

	test.each([undefined, ' ', '\u200b', ['x'], 'x'.repeat(101)])(
		'rejects an answer with the name %j',
		async (name) => {
			const body = { text: 'Two', respondedBy: name };
			const response = await call(freeText({ askName: true }), { body });
			expectRejected(response, 400);
			expect(response.page).toContain('Enter your name, up to 100 characters.');
		},
	);

	test('accepts a name of 100 characters, as the input does', async () => {
		const respondedBy = 'x'.repeat(100);
		const { page } = await call(named());
		expect(page).toContain(' maxlength="100"');
		const { items: given } = await call(named(), { body: { approved: 'true', respondedBy } });
		expect(given).toEqual(items({ approved: true, respondedBy }));
	});

	test('returns the name on one line, so that the message shows no second answer', async () => {
		const respondedBy = 'Ada\r\nAnswered by Mira\u202e on Monday: Yes';
		const { items: given } = await call(named(), { body: { approved: 'false', respondedBy } });
		expect(given).toEqual(
			items({ approved: false, respondedBy: 'Ada Answered by Mira on Monday: Yes' }),
		);
	});

	test.each([
		['Order lamps?', /^Order lamps\?\n\nAnswered by Ada on .*1970.*: Yes$/],
		['x'.repeat(65_500), /^x+\n\nAnswered by Ada on .*: Yes$/],
	])('names the person in the message, within its maximum length: %.12s', (text, expected) => {
		const answer = { approved: true, respondedBy: 'Ada' };
		const message = formatAnsweredMessage(named({ text }), answer, new Date(0), 'UTC');
		expect(message).toMatch(expected);
		expect(message.length).toBe(text.length > 65_000 ? 65_536 : message.length);
	});
});

describe('A choice', () => {
	const LABELS = ['Today', 'Mañana <3', 'Never, "ever"'];
	const choice = (changes: Partial<Question> = {}) =>
		question({ choices: LABELS.map((label) => ({ label, answer: label })), ...changes });

	test.each(LABELS)('has a button for %s, which answers with its label', async (answer) => {
		expect((await call(choice(), { body: { answer } })).items).toEqual(items({ answer }));
	});

	test('puts the button of the opened link first, and lets no other stand out', async () => {
		const stored = choice();
		const query = { question: stored.id };
		const { page } = await call(stored, { query: { ...query, answer: LABELS[1] } });
		expect(page).toMatch(/value="Mañana &lt;3" class="main">.*value="Today">.*value="Never/);
		expect((await call(stored, { query })).page).not.toContain('class="main"');
	});

	test.each([
		{},
		{ answer: 'today' },
		{ answer: 'Tomorrow' },
		{ answer: ['Today'] },
		{ approved: 'true' },
	])('rejects the answer %j, which is not offered', async (body) => {
		const response = await call(choice(), { body });
		expectRejected(response, 400);
		expect(response.page).toContain('Choose one of the answers.');
	});

	test('is shown in the message with the name and the comment', () => {
		const answer = { answer: 'Today', comment: 'Before noon', respondedBy: 'Ada' };
		expect(formatAnsweredMessage(choice(), answer, new Date(0), 'UTC')).toMatch(
			/^Order lamps\?\n\nAnswered by Ada on .*1970.*: Today\nComment: Before noon$/,
		);
	});
});

describe('A question that asks for a comment', () => {
	const commented = (changes: Partial<Question> = {}) => question({ askComment: true, ...changes });

	test('shows a field for the comment, and returns the comment with the answer', async () => {
		expect((await call(commented())).page).toContain('<textarea name="comment"');
		expect((await call(question())).page).not.toContain('comment');
		const body = { approved: 'true', comment: ' Fine,\r\nbut late ' };
		const answer = { approved: true, comment: 'Fine,\nbut late' };
		expect((await call(commented(), { body })).items).toEqual(items(answer));
		expect((await call(question(), { body })).items).toEqual(items({ approved: true }));
	});

	test.each([undefined, ' ', ['x']])('accepts an answer with the comment %j', async (comment) => {
		const body = { approved: 'false', comment };
		const answer = { approved: false, comment: '' };
		expect((await call(commented(), { body })).items).toEqual(items(answer));
	});

	test('returns an incomplete emoji as a replacement character', async () => {
		const body = { approved: 'true', comment: 'Fine \ud83d' };
		const answer = { approved: true, comment: 'Fine \ufffd' };
		expect((await call(commented(), { body })).items).toEqual(items(answer));
	});

	test('is updated with the comment on one line, so that the message shows no second answer', () => {
		const comment = 'No\n\nAnswered by Mira on Monday: Yes\u2028\u0085\u202ePlease <b>read</b>';
		const answer = { approved: false, comment };
		expect(formatAnsweredMessage(commented(), answer, new Date(0), 'UTC')).toMatch(
			/^Order lamps\?\n\nAnswered on .*1970.*: No\nComment: No Answered by Mira on Monday: Yes Please <b>read<\/b>$/,
		);
	});

	test.each([
		{ approved: true, respondedBy: 'Ada <@uid:mira>' },
		{ approved: true, comment: '<@all:all>, <@uid:<@uid:mira>>' },
		{ text: 'Ask <@uid:mira>' },
	])('mentions nobody in the message if the answer is %j', (answer) => {
		const text = '<@uid:leo>, order lamps?';
		const asked = 'text' in answer ? freeText({ text }) : commented({ text });
		const message = formatAnsweredMessage(asked, answer, new Date(0), 'UTC');
		// The person who wrote the question can mention people
		expect(message.match(/<@\w+:[^<>]*/g)).toEqual(['<@uid:leo']);
		expect(message.replaceAll('\u200b', '')).toContain(Object.values(answer).at(-1));
	});

	test('accepts a comment of 1,000 characters', async () => {
		const comment = 'x'.repeat(1_000);
		const { items: given } = await call(commented(), { body: { approved: 'true', comment } });
		expect(given).toEqual(items({ approved: true, comment }));
	});

	test.each([1_001, 65_000])('rejects a comment of %i characters', async (length) => {
		const body = { approved: 'true', comment: 'x'.repeat(length) };
		const response = await call(commented(), { body });
		expectRejected(response, 400);
		expect(response.page).toContain('Shorten your comment to 1,000 characters.');
	});

	test('passes the comment of a declined tool call to the model, but not of an approved one', async () => {
		const stored = () => commented({ isReview: true });
		const decline = { approved: 'false', comment: 'Ask Ada' };
		const answer = { approved: false, comment: 'Ask Ada' };
		expect((await call(stored(), { body: decline })).items).toEqual(
			items({ ...answer, chatInput: 'Declined: Ask Ada' }),
		);
		expect((await call(commented(), { body: decline })).items).toEqual(items(answer));
		expect((await call(stored(), { body: { ...decline, approved: 'true' } })).items).toEqual(
			items({ ...answer, approved: true }),
		);
	});
});
