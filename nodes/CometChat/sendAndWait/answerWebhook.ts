import {
	jsonParse,
	type IDataObject,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { createSendOnce, requestMessageWithin } from '../calls/sendOnce';
import { RecentCalls, respond, setHeaders, type HttpContext } from '../transport/webhookResponse';
import type { RestRequest } from '../transport/types';
import { asObject, asText } from '../transport/json';
import { CONTEXT_KEY } from './execute';
import {
	PAGE_HEADERS,
	MAX_ANSWER_LENGTH,
	MAX_NAME_LENGTH,
	TOO_LONG_NOTE,
	renderNote,
	renderQuestion,
} from './page';
import {
	buildAnsweredMetadata,
	formatAnswer,
	formatAnsweredMessage,
	isFreeText,
	type Question,
	type SubmittedAnswer,
} from './question';

const linkWebhook = {
	name: 'default',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
} as const;

/**
 * Webhooks behind a message's links. GET requests show a page. Only the page's POST request submits an
 * answer.
 */
export const waitingWebhooks: INodeTypeDescription['webhooks'] = [
	{ ...linkWebhook, httpMethod: 'GET' },
	{ ...linkWebhook, httpMethod: 'POST' },
];

export const waitingNodeTooltip =
	"={{ $parameter.operation === 'sendAndWait' ? 'The workflow continues when someone answers through the link in the message' : '' }}";

/** Time limit for updating an answered message, in milliseconds. */
const UPDATE_TIMEOUT_MS = 20_000;

/**
 * Answers that this process recently passed to n8n. n8n handles simultaneous answers in parallel, so an answer
 * can still be in progress. After a minute, n8n itself rejects further answers.
 */
const passedAnswers = new RecentCalls<SubmittedAnswer>();

/** An invalid answer, with the entered values to show again in the form. */
interface InvalidAnswer {
	status: number;
	/** Sentence that explains what is wrong */
	problem: string;
	text: string;
	respondedBy: string;
}

const isSubmission = (context: HttpContext): boolean =>
	context.getRequestObject().method === 'POST';

/**
 * Handles a request to a link in the message. Never throws, because n8n would then end the wait with an
 * empty item. Only a valid answer ends the wait.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const show = (status: number, page: string) => respond(this, status, PAGE_HEADERS, page);
	const showClosed = (status: number, text: string) =>
		show(status, renderNote('This question is closed', text));
	try {
		const question = loadQuestion(this);
		if (question === undefined || readLink(this).question !== question.id) {
			return showClosed(410, 'Someone answered the question, or its time limit has passed.');
		}
		if (!isSubmission(this)) {
			return show(200, renderQuestionPage(this, question));
		}
		const answer = parseAnswer(question, this.getBodyData());
		if ('problem' in answer) {
			return show(answer.status, renderQuestionPage(this, question, answer));
		}
		const earlier = passedAnswers.find(getAnswerKey(this, question));
		if (!earlier || !(await earlier.isAccepted)) return passAnswer(this, question, answer);
		// A double click counts as one answer
		return JSON.stringify(earlier.content) === JSON.stringify(answer)
			? show(200, renderThanks(question, answer))
			: showClosed(409, 'Someone has just answered the question.');
	} catch (error) {
		this.logger.error(`Handling a click on a link in CometChat failed: ${String(error)}`);
		const advice = 'Your answer was not recorded. Try again later.';
		return show(500, renderNote('Something went wrong', advice));
	}
}

/**
 * Loads the waiting execution's question. Uses an expression, because webhooks can't read the node's
 * context in any other way.
 */
function loadQuestion(context: IWebhookFunctions): Question | undefined {
	// Braces in the node's name would end the expression
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const stored = context.evaluateExpression(`{{ $node[${name}].context.${CONTEXT_KEY} }}`);
	return typeof stored === 'string' ? jsonParse<Question>(stored) : undefined;
}

/** Reads the link's query parameters, whose signature n8n has verified. */
function readLink(context: IWebhookFunctions): { question?: unknown; approved?: boolean } {
	const { question, approved } = context.getQueryData() as IDataObject;
	return { question, ...(approved === undefined ? {} : { approved: approved === 'true' }) };
}

function renderQuestionPage(
	context: IWebhookFunctions,
	question: Question,
	invalid?: InvalidAnswer,
): string {
	return renderQuestion(question, {
		workflow: context.getWorkflow().name ?? '',
		approved: readLink(context).approved,
		...invalid,
	});
}

function parseAnswer(question: Question, body: unknown): SubmittedAnswer | InvalidAnswer {
	// n8n puts the fields of a multipart form into `data`
	const form = { ...asObject(asObject(body).data), ...asObject(body) };
	const text = typeof form.text === 'string' ? form.text.replace(/\r\n/g, '\n') : '';
	const respondedBy = typeof form.respondedBy === 'string' ? form.respondedBy.trim() : '';
	const reject = (status: number, problem: string) => ({ status, problem, text, respondedBy });
	const decision = question.choices
		.map(({ approved }) => approved)
		.find((approved) => approved !== undefined && String(approved) === asText(form.approved));
	if (isFreeText(question)) {
		if (text.trim() === '') return reject(400, 'The answer is empty.');
		if (text.length > MAX_ANSWER_LENGTH) return reject(413, TOO_LONG_NOTE);
	} else if (decision === undefined) return reject(400, 'Choose one of the answers.');
	const answer = decision === undefined ? { text } : { approved: decision };
	if (!question.askName) return answer;
	return respondedBy === '' || respondedBy.length > MAX_NAME_LENGTH
		? reject(400, `Enter your name, up to ${MAX_NAME_LENGTH} characters.`)
		: { ...answer, respondedBy };
}

const getAnswerKey = (context: IWebhookFunctions, { id }: Question): string =>
	`${context.getExecutionId()} ${id}`;

const renderThanks = (question: Question, answer: SubmittedAnswer): string =>
	renderNote('Thank you', `Your answer: ${formatAnswer(question, answer)}`);

/**
 * Passes an answer to n8n and, once the answer is accepted, updates the message. n8n accepts only one answer,
 * even across processes. The status of n8n's response tells whether this answer was accepted.
 */
function passAnswer(
	context: IWebhookFunctions,
	question: Question,
	answer: SubmittedAnswer,
): IWebhookResponseData {
	const respondedAt = new Date();
	const updateMessage = prepareMessageUpdate(context, question, answer, respondedAt);
	const call = passedAnswers.add(getAnswerKey(context, question), context, answer);
	void call.isAccepted.then(async (accepted) => accepted && (await updateMessage()));
	setHeaders(context, PAGE_HEADERS);
	return {
		webhookResponse: renderThanks(question, answer),
		workflowData: [
			[{ json: { data: { answered: true, ...answer, respondedAt: respondedAt.toISOString() } } }],
		],
	};
}

/**
 * @returns a function that updates the message if 'Update Message' is on. The function logs errors
 * instead of throwing.
 */
function prepareMessageUpdate(
	context: IWebhookFunctions,
	question: Question,
	answer: SubmittedAnswer,
	respondedAt: Date,
): () => Promise<void> {
	const { updateMessage: isEnabled, messageId, onBehalfOf } = question;
	if (!isEnabled) return async () => {};
	// Reads the credential before n8n finishes handling the request, because this isn't possible afterward
	const sender = createSendOnce(context);
	sender.catch(() => {}); // Prevents an unhandled rejection. The error is logged below
	const timezone = context.getTimezone();
	return async () => {
		try {
			const text = formatAnsweredMessage(question, answer, respondedAt, timezone);
			const metadata = buildAnsweredMetadata(answer, respondedAt);
			const request: RestRequest = {
				method: 'PUT',
				path: '/messages/{messageId}',
				...(onBehalfOf === undefined ? {} : { headers: { onBehalfOf } }),
				body: { data: { text, metadata } },
			};
			const sending = requestMessageWithin(sender, request, messageId, UPDATE_TIMEOUT_MS);
			const { messageError } = await sending;
			if (messageError !== undefined) throw new Error(messageError);
		} catch (error) {
			context.logger.warn(`The message of an answered question was not updated: ${String(error)}`);
		}
	};
}
