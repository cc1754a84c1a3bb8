import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { createLoaderFromColumnLister } from './methods/columnLoaders';
import { cometChatApiTest } from './methods/credentialTest';
import { getGroups, getUsers, searchActors, searchUsers } from './methods/pickers';
import { poll } from './pollingTrigger/poll';
import { listSelectablePolledColumnNames } from './pollingTrigger/pollParameters';
import { pollingSubtitle, pollingProperties } from './pollingTrigger/properties';

/** Polls CometChat, and starts a workflow when one of the events in `polledEvents.ts` has happened. */
export class CometChatPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CometChat Polling Trigger',
		name: 'cometChatPollingTrigger',
		icon: { light: 'file:../../icons/cometchat.svg', dark: 'file:../../icons/cometchat.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: pollingSubtitle,
		description:
			'Starts the workflow when a message is sent or reported, or when a CometChat group is created, changed or joined',
		documentationUrl:
			'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/events.md#cometchat-polling-trigger',
		defaults: { name: 'CometChat Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cometChatApi', required: true, testedBy: 'cometChatApiTest' }],
		properties: pollingProperties,
	};

	methods = {
		credentialTest: { cometChatApiTest },
		listSearch: { searchActors, searchUsers },
		loadOptions: {
			getColumns: createLoaderFromColumnLister(listSelectablePolledColumnNames),
			getGroups,
			getUsers,
		},
	};

	poll = poll;
}
