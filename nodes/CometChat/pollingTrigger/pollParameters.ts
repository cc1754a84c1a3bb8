import type { ICredentialDataDecryptedObject, IDataObject, IPollFunctions } from 'n8n-workflow';

import { getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { listSelectableColumnNames } from '../output/columns';
import { createResultConverter } from '../output/shape';
import { createParameterReaderWithoutIndex } from '../request/parameterReader';
import { buildRequestFromParameters } from '../request/request';
import { precompileRoutings } from '../request/routing';
import { toRequestPolicy } from '../request/requestPolicy';
import type { ParameterValues } from '../types';
import type { RequestPolicy } from '../transport/retry';
import type { RestRequest } from '../transport/restTypes';
import { toLowerCaseIdSet, toLowerCaseId } from '../helpers/ids';
import { asObjectOrEmpty, valueToText, getOwnProperty } from '../helpers/json';
import { readWatchSelection } from '../sharedByTriggers/watch';
import type { WatchKind } from '../sharedByTriggers/watchFields';
import { hashValues, type Occurrence } from './occurrences';
import { createWatchedMessageLists, type WatchedMessageList } from './messageLists';
import { POLLED_EVENTS, type EventName, type PolledEventDefinition } from './polledEvents';
import { DEFAULT_MAX_ITEMS_PER_POLL, pollingProperties } from './properties';

/** The trigger's validated parameters. */
export interface PollParameters {
	/** Value of 'Trigger On' */
	eventName: EventName;
	event: PolledEventDefinition;
	/** Request for a single list, e.g. of groups, including the filters and the user to act as */
	request: RestRequest;
	watchKind: WatchKind;
	/** Lists of messages to read for Message Sent */
	lists: WatchedMessageList[];
	/** Values of 'Filters', keyed by field name */
	filters: IDataObject;
	/** Maximum number of occurrences per poll */
	maxItems: number;
	/** True if the options allow the user who caused the occurrence to start the workflow */
	canStartWorkflow: (occurrence: Occurrence) => boolean;
	policy: RequestPolicy;
	/** Converts entities or reports to the JSON of the output items */
	toItems: (data: IDataObject[]) => IDataObject[];
}

/** Lists the columns that 'Fields' offers for the chosen event, or for all events if the event is unknown. */
export function listSelectablePolledColumnNames({ event }: ParameterValues): string[] {
	const chosen = getOwnProperty<PolledEventDefinition>(POLLED_EVENTS, valueToText(event));
	const events = chosen ? [chosen] : Object.values(POLLED_EVENTS);
	return events.flatMap(({ entity }) => listSelectableColumnNames(entity, {}));
}

const POLL_DECLARATION = {
	routing: { request: { method: 'GET', url: '/groups' } },
	fields: pollingProperties,
} as const;

precompileRoutings(POLL_DECLARATION);

/** @throws InputError for an invalid value */
export function readParameters(context: IPollFunctions): PollParameters {
	const { values, request } = buildRequestFromParameters(
		POLL_DECLARATION,
		createParameterReaderWithoutIndex(context),
	);
	const { options, requestOptions, output, fields, onBehalfOf } = values;
	// `buildRequestFromParameters` has checked this value against the options of 'Trigger On'
	const eventName = values.event as EventName;
	const event = POLLED_EVENTS[eventName];
	const isMessage = event.source === 'messages';
	const watch = readWatchSelection(values);
	const {
		maxItems = DEFAULT_MAX_ITEMS_PER_POLL,
		appEvents = event.appEventSettings?.default,
		ignoreUsers,
	} = asObjectOrEmpty(options);
	const ignored = toLowerCaseIdSet(ignoreUsers);
	// A list of the groups that a user joined doesn't name the user. An entity's own `uid` takes precedence.
	const convert = createResultConverter({ output, fields }, event.entity, {
		uid: onBehalfOf as string,
	});
	return {
		eventName,
		event,
		request,
		watchKind: watch.kind,
		lists: isMessage ? createWatchedMessageLists(watch) : [],
		filters: asObjectOrEmpty(values.filters),
		maxItems: Number(maxItems),
		canStartWorkflow: ({ isByApp, data }) =>
			(!isByApp || appEvents === 'always') &&
			!(isMessage && ignored.has(toLowerCaseId(data.sender))),
		policy: toRequestPolicy(requestOptions),
		toItems: (data) =>
			output === 'pages' ? [{ data }] : data.map((received) => convert({ received })),
	};
}

/**
 * Sorts filters and their list entries, so that the order in which the user added them doesn't change the hash.
 */
const sortFilters = (filters: IDataObject): unknown[] =>
	Object.entries(filters)
		.map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value])
		.sort();

/**
 * Hashes the event, filters, user, app and, for messages, the value of 'Watch'. A saved state is valid only
 * while the hash stays the same.
 *
 * @throws Error with a message for the user if the credential contains no valid API address
 */
export function computeFingerprint(
	{ eventName, event, filters, watchKind, request: { headers } }: PollParameters,
	credentials: ICredentialDataDecryptedObject,
): string {
	// UIDs are case-insensitive
	const user = headers?.onBehalfOf?.toLowerCase();
	const parts = [eventName, sortFilters(filters), user, getBaseUrl(credentials)];
	return hashValues(event.source === 'messages' ? [...parts, watchKind] : parts);
}
