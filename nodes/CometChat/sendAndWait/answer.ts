import {
	jsonParse,
	type IDataObject,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { senderOf, sendInTime } from '../run/alone';
import type { RestRequest } from '../transport/types';
import { objectOf } from '../transport/json';
import { CONTEXT_KEY } from './execute';
import { HEADERS, MAX_ANSWER, MAX_NAME, TOO_LONG, notePage, questionPage } from './page';
import { answerText, decidedText, type Answer, type Question } from './question';

const link = {
	name: 'default',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
} as const;

/** The links in a message: opened they show a page, and only its button answers. */
export const waitingWebhooks: INodeTypeDescription['webhooks'] = [
	{ ...link, httpMethod: 'GET' },
	{ ...link, httpMethod: 'POST' },
];

export const waitingNodeTooltip =
	"={{ $parameter.operation === 'sendAndWait' ? 'The workflow goes on when someone answers the message in CometChat' : '' }}";

/** How long it may take to change the message, in milliseconds. */
const DEADLINE_MS = 20_000;

/** How long an answer is remembered, in milliseconds: n8n itself turns away what comes later. */
const REMEMBERED_MS = 60_000;

/** An answer that n8n is about to go on with. */
interface Given {
	answer: Answer;
	at: number;
	/** Whether n8n has taken it, as soon as that is known */
	isTaken: Promise<boolean>;
}

/** The last answers of this process, by their questions. */
const given = new Map<string, Given>();

/** Why an answer cannot be taken. */
interface Refusal {
	status: number;
	sentence: string;
	typed?: string;
	respondedBy?: string;
}

/**
 * One call of a link. Whatever happens, only an answer that was offered ends the wait: n8n would go
 * on with an empty item if this threw.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const question = askedIn(this);
		if (question === undefined || linkOf(this).question !== question.id) {
			return show(
				this,
				410,
				notePage('This question is closed', 'It was answered, or its time is over.'),
			);
		}
		if (this.getRequestObject().method !== 'POST') return show(this, 200, pageOf(this, question));
		const answer = answerOf(question, this.getBodyData());
		if ('status' in answer) return show(this, answer.status, pageOf(this, question, answer));
		const earlier = givenTo(this, question);
		if (earlier && (await earlier.isTaken)) {
			// Who clicks twice has answered once
			return JSON.stringify(earlier.answer) === JSON.stringify(answer)
				? show(this, 200, thanksFor(question, answer))
				: show(this, 409, notePage('This question is closed', 'Someone answered it just now.'));
		}
		return goOn(this, question, answer);
	} catch (error) {
		this.logger.error(`An answer in CometChat could not be taken: ${String(error)}`);
		return show(
			this,
			500,
			notePage('n8n could not take this', 'Nothing was decided. Try again later.'),
		);
	}
}

/** The question that the execution waits with. A webhook has no other access to n8n's data of its node. */
function askedIn(context: IWebhookFunctions): Question | undefined {
	// Braces in a name would end the expression
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const kept = context.evaluateExpression(`{{ $node[${name}].context.${CONTEXT_KEY} }}`);
	return typeof kept === 'string' ? jsonParse<Question>(kept) : undefined;
}

/** What the link says, which n8n has signed. */
function linkOf(context: IWebhookFunctions): { question?: unknown; approved?: boolean } {
	const { question, approved } = context.getQueryData() as IDataObject;
	return { question, ...(approved === undefined ? {} : { approved: approved === 'true' }) };
}

function pageOf(context: IWebhookFunctions, question: Question, refusal?: Refusal): string {
	return questionPage(question, {
		workflow: context.getWorkflow().name ?? '',
		approved: linkOf(context).approved,
		refusal: refusal?.sentence,
		typed: refusal?.typed,
		respondedBy: refusal?.respondedBy,
	});
}

function answerOf(question: Question, body: unknown): Answer | Refusal {
	// n8n gives the fields of a form that was sent as multipart below `data`
	const sent = { ...objectOf(objectOf(body).data), ...objectOf(body) };
	const answer = decisionIn(question, sent);
	if (!question.askName) return answer;
	const respondedBy = typeof sent.respondedBy === 'string' ? sent.respondedBy.trim() : '';
	if ('status' in answer) return { ...answer, respondedBy };
	if (respondedBy !== '' && respondedBy.length <= MAX_NAME) return { ...answer, respondedBy };
	const typed = 'text' in answer ? answer.text : undefined;
	return { status: 400, sentence: `Enter your name, up to ${MAX_NAME} characters.`, typed };
}

function decisionIn({ offers }: Question, { approved, text }: IDataObject): Answer | Refusal {
	const chosen = offers.find((offer) => String(offer.approved) === String(approved));
	if (chosen?.approved !== undefined) return { approved: chosen.approved };
	if (offers.some((offer) => offer.approved !== undefined)) {
		return { status: 400, sentence: 'Choose one of the answers.' };
	}
	const typed = typeof text === 'string' ? text.replace(/\r\n/g, '\n') : '';
	if (typed.trim() === '') return { status: 400, sentence: 'The answer is empty.' };
	return typed.length > MAX_ANSWER ? { status: 413, sentence: TOO_LONG, typed } : { text: typed };
}

const keyOf = (context: IWebhookFunctions, { id }: Question): string =>
	`${context.getExecutionId()} ${id}`;

/** The last answer to a question in this process: n8n calls us for each of several at a time. */
function givenTo(context: IWebhookFunctions, question: Question): Given | undefined {
	const now = Date.now();
	for (const [key, { at }] of given) if (now - at > REMEMBERED_MS) given.delete(key);
	return given.get(keyOf(context, question));
}

const thanksFor = (question: Question, answer: Answer): string =>
	notePage('Thank you', `Your answer: ${answerText(question, answer)}`);

/**
 * Hands an answer to n8n. The message says so when n8n has taken it, which it tells by the status of
 * its response: of several answers, perhaps in several processes, it takes one.
 */
function goOn(
	context: IWebhookFunctions,
	question: Question,
	answer: Answer,
): IWebhookResponseData {
	const respondedAt = new Date();
	const change = messageChange(context, question, answer, respondedAt);
	const response = context.getResponseObject();
	const isTaken = new Promise<boolean>((resolve) => {
		response.once('prefinish', () => resolve(response.statusCode < 400));
	});
	const key = keyOf(context, question);
	given.set(key, { answer, at: Date.now(), isTaken });
	void isTaken.then(async (isDone) => {
		if (isDone) await change();
		else given.delete(key);
	});
	setHeaders(context);
	return {
		webhookResponse: thanksFor(question, answer),
		workflowData: [[{ json: { data: { ...answer, respondedAt: respondedAt.toISOString() } } }]],
	};
}

/** @returns what changes the message, where it should be; n8n's log has why it could not be changed */
function messageChange(
	context: IWebhookFunctions,
	question: Question,
	answer: Answer,
	respondedAt: Date,
): () => Promise<void> {
	const { updateMessage: isWanted, messageId, onBehalfOf } = question;
	if (!isWanted) return async () => {};
	// While n8n is still with this call
	const sender = senderOf(context);
	sender.catch(() => {}); // told below
	const timezone = context.getTimezone();
	return async () => {
		try {
			const text = decidedText(question, answer, respondedAt, timezone);
			const metadata = {
				sendAndWait: { answers: [], ...answer, respondedAt: respondedAt.toISOString() },
			};
			const request: RestRequest = {
				method: 'PUT',
				path: '/messages/{messageId}',
				...(onBehalfOf === undefined ? {} : { headers: { onBehalfOf } }),
				body: { data: { text, metadata } },
			};
			const { messageError } = await sendInTime(sender, request, messageId, DEADLINE_MS);
			if (messageError !== undefined) throw new Error(messageError);
		} catch (error) {
			context.logger.warn(`The message of an answered question was not changed: ${String(error)}`);
		}
	};
}

function setHeaders(context: IWebhookFunctions): void {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/** Responds with a page; the execution goes on waiting. */
function show(context: IWebhookFunctions, status: number, html: string): IWebhookResponseData {
	const response = context.getResponseObject();
	response.statusCode = status;
	setHeaders(context);
	response.end(html);
	return { noWebhookResponse: true };
}
