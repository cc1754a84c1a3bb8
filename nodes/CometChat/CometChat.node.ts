import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { requestOptions } from './fields/requestOptions';
import { searchGroups, searchUsers } from './operation/listSearch';
import { customOperationsOf, operationWords, propertiesOf } from './operation/node';
import { resources } from './resources';
import { waitingNodeTooltip, waitingWebhooks, webhook } from './sendAndWait/webhook';

/** Groups and messages of CometChat. Nothing but the description: n8n runs it. */
export class CometChat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat',
		name: 'cometChat',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: `={{ (${operationWords(resources)})[$parameter.resource][$parameter.operation] }}`,
		description: 'Work with groups, members, messages and reactions in CometChat',
		defaults: { name: 'CometChat' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true }],
		webhooks: waitingWebhooks,
		waitingNodeTooltip,
		requestDefaults: {},
		properties: [...propertiesOf(resources), requestOptions],
	};

	customOperations = customOperationsOf(resources);

	webhook = webhook;

	methods = { listSearch: { searchGroups, searchUsers } };
}
