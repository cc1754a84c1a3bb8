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
	checkWaitTime,
	messageText,
	metadataOf,
	queryOf,
	questionOf,
	waitTill,
	type Offer,
	type Question,
} from './question';

/** Where the question is kept while the execution waits: n8n's own data of the node in this execution. */
export const CONTEXT_KEY = 'cometChatQuestion';

/** The message with its links, which are known when the question is. */
interface Asked {
	question: Question;
	values: Values;
	/** Of the page that has all answers */
	url: string;
	/** The same page for each answer, which comes first there */
	urls: string[];
}

/**
 * Makes what n8n calls for a run: it sends one message, whatever number of items there is, and puts
 * the execution to wait for the call of one of the links in it. What it returns is shown until then;
 * after the time limit n8n goes on with the input items.
 */
export function sendAndWait(operation: Operation): CustomOperation {
	return async function () {
		let asked: Asked | undefined;
		const complete = ({ values, request }: ItemRequest): RestRequest => {
			asked = askedOf(this, operation, values);
			return { ...request, body: { ...request.body, data: dataOf(asked) } };
		};
		const item = { index: 0, context: this, source: sourcesOf(this)(0), complete };
		const items = await executeAlone(operation, item, this.getExecuteData());
		// On "Continue" a failure is an item as well
		if (asked === undefined || items.length === 0 || 'error' in items[0].json) return [items];
		await wait(this, asked, items[0].json);
		return [this.getInputData()];
	};
}

/** @throws InputError for what cannot be asked, DescribedError where n8n does not sign links */
function askedOf(context: IExecuteFunctions, { name }: Operation, values: Values): Asked {
	if (!('getSignedResumeUrl' in context)) {
		throw new DescribedError(
			`${name} needs n8n 1.108 or later`,
			'Earlier versions do not sign the links by which people answer. Update n8n.',
		);
	}
	// The links of a question that an earlier attempt sent go on answering it
	const question = questionOf(values, outcomesOf(context.getExecuteData()).id);
	const urlOf = (offer: Partial<Offer>) => context.getSignedResumeUrl(queryOf(question, offer));
	checkWaitTime(values);
	return { question, values, url: urlOf({}), urls: question.offers.map(urlOf) };
}

/** @throws InputError for a text that is too long with its links */
function dataOf({ question, url, urls }: Asked): IDataObject {
	const text = toText('Message', messageText(question, url), MAX_TEXT_IN_BODY);
	return { text, metadata: metadataOf(question, urls) };
}

/** n8n up to 2.12 looks at the signature of a link only when it is told to. */
interface BeforeAlwaysValidated {
	setSignatureValidationRequired?: () => void;
}

async function wait(
	context: IExecuteFunctions & BeforeAlwaysValidated,
	{ question, values, url }: Asked,
	sent: IDataObject,
): Promise<void> {
	const { sender, id } = sent;
	const name = field('data', 'entities', 'sender', 'entity', 'name')(sent) ?? sender;
	if (sender !== APP_USER && typeof name === 'string') question.asker = name;
	if (id !== undefined) question.messageId = String(id);
	context.getContext('node')[CONTEXT_KEY] = JSON.stringify(question);
	if (context.getNode().type.endsWith('HitlTool')) forgetApprovals(context.getInputData());
	if (isLocal(url)) {
		context.addExecutionHints?.({
			message:
				'The links in the message work only on the computer that n8n runs on. Give n8n a public address: set the environment variable WEBHOOK_URL.',
			type: 'warning',
			location: 'outputPane',
		});
	}
	context.setSignatureValidationRequired?.();
	// Waiting for the rate limit is not part of it
	await context.putExecutionToWait(waitTill(values));
}

/** What an agent takes for the answer of a person, in an item or in its `data`. */
const ANSWER = ['approved', 'chatInput'];

/**
 * After the time limit the input items are the output, and an agent would take an `approved` in its
 * own input for the approval of the tool. What it goes on using itself is not changed.
 */
function forgetApprovals(items: INodeExecutionData[]): void {
	for (const item of items) {
		item.json = withoutAnswer(item.json);
		if (isObject(item.json.data)) item.json.data = withoutAnswer(item.json.data);
	}
}

function withoutAnswer(json: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([key]) => !ANSWER.includes(key)));
}

/** Whether an address is of the computer itself. */
function isLocal(url: string): boolean {
	return /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url);
}
