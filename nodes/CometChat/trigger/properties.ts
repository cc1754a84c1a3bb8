import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { checkIds } from '../operation/checks';
import type { Field } from '../operation/types';
import { APP_USER } from '../transport/types';
import { ALL_EVENTS, EVENTS, labelOf } from './events';

const setup: INodeProperties = {
	// Of the HTML in a notice, the editor keeps only a, ul and li
	displayName:
		'Set up the webhook in the <a href="https://app.cometchat.com" target="_blank">CometChat dashboard</a>:<ul><li>Open your app, go to Settings → Webhooks and add a webhook with the Production URL above. While you build the workflow, use the Test URL.</li><li>Turn on basic authentication, and enter the username and the password of the credential above.</li><li>Choose the events and turn the webhook on. Then publish this workflow.</li></ul>',
	name: 'setupNotice',
	type: 'notice',
	default: '',
};

const openDoor: INodeProperties = {
	displayName:
		'With a credential, only CometChat can start the workflow. Without one, everyone who knows the URL can.',
	name: 'credentialNotice',
	type: 'notice',
	default: '',
};

const events: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: 'All Events',
			value: ALL_EVENTS,
			description: 'Every event that the webhook sends, also one that is not in this list',
		},
		...EVENTS.map(({ trigger, description }) => ({
			name: labelOf(trigger),
			value: trigger,
			description,
		})),
	],
	default: [ALL_EVENTS],
	description: 'Events that start the workflow. The webhook in the dashboard has to send them.',
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description:
				'One item for each message, reaction, group, member or call that something happened to, with flat fields, and who did it and when: event, at, by, byName. Moderation Engine Failed and events that are not in the list stay raw.',
		},
		{
			name: 'Raw',
			value: 'raw',
			description:
				'One item per event, as CometChat sent it: trigger, data, appId, region, webhook',
		},
		{
			name: 'Selected Fields',
			value: 'fields',
			description: 'One item per event, with the fields that you name',
		},
	],
	default: 'simplified',
	description: 'How much of an event to return',
};

const fields: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
	required: true,
	default: [],
	placeholder: 'e.g. data.message.sender',
	description:
		'Names of the fields to return, with dots for inner ones. A field that an event does not have is left out.',
};

const optionFields: Field[] = [
	{
		displayName: 'App ID',
		name: 'appId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2379614d5a4b27f1',
		description: 'Start only for events of this app',
	},
	{
		displayName: 'Fetch Message',
		name: 'fetchMessage',
		type: 'boolean',
		default: false,
		description:
			'Whether to get the message of a reaction too, with the CometChat API credential. When it does not come within 1.5 seconds, the workflow starts without it, and messageError says why.',
	},
	{
		displayName: 'Group IDs',
		name: 'groupIds',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add GUID' },
		default: [],
		placeholder: 'e.g. cometchat-guid-1',
		description:
			'GUIDs of the groups whose events start the workflow. Messages, receipts and calls between users do not start it then. A reaction does not name its group: it starts the workflow unless Fetch Message shows that it is of another group.',
		check: checkIds,
	},
	{
		displayName: 'Ignore Senders',
		name: 'ignoreSenders',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add UID' },
		default: [APP_USER],
		placeholder: 'e.g. cometchat-uid-1',
		description:
			'UIDs of users who do not start the workflow, whatever they do. Add the user in whose name the workflow acts, or it starts itself again and again. app_system is the app itself, which acts where On Behalf Of or Send As is empty: it is ignored unless you add this option and remove it. Events that name nobody, such as Group Deleted, always start the workflow.',
		check: checkIds,
	},
	{
		displayName: 'Include Actions',
		name: 'includeActions',
		type: 'boolean',
		default: false,
		description:
			'Whether notes such as "Mira joined", which CometChat stores as messages of the category action, start Message Sent too',
	},
];

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'Which events start the workflow, and what comes with them',
	options: optionFields,
};

/** What the user sets up for the trigger. */
export const webhookProperties: INodeProperties[] = [
	setup,
	openDoor,
	events,
	output,
	...updateDisplayOptions({ show: { output: ['fields'] } }, [fields]),
	options,
];

/** The node's subtitle on the canvas: the event in words, or how many events there are. */
export function subtitle(): string {
	const labels = JSON.stringify(
		Object.fromEntries(EVENTS.map(({ trigger }) => [trigger, labelOf(trigger)])),
	);
	// Without a function of its own: not every version of n8n has them in expressions
	const chosen = '[$parameter.events].flat()';
	const one = `(${labels})[${chosen}[0]] ?? ${chosen}[0]`;
	const words = `${chosen}.length === 1 ? ${one} : ${chosen}.length + " Events"`;
	return `={{ ${chosen}.includes("${ALL_EVENTS}") ? "All Events" : ${words} }}`;
}
