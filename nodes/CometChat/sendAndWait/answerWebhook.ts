import {
	jsonParse,
	type IDataObject,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { createSender, fetchMessageWithin } from '../run/sendOnce';
import type { RestRequest } from '../transport/types';
import { asObject } from '../transport/json';
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
	type Question,
	type SubmittedAnswer,
} from './question';

const link = {
	name: 'default',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
} as const;

/** Webhooks behind a message's links. GET shows a page, and only the page's POST answers. */
export const waitingWebhooks: INodeTypeDescription['webhooks'] = [
	{ ...link, httpMethod: 'GET' },
	{ ...link, httpMethod: 'POST' },
];

export const waitingNodeTooltip =
	"={{ $parameter.operation === 'sendAndWait' ? 'The workflow goes on when someone answers through the link in the message' : '' }}";

/** Time limit for updating the message, in milliseconds. */
const UPDATE_TIMEOUT_MS = 20_000;

/** How long this process remembers an answer, in milliseconds. Then n8n itself rejects late answers. */
const ANSWER_MEMORY_MS = 60_000;

/** An answer passed to n8n. */
interface PassedAnswer {
	answer: SubmittedAnswer;
	/** Timestamp in milliseconds */
	passedAt: number;
	/** Resolves to whether n8n accepted the answer */
	isAccepted: Promise<boolean>;
}

/** Answers passed to n8n recently in this process, by question. */
const passedAnswers = new Map<string, PassedAnswer>();

/** An invalid answer, with the form's content to show again. */
interface InvalidAnswer {
	status: number;
	/** Sentence that explains what is wrong */
	problem: string;
	text?: string;
	respondedBy?: string;
}

/**
 * Handles a request to a link. Never throws, because n8n would end the wait with an empty item. Only
 * a valid answer ends the wait.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const question = loadQuestion(this);
		if (question === undefined || readLink(this).question !== question.id) {
			return respond(
				this,
				410,
				renderNote('This question is closed', 'Someone answered it, or its time limit has passed.'),
			);
		}
		if (this.getRequestObject().method !== 'POST') {
			return respond(this, 200, renderQuestionPage(this, question));
		}
		const answer = parseAnswer(question, this.getBodyData());
		if ('problem' in answer) {
			return respond(this, answer.status, renderQuestionPage(this, question, answer));
		}
		const earlier = findPassedAnswer(this, question);
		if (earlier && (await earlier.isAccepted)) {
			// A double click counts as one answer
			return JSON.stringify(earlier.answer) === JSON.stringify(answer)
				? respond(this, 200, renderThanks(question, answer))
				: respond(
						this,
						409,
						renderNote('This question is closed', 'Someone answered it just now.'),
					);
		}
		return passAnswer(this, question, answer);
	} catch (error) {
		this.logger.error(`A link of a question in CometChat failed: ${String(error)}`);
		return respond(
			this,
			500,
			renderNote('Something went wrong', 'Your answer was not recorded. Try again later.'),
		);
	}
}

/** Loads the waiting execution's question. Only an expression gives webhooks access to the node's context. */
function loadQuestion(context: IWebhookFunctions): Question | undefined {
	// Braces in the node's name would end the expression
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const stored = context.evaluateExpression(`{{ $node[${name}].context.${CONTEXT_KEY} }}`);
	return typeof stored === 'string' ? jsonParse<Question>(stored) : undefined;
}

/** Reads the link's query, whose signature n8n has verified. */
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
	const fields = { ...asObject(asObject(body).data), ...asObject(body) };
	const answer = parseDecision(question, fields);
	if (!question.askName) return answer;
	const respondedBy = typeof fields.respondedBy === 'string' ? fields.respondedBy.trim() : '';
	if ('problem' in answer) return { ...answer, respondedBy };
	if (respondedBy !== '' && respondedBy.length <= MAX_NAME_LENGTH)
		return { ...answer, respondedBy };
	const text = 'text' in answer ? answer.text : undefined;
	return { status: 400, problem: `Enter your name, up to ${MAX_NAME_LENGTH} characters.`, text };
}

function parseDecision(
	{ choices }: Question,
	fields: IDataObject,
): SubmittedAnswer | InvalidAnswer {
	const chosen = choices.find(({ approved }) => String(approved) === String(fields.approved));
	if (chosen?.approved !== undefined) return { approved: chosen.approved };
	if (choices.some(({ approved }) => approved !== undefined)) {
		return { status: 400, problem: 'Choose one of the answers.' };
	}
	const text = typeof fields.text === 'string' ? fields.text.replace(/\r\n/g, '\n') : '';
	if (text.trim() === '') return { status: 400, problem: 'The answer is empty.' };
	return text.length > MAX_ANSWER_LENGTH ? { status: 413, problem: TOO_LONG_NOTE, text } : { text };
}

const getAnswerKey = (context: IWebhookFunctions, { id }: Question): string =>
	`${context.getExecutionId()} ${id}`;

/** Finds the answer that this process passed to n8n last. n8n handles simultaneous answers in parallel. */
function findPassedAnswer(
	context: IWebhookFunctions,
	question: Question,
): PassedAnswer | undefined {
	const now = Date.now();
	for (const [key, { passedAt }] of passedAnswers) {
		if (now - passedAt > ANSWER_MEMORY_MS) passedAnswers.delete(key);
	}
	return passedAnswers.get(getAnswerKey(context, question));
}

const renderThanks = (question: Question, answer: SubmittedAnswer): string =>
	renderNote('Thank you', `Your answer: ${formatAnswer(question, answer)}`);

/**
 * Passes an answer to n8n, and updates the message once n8n has accepted the answer. n8n accepts one
 * answer, even if several processes pass one, and reports the result by the status of its response.
 */
function passAnswer(
	context: IWebhookFunctions,
	question: Question,
	answer: SubmittedAnswer,
): IWebhookResponseData {
	const respondedAt = new Date();
	const updateMessage = prepareMessageUpdate(context, question, answer, respondedAt);
	const response = context.getResponseObject();
	const isAccepted = new Promise<boolean>((resolve) => {
		response.once('prefinish', () => resolve(response.statusCode < 400));
	});
	const key = getAnswerKey(context, question);
	passedAnswers.set(key, { answer, passedAt: Date.now(), isAccepted });
	void isAccepted.then(async (accepted) => {
		if (accepted) await updateMessage();
		else passedAnswers.delete(key);
	});
	setHeaders(context);
	return {
		webhookResponse: renderThanks(question, answer),
		workflowData: [[{ json: { data: { ...answer, respondedAt: respondedAt.toISOString() } } }]],
	};
}

/** @returns a function that updates the message if the question asks for it, and logs failures */
function prepareMessageUpdate(
	context: IWebhookFunctions,
	question: Question,
	answer: SubmittedAnswer,
	respondedAt: Date,
): () => Promise<void> {
	const { updateMessage: isEnabled, messageId, onBehalfOf } = question;
	if (!isEnabled) return async () => {};
	// The credential must be read before n8n ends the call
	const sender = createSender(context);
	sender.catch(() => {}); // Logged below
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
			const { messageError } = await fetchMessageWithin(
				sender,
				request,
				messageId,
				UPDATE_TIMEOUT_MS,
			);
			if (messageError !== undefined) throw new Error(messageError);
		} catch (error) {
			context.logger.warn(`The message of an answered question was not updated: ${String(error)}`);
		}
	};
}

function setHeaders(context: IWebhookFunctions): void {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
}

/** Responds with a page. The execution goes on waiting. */
function respond(context: IWebhookFunctions, status: number, html: string): IWebhookResponseData {
	const response = context.getResponseObject();
	response.statusCode = status;
	setHeaders(context);
	response.end(html);
	return { noWebhookResponse: true };
}
