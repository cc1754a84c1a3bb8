import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { outputFields } from '../fields/output';
import { retryOptions } from '../fields/retryOptions';
import { onBehalfOf, requiredOnBehalfOf } from '../fields/userAndGroup';
import { group } from '../resources/group/entity';
import { matchingFilters } from '../resources/group/filters';

/** Groups that one poll returns at most, unless told otherwise. */
export const DEFAULT_MAX_GROUPS = 10_000;

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
	description: 'How groups are fetched and returned',
	options: [
		{
			displayName: 'Max Groups per Poll',
			name: 'maxGroups',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100000 },
			default: DEFAULT_MAX_GROUPS,
			description:
				'Most groups that start the workflow at once, from 1 to 100000. The rest follows with the next polls.',
		},
		...retryOptions,
	],
};

/** What the user sets up for the trigger. */
export const triggerProperties: INodeProperties[] = [
	event,
	...updateDisplayOptions({ show: { event: ['groupJoined'] } }, [joiner]),
	filters,
	...updateDisplayOptions({ hide: { event: ['groupJoined'] } }, [onBehalfOf]),
	...outputFields(
		group,
		'One item with all groups of the poll, as CometChat sent them, in "data"',
		'Single Item',
	),
	options,
];
