import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { groupQuery } from '../resources/group/query';
import { InputError, toInteger, toUid } from '../transport/input';
import { GROUP_COLUMNS, shapeOf } from '../transport/output';
import { MAX_ITEMS } from '../transport/pages';
import { collection } from '../transport/settings';
import type { EventName, Occurrence } from './events';

/** Groups that one poll hands over at most, unless told otherwise. */
export const DEFAULT_MAX_GROUPS = 10_000;

const EVENTS: EventName[] = ['groupCreated', 'groupUpdated', 'groupJoined'];

/** The trigger's parameters, checked. */
export interface Settings {
	event: EventName;
	filters: IDataObject;
	onBehalfOf?: string;
	/** Most groups that one poll hands over */
	most: number;
	toItems: (occurrences: Occurrence[]) => INodeExecutionData[];
}

function eventOf(value: unknown): EventName {
	const event = EVENTS.find((name) => name === value);
	if (event === undefined) {
		throw new InputError('Event', `must be one of ${EVENTS.join(', ')}`);
	}
	return event;
}

/** @throws InputError for anything that must not be sent */
export function readSettings(context: IPollFunctions): Settings {
	const event = eventOf(context.getNodeParameter('event'));
	const onBehalfOf = toUid('On Behalf Of', context.getNodeParameter('onBehalfOf', ''));
	if (event === 'groupJoined' && onBehalfOf === undefined) {
		throw new InputError(
			'On Behalf Of',
			'is empty, but "Group Joined" needs it',
			'Fill in the UID of the user who joins.',
		);
	}
	const { maxGroups = DEFAULT_MAX_GROUPS } = collection(context, 'options', 'Options');
	return {
		event,
		onBehalfOf,
		filters: groupQuery(collection(context, 'filters', 'Filters'), context.getTimezone()),
		most: toInteger('Max Groups per Poll', maxGroups, 1, MAX_ITEMS),
		toItems: itemsOf(
			context.getNodeParameter('output', 'raw'),
			context.getNodeParameter('fields', []),
		),
	};
}

function itemsOf(output: unknown, fields: unknown): Settings['toItems'] {
	if (output === 'pages') {
		return (occurrences) => [
			{
				json: { data: occurrences.map(({ group }) => group), meta: { count: occurrences.length } },
			},
		];
	}
	const shape = shapeOf(output, fields, GROUP_COLUMNS);
	return (occurrences) => occurrences.map(({ group }) => ({ json: shape(group) }));
}
