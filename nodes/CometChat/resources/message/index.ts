import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import { addReaction } from './addReaction.operation';
import { deleteMessage } from './delete.operation';
import { get } from './get.operation';
import { list } from './list.operation';
import { listReactions } from './listReactions.operation';
import { listReplies } from './listReplies.operation';
import { removeReaction } from './removeReaction.operation';
import { reply } from './reply.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { update } from './update.operation';

export const messages: Resource = {
	name: 'Message',
	value: 'message',
	description: 'What to do with messages',
	operations: operationsOf([
		get,
		removeReaction,
		send,
		sendAndWait,
		list,
		update,
		deleteMessage,
		addReaction,
		listReactions,
		reply,
		listReplies,
	]),
	defaultOperation: 'send',
};
