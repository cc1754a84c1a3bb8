import type { ISupplyDataFunctions } from 'n8n-workflow';

import { DescribedError } from '../errors/describedErrors';
import { toLowerCaseId } from '../helpers/ids';
import { asObjectOrEmpty, stringifyJson, valueToText } from '../helpers/json';
import { createParameterReaderWithoutIndex } from '../request/parameterReader';
import { buildRequestFromParameters } from '../request/request';
import {
	findBotQuestion,
	listEnabledBotTriggerNames,
	readFixedTriggerParameter,
	getAnswerDestinationAndSender,
} from '../resources/message/botQuestion';
import { removeMentionsOfUser } from '../resources/message/mentions';
import type { ParameterValues } from '../types';
import { DEFAULT_MAX_CHARACTERS, memoryProperties } from './properties';

/**
 * Identifies a conversation with a bot (a private chat, a group, or a thread in either) and the question that the agent
 * answers. UIDs and GUIDs are in lower case.
 */
export interface ConversationAndQuestion {
	bot: string;
	/** GUID of the group. Undefined in a private chat. */
	groupId?: string;
	/** UID of the user in a private chat */
	userId?: string;
	/** ID of the message that starts the thread */
	parentId?: string;
	/** ID of the message that the agent answers. The memory contains only earlier messages. */
	questionId?: string;
	/** Text of the message that the agent answers */
	questionText?: string;
	/** Value of the Bot Trigger's 'Group Messages', which determines the group messages that the bot receives */
	groupMessages?: string;
}

/** Limits on the part of a conversation that the agent gets. */
export interface MemoryLimits {
	messages: number;
	maxCharacters: number;
	maxAgeHours?: number;
	/** Text of a message that makes the conversation start over */
	startOver?: string;
	/** True to include group messages that the bot doesn't receive */
	includeOthers: boolean;
}

/** The memory node's validated parameters. */
export interface MemoryParameters {
	conversation: ConversationAndQuestion;
	limits: MemoryLimits;
}

const CHOOSE_CONVERSATION =
	"The memory reads the conversation of the message that started the workflow. Behind another trigger, and in a sub-workflow, set 'Conversation' to Group or User.";

const NO_TRIGGER_ERROR = new DescribedError(
	'No CometChat Bot Trigger leads to the agent',
	CHOOSE_CONVERSATION,
);

const createOtherTriggerError = (names: string[]) =>
	new DescribedError(
		`The execution wasn't started by '${names.join("' or '")}'`,
		CHOOSE_CONVERSATION,
	);

const SEVERAL_CONVERSATIONS_ERROR = new DescribedError(
	'The agent got items of several conversations or questions at once',
	"A memory belongs to one question. Put the node 'Loop Over Items' with a batch size of 1 before the agent, and connect every branch back to it.",
);

/**
 * Lists the Bot Triggers that lead to the agent. n8n gives a sub-node only the name of the node before the agent. The
 * function therefore takes that node's first child as the agent.
 */
function listTriggersBeforeAgent(context: ISupplyDataFunctions): string[] {
	const previous = valueToText(context.evaluateExpression('{{ $prevNode.name }}', 0));
	if (previous === '') return [];
	const [child] = context.getChildNodes(previous);
	return child ? listEnabledBotTriggerNames(context.getParentNodes(child.name)) : [];
}

/** Finds the conversation of the message to the bot from which an agent's input item comes. */
function findConversation(
	context: ISupplyDataFunctions,
	triggerNames: string[],
	itemIndex: number,
): ConversationAndQuestion {
	const question = findBotQuestion(context, triggerNames, itemIndex);
	if (!question) throw createOtherTriggerError(triggerNames);
	const { id, text } = question.columns;
	const conversation = toConversation(getAnswerDestinationAndSender(question, ['id']), id);
	return {
		...conversation,
		questionText: removeMentionsOfUser(valueToText(text), conversation.bot),
		groupMessages: readFixedTriggerParameter(context, question.triggerName, 'groupMessages'),
	};
}

const toOptionalText = (value: unknown) => (value === undefined ? undefined : valueToText(value));

const toOptionalId = (value: unknown) => (value === undefined ? undefined : toLowerCaseId(value));

const toConversation = (
	{ onBehalfOf, groupId, userId, parentId }: ParameterValues,
	questionId: unknown,
): ConversationAndQuestion => ({
	bot: toLowerCaseId(onBehalfOf),
	groupId: toOptionalId(groupId),
	userId: toOptionalId(userId),
	parentId: toOptionalText(parentId),
	questionId: toOptionalText(questionId),
});

function readValues(context: ISupplyDataFunctions, itemIndex: number): ParameterValues {
	const reader = createParameterReaderWithoutIndex({
		getNode: () => context.getNode(),
		getTimezone: () => context.getTimezone(),
		getNodeParameter: (name, fallback) => context.getNodeParameter(name, itemIndex, fallback),
	});
	return buildRequestFromParameters({ fields: memoryProperties }, reader).values;
}

function toLimits({ messages, includeOthers, options }: ParameterValues): MemoryLimits {
	const { maxCharacters, maxAge, startOver } = asObjectOrEmpty(options);
	return {
		messages: Number(messages),
		maxCharacters: Number(maxCharacters ?? DEFAULT_MAX_CHARACTERS),
		maxAgeHours: maxAge === undefined ? undefined : Number(maxAge),
		startOver: toOptionalText(startOver),
		includeOthers: includeOthers === true,
	};
}

/**
 * Reads the node's parameters for all of the agent's input items, which share a single memory.
 *
 * @throws InputError for an invalid parameter, DescribedError if the conversation or the question is unknown or not the
 * same for all items, or n8n's own error for an expression
 */
export function readMemoryParametersForAllItems(context: ISupplyDataFunctions): MemoryParameters {
	const itemCount = Number(context.evaluateExpression('{{ $input.all().length }}', 0)) || 1;
	const items = Array.from({ length: itemCount }, (_, index) => ({
		index,
		values: readValues(context, index),
	}));
	const isAsked = items.some(({ values }) => values.conversation === 'question');
	const triggerNames = isAsked ? listTriggersBeforeAgent(context) : [];
	if (isAsked && triggerNames.length === 0) throw NO_TRIGGER_ERROR;
	const found = new Map<string | undefined, MemoryParameters>();
	for (const { index, values } of items) {
		const conversation =
			values.conversation === 'question'
				? findConversation(context, triggerNames, index)
				: toConversation({ ...values, onBehalfOf: values.botId }, values.beforeId);
		found.set(stringifyJson(conversation), { conversation, limits: toLimits(values) });
	}
	const [parameters, another] = found.values();
	if (parameters === undefined || another !== undefined) throw SEVERAL_CONVERSATIONS_ERROR;
	return parameters;
}
