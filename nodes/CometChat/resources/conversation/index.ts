import type { Resource } from '../../types';
import { addSharedFieldsAndPrecompileRouting } from '../addSharedFields';
import { listConversations } from './list.operation';
import { markConversationRead } from './markRead.operation';

export const conversationResource: Resource = {
	name: 'Conversation',
	value: 'conversation',
	description: 'Operation on conversations',
	operations: addSharedFieldsAndPrecompileRouting([listConversations, markConversationRead]),
	defaultOperation: 'list',
};
