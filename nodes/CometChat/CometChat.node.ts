import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchGroups, searchUsers } from './operation/listSearch';
import { customOperationsOf, operationWords, propertiesOf } from './operation/node';
import { resources } from './resources';

/** Groups, messages and users of CometChat. Nothing but the description: n8n runs it. */
export class CometChat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat',
		name: 'cometChat',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: `={{ (${operationWords(resources)})[$parameter.resource][$parameter.operation] }}`,
		description: 'Work with groups, members, messages, reactions and users in CometChat',
		defaults: { name: 'CometChat' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true }],
		requestDefaults: {},
		properties: propertiesOf(resources),
	};

	customOperations = customOperationsOf(resources);

	methods = { listSearch: { searchGroups, searchUsers } };
}
