import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { createAppEventsField } from '../fields/appEvents';
import { createFiltersField } from '../fields/filters';
import { ignoredUsersField } from '../fields/ignoredUsers';
import { createOptionsCollection } from '../fields/options';
import { createOutputFields } from '../fields/outputFields';
import { requestOptionsField } from '../fields/requestOptions';
import { requiredOnBehalfOfField, onBehalfOfField } from '../fields/onBehalfOf';
import { watchFields } from '../fields/watch';
import { pollingGroupFilters } from '../resources/group/filters';
import { addRelationHints } from '../request/relations';
import type { Field } from '../types';
import type { EventName } from './entries';

/** Default value of 'Max Items per Poll'. */
export const DEFAULT_MAX_ITEMS = 10_000;

/** Options of 'Trigger On'. n8n's node panel lists each of them. */
export const pollingEvents: INodePropertyOptions[] = [
	{
		name: 'Message Reported',
		value: 'messageFlagged',
		description: 'When a user reports (flags) a message, once per report',
		routing: { request: { url: '/moderation/flagged-messages' } },
	},
	{
		name: 'Message Sent',
		value: 'messageSent',
		description: 'When a message is sent',
	},
	{
		name: 'Group Created',
		value: 'groupCreated',
		description: 'When a group is created',
	},
	{
		name: 'Group Joined',
		value: 'groupJoined',
		description: 'When the user in On Behalf Of joins a group',
	},
	{
		name: 'Group Updated',
		value: 'groupUpdated',
		description: 'When a group is created or changed',
	},
];

/** Expression for the node's subtitle, which shows the event's label. */
export const pollingSubtitle = `={{ (${JSON.stringify(
	Object.fromEntries(pollingEvents.map(({ name, value }) => [value, name])),
)})[$parameter.event] }}`;

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: pollingEvents,
	default: 'messageFlagged',
	description: 'Event that starts the workflow',
};

const joiner: INodeProperties = {
	...requiredOnBehalfOfField,
	description: 'The workflow starts when this user joins a group',
};

const HEARD =
	"Others' private messages to these users, and others' mentions of them in groups they have joined";

const filters: INodeProperties = {
	...createFiltersField('group', pollingGroupFilters),
	description: 'Groups that start the workflow. All filters must match.',
};

/**
 * Returns the default of 'Events Caused by the App Itself'. A workflow that answers as the app would otherwise
 * start itself again and again.
 */
export const getDefaultAppEvents = (event: EventName) =>
	event === 'messageSent' ? 'safe' : 'always';

const optionFields: Field[] = [
	// CometChat doesn't say who added a user to a group, and only users report messages
	...updateDisplayOptions({ show: { '/event': ['groupCreated', 'groupUpdated'] } }, [
		createAppEventsField(getDefaultAppEvents('groupCreated')),
	]),
	...updateDisplayOptions({ show: { '/event': ['messageSent'] } }, [
		createAppEventsField(getDefaultAppEvents('messageSent')),
		ignoredUsersField,
	]),
	{
		displayName: 'Max Items per Poll',
		name: 'maxGroups',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100000 },
		default: DEFAULT_MAX_ITEMS,
		description: 'Maximum items per poll, up to 100000. Later polls return the rest.',
	},
];

const options: Field = {
	...createOptionsCollection('Actions of the app, and maximum items per poll', optionFields),
	// Visible from the start, because a workflow that answers messages would otherwise start itself every minute
	default: { ignoreSenders: [] },
};

/** Descriptions of 'Watch' and its options for lists of messages, which contain nothing but messages. */
const WATCH: Record<string, string> = {
	watch: 'Groups or users whose new messages start the workflow',
	userIds: 'Private messages to these users, and messages that mention them',
	groups: 'Messages in these groups',
	users: 'Private messages to these users, and messages that mention them',
	app: 'All messages, including all private conversations',
};

/** 'Watch' and its fields, with the descriptions that apply to lists of messages. */
const messageFields = watchFields.map((field) => ({
	...field,
	description: WATCH[field.name] ?? field.description,
	options: field.options?.map((option) =>
		'value' in option ? { ...option, description: WATCH[String(option.value)] } : option,
	),
	...(field.name === 'userIds' ? { hint: HEARD } : {}),
}));

const outputFields = createOutputFields(['event'], {
	name: 'Single Item',
	description: 'One item with all results of the poll in "data", as CometChat sent them',
});

/** Node properties that the editor shows. */
export const pollingProperties: INodeProperties[] = addRelationHints([
	event,
	...updateDisplayOptions({ show: { event: ['groupJoined'] } }, [joiner]),
	...updateDisplayOptions({ show: { event: ['messageSent'] } }, messageFields),
	...updateDisplayOptions({ hide: { event: ['messageFlagged', 'messageSent'] } }, [filters]),
	...updateDisplayOptions({ hide: { event: ['groupJoined', 'messageFlagged', 'messageSent'] } }, [
		onBehalfOfField,
	]),
	options,
	...outputFields,
	requestOptionsField,
]);
