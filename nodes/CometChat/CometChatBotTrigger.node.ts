import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerResponse,
} from 'n8n-workflow';

import { listSelectableBotMessageColumnNames } from './botTrigger/message';
import { botProperties, botSubtitle } from './botTrigger/properties';
import { webhookMethods } from './botTrigger/setUp';
import { webhook } from './botTrigger/webhook';
import { createLoaderFromColumnLister } from './methods/columnLoaders';
import { cometChatApiTest } from './methods/credentialTest';
import { getGroups, getUsers, searchUsersBotsFirst } from './methods/pickers';
import { webhookDescription } from './sharedByTriggers/webhookDescription';

/** Starts a workflow when somebody writes to a bot, and sets up the bot in CometChat. */
export class CometChatBotTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Bot Trigger',
		name: 'cometChatBotTrigger',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: botSubtitle,
		description:
			'Starts the workflow when somebody writes to a CometChat bot, or mentions the bot in a group',
		documentationUrl:
			'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/README.md#your-first-bot',
		eventTriggerDescription: 'Waiting for a message to the bot',
		activationMessage: 'Messages to the bot now start this workflow.',
		triggerPanel: {
			header: 'Listen for messages to the bot',
			activationHint: 'Write to the bot in your app, and the message appears here',
		},
		defaults: { name: 'CometChat Bot Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true, testedBy: 'cometChatApiTest' }],
		// Hide the URL, because the node itself registers the URL in CometChat
		webhooks: [{ ...webhookDescription, ndvHideUrl: true }],
		properties: botProperties,
	};

	methods = {
		credentialTest: { cometChatApiTest },
		listSearch: { searchUsersBotsFirst },
		loadOptions: {
			getColumns: createLoaderFromColumnLister(listSelectableBotMessageColumnNames),
			getGroups,
			getUsers,
		},
	};

	webhook = webhook;

	webhookMethods = webhookMethods;

	/**
	 * Does nothing, but makes n8n register the node each time n8n starts, so that `webhookMethods` can check the
	 * bot. Without a `trigger`, n8n would register a published workflow's webhooks only once.
	 */
	async trigger(): Promise<ITriggerResponse> {
		return await Promise.resolve({});
	}

	/** Passes on the message from `webhook`. Without `execute`, n8n would call `trigger` in a manual execution. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await Promise.resolve([this.getInputData()]);
	}
}
