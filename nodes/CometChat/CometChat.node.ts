import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchGroups, searchUsers } from './operation/listSearch';
import { customOperationsOf, propertiesOf, subtitleOf } from './operation/resource';
import { resources } from './resources';

/** Groups and messages of CometChat. Nothing but the description: n8n runs it. */
export class CometChat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat',
		name: 'cometChat',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: 'Work with groups, members, messages and reactions in CometChat',
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
				options: resources.map(({ name, value }) => ({ name, value })),
				default: 'group',
				description: 'What to work with',
			},
			...resources.flatMap(propertiesOf),
		],
	};

	customOperations = Object.fromEntries(
		resources.map((resource) => [resource.value, customOperationsOf(resource)]),
	);

	methods = { listSearch: { searchGroups, searchUsers } };
}
