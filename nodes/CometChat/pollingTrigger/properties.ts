import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { createFiltersField } from '../fields/filters';
import { createOptionsCollection } from '../fields/options';
import { createOutputFields } from '../fields/outputFields';
import { requestOptionsField } from '../fields/requestOptions';
import { requiredOnBehalfOfField, onBehalfOfField } from '../fields/onBehalfOf';
import { addLabelToIdValidationMessages } from '../fields/userAndGroup';
import { pollingGroupFilterFields } from '../resources/group/filters';
import { addRelationHintsToFields } from '../request/relations';
import { createEventsCausedByAppField } from '../sharedByTriggers/appEvents';
import { ignoredUsersField } from '../sharedByTriggers/ignoredUsers';
import { watchFields } from '../sharedByTriggers/watchFields';
import type { Field } from '../types';
import {
	listPolledEventNamesWhere,
	POLLED_EVENTS,
	type PolledEventDefinition,
	type PollSource,
} from './polledEvents';

/** Default value of 'Max Items per Poll'. */
export const DEFAULT_MAX_ITEMS_PER_POLL = 10_000;

/** Paths of the lists that polls read. For messages, 'Watch' may select other lists. */
const LIST_URLS: Readonly<Record<PollSource, string>> = {
	groups: '/groups',
	queue: '/moderation/flagged-messages',
	messages: '/messages',
};

/** Options of 'Trigger On'. */
const pollingEventOptions: INodePropertyOptions[] = Object.entries(POLLED_EVENTS).map(
	([value, { label: name, description, source }]) => ({
		...{ name, value, description },
		routing: { request: { url: LIST_URLS[source] } },
	}),
);

/** Expression for the node's subtitle, which shows the event's label. */
export const pollingSubtitle = `={{ (${JSON.stringify(
	Object.fromEntries(pollingEventOptions.map(({ name, value }) => [value, name])),
)})[$parameter.event] }}`;

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: pollingEventOptions,
	default: 'messageFlagged',
	description: 'Event that starts the workflow',
};

const joiningUserField: INodeProperties = {
	...requiredOnBehalfOfField,
	description: 'The workflow starts when this user joins a group',
};

const WATCHED_USERS_HINT =
	"Others' private messages to these users, and others' mentions of them in groups they have joined";

/** 'Filters' for the events from each list. Undefined if polls don't filter the list. */
const FILTERS: Readonly<Record<PollSource, Field | undefined>> = {
	groups: {
		...createFiltersField('group', pollingGroupFilterFields),
		description: 'Groups that start the workflow. All filters must match.',
	},
	queue: undefined,
	messages: undefined,
};

/**
 * Fields from `FILTERS`, each hidden for events from other lists. `show` instead of `hide` would make polls refuse
 * filters that were set before 'Trigger On' was changed.
 */
const filterFields = Object.entries(FILTERS).flatMap(([name, field]) => {
	const hide = { event: listPolledEventNamesWhere(({ source }) => source !== name) };
	return field ? updateDisplayOptions({ hide }, [field]) : [];
});

/** Names of the events that polls find in lists of messages. */
const MESSAGE_EVENTS = listPolledEventNamesWhere(({ source }) => source === 'messages');

/** Creates 'Events Caused by the App Itself', shown only for the events that have this default. */
const createAppEventsOption = (defaultValue: 'safe' | 'always'): INodeProperties[] =>
	updateDisplayOptions(
		{
			show: {
				'/event': listPolledEventNamesWhere(
					({ appEventSettings }) => appEventSettings?.default === defaultValue,
				),
			},
		},
		[createEventsCausedByAppField(defaultValue)],
	);

const optionFields: Field[] = [
	...createAppEventsOption('always'),
	...createAppEventsOption('safe'),
	...updateDisplayOptions({ show: { '/event': MESSAGE_EVENTS } }, [ignoredUsersField]),
	{
		displayName: 'Max Items per Poll',
		name: 'maxItems',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100000 },
		default: DEFAULT_MAX_ITEMS_PER_POLL,
		description: 'Maximum items per poll, up to 100000. Later polls return the rest.',
	},
];

const options: Field = {
	...createOptionsCollection('Actions of the app, and maximum items per poll', optionFields),
	// New nodes show this option, to remind users that a workflow's own messages can start the workflow
	default: { ignoreUsers: [] },
};

/** 'Watch' and its fields, with a hint on 'Users to Watch' about the messages that polls can find. */
const messageWatchFields = watchFields.map((field) =>
	field.name === 'userIds' ? { ...field, hint: WATCHED_USERS_HINT } : field,
);

const outputFields = createOutputFields(['event'], {
	name: 'Single Item',
	description: 'One item with all results of the poll in "data", as CometChat sent them',
});

const needsUser = ({ search }: PolledEventDefinition): boolean => search?.needsUser === true;

/** True if polls don't find the event in the list of groups. */
const isOutsideGroupList = ({ source }: PolledEventDefinition): boolean => source !== 'groups';

/** All of the trigger's parameters, in the editor's order. Also used to read and check their values. */
export const pollingProperties: INodeProperties[] = addRelationHintsToFields([
	event,
	...updateDisplayOptions({ show: { event: listPolledEventNamesWhere(needsUser) } }, [
		joiningUserField,
	]),
	...updateDisplayOptions({ show: { event: MESSAGE_EVENTS } }, messageWatchFields),
	...filterFields,
	...updateDisplayOptions(
		{
			hide: {
				event: listPolledEventNamesWhere((each) => isOutsideGroupList(each) || needsUser(each)),
			},
		},
		[onBehalfOfField],
	),
	options,
	...outputFields,
	requestOptionsField,
]).map(addLabelToIdValidationMessages);
