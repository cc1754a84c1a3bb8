import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { createLoaderFromColumnLister } from './methods/columnLoaders';
import { cometChatApiTest } from './methods/credentialTest';
import { getGroups, getUsers } from './methods/pickers';
import { webhookDescription } from './sharedByTriggers/webhookDescription';
import { cometChatWebhookTest } from './webhookTrigger/auth';
import { listSelectableEventColumnNames } from './webhookTrigger/eventItems';
import {
	createSubtitle,
	apiCredentialDisplayOptions,
	webhookProperties,
} from './webhookTrigger/properties';
import { webhook, webhookMethods } from './webhookTrigger/webhook';

/** Starts a workflow when CometChat calls a webhook. */
export class CometChatTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Trigger',
		name: 'cometChatTrigger',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: createSubtitle(),
		// n8n's node panel shows one entry for this node and the CometChat node, with this description
		description:
			'Starts the workflow when something happens in a CometChat app, or works with its messages, reactions, groups and users',
		documentationUrl:
			'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/README.md#set-up-the-cometchat-trigger',
		eventTriggerDescription: 'Waiting for CometChat to call the Test URL',
		activationMessage: 'CometChat can now start this workflow with the Production URL.',
		triggerPanel: {
			header: 'Listen for CometChat events',
			activationHint:
				'Test URL to try, Production URL to publish. Send a message in your app, and it appears here.',
		},
		defaults: { name: 'CometChat Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'cometChatWebhookApi', required: false, testedBy: 'cometChatWebhookTest' },
			{
				name: 'cometChatApi',
				required: false,
				testedBy: 'cometChatApiTest',
				displayOptions: apiCredentialDisplayOptions,
			},
		],
		webhooks: [webhookDescription],
		properties: webhookProperties,
	};

	methods = {
		credentialTest: { cometChatApiTest, cometChatWebhookTest },
		loadOptions: {
			getColumns: createLoaderFromColumnLister(listSelectableEventColumnNames),
			getGroups,
			getUsers,
		},
	};

	webhook = webhook;

	webhookMethods = webhookMethods;
}
