import type { INodeProperties } from 'n8n-workflow';

import { createAppEventsField } from '../fields/appEvents';
import { createTextField, createGroupsField, createUsersField } from '../fields/body';
import { checkIdText } from '../fields/fieldChecks';
import { createOptionsCollection } from '../fields/options';
import { createOutputFields } from '../fields/outputFields';
import type { Field } from '../types';
import {
	ALL_EVENTS,
	COMMON_EVENTS,
	EVENTS,
	MORE_EVENTS,
	getEventLabel,
	type EventType,
} from './events';

const setup: INodeProperties = {
	// The editor strips all HTML elements from a notice, except a, ul and li. A ul without li has no bullets.
	displayName: [
		'Set up the webhook in the <a href="https://app.cometchat.com" target="_blank">CometChat dashboard</a>:',
		'<ul>1. Open Webhook URLs above, and copy the Production URL. While you build the workflow, use the Test URL.</ul>',
		'<ul>2. In your app, go to Settings → Webhooks and add a webhook with this URL. Turn on basic authentication, and enter the username and the password of the credential above. Without a credential, everyone who knows the URL can start the workflow.</ul>',
		'<ul>3. Choose the events and turn the webhook on. Then publish this workflow.</ul>',
	].join(''),
	name: 'setupNotice',
	type: 'notice',
	default: '',
};

const allEvents = {
	name: 'All Events',
	value: ALL_EVENTS,
	description: 'Every event that the webhook sends, including events not listed here',
};

const toOption = (event: EventType) => ({
	name: getEventLabel(event),
	value: event.trigger,
	description: event.description,
});

/** 'Events' parameter that accepts every event. The editor shows `eventMenu` instead. */
const events: Field = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: [allEvents, ...EVENTS.map(toOption)],
	default: [ALL_EVENTS],
	description:
		'Events that start the workflow. Set up the webhook in the dashboard to send them. More events are under Options → More Events.',
	hint: 'For reported messages, use CometChat Polling Trigger',
};

/**
 * 'Events' parameter as shown in the editor. Lists only common events, because n8n's node panel shows
 * each listed event above the actions.
 */
const eventMenu: INodeProperties = {
	...events,
	options: [allEvents, ...COMMON_EVENTS.map(toOption)],
};

const optionFields: Field[] = [
	{
		...createTextField('App ID', 'appId', '2379614d5a4b27f1', 'Start only for events of this app'),
		check: checkIdText,
	},
	{
		displayName: 'Fetch Message',
		name: 'fetchMessage',
		type: 'boolean',
		default: true,
		description:
			'Whether to also fetch the message of a reaction. If the message does not arrive within 1.5 seconds, the workflow starts without it, and messageError contains the reason. If Group Names or IDs is set, the workflow then does not start.',
		hint: 'Requires the CometChat API credential above',
	},
	createGroupsField(
		'Group Names or IDs',
		'groupIds',
		'Only events of these groups start the workflow. Events without a group do too: presence, blocked users, started calls and meetings, recordings, transcripts, notifications, feed items, campaigns, and reactions without Fetch Message. Messages of an unknown group and reactions without their message do not.',
	),
	createUsersField(
		'Ignored User Names or IDs',
		'ignoreSenders',
		'Events caused by these users do not start the workflow. Add the user that the workflow acts as, or it could start itself again. Events without a user, such as Group Deleted, always start it.',
	),
	{
		displayName: 'Include Actions',
		name: 'includeActions',
		type: 'boolean',
		default: false,
		description:
			'Whether Message Sent also starts the workflow for notes such as "Mira joined", which CometChat stores as messages with the category action',
	},
	{
		displayName: 'More Events',
		name: 'moreEvents',
		type: 'multiOptions',
		options: MORE_EVENTS.map(toOption),
		default: [],
		description:
			'Other events that start the workflow. To start only for these, remove All Events above.',
	},
];

const options = createOptionsCollection(
	'Events that start the workflow, and content of their items',
	optionFields,
);

/**
 * Fields for reading and validating parameters. The editor doesn't show these fields. Unlike the editor's
 * menu, their 'Events' field accepts every event.
 */
export const webhookFields: Field[] = [
	setup,
	events,
	createAppEventsField('safe'),
	options,
	...createOutputFields(),
];

/** Node properties that the editor shows. */
export const webhookProperties: INodeProperties[] = webhookFields.map((property) =>
	property === events ? eventMenu : property,
);

/** Creates the expression for the node's subtitle, which shows the event's label or the number of events. */
export function createSubtitle(): string {
	const labels = JSON.stringify(
		Object.fromEntries(EVENTS.map((event) => [event.trigger, getEventLabel(event)])),
	);
	// Repeats the list, because some n8n versions don't allow functions in expressions
	const chosen = '[$parameter.events, $parameter.options.moreEvents ?? []].flat()';
	const single = `(${labels})[${chosen}[0]] ?? ${chosen}[0]`;
	const words = `${chosen}.length === 1 ? ${single} : ${chosen}.length + " Events"`;
	return `={{ ${chosen}.includes("${ALL_EVENTS}") ? "All Events" : ${words} }}`;
}
