import type { IDataObject, NodeTypeAndVersion } from 'n8n-workflow';

import { DescribedError } from '../../errors/describedErrors';
import { getErrorMessage } from '../../helpers/formatText';
import { toLowerCaseId } from '../../helpers/ids';
import { valueToText, isObject } from '../../helpers/json';
import { isTool } from '../../helpers/tool';
import { APP_USER_UID } from '../../transport/restTypes';
import type { EarlierNodesAccess, ParameterValues } from '../../types';
import { messageColumns } from './entity';
import { getReplyReceiverId, readMessageToBotOrProblem } from './relayedMessage';

const SEND_ELSEWHERE_ADVICE =
	'To send elsewhere, or as another user, use the operation Send, which has fields for the receiver, the thread and the sender.';

const TOOL_NOT_SUPPORTED_ERROR = new DescribedError(
	"Answer can't be a tool of an AI agent",
	'Place the node behind the agent. For a tool, use the operation Send.',
);

const NO_TRIGGER_ERROR = new DescribedError(
	'No CometChat Bot Trigger leads to this node',
	`Answer works in the workflow that the Bot Trigger starts. In a sub-workflow, give replyTo, replyToType, parentId and bot of the trigger's item to the operation Send.`,
);

const createTriggerNotExecutedError = (names: string[]) =>
	new DescribedError(
		`The execution wasn't started by '${names.join("' or '")}'`,
		`Answer needs the message that started the workflow. Execute the trigger first, or pin its output. ${SEND_ELSEWHERE_ADVICE}`,
	);

const createUnpairedError = (name: string, reason: string) =>
	new DescribedError(
		`n8n can't tell which item of '${name}' this item comes from`,
		`${reason.replace(/\.$/, '')}. Keep the pairing of items in the nodes between. ${SEND_ELSEWHERE_ADVICE}`,
	);

const createMissingColumnsError = (name: string, missing: string[]) =>
	new DescribedError(
		`The output of '${name}' has no ${missing.join(', ')}`,
		"If the trigger's output is pinned or mock data, unpin it, or add these fields to it. Otherwise, set the trigger's 'Output' to Simplified or Raw, or add these fields to its 'Fields'.",
	);

/** Quotes a node's name for an expression. Escapes braces and line separators, which could break the expression. */
const quoteForExpression = (name: string): string =>
	JSON.stringify(name).replace(
		/[{}\u2028\u2029]/g,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/**
 * Reads the trigger's item that led to the item at `itemIndex`. A trigger starts an execution with one item, so n8n
 * needs item pairing only if a user pinned several items.
 *
 * @returns the JSON of the trigger's item, pinned or executed. Null or undefined if the trigger has no item.
 * @throws DescribedError if n8n can't pair the item
 */
function readTriggerRow(nodes: EarlierNodesAccess, name: string, itemIndex: number): unknown {
	const trigger = `$(${quoteForExpression(name)})`;
	const item = `${trigger}.all().length === 1 ? ${trigger}.first() : ${trigger}.item`;
	const evaluate = (expression: string) => nodes.evaluateExpression(expression, itemIndex);
	try {
		return evaluate(`{{ (${item}).json }}`);
	} catch (error) {
		if (evaluate(`{{ ${trigger}.isExecuted }}`) !== true) return null;
		throw createUnpairedError(name, getErrorMessage(error));
	}
}

/** Reads a trigger's parameter as the user saved it. Returns undefined for an expression or an empty value. */
export function readFixedTriggerParameter(
	nodes: EarlierNodesAccess,
	triggerName: string,
	parameter: string,
): string | undefined {
	const expression = `{{ $(${quoteForExpression(triggerName)}).params.${parameter} }}`;
	const saved: unknown = nodes.evaluateExpression(expression, 0);
	const value = valueToText(isObject(saved) ? saved.value : saved);
	return value === '' || value.startsWith('=') ? undefined : value;
}

/**
 * Reads a bot's UID from `bot`, which in 'Raw' output can be the UID or the bot's user object. Returns undefined for
 * any other value, and for the app's own UID, so that no answer is sent as the app itself.
 */
function readBotUid(bot: unknown): string | undefined {
	const uid = isObject(bot) ? bot.uid : bot;
	const isUid = typeof uid === 'string' && uid.trim() !== '' && toLowerCaseId(uid) !== APP_USER_UID;
	return isUid ? uid : undefined;
}

/** Converts a row of 'Raw' output to the columns `id`, `text` and those of the destination. Copies any other row. */
function toQuestionColumns(row: IDataObject): Record<string, unknown> {
	const relayed = readMessageToBotOrProblem(row);
	if (typeof relayed === 'string') return { ...row };
	const { message, envelope } = relayed;
	return {
		id: message.id,
		text: messageColumns.text(message),
		replyTo: getReplyReceiverId(message),
		replyToType: message.receiverType,
		parentId: message.parentId ?? null,
		bot: envelope.bot,
	};
}

/**
 * Returns the values of the fields that determine an answer's destination and sender.
 *
 * @param otherNames names of other columns that are required
 * @throws DescribedError if a required column is missing
 */
export function getAnswerDestinationAndSender(
	{ columns, triggerName }: BotQuestion,
	otherNames: string[] = [],
): ParameterValues {
	const { replyTo, replyToType, parentId, bot } = columns;
	const needed = Object.keys({ replyTo, replyToType, parentId, bot });
	const missing = [...needed, ...otherNames].filter((name) => columns[name] === undefined);
	if (missing.length > 0) throw createMissingColumnsError(triggerName, missing);
	return {
		receiverType: replyToType,
		[replyToType === 'group' ? 'groupId' : 'userId']: replyTo,
		onBehalfOf: bot,
		// A message outside threads has no parentId
		parentId: parentId === null || parentId === '' ? undefined : parentId,
	};
}

/** A message to a bot, as the Bot Trigger returned it. */
export interface BotQuestion {
	triggerName: string;
	/**
	 * Columns of the trigger's item, or what `toQuestionColumns` returns for 'Raw' output. `columns.bot` is the
	 * bot's UID from the item, or else from the trigger's parameter, or undefined.
	 */
	columns: Record<string, unknown>;
}

/** Lists the names of the Bot Triggers that aren't deactivated in the workflow. */
export const listEnabledBotTriggerNames = (nodes: NodeTypeAndVersion[]): string[] =>
	nodes
		.filter(({ type, disabled }) => type.endsWith('.cometChatBotTrigger') && !disabled)
		.map(({ name }) => name);

/**
 * Finds the message to a bot that an item comes from.
 *
 * @param triggerNames Bot Triggers, one of which may have started the execution
 * @returns the message, or undefined if none of the triggers was executed
 * @throws DescribedError if n8n can't pair the item
 */
export function findBotQuestion(
	nodes: EarlierNodesAccess,
	triggerNames: string[],
	itemIndex: number,
): BotQuestion | undefined {
	for (const triggerName of triggerNames) {
		const row = readTriggerRow(nodes, triggerName, itemIndex);
		if (!isObject(row)) continue;
		const columns = toQuestionColumns(row);
		columns.bot =
			readBotUid(columns.bot) ?? readBotUid(readFixedTriggerParameter(nodes, triggerName, 'botId'));
		return { triggerName, columns };
	}
	return undefined;
}

/**
 * Finds the Bot Trigger that started the execution. Returns the field values for the destination and the sender of an
 * item's answer, and the question's ID.
 *
 * @throws DescribedError if the node is a tool, if no Bot Trigger started the execution, if n8n can't pair the
 * item, or if the trigger's output doesn't contain a needed column
 */
export function readAnswerValuesFromBotTrigger(
	nodes: EarlierNodesAccess,
	itemIndex: number,
): ParameterValues {
	const node = nodes.getNode();
	if (isTool(node)) throw TOOL_NOT_SUPPORTED_ERROR;
	const triggerNames = listEnabledBotTriggerNames(nodes.getParentNodes(node.name));
	if (triggerNames.length === 0) throw NO_TRIGGER_ERROR;
	const question = findBotQuestion(nodes, triggerNames, itemIndex);
	if (!question) throw createTriggerNotExecutedError(triggerNames);
	return { ...getAnswerDestinationAndSender(question), questionId: question.columns.id };
}
