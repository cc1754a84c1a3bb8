import type { ICredentialDataDecryptedObject, IDataObject, IPollFunctions } from 'n8n-workflow';

import { getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { listColumns } from '../output/columns';
import { createShape } from '../output/shape';
import { createParameterReader } from '../request/parameterReader';
import { readRequest } from '../request/request';
import { compileOperation } from '../request/routing';
import { readRequestPolicy } from '../request/requestPolicy';
import { columnFromRequest, pickFields } from '../resources/entityParts';
import { groupEntity, groupForUserEntity } from '../resources/group/entity';
import type { WatchKind } from '../fields/watch';
import type { Entity, Values } from '../types';
import { listedMessageEntity } from '../resources/message/entity';
import { reportEntity } from '../resources/moderation/entity';
import type { RequestPolicy } from '../transport/retry';
import type { RestRequest } from '../transport/types';
import { asObject, asText, lookUp } from '../helpers/json';
import { hashValues, type Entry, type EventName } from './entries';
import { getMessageLists, type MessageList } from './messages';
import { DEFAULT_MAX_ITEMS, getDefaultAppEvents, pollingProperties } from './properties';

/** The trigger's validated parameters. */
export interface PollParameters {
	event: EventName;
	/** Request for the list of groups or reports, including the filters and the user to act as */
	request: RestRequest;
	/** Value of 'Watch' */
	watch: WatchKind;
	/** Lists of messages to read for Message Sent */
	lists: MessageList[];
	/** Values of 'Filters', keyed by field name */
	filters: IDataObject;
	/** Maximum number of entries per poll */
	maxItems: number;
	/** True if 'Events Caused by the App Itself' allows the entry to start the workflow */
	canStart: (entry: Entry) => boolean;
	policy: RequestPolicy;
	/** Converts groups or reports to the JSON of the output items */
	toItems: (data: IDataObject[]) => IDataObject[];
}

/** Columns of a joined group that only 'Selected Fields' returns. */
const furtherColumns = pickFields('conversationId', 'hasJoined');

const joinedGroupColumns = Object.fromEntries(
	Object.entries(groupForUserEntity.columns).filter(([name]) => !(name in furtherColumns)),
);

/** Entities that the events are about, with their columns. */
export const POLLED_ENTITIES: Record<EventName, Entity> = {
	messageFlagged: reportEntity,
	messageSent: { ...listedMessageEntity, columns: listedMessageEntity.columnsFor?.({}) ?? {} },
	groupCreated: groupEntity,
	groupUpdated: {
		...groupEntity,
		columns: { ...groupEntity.columns, ...pickFields('updatedAt', 'updatedBy') },
	},
	groupJoined: {
		...groupEntity,
		columns: { ...joinedGroupColumns, uid: columnFromRequest },
		furtherColumns: { ...groupEntity.furtherColumns, ...furtherColumns },
	},
};

/** Lists the columns that 'Fields' offers for the chosen event, or for all events if the event is unknown. */
export function listPolledColumns({ event }: Values): string[] {
	const entity = lookUp(POLLED_ENTITIES, asText(event));
	const entities = entity ? [entity] : Object.values(POLLED_ENTITIES);
	return entities.flatMap((each) => listColumns(each, {}));
}

const DECLARATION = {
	routing: { request: { method: 'GET', url: '/groups' } },
	fields: pollingProperties,
} as const;

compileOperation(DECLARATION);

/** @throws InputError for an invalid value */
export function readParameters(context: IPollFunctions): PollParameters {
	const { values, request } = readRequest(DECLARATION, createParameterReader(context));
	const { event, options, requestOptions, output, fields, onBehalfOf } = values;
	const isMessage = event === 'messageSent';
	const watch = readWatch(values);
	const {
		maxGroups = DEFAULT_MAX_ITEMS,
		appEvents = getDefaultAppEvents(event as EventName),
		ignoreSenders,
	} = asObject(options);
	const ignored = toLowerCaseIds(ignoreSenders);
	const shape = createShape({ output, fields }, POLLED_ENTITIES[event as EventName], {
		uid: onBehalfOf as string,
	});
	return {
		// `readRequest` has checked this value against the options of 'Trigger On'
		event: event as EventName,
		request,
		watch,
		lists: isMessage ? getMessageLists(watch, listWatched(values, watch)) : [],
		filters: asObject(values.filters),
		maxItems: Number(maxGroups),
		canStart: ({ isByApp, data }) =>
			(!isByApp || appEvents === 'always') &&
			!(isMessage && ignored.includes(asText(data.sender).toLowerCase())),
		policy: readRequestPolicy(requestOptions),
		toItems: (data) => (output === 'pages' ? [{ data }] : data.map((sent) => shape({ sent }))),
	};
}

const toLowerCaseIds = (ids: unknown): string[] =>
	[ids ?? []].flat().map((id) => asText(id).toLowerCase());

/** Names of the fields that list the watched groups or users. */
export const WATCHED_FIELDS: Partial<Record<WatchKind, string>> = {
	groups: 'groupIds',
	users: 'userIds',
};

const readWatch = ({ watch }: Values): WatchKind =>
	watch === 'users' || watch === 'app' ? watch : 'groups';

const listWatched = (values: Values, watch: WatchKind): string[] =>
	toLowerCaseIds(values[WATCHED_FIELDS[watch] ?? '']);

/** Puts filters into an order that doesn't depend on how the user added fields and list entries. */
const sortFilters = (filters: IDataObject): unknown[] =>
	Object.entries(filters)
		.map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value])
		.sort();

/** Fingerprints of the current parameters. */
export interface Fingerprints {
	/** Hash without the watched groups or users */
	current: string;
	/** Hash with the watched groups or users, as stored by versions that kept one position for all lists */
	withLists: string;
}

/**
 * Hashes the event, filters, user, app and the kind of messages to watch. A saved state is valid only while the
 * hash stays the same. Earlier versions stored the hash that includes the watched groups or users.
 *
 * @throws Error with a message for the user if the credential contains no API address
 */
export function computeFingerprints(
	{ event, filters, watch, lists, request: { headers } }: PollParameters,
	credentials: ICredentialDataDecryptedObject,
): Fingerprints {
	// UIDs are case-insensitive
	const user = headers?.onBehalfOf?.toLowerCase();
	const parts = [event, sortFilters(filters), user, getBaseUrl(credentials)];
	const watched = lists.map(({ key, request: { path } }) => [path, key]);
	const withLists = hashValues([...parts, watched]);
	return {
		withLists,
		current: event === 'messageSent' ? hashValues([...parts, watch]) : withLists,
	};
}
