import type { Resource } from '../../types';
import { completeOperations } from '../completeOperations';
import { listConversations } from './list.operation';
import { markConversationRead } from './markRead.operation';

export const conversationResource: Resource = {
	name: 'Conversation',
	value: 'conversation',
	description: 'Operation on conversations',
	operations: completeOperations([listConversations, markConversationRead]),
	defaultOperation: 'list',
};
