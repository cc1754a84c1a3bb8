import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../../errors/inputError';
import { getErrorMessage } from '../../helpers/formatText';
import { toPlainText, isObject } from '../../helpers/json';
import { isTool } from '../../helpers/tool';
import type { EarlierNodesAccess, Values } from '../../types';
import { getReplyReceiver, readRelayedMessage } from './relayedMessage';

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
		"Set the trigger's 'Output' to Simplified or Raw, or add these fields to its 'Fields'.",
	);

/** Quotes a node's name for an expression. Escapes braces and line separators, which could break the expression. */
const quoteForExpression = (name: string): string =>
	JSON.stringify(name).replace(
		/[{}\u2028\u2029]/g,
		(char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/**
 * Reads the trigger's item that an item comes from. A trigger starts an execution with one item, so n8n has to
 * pair items only if somebody pinned several.
 *
 * @returns the JSON of the trigger's item, or null if the trigger wasn't executed
 * @throws DescribedError if n8n can't pair the item
 */
function readTriggerRow(nodes: EarlierNodesAccess, name: string, itemIndex: number): unknown {
	const trigger = `$(${quoteForExpression(name)})`;
	const item = `${trigger}.all().length === 1 ? ${trigger}.first() : ${trigger}.item`;
	try {
		return nodes.evaluateExpression(
			`{{ ${trigger}.isExecuted ? (${item}).json : null }}`,
			itemIndex,
		);
	} catch (error) {
		throw createUnpairedError(name, getErrorMessage(error));
	}
}

/** Reads the UID of a trigger's bot from its parameters. Returns undefined for an expression or an empty value. */
function readBotOfTrigger(
	nodes: EarlierNodesAccess,
	name: string,
	itemIndex: number,
): string | undefined {
	const expression = `{{ $(${quoteForExpression(name)}).params.botId }}`;
	const botId: unknown = nodes.evaluateExpression(expression, itemIndex);
	const uid = toPlainText(isObject(botId) ? botId.value : botId);
	return uid === '' || uid.startsWith('=') ? undefined : uid;
}

/** Converts a row of 'Raw' to the columns that `toDestinationValues` reads. Returns a copy of any other row. */
function toDestinationColumns(row: IDataObject): Record<string, unknown> {
	const relayed = readRelayedMessage(row);
	if (typeof relayed === 'string') return { ...row };
	const { message, envelope } = relayed;
	return {
		replyTo: getReplyReceiver(message),
		replyToType: message.receiverType,
		parentId: message.parentId ?? null,
		...(envelope.bot ? { bot: envelope.bot } : {}),
	};
}

/**
 * Returns the values of the fields that decide where an answer is sent, and as whom.
 *
 * @throws DescribedError if one of the needed columns is missing
 */
function toDestinationValues(columns: Record<string, unknown>, triggerName: string): Values {
	const { replyTo, replyToType, parentId, bot } = columns;
	const needed = { replyTo, replyToType, parentId, bot };
	const missing = Object.keys(needed).filter((name) => columns[name] === undefined);
	if (missing.length > 0) throw createMissingColumnsError(triggerName, missing);
	return {
		receiverType: replyToType,
		[replyToType === 'group' ? 'groupId' : 'userId']: replyTo,
		// CometChat may send the bot's user instead of the bot's UID, and Raw returns `bot` as it was sent
		onBehalfOf: isObject(bot) ? bot.uid : bot,
		// A message outside threads has no parentId
		parentId: parentId === null || parentId === '' ? undefined : parentId,
	};
}

/**
 * Finds the Bot Trigger that started the execution, and returns where to send an item's answer, and as whom.
 *
 * @throws DescribedError if the node is a tool, if no Bot Trigger started the execution, if n8n can't pair the
 * item, or if the trigger's output lacks a needed column
 */
export function readAnswerDestination(nodes: EarlierNodesAccess, itemIndex: number): Values {
	const node = nodes.getNode();
	if (isTool(node)) throw TOOL_NOT_SUPPORTED_ERROR;
	const triggers = nodes
		.getParentNodes(node.name)
		.filter(({ type, disabled }) => type.endsWith('.cometChatBotTrigger') && !disabled);
	if (triggers.length === 0) throw NO_TRIGGER_ERROR;
	for (const { name } of triggers) {
		const row = readTriggerRow(nodes, name, itemIndex);
		if (!isObject(row)) continue;
		const columns = toDestinationColumns(row);
		columns.bot ??= readBotOfTrigger(nodes, name, itemIndex);
		return toDestinationValues(columns, name);
	}
	throw createTriggerNotExecutedError(triggers.map(({ name }) => name));
}
