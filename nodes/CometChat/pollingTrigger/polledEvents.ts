import type { IDataObject } from 'n8n-workflow';

import { readNothingFromEntity, createColumnsNamedAsFields } from '../resources/entityParts';
import { groupEntity, groupWithOnBehalfOfColumnsEntity } from '../resources/group/entity';
import { listedMessageEntity } from '../resources/message/entity';
import { reportEntity } from '../resources/moderation/entity';
import { APP_USER_UID } from '../transport/restTypes';
import type { EntityDefinition } from '../types';

/** Values of the 'Trigger On' parameter. */
export type EventName =
	'messageFlagged' | 'messageSent' | 'groupCreated' | 'groupJoined' | 'groupUpdated';

/**
 * CometChat's list in which polls look for an event:
 *
 * - `groups`: the list of groups that match 'Filters'
 * - `queue`: the moderation queue, whose messages contain the reports
 * - `messages`: the lists of messages that 'Watch' selects
 */
export type PollSource = 'groups' | 'queue' | 'messages';

/** Sources that need no `EventSearchInPagedList`, because polls search them in the same way for all events. */
type SourceWithoutSearch = 'queue' | 'messages';

/** Describes a poll's search for an event in a paged list, such as the list of groups. */
export interface EventSearchInPagedList {
	/**
	 * Builds a query whose results include all entities with the event since `start` (Unix seconds). The user's
	 * filters are added to the query, except in the first poll without `comparedFields`.
	 */
	buildQuery: (start: number) => IDataObject;
	/**
	 * Part of the list that a poll reads:
	 *
	 * - `all`: the whole list
	 * - `created`: the entities created since `start`. Only for a list that certainly has the newest first
	 * - `changed`: the entities changed since `start`, because the query excludes all others
	 */
	partToRead: 'all' | 'created' | 'changed';
	/**
	 * Names of an entity's own fields that are compared with its previous version:
	 *
	 * - A second change within the same second counts as new only if one of these fields differs.
	 * - A change by the app that leaves these fields unchanged is ignored.
	 *
	 * If set, the first poll applies the filters, so an entity that starts to match them later also starts the workflow.
	 * Undefined if the time alone tells an entity's events apart. A field that contains an object differs
	 * if any value in the object differs.
	 */
	comparedFields: string[] | undefined;
	/**
	 * True if the event is about the user in 'On Behalf Of', which is then a required field with the description in
	 * `joiningUserField`
	 */
	needsUser?: boolean;
}

/** Properties of events from all sources. */
interface PolledEventDefinitionBase {
	/** Label in the menu of 'Trigger On' */
	label: string;
	/** Description in the menu of 'Trigger On' */
	description: string;
	/** Name of the field that contains the event's time */
	timeField: string;
	/** Entity that the event is about. Has no `columnsFor`, which reads the parameters of an operation. */
	entity: EntityDefinition;
	/**
	 * Settings for 'Events Caused by the App Itself'. Undefined if only users can cause the event, or if CometChat
	 * doesn't report who caused the event.
	 */
	appEventSettings?: {
		/** "safe" ignores events caused by the app, e.g. for messages, where a workflow that replies would trigger itself */
		default: 'safe' | 'always';
		isByApp: (data: IDataObject) => boolean;
	};
}

/** An event that polls can find. */
export type PolledEventDefinition = PolledEventDefinitionBase &
	(
		| { source: Exclude<PollSource, SourceWithoutSearch>; search: EventSearchInPagedList }
		| { source: SourceWithoutSearch; search?: undefined }
	);

/** Columns of a joined group that only 'Selected Fields' returns. */
const joinedGroupSelectedOnlyColumns = createColumnsNamedAsFields('conversationId', 'hasJoined');

const joinedGroupColumns = Object.fromEntries(
	Object.entries(groupWithOnBehalfOfColumnsEntity.columns).filter(
		([name]) => !(name in joinedGroupSelectedOnlyColumns),
	),
);

/** All events, in menu order. n8n's node panel lists each event. */
export const POLLED_EVENTS: Readonly<Record<EventName, PolledEventDefinition>> = {
	messageFlagged: {
		label: 'Message Reported',
		description: 'When a user reports (flags) a message, once per report',
		source: 'queue',
		timeField: 'flaggedAt',
		entity: reportEntity,
	},
	messageSent: {
		label: 'Message Sent',
		description: 'When a message is sent',
		source: 'messages',
		timeField: 'sentAt',
		entity: {
			...listedMessageEntity,
			columns: listedMessageEntity.columnsFor?.({}) ?? {},
			columnsFor: undefined,
		},
		appEventSettings: { default: 'safe', isByApp: ({ sender }) => sender === APP_USER_UID },
	},
	groupCreated: {
		label: 'Group Created',
		description: 'When a group is created',
		source: 'groups',
		// Doesn't filter by `updatedAt`, which a new group may not have (open question 13 in docs/status.md)
		search: { buildQuery: () => ({}), partToRead: 'created', comparedFields: undefined },
		timeField: 'createdAt',
		entity: groupEntity,
		// CometChat doesn't name a group's creator, so the app counts as the creator of the groups that the app owns
		appEventSettings: { default: 'always', isByApp: ({ owner }) => owner === APP_USER_UID },
	},
	groupJoined: {
		label: 'Group Joined',
		description: 'When the user in On Behalf Of joins a group',
		source: 'groups',
		// Doesn't filter by `updatedAt`, which may not change when a user joins
		search: {
			buildQuery: () => ({ hasJoined: true }),
			partToRead: 'all',
			comparedFields: undefined,
			needsUser: true,
		},
		timeField: 'joinedAt',
		entity: {
			...groupEntity,
			columns: { ...joinedGroupColumns, uid: readNothingFromEntity },
			selectedOnlyColumns: {
				...groupEntity.selectedOnlyColumns,
				...joinedGroupSelectedOnlyColumns,
			},
		},
	},
	groupUpdated: {
		label: 'Group Updated',
		description: 'When a group is created or changed',
		source: 'groups',
		search: {
			// Starts one second early, in case CometChat excludes the exact second (open question 13 in docs/status.md)
			buildQuery: (start) => (start > 1 ? { updatedAt: start - 1, affix: 'append' } : {}),
			partToRead: 'changed',
			// Excludes counters, and fields that depend on the requesting user
			comparedFields: ['name', 'description', 'icon', 'type', 'owner', 'tags', 'metadata'],
		},
		timeField: 'updatedAt',
		entity: {
			...groupEntity,
			columns: { ...groupEntity.columns, ...createColumnsNamedAsFields('updatedAt', 'updatedBy') },
		},
		appEventSettings: {
			default: 'always',
			isByApp: ({ owner, updatedBy }) => (updatedBy ?? owner) === APP_USER_UID,
		},
	},
};

/** Lists the names of the events for which `applies` returns true, sorted alphabetically. */
export const listPolledEventNamesWhere = (
	applies: (event: PolledEventDefinition) => boolean,
): string[] =>
	Object.entries(POLLED_EVENTS)
		.filter(([, event]) => applies(event))
		.map(([name]) => name)
		.sort();
