import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { triggerProperties } from './trigger/properties';
import { poll } from './trigger/poll';

/** Starts a workflow when a group is new or changed. Nothing but the description: n8n polls it. */
export class CometChatTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Trigger',
		name: 'cometChatTrigger',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ({ groupCreated: "group created", groupUpdated: "group updated", groupJoined: "group joined" })[$parameter.event] }}',
		description: 'Starts the workflow when a CometChat group is created, changed or joined',
		defaults: { name: 'CometChat Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true }],
		properties: triggerProperties,
	};

	poll = poll;
}
