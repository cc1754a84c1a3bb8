import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { groupOperations, groupProperties } from './resources/group';
import { messageOperations, messageProperties } from './resources/message';
import { directly } from './transport/direct';

/** Groups and messages of CometChat. Nothing but the description: n8n runs it. */
export class CometChat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat',
		name: 'cometChat',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ ({ group: { list: "list groups" }, message: { get: "get message", removeReaction: "remove reaction" } })[$parameter.resource][$parameter.operation] }}',
		description: 'List groups, get messages and remove reactions in CometChat',
		defaults: { name: 'CometChat' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true }],
		requestDefaults: {},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Group', value: 'group' },
					{ name: 'Message', value: 'message' },
				],
				default: 'group',
				description: 'What to work with',
			},
			...groupProperties,
			...messageProperties,
		],
	};

	customOperations = {
		group: directly(groupOperations),
		message: directly(messageOperations),
	};
}
