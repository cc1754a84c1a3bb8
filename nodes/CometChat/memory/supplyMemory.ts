import {
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { DescribedError } from '../errors/describedErrors';
import { toNodeError } from '../errors/nodeError';
import { formatMsAsSeconds } from '../helpers/formatText';
import { stringifyJson } from '../helpers/json';
import { createSecretRedactor } from '../helpers/redact';
import { getLabelsByShownFieldName } from '../request/hiddenFields';
import { API_CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { RequestLimiter } from '../transport/limiter';
import { readMemoryParametersForAllItems, type MemoryParameters } from './conversation';
import { fetchRawMessagesForMemory } from './history';
import { memoryProperties } from './properties';
import { toLimitedModelMessages, type ModelMessage } from './modelMessages';

/** Time limit in milliseconds for reading a conversation while a user waits for the bot's answer. */
const TIME_LIMIT_MS = 30_000;

const REQUEST_POLICY = { timeoutMs: 10_000, maxAttempts: 3, maxWaitMs: TIME_LIMIT_MS };

const TIME_LIMIT_ERROR = new DescribedError(
	`CometChat did not send the conversation within ${formatMsAsSeconds(TIME_LIMIT_MS)}`,
	'Try again later.',
);

const READ_ONLY_ERROR = new DescribedError(
	'CometChat Chat Memory cannot be changed',
	'It contains the messages of the conversation. Send or delete messages with the CometChat node.',
);

/** Explanation if CometChat refuses to list a group's messages for a bot that isn't a member (open question 46). */
const NOT_A_MEMBER = {
	message: 'The bot is not a member of the group, so it cannot read its messages',
	fieldsToCheck: ['botId', 'groupId'],
	advice: 'Add the bot to the group',
};

const OWN_EXPLANATIONS = { ERR_GROUP_NOT_JOINED: NOT_A_MEMBER, ERR_NOT_A_MEMBER: NOT_A_MEMBER };

/**
 * Messages that executions have read, keyed by the execution's cancel signal. The inner key consists of the node, the
 * parameters, and the question's ID or else the number of the agent's run. From version 3 on, n8n's AI Agent requests
 * its memory again after each round of tool calls.
 */
const messagesByExecution = new WeakMap<AbortSignal, Map<string, Promise<ModelMessage[]>>>();

/** Calls `read`, or returns the result of an earlier call with the same key in the same execution. */
async function readOncePerExecution(
	context: ISupplyDataFunctions,
	key: string,
	read: () => Promise<ModelMessage[]>,
): Promise<ModelMessage[]> {
	const signal = context.getExecutionCancelSignal();
	if (signal === undefined) return await read();
	const known = messagesByExecution.get(signal) ?? new Map<string, Promise<ModelMessage[]>>();
	messagesByExecution.set(signal, known);
	const messages = known.get(key) ?? read();
	known.set(key, messages);
	return await messages.catch((error: unknown) => {
		known.delete(key);
		throw error;
	});
}

async function readModelMessages(
	context: ISupplyDataFunctions,
	parameters: MemoryParameters,
): Promise<ModelMessage[]> {
	const credentials = await context.getCredentials(API_CREDENTIAL);
	const redact = createSecretRedactor(credentials.apiKey);
	const limiter = new RequestLimiter(AbortSignal.timeout(TIME_LIMIT_MS));
	const client = new Client({ context, credentials, limiter, ...REQUEST_POLICY });
	try {
		return toLimitedModelMessages(
			redact(await fetchRawMessagesForMemory(client, parameters)),
			parameters,
		);
	} catch (error) {
		const conversation = context.getNodeParameter('conversation', 0);
		throw toNodeError(context.getNode(), limiter.stopped ? TIME_LIMIT_ERROR : error, {
			redact,
			region: credentials.region,
			labels: getLabelsByShownFieldName(memoryProperties, { conversation }),
			ownExplanations: OWN_EXPLANATIONS,
		});
	} finally {
		limiter.stop();
	}
}

/** Marks an error as thrown by a sub-node. Otherwise, n8n shows the error's message but not its advice. */
function markAsSubNodeError(error: unknown): unknown {
	const isMarkable = error instanceof NodeApiError || error instanceof NodeOperationError;
	return isMarkable ? Object.assign(error, { functionality: 'configuration-node' }) : error;
}

/** Reads the conversation, and shows the call as the node's input and output, as n8n's own memory nodes do. */
async function showCall(
	context: ISupplyDataFunctions,
	action: string,
	read: () => Promise<ModelMessage[]>,
): Promise<ModelMessage[]> {
	const type = NodeConnectionTypes.AiMemory;
	const { index } = context.addInputData(type, [[{ json: { action } }]]);
	try {
		const messages = await read();
		const chatHistory = messages.map((message) => message.toJSON());
		context.addOutputData(type, index, [[{ json: { action, chatHistory } }]]);
		return messages;
	} catch (error) {
		const shown = markAsSubNodeError(error);
		if (shown instanceof NodeApiError || shown instanceof NodeOperationError)
			context.addOutputData(type, index, shown);
		throw shown;
	}
}

/**
 * Returns the object that n8n's agents use as a memory. Saving an answer does nothing, because the answer becomes a
 * message in CometChat. Changes by Chat Memory Manager are refused.
 *
 * @throws NodeOperationError if a parameter is invalid or the conversation is unknown, or n8n's own error for an
 * expression
 */
export async function supplyMemory(context: ISupplyDataFunctions): Promise<SupplyData> {
	let parameters: MemoryParameters;
	try {
		parameters = readMemoryParametersForAllItems(context);
	} catch (error) {
		const redact = createSecretRedactor((await context.getCredentials(API_CREDENTIAL)).apiKey);
		throw markAsSubNodeError(toNodeError(context.getNode(), error, { redact }));
	}
	// Without a question's ID, each run of the agent reads the conversation again to include new messages
	const time =
		parameters.conversation.questionId ?? context.evaluateExpression('{{ $runIndex }}', 0);
	const key = String(stringifyJson([context.getNode().name, time, parameters]));
	const read = async () =>
		await readOncePerExecution(
			context,
			key,
			async () => await readModelMessages(context, parameters),
		);
	const load = async (action: string) => await showCall(context, action, read);
	const doNothing = async () => await Promise.resolve();
	const refuse = async () =>
		await Promise.reject(
			toNodeError(context.getNode(), READ_ONLY_ERROR, { redact: (value) => value }),
		);
	return {
		response: {
			loadMemoryVariables: async () => ({ chat_history: await load('loadMemoryVariables') }),
			saveContext: doNothing,
			memoryKeys: ['chat_history'],
			chatHistory: {
				getMessages: async () => await load('getMessages'),
				addMessages: doNothing,
				addMessage: refuse,
				clear: refuse,
			},
		},
	};
}
