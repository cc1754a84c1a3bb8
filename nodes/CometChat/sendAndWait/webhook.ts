import type {
	IDataObject,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';

import { sendInTime } from '../operation/sendInTime';
import type { RestRequest } from '../transport/types';
import { objectOf } from '../transport/types';
import { CONTEXT_KEY } from './execute';
import { HEADERS, MAX_ANSWER, TOO_LONG, notePage, questionPage } from './page';
import type { Answer, Question } from './question';
import { answerText, decidedText } from './question';

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

/** How long the person who answered waits for the message to be changed, in milliseconds. */
const DEADLINE_MS = 5_000;

/** How long n8n may take to go on with an answer, in milliseconds, before another one may be given. */
const TAKING_MS = 60_000;

/** The answers that n8n is about to go on with: the times they came at, by their questions. */
const taken = new Map<string, number>();

/** Why an answer cannot be taken. */
interface Refusal {
	status: number;
	sentence: string;
	typed?: string;
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
		if (isTaken(`${this.getExecutionId()} ${question.id}`)) {
			return show(this, 409, notePage('This question is closed', 'Someone answered it just now.'));
		}
		return await goOn(this, question, answer);
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
	});
}

function answerOf({ offers }: Question, body: unknown): Answer | Refusal {
	const { approved, text } = objectOf(body);
	const chosen = offers.find((offer) => String(offer.approved) === String(approved));
	if (chosen?.approved !== undefined) return { approved: chosen.approved };
	if (offers.some((offer) => offer.approved !== undefined)) {
		return { status: 400, sentence: 'Choose one of the answers.' };
	}
	const typed = typeof text === 'string' ? text.replace(/\r\n/g, '\n') : '';
	if (typed.trim() === '') return { status: 400, sentence: 'The answer is empty.' };
	return typed.length > MAX_ANSWER ? { status: 413, sentence: TOO_LONG, typed } : { text: typed };
}

/**
 * Of several answers at a time n8n goes on with one, but calls us for each: without this the message
 * could say what another one decided.
 */
function isTaken(key: string): boolean {
	const now = Date.now();
	for (const [each, time] of taken) if (now - time > TAKING_MS) taken.delete(each);
	if (taken.has(key)) return true;
	taken.set(key, now);
	return false;
}

async function goOn(
	context: IWebhookFunctions,
	question: Question,
	answer: Answer,
): Promise<IWebhookResponseData> {
	const respondedAt = new Date();
	const json: IDataObject = { data: { ...answer, respondedAt: respondedAt.toISOString() } };
	const messageError = await updateMessage(context, question, answer, respondedAt).catch(String);
	if (messageError !== undefined) json.messageError = messageError;
	setHeaders(context);
	return {
		webhookResponse: notePage('Thank you', `Your answer: ${answerText(question, answer)}`),
		workflowData: [[{ json }]],
	};
}

/** @returns why the message could not be changed, where it should be */
async function updateMessage(
	context: IWebhookFunctions,
	question: Question,
	answer: Answer,
	respondedAt: Date,
): Promise<string | undefined> {
	const { updateMessage: isWanted, messageId, onBehalfOf } = question;
	if (!isWanted) return undefined;
	const text = decidedText(question, answer, respondedAt, context.getTimezone());
	const metadata = {
		sendAndWait: { answers: [], ...answer, respondedAt: respondedAt.toISOString() },
	};
	const request: RestRequest = {
		method: 'PUT',
		path: '/messages/{messageId}',
		...(onBehalfOf === undefined ? {} : { headers: { onBehalfOf } }),
		body: { data: { text, metadata } },
	};
	return (await sendInTime(context, request, messageId, DEADLINE_MS)).messageError;
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
