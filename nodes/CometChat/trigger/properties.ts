import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { appEvents } from '../fields/appEvents';
import { checkIds } from '../fields/checks';
import type { Entity, Field } from '../description/types';
import { ALL_EVENTS, COMMON_EVENTS, EVENTS, MORE_EVENTS, labelOf, type EventType } from './events';

const setup: INodeProperties = {
	// Of the HTML in a notice, the editor keeps only a, ul and li
	displayName:
		'Set up the webhook in the <a href="https://app.cometchat.com" target="_blank">CometChat dashboard</a>:<ul><li>Open your app, go to Settings → Webhooks and add a webhook with the Production URL above. While you build the workflow, use the Test URL.</li><li>Turn on basic authentication, and enter the username and the password of the credential above. Without a credential, everyone who knows the URL can start the workflow.</li><li>Choose the events and turn the webhook on. Then publish this workflow.</li></ul>',
	name: 'setupNotice',
	type: 'notice',
	default: '',
};

const allEvents = {
	name: 'All Events',
	value: ALL_EVENTS,
	description: 'Every event that the webhook sends, also one that is not in this list',
};

const toOption = (event: EventType) => ({
	name: labelOf(event),
	value: event.trigger,
	description: event.description,
});

/** Accepts every event, including those that the menu lists under More Events. */
const events: Field = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: [allEvents, ...EVENTS.map(toOption)],
	default: [ALL_EVENTS],
	description: 'Events that start the workflow. The webhook in the dashboard has to send them.',
	whenEmpty: 'omit',
};

/** n8n shows each of them as a trigger of its own, before all actions: so these are few. */
const commonEvents: INodeProperties = {
	...events,
	options: [allEvents, ...COMMON_EVENTS.map(toOption)],
	description:
		'Events that start the workflow. The webhook in the dashboard has to send them. More are under Options → More Events.',
};

/** An event as an entity of 'Output' and 'Fields'. */
export const eventEntity: Entity = { name: 'event', plural: 'events', id: 'trigger', columns: {} };

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description:
				'One item for each message, reaction, group, member or call that something happened to, with flat fields, and who did it and when: event, at, by, byName. Events that are not in the list stay raw.',
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
			'GUIDs of the groups whose events start the workflow. Messages, receipts and ringing calls between users do not start it then. Events that name no group still do: reactions (unless Fetch Message shows that they are of another group), users who go online, and calls that started or ended.',
		check: checkIds,
	},
	{
		displayName: 'Ignore Senders',
		name: 'ignoreSenders',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add UID' },
		default: [],
		placeholder: 'e.g. cometchat-uid-1',
		description:
			'UIDs of users who do not start the workflow, whatever they do. Add the user in whose name the workflow acts, or it starts itself again and again. Events that name nobody, such as Group Deleted, always start the workflow.',
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
	{
		displayName: 'More Events',
		name: 'moreEvents',
		type: 'multiOptions',
		options: MORE_EVENTS.map(toOption),
		default: [],
		description:
			'Rarer events that start the workflow too: receipts, calls, meetings, pins, notifications, campaigns and more',
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

/** Fields that the trigger reads. */
export const webhookFields: Field[] = [
	setup,
	events,
	appEvents('safe'),
	output,
	...updateDisplayOptions({ show: { output: ['fields'] } }, [fields]),
	options,
];

/** Fields that the editor shows. */
export const webhookProperties: INodeProperties[] = webhookFields.map((field) =>
	field === events ? commonEvents : field,
);

/** The node's subtitle on the canvas: the event in words, or how many events there are. */
export function subtitle(): string {
	const labels = JSON.stringify(
		Object.fromEntries(EVENTS.map((event) => [event.trigger, labelOf(event)])),
	);
	// Without a function of its own: not every version of n8n has them in expressions
	const chosen = '[$parameter.events, $parameter.options.moreEvents ?? []].flat()';
	const one = `(${labels})[${chosen}[0]] ?? ${chosen}[0]`;
	const words = `${chosen}.length === 1 ? ${one} : ${chosen}.length + " Events"`;
	return `={{ ${chosen}.includes("${ALL_EVENTS}") ? "All Events" : ${words} }}`;
}
