import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { createChosenOperationColumnLoader } from './methods/columnLoaders';
import { cometChatApiTest } from './methods/credentialTest';
import {
	getRoles,
	getUsers,
	searchActors,
	searchDeactivatedUsers,
	searchGroups,
	searchReasons,
	searchUsers,
} from './methods/pickers';
import { authTokenHint, relatedNodes } from './description/hints';
import { buildProperties } from './description/properties';
import { SUBTITLE } from './description/subtitle';
import { resources } from './resources';
import { createRunnerCalledByRoutingNode } from './run/agentTool';
import { buildCustomOperations } from './run/items';
import { createSendAndWaitRunner } from './sendAndWait/execute';
import { waitingNodeTooltip, waitingWebhooks, webhook } from './sendAndWait/answerWebhook';

/** Action node for messages, conversations, groups, users and moderation. */
export class CometChat implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat',
		name: 'cometChat',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Work with messages, reactions, groups, users and moderation in CometChat',
		documentationUrl:
			'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/operations.md#operations',
		defaults: { name: 'CometChat' },
		usableAsTool: true,
		builderHint: { relatedNodes },
		hints: [authTokenHint],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true, testedBy: 'cometChatApiTest' }],
		webhooks: waitingWebhooks,
		waitingNodeTooltip,
		// Makes the node declarative. Otherwise, n8n would only pass on the input, because the node has `webhook` but no
		// `execute`
		requestDefaults: {},
		properties: buildProperties(resources, createRunnerCalledByRoutingNode(resources)),
	};

	customOperations = buildCustomOperations(resources, createSendAndWaitRunner);

	webhook = webhook;

	methods = {
		credentialTest: { cometChatApiTest },
		loadOptions: { getColumns: createChosenOperationColumnLoader(resources), getRoles, getUsers },
		listSearch: { searchActors, searchDeactivatedUsers, searchGroups, searchReasons, searchUsers },
	};
}
