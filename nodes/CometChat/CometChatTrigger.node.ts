import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { cometChatApiTest } from './editor/credentialTest';
import { cometChatWebhookTest } from './trigger/auth';
import { subtitle, webhookProperties } from './trigger/properties';
import { webhook, webhookMethods } from './trigger/webhook';

/** Starts a workflow when CometChat calls. Nothing but the description: n8n takes the calls. */
export class CometChatTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Trigger',
		name: 'cometChatTrigger',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: subtitle(),
		// n8n shows it for the CometChat node too: both are one entry of its list of nodes
		description:
			'Starts the workflow when something happens in a CometChat app, or works with its messages, reactions, groups and users',
		documentationUrl:
			'https://www.npmjs.com/package/n8n-nodes-cometchat#set-up-the-cometchat-trigger',
		eventTriggerDescription: 'Waiting for CometChat to call the Test URL',
		activationMessage: 'CometChat can now start this workflow with the Production URL.',
		triggerPanel: {
			header: 'Listen for CometChat events',
			activationHint: 'React or write in your app, and the event appears here',
		},
		defaults: { name: 'CometChat Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'cometChatWebhookApi', required: false, testedBy: 'cometChatWebhookTest' },
			{
				name: 'cometChatApi',
				required: true,
				testedBy: 'cometChatApiTest',
				displayOptions: { show: { '/options.fetchMessage': [true] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Else n8n responds with the name of its default
				responseData: '',
				path: 'webhook',
			},
		],
		properties: webhookProperties,
	};

	methods = { credentialTest: { cometChatApiTest, cometChatWebhookTest } };

	webhook = webhook;

	webhookMethods = webhookMethods;
}
