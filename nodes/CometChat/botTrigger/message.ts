import type { IDataObject } from 'n8n-workflow';

import { toLowerCaseId } from '../helpers/ids';
import { asObjectOrEmpty, createFieldReader } from '../helpers/json';
import { listSelectableColumnNames } from '../output/columns';
import { APP_USER_UID } from '../transport/restTypes';
import { hasAnswerMark } from '../resources/message/answerMark';
import {
	actionMessageColumns,
	isCallOrAction,
	messageColumns,
	messageEntity,
} from '../resources/message/entity';
import { formatChatInput, getSessionId } from '../resources/message/chatText';
import { removeMentionsOfUser } from '../resources/message/mentions';
import { getReplyReceiverId } from '../resources/message/relayedMessage';
import type { ColumnReaders, EntityDefinition, ParameterValues } from '../types';
import type { BotParameters } from './parameters';

/** True for a private message to the bot, or a message in a group that 'Only in Groups' allows. */
function isReceiverAllowed(message: IDataObject, { botId, groupIds }: BotParameters): boolean {
	const receiver = toLowerCaseId(message.receiver);
	if (message.receiverType !== 'group') return receiver === botId;
	return groupIds.size === 0 || groupIds.has(receiver);
}

/**
 * True if a message starts the workflow. The bot's own messages never start the workflow (open question 23). Messages
 * from the app itself or from the operation Answer start it only if 'Only From' names the sender (open question 40).
 * Otherwise, a workflow that answers as the app in a group would start itself, and two bots could answer endlessly.
 */
export function canMessageStartWorkflow(message: IDataObject, parameters: BotParameters): boolean {
	const { botId, onlySenders, ignoreUsers, includeActions } = parameters;
	const uid = toLowerCaseId(message.sender);
	if (uid === botId || ignoreUsers.has(uid) || !isReceiverAllowed(message, parameters))
		return false;
	if (isCallOrAction(message) && !includeActions) return false;
	return onlySenders.size === 0
		? uid !== APP_USER_UID && !hasAnswerMark(message)
		: onlySenders.has(uid);
}

/** Values that determine the columns of a message to the bot. */
type ColumnParameters = Pick<BotParameters, 'includeActions' | 'botId'> & {
	/** ID of the bot's app, if CometChat sends the ID */
	appId?: unknown;
};

/**
 * Returns the columns of a message to the bot. `replyTo` is the user or group to answer. n8n's AI agents read
 * `chatInput`, and their memories read `sessionId`. With 'Include Actions', further columns describe the action,
 * because action messages such as "Mira joined" contain no text.
 */
function getColumns({ botId, includeActions, appId }: ColumnParameters): ColumnReaders {
	const { id, sentAt, senderName, text, sender, parentId, attachments } = messageColumns;
	return {
		...{ id, sentAt, senderName },
		text: (message) => {
			const sent = text(message);
			return typeof sent === 'string' ? removeMentionsOfUser(sent, botId) : sent;
		},
		...{ sender, parentId, attachments },
		replyTo: getReplyReceiverId,
		replyToType: createFieldReader('receiverType'),
		bot: () => botId,
		chatInput: (message) => formatChatInput(message, botId),
		sessionId: (message) => getSessionId(message, botId, appId),
		...(includeActions ? actionMessageColumns : {}),
	};
}

/** Describes messages to the bot. The columns depend on the parameters. */
export const createBotMessageEntity = (parameters: ColumnParameters): EntityDefinition => ({
	...messageEntity,
	columns: getColumns(parameters),
	selectedOnlyColumns: {
		...messageEntity.selectedOnlyColumns,
		...messageColumns,
		...actionMessageColumns,
	},
});

/** Lists the columns that 'Fields' offers. */
export const listSelectableBotMessageColumnNames = ({ options }: ParameterValues): string[] =>
	listSelectableColumnNames(
		createBotMessageEntity({
			botId: '',
			includeActions: asObjectOrEmpty(options).includeActions === true,
		}),
		{},
	);
