import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { DescribedError, InputError } from '../errors/describedErrors';
import { formatNumber } from '../helpers/formatText';
import { isLoopback } from '../helpers/hosts';
import { executeItemInOwnRun } from '../run/item';
import { findOrCreateChangeOutcomesOfRun } from '../calls/outcomes';
import { valueToText, createFieldReader } from '../helpers/json';
import { createParameterReaderFactory } from '../request/parameterReader';
import { toTextWithinLimit } from '../request/texts';
import type { AllItemsRunner, RequestWithValues, Operation, ParameterValues } from '../types';
import { APP_USER_UID, type RestRequest } from '../transport/restTypes';
import {
	buildUnsignedAnswerLinkQuery,
	buildAnswerButtonsMetadata,
	buildQuestion,
	computeWaitEnd,
	formatQuestionMessage,
	type AnswerOption,
	type Question,
} from './question';
import { checkWebhookUrlHasNoPath } from './links';
import { addToolCallToText, readToolCallToReviewOrThrow } from './toolCall';

/** Key of the question in the node's context, which n8n stores with the waiting execution. */
export const QUESTION_CONTEXT_KEY = 'cometChatQuestion';

/** Creates the item that n8n shows during the wait, and that the node returns if nobody answers in time. */
const createUnansweredItem = (): INodeExecutionData => ({ json: { data: { answered: false } } });

/**
 * Creates the function that n8n calls to run the operation. The function sends one message for all input
 * items, and makes the execution wait until someone answers through a link in the message, or the time is up.
 */
export function createSendAndWaitRunner(operation: Operation): AllItemsRunner {
	return async function () {
		let question!: Question;
		let values: ParameterValues = {};
		const completeRequest = (read: RequestWithValues): RestRequest => {
			({ values } = read);
			question = createCheckedQuestion(this, operation, values);
			const data = buildMessageData(this, question);
			return { ...read.request, body: { ...read.request.body, data } };
		};
		const item = {
			index: 0,
			context: this,
			reader: createParameterReaderFactory(this)(0),
			completeRequest,
		};
		const items = await executeItemInOwnRun(operation, item, this.getExecuteData());
		const [sent] = items;
		// The execution was stopped, or sending the message failed with On Error → Continue
		if (sent === undefined || sent.json.error) return [items];
		storeQuestion(this, question, sent.json);
		addHints(this, question);
		await startWaiting(this, values);
		// If nobody answers in time, n8n returns the node's input. An earlier answer in the input would then look
		// like the answer to this question.
		this.getExecuteData().data.main = [[createUnansweredItem()]];
		return [[createUnansweredItem()]];
	};
}

/**
 * @throws DescribedError if this n8n version can't sign links, if n8n would reject its own links, or if an
 * agent's tool call is forged or has too many arguments
 * @throws InputError if both buttons have the same label, or if a human review isn't an approval
 */
function createCheckedQuestion(
	context: IExecuteFunctions,
	{ name }: Operation,
	values: ParameterValues,
): Question {
	if (!('getSignedResumeUrl' in context)) {
		throw new DescribedError(
			`${name} needs n8n 1.108 or later`,
			"Earlier versions don't sign the links that people answer through. Update n8n.",
		);
	}
	// Retries reuse the ID, so that links sent by an earlier attempt still work
	const question = buildQuestion(
		values,
		findOrCreateChangeOutcomesOfRun(context.getExecuteData()).id,
	);
	checkWebhookUrlHasNoPath(
		context.getSignedResumeUrl(buildUnsignedAnswerLinkQuery(question, {})),
		context.getRestApiUrl(),
	);
	const toolCall = readToolCallToReviewOrThrow(context);
	if (toolCall === undefined) return question;
	if (values.responseType !== 'approval') {
		throw new InputError('Response Type', 'must be Approval in a human review');
	}
	question.isReview = true;
	question.text = addToolCallToText(question.text, toolCall);
	return question;
}

/**
 * Builds the text and metadata of the message.
 *
 * @throws InputError if the message with its link is too long, or contains an incomplete emoji
 */
function buildMessageData(context: IExecuteFunctions, question: Question): IDataObject {
	const signUrl = (choice: Partial<AnswerOption>) =>
		context.getSignedResumeUrl(buildUnsignedAnswerLinkQuery(question, choice));
	const url = signUrl({});
	const text = toTextWithinLimit('Message', formatQuestionMessage(question, url));
	// Each choice has a URL. All URLs open the same page, but each page lists its URL's choice first
	return { text, metadata: buildAnswerButtonsMetadata(question, question.choices.map(signUrl)) };
}

/**
 * Method of the execution context in n8n up to 2.12. These versions check the signature of a link only if the method
 * was called.
 */
interface LegacySignatureValidation {
	setSignatureValidationRequired?: () => void;
}

async function startWaiting(
	context: IExecuteFunctions & LegacySignatureValidation,
	values: ParameterValues,
): Promise<void> {
	context.setSignatureValidationRequired?.();
	// The time limit starts after the message is sent, so it doesn't include time spent waiting for the rate limit
	await context.putExecutionToWait(computeWaitEnd(values));
}

/** Stores the question in the node's context, with the sent message's ID and its sender's name or UID. */
function storeQuestion(
	context: IExecuteFunctions,
	question: Question,
	sentMessage: IDataObject,
): void {
	const { sender, id } = sentMessage;
	const name =
		createFieldReader('data', 'entities', 'sender', 'entity', 'name')(sentMessage) ?? sender;
	if (sender !== APP_USER_UID && typeof name === 'string') question.asker = name;
	if (id !== undefined) question.messageId = valueToText(id);
	context.getContext('node')[QUESTION_CONTEXT_KEY] = JSON.stringify(question);
}

/** Adds hints if one question was asked for several items, or if the links work only on n8n's computer. */
function addHints(context: IExecuteFunctions, question: Question): void {
	const itemCount = context.getInputData().length;
	const addHint = (type: 'info' | 'warning', message: string) =>
		context.addExecutionHints({ message, type, location: 'outputPane' });
	if (itemCount > 1) {
		addHint(
			'info',
			`The question was asked once, for the first of ${formatNumber(itemCount)} items. To ask for each item, put Loop Over Items before this node, and connect every branch back to it.`,
		);
	}
	const url = context.getSignedResumeUrl(buildUnsignedAnswerLinkQuery(question, {}));
	if (isLoopback(new URL(url).hostname)) {
		addHint(
			'warning',
			'The links in the message work only on the computer that runs n8n. Set the environment variable WEBHOOK_URL to a public address.',
		);
	}
}
