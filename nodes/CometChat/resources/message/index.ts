import type { Resource } from '../../types';
import { addSharedFieldsAndPrecompileRouting } from '../addSharedFields';
import { addReaction } from './addReaction.operation';
import { answerAsBot } from './answer.operation';
import { deleteMessage } from './delete.operation';
import { downloadFiles } from './downloadFiles.operation';
import { getMessage } from './get.operation';
import { listMessages } from './list.operation';
import { listReactions } from './listReactions.operation';
import { listReplies } from './listReplies.operation';
import { removeReaction } from './removeReaction.operation';
import { replyToMessage } from './reply.operation';
import { sendMessage } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { updateMessage } from './update.operation';

export const messageResource: Resource = {
	name: 'Message',
	value: 'message',
	description: 'Operation on messages',
	operations: addSharedFieldsAndPrecompileRouting([
		getMessage,
		removeReaction,
		sendMessage,
		answerAsBot,
		sendAndWait,
		listMessages,
		updateMessage,
		deleteMessage,
		addReaction,
		listReactions,
		replyToMessage,
		listReplies,
		downloadFiles,
	]),
	defaultOperation: 'send',
};
