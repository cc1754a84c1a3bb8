import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { cometChatApiTest } from './editor/credentialTest';
import {
	getUsers,
	searchActors,
	searchDeactivatedUsers,
	searchGroups,
	searchReasons,
	searchUsers,
} from './editor/pickers';
import { authTokenHint, relatedNodes } from './editor/hints';
import { customOperationsOf, propertiesOf } from './editor/node';
import { subtitleOf } from './editor/subtitle';
import { resources } from './resources';
import { waitingNodeTooltip, waitingWebhooks, webhook } from './sendAndWait/answerWebhook';

/** Groups, messages and users of CometChat. Nothing but the description: n8n runs it. */
export class CometChat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat',
		name: 'cometChat',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: 'Work with messages, reactions, groups, users and moderation in CometChat',
		documentationUrl: 'https://www.npmjs.com/package/n8n-nodes-cometchat#operations',
		defaults: { name: 'CometChat' },
		usableAsTool: true,
		builderHint: { relatedNodes },
		hints: [authTokenHint],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true, testedBy: 'cometChatApiTest' }],
		webhooks: waitingWebhooks,
		waitingNodeTooltip,
		// Makes it a declarative node: n8n adds 'Request Options', and its RoutingNode runs it as a tool
		requestDefaults: {},
		properties: propertiesOf(resources),
	};

	customOperations = customOperationsOf(resources);

	webhook = webhook;

	methods = {
		credentialTest: { cometChatApiTest },
		loadOptions: { getUsers },
		listSearch: { searchActors, searchDeactivatedUsers, searchGroups, searchReasons, searchUsers },
	};
}
