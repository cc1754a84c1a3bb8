import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { memoryProperties, memorySubtitle } from './memory/properties';
import { supplyMemory } from './memory/supplyMemory';
import { cometChatApiTest } from './methods/credentialTest';
import { searchUsersBotsFirst, searchGroups, searchUsers } from './methods/pickers';

/** Gives an AI agent the earlier messages of a CometChat conversation. */
export class CometChatMemory implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Chat Memory',
		name: 'cometChatMemory',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: memorySubtitle,
		description: 'Lets an AI agent know what was said before in the CometChat conversation',
		documentationUrl:
			'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/ai-agents.md#a-bot-that-knows-the-conversation',
		defaults: { name: 'CometChat Chat Memory' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiMemory],
		outputNames: ['Memory'],
		credentials: [{ name: 'cometChatApi', required: true, testedBy: 'cometChatApiTest' }],
		properties: memoryProperties,
	};

	methods = {
		credentialTest: { cometChatApiTest },
		listSearch: { searchUsersBotsFirst, searchGroups, searchUsers },
	};

	async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
		return await supplyMemory(this);
	}
}
