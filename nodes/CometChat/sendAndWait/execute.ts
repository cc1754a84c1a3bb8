import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { executeAlone } from '../run/item';
import { outcomesOf } from '../results/outcomes';
import { field, isObject } from '../transport/json';
import { sourcesOf } from '../values/source';
import { MAX_TEXT_IN_BODY } from '../values/request';
import { toText } from '../values/convert';
import type { CustomOperation, ItemRequest, Operation, Values } from '../description/types';
import { APP_USER, type RestRequest } from '../transport/types';
import {
	buildLinkQuery,
	buildMetadata,
	buildQuestion,
	checkWaitEnd,
	formatMessage,
	getWaitEnd,
	type Choice,
	type Question,
} from './question';

/** Key of the question in the node's context, which n8n stores with the waiting execution. */
export const CONTEXT_KEY = 'cometChatQuestion';

/** A question with its signed links, before it is sent. */
interface PreparedQuestion {
	question: Question;
	values: Values;
	/** Address of the page that lists all choices */
	url: string;
	/** Address per choice of the same page, with the choice listed first */
	urls: string[];
}

/**
 * Creates the function that n8n calls for a run. The function sends one message for all input items
 * and makes the execution wait until a link in the message is used. n8n shows the returned items
 * while the execution waits. If nobody answers in time, n8n goes on with the input items.
 */
export function sendAndWait(operation: Operation): CustomOperation {
	return async function () {
		let prepared: PreparedQuestion | undefined;
		const complete = ({ values, request }: ItemRequest): RestRequest => {
			prepared = prepareQuestion(this, operation, values);
			return { ...request, body: { ...request.body, data: buildMessageData(prepared) } };
		};
		const item = { index: 0, context: this, source: sourcesOf(this)(0), complete };
		const items = await executeAlone(operation, item, this.getExecuteData());
		// With On Error → Continue, a failure is returned as an item
		if (prepared === undefined || items.length === 0 || 'error' in items[0].json) return [items];
		await waitForAnswer(this, prepared, items[0].json);
		return [this.getInputData()];
	};
}

/** @throws InputError for invalid parameters, DescribedError if this n8n version can't sign links */
function prepareQuestion(
	context: IExecuteFunctions,
	{ name }: Operation,
	values: Values,
): PreparedQuestion {
	if (!('getSignedResumeUrl' in context)) {
		throw new DescribedError(
			`${name} needs n8n 1.108 or later`,
			'Earlier versions do not sign the links by which people answer. Update n8n.',
		);
	}
	// Retries reuse the ID, so that links sent by an earlier attempt still work
	const question = buildQuestion(values, outcomesOf(context.getExecuteData()).id);
	const signUrl = (choice: Partial<Choice>) =>
		context.getSignedResumeUrl(buildLinkQuery(question, choice));
	checkWaitEnd(values);
	return { question, values, url: signUrl({}), urls: question.choices.map(signUrl) };
}

/** @throws InputError if the message with its link is too long */
function buildMessageData({ question, url, urls }: PreparedQuestion): IDataObject {
	const text = toText('Message', formatMessage(question, url), MAX_TEXT_IN_BODY);
	return { text, metadata: buildMetadata(question, urls) };
}

/** A method of n8n up to 2.12, which otherwise ignores a link's signature. */
interface SignatureValidation {
	setSignatureValidationRequired?: () => void;
}

async function waitForAnswer(
	context: IExecuteFunctions & SignatureValidation,
	{ question, values, url }: PreparedQuestion,
	sentMessage: IDataObject,
): Promise<void> {
	const { sender, id } = sentMessage;
	const name = field('data', 'entities', 'sender', 'entity', 'name')(sentMessage) ?? sender;
	if (sender !== APP_USER && typeof name === 'string') question.asker = name;
	if (id !== undefined) question.messageId = String(id);
	context.getContext('node')[CONTEXT_KEY] = JSON.stringify(question);
	if (context.getNode().type.endsWith('HitlTool')) removeAnswers(context.getInputData());
	if (isLocal(url)) {
		context.addExecutionHints?.({
			message:
				'The links in the message work only on the computer that n8n runs on. Give n8n a public address: set the environment variable WEBHOOK_URL.',
			type: 'warning',
			location: 'outputPane',
		});
	}
	context.setSignatureValidationRequired?.();
	// Time spent waiting for the rate limit doesn't count toward the time limit
	await context.putExecutionToWait(getWaitEnd(values));
}

/** Keys that an agent reads as a person's answer, in an item or in the item's `data`. */
const ANSWER_KEYS = ['approved', 'chatInput'];

/**
 * Removes earlier answers from an agent's input. If nobody answers in time, n8n returns the input
 * items, and the agent would read an `approved` in them as the approval of its tool. Objects that
 * other nodes share are copied.
 */
function removeAnswers(items: INodeExecutionData[]): void {
	for (const item of items) {
		item.json = withoutAnswer(item.json);
		if (isObject(item.json.data)) item.json.data = withoutAnswer(item.json.data);
	}
}

function withoutAnswer(json: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([key]) => !ANSWER_KEYS.includes(key)));
}

function isLocal(url: string): boolean {
	return /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url);
}
