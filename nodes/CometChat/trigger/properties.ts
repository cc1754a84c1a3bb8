import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { matchingFilters } from '../resources/group/filters';
import { outputFields } from '../fields/output';
import { retryOptions } from '../fields/retryOptions';
import { onBehalfOf } from '../fields/userAndGroup';
import { group } from '../resources/group/entity';

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Group Created',
			value: 'groupCreated',
			description: 'A group is new',
		},
		{
			name: 'Group Joined',
			value: 'groupJoined',
			description: 'The user in On Behalf Of joined a group',
		},
		{
			name: 'Group Updated',
			value: 'groupUpdated',
			description: 'A group is new or was changed',
		},
	],
	default: 'groupCreated',
	description: 'What starts the workflow',
};

const joiner: INodeProperties = {
	...onBehalfOf,
	required: true,
	description: 'UID of the user who joins, at most 100 characters',
};

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Which groups start the workflow; all filters that are set must fit',
	options: matchingFilters,
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'How groups are fetched and handed over',
	options: [
		{
			displayName: 'Max Groups per Poll',
			name: 'maxGroups',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100000 },
			default: 10000,
			description:
				'How many groups one execution gets at most, from 1 to 100000, the oldest first. The rest comes with the next polls.',
		},
		...retryOptions,
	],
};

/** What the user sets up for the trigger. */
export const triggerProperties: INodeProperties[] = [
	event,
	...updateDisplayOptions({ show: { event: ['groupJoined'] } }, [joiner]),
	...updateDisplayOptions({ hide: { event: ['groupJoined'] } }, [onBehalfOf]),
	...outputFields(group, 'guid', 'One item with all groups that the poll brings, in "data"'),
	filters,
	options,
];
