import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { appEvents } from '../fields/appEvents';
import { outputFields } from '../fields/outputFields';
import { requestOptions } from '../fields/requestOptions';
import { requiredOnBehalfOf, shownOnBehalfOf } from '../fields/userAndGroup';
import { matchingFilters } from '../resources/group/filters';

/** What one poll returns at most, unless told otherwise. */
export const DEFAULT_MAX_ITEMS = 10_000;

const events: INodePropertyOptions[] = [
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
	{
		name: 'Message Flagged',
		value: 'messageFlagged',
		description:
			'When a user reports a message: once for each report, also of a message that others reported',
	},
];

/** The node's subtitle on the canvas: an expression with the names of the events. */
export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(events.map(({ name, value }) => [value, name])),
)})[$parameter.event] }}`;

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: events,
	default: 'groupCreated',
	description: 'What starts the workflow',
};

const joiner: INodeProperties = {
	...requiredOnBehalfOf,
	description: 'User whose new groups start the workflow',
};

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Which groups start the workflow. A group must match all filters.',
	options: matchingFilters,
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'How much is fetched and returned at a time',
	options: [
		{
			displayName: 'Max Items per Poll',
			name: 'maxGroups',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100000 },
			default: DEFAULT_MAX_ITEMS,
			description:
				'Most groups or reports that start the workflow at once, from 1 to 100000. The rest follows with the next polls.',
		},
		appEvents('always'),
	],
};

/** What the user sets up for the trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		...event,
		options: events.map((each) =>
			each.value === 'messageFlagged'
				? { ...each, routing: { request: { url: '/moderation/flagged-messages' } } }
				: each,
		),
	},
	...updateDisplayOptions({ show: { event: ['groupJoined'] } }, [joiner]),
	...updateDisplayOptions({ hide: { event: ['messageFlagged'] } }, [filters]),
	...updateDisplayOptions({ hide: { event: ['groupJoined', 'messageFlagged'] } }, [
		shownOnBehalfOf,
	]),
	...outputFields({
		name: 'Single Item',
		description: 'One item with all results of the poll, as CometChat sent them, in "data"',
	}),
	options,
	requestOptions,
];
