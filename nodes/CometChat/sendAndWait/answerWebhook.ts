import {
	jsonParse,
	type IDataObject,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import {
	createSendOutsideRun,
	sendRequestByMessageId,
	type SendOutsideRun,
} from '../calls/sendOutsideRun';
import { RecentWebhookCalls } from '../helpers/recentCalls';
import { respondWithoutExecution, setHeaders, type HttpContext } from '../helpers/webhookResponse';
import type { RestRequest } from '../transport/restTypes';
import { formatNumber, removeInvisibleAndTrim, toSingleLine } from '../helpers/formatText';
import { asObjectOrEmpty } from '../helpers/json';
import { QUESTION_CONTEXT_KEY } from './execute';
import {
	MAX_COMMENT_LENGTH,
	MAX_RESPONDER_NAME_LENGTH,
	PAGE_HEADERS,
	renderNoticePage,
	renderQuestionPage,
} from './page';
import {
	buildAnsweredMetadata,
	formatAnswerForDisplay,
	formatAnsweredMessage,
	isFreeText,
	isChosenIn,
	type AnswerOption,
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
 * Answers that this process passed to n8n within the last minute. A second answer can arrive while n8n still handles
 * the first one. After a minute, n8n itself rejects further answers.
 */
const passedAnswers = new RecentWebhookCalls<SubmittedAnswer>();

const isSubmission = (context: HttpContext): boolean =>
	context.getRequestObject().method === 'POST';

/**
 * Handles a request to a link in the message. Never throws, because n8n would then end the wait with an
 * empty item. Only a valid answer ends the wait.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const show = (status: number, title: string, text: string) =>
		respondWithoutExecution(this, status, PAGE_HEADERS, renderNoticePage(title, text));
	const showClosed = () =>
		show(
			410,
			'This question is closed',
			'Someone answered the question, or its time limit has passed.',
		);
	try {
		const question = loadQuestion(this);
		const link = this.getQueryData() as IDataObject;
		if (question === undefined || link.question !== question.id) return showClosed();
		if (!isSubmission(this)) {
			const page = renderQuestionPage(question, this.getWorkflow().name ?? '', link);
			return respondWithoutExecution(this, 200, PAGE_HEADERS, page);
		}
		const answer = parseAnswer(question, this.getBodyData());
		if (typeof answer === 'string') {
			return show(400, 'Your answer was not recorded', `${answer} Go back and try again.`);
		}
		const earlier = passedAnswers.find(getQuestionKey(this, question));
		if (!earlier || !(await earlier.acceptance)) return passAnswer(this, question, answer);
		// A double click counts as one answer
		return JSON.stringify(earlier.value) === JSON.stringify(answer)
			? respondWithoutExecution(this, 200, PAGE_HEADERS, renderThanks(question, answer))
			: showClosed();
	} catch (error) {
		this.logger.error(`Handling a click on a link in CometChat failed: ${String(error)}`);
		return show(500, 'Your answer was not recorded', 'Something went wrong. Try again later.');
	}
}

/**
 * Loads the waiting execution's question. Uses an expression, because webhooks can't read the node's
 * context in any other way.
 */
function loadQuestion(context: IWebhookFunctions): Question | undefined {
	// Escape braces in the node's name, because they would end the expression
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const stored = context.evaluateExpression(`{{ $node[${name}].context.${QUESTION_CONTEXT_KEY} }}`);
	return typeof stored === 'string' ? jsonParse<Question>(stored) : undefined;
}

/** @returns the answer, or a sentence that explains why the answer is invalid */
function parseAnswer(question: Question, body: unknown): SubmittedAnswer | string {
	// n8n puts the fields of a multipart form into `data`
	const form = { ...asObjectOrEmpty(asObjectOrEmpty(body).data), ...asObjectOrEmpty(body) };
	const text = readText(form.text);
	const respondedBy = toSingleLine(readText(form.respondedBy));
	const comment = readText(form.comment);
	const choice = question.choices.find((each) => isChosenIn(each, form));
	if (isFreeText(question) && text === '') return 'The answer is empty.';
	if (!isFreeText(question) && choice === undefined) return 'Choose one of the answers.';
	if (
		question.askName &&
		(removeInvisibleAndTrim(respondedBy) === '' || respondedBy.length > MAX_RESPONDER_NAME_LENGTH)
	) {
		return `Enter your name, up to ${MAX_RESPONDER_NAME_LENGTH} characters.`;
	}
	if (question.askComment && comment.length > MAX_COMMENT_LENGTH) {
		return `Shorten your comment to ${formatNumber(MAX_COMMENT_LENGTH)} characters.`;
	}
	return {
		...toSubmittedAnswer(choice, text),
		...(question.askComment && !isFreeText(question) ? { comment } : {}),
		...(question.askName ? { respondedBy } : {}),
	};
}

/**
 * Reads a text field of the form. Trims the text, and converts \r\n to \n. Replaces halves of emojis (lone surrogates),
 * which JSON can contain, because CometChat may refuse them.
 */
const readText = (value: unknown): string =>
	typeof value === 'string' ? value.toWellFormed().replace(/\r\n/g, '\n').trim() : '';

function toSubmittedAnswer(choice: AnswerOption | undefined, text: string): SubmittedAnswer {
	if (choice?.approved !== undefined) return { approved: choice.approved };
	return choice?.answer === undefined ? { text } : { answer: choice.answer };
}

const getQuestionKey = (context: IWebhookFunctions, { id }: Question): string =>
	`${context.getExecutionId()} ${id}`;

const renderThanks = (question: Question, answer: SubmittedAnswer): string =>
	renderNoticePage('Thank you', `Your answer: ${formatAnswerForDisplay(question, answer)}`);

/**
 * Passes an answer to n8n. Once the answer is accepted, updates the message if 'Update Message' is on. n8n accepts
 * only one answer, even across processes. The status of n8n's response shows whether this answer was accepted.
 */
function passAnswer(
	context: IWebhookFunctions,
	question: Question,
	answer: SubmittedAnswer,
): IWebhookResponseData {
	const respondedAt = new Date();
	// Read the credential now, because that's impossible once n8n has handled the request
	const sender = createSendOutsideRun(context);
	sender.catch(() => {}); // Prevents an unhandled rejection. `updateMessage` throws the error again
	const { acceptance } = passedAnswers.addAndForgetOnErrorResponse(
		getQuestionKey(context, question),
		context,
		answer,
	);
	acceptance
		.then(async (accepted) => {
			if (!accepted || !question.updateMessage) return;
			const text = formatAnsweredMessage(question, answer, respondedAt, context.getTimezone());
			const metadata = buildAnsweredMetadata(question, answer, respondedAt);
			await updateMessage(sender, question, { text, metadata });
		})
		.catch((error: unknown) => {
			context.logger.warn(`The message of an answered question was not updated: ${String(error)}`);
		});
	setHeaders(context, PAGE_HEADERS);
	return {
		webhookResponse: renderThanks(question, answer),
		workflowData: [[{ json: { data: buildOutput(question, answer, respondedAt) } }]],
	};
}

/**
 * Builds the output item's `data`. If a tool call is declined with a comment, adds `chatInput`, which n8n passes to the
 * model. The text starts with "Declined", because n8n itself doesn't report the decision to the model.
 */
function buildOutput(
	{ isReview }: Question,
	answer: SubmittedAnswer,
	respondedAt: Date,
): IDataObject {
	const isDeclined = 'approved' in answer && !answer.approved;
	const feedback =
		isReview && isDeclined && answer.comment ? { chatInput: `Declined: ${answer.comment}` } : {};
	return { answered: true, ...answer, ...feedback, respondedAt: respondedAt.toISOString() };
}

/** @throws Error unless CometChat confirms the update */
async function updateMessage(
	sender: Promise<SendOutsideRun>,
	{ messageId, onBehalfOf }: Question,
	data: IDataObject,
): Promise<void> {
	const request: RestRequest = {
		method: 'PUT',
		path: '/messages/{messageId}',
		...(onBehalfOf === undefined ? {} : { headers: { onBehalfOf } }),
		body: { data },
	};
	await sendRequestByMessageId(sender, request, messageId, UPDATE_TIMEOUT_MS);
}
