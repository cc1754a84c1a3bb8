import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../errors/describedErrors';
import { toLowerCaseIdOrUndefined, toLowerCaseIdSet, toLowerCaseId } from '../helpers/ids';
import { valueToText, asObjectOrEmpty } from '../helpers/json';
import { APP_USER_UID } from '../transport/restTypes';
import {
	createParameterReaderWithoutIndex,
	type ParameterReader,
} from '../request/parameterReader';
import { buildRequestFromParameters } from '../request/request';
import {
	isCausedByWatchedUser,
	readWatchSelection,
	WHOLE_APP_SELECTION,
	type WatchSelection,
} from '../sharedByTriggers/watch';
import { watchFields, watchedGroupsField } from '../sharedByTriggers/watchFields';
import { allMessagesInDataAudienceReader, type EventAudienceReader } from './audience';
import type { Delivery } from './delivery';
import {
	ALL_EVENTS_VALUE,
	canEventCauseLoop,
	findEventDefinition,
	isReactionEvent,
} from './events';
import { readNestedObjectOrEmpty, type Person } from './eventReaders';
import { parameterFieldsToRead } from './properties';

/** The trigger's validated parameters. IDs are in lower case. */
export interface TriggerParameters {
	output: unknown;
	/** Names of the fields to return if `output` is "fields" */
	fields: unknown;
	/** True if items include the message that a reaction belongs to */
	fetchMessage: boolean;
	/** True if Message Sent also starts the workflow for action messages */
	includeActions: boolean;
	watch: WatchSelection;
	/** True if a chosen event is about a reaction, or if All Events is chosen */
	hasReactions: boolean;
	/** True if 'Trigger On', 'More Events', 'Include Actions' and 'App ID' select the event */
	isChosen: (delivery: Delivery) => boolean;
	/** True if an event caused by this user may start the workflow */
	canUserStart: (trigger: string, user: Person) => boolean;
}

/**
 * Returns the reader of an event's audience. Undefined if the event concerns no group, conversation or user.
 *
 * @param readerIfUnknown reader to return for an unknown event
 */
export function findAudienceReaderOfEvent(
	trigger: string,
	readerIfUnknown: EventAudienceReader,
): EventAudienceReader | undefined {
	const type = findEventDefinition(trigger);
	return type === undefined ? readerIfUnknown : type.audience;
}

/**
 * Reads 'Watch' and its groups or users. Returns `WHOLE_APP_SELECTION` if no chosen event concerns a group, a
 * conversation or a user.
 *
 * @throws InputError if the groups or users are missing or invalid
 */
function readWatchOfEvents(chosen: ReadonlySet<unknown>, reader: ParameterReader): WatchSelection {
	const names = [...chosen].map(valueToText);
	// An unknown event and 'All Events' can concern messages, so 'Watch' is read for them
	const audiences = names.map((name) =>
		findAudienceReaderOfEvent(name, allMessagesInDataAudienceReader),
	);
	if (audiences.every((audience) => audience === undefined)) return WHOLE_APP_SELECTION;
	const needsGroups = audiences.some((audience) => audience?.hasPlace);
	const fields = watchFields.filter((field) => needsGroups || field !== watchedGroupsField);
	return readWatchSelection(buildRequestFromParameters({ fields }, reader).values);
}

/** Fields that are always read. The chosen events determine which fields of 'Watch' are also read. */
const alwaysReadFields = parameterFieldsToRead.filter((field) => !watchFields.includes(field));

/** @throws InputError for an invalid value */
export function readParameters(context: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const reader = createParameterReaderWithoutIndex(context);
	const { values } = buildRequestFromParameters({ fields: alwaysReadFields }, reader);
	const { events, appEvents, output, fields } = values;
	const options = asObjectOrEmpty(values.options);
	const chosen = new Set([events ?? [], options.moreEvents ?? []].flat());
	if (chosen.size === 0) {
		throw new InputError(
			'Trigger On',
			'is empty',
			'Choose an event there, or under Options → More Events.',
		);
	}
	const watch = readWatchOfEvents(chosen, reader);
	const ignored = toLowerCaseIdSet(options.ignoreUsers);
	const only = toLowerCaseIdSet(options.onlySenders);
	const appId = toLowerCaseId(options.appId);
	const canAppStart = (trigger: string) =>
		appEvents === 'always' || (appEvents === 'safe' && !canEventCauseLoop(trigger));
	const isOwnAction = (trigger: string, uid: string) =>
		isCausedByWatchedUser(watch, uid) && !findEventDefinition(trigger)?.audience?.allowsOwnAction;
	return {
		output,
		fields,
		watch,
		fetchMessage: options.fetchMessage === true,
		includeActions: options.includeActions === true,
		hasReactions: chosen.has(ALL_EVENTS_VALUE) || [...chosen].some(isReactionEvent),
		isChosen: (delivery) =>
			(chosen.has(ALL_EVENTS_VALUE) || chosen.has(delivery.trigger)) &&
			(options.includeActions === true || !isActionNote(delivery)) &&
			(appId === '' || appId === toLowerCaseIdOrUndefined(delivery.appId)),
		canUserStart: (trigger, user) => {
			const uid = toLowerCaseIdOrUndefined(user.uid);
			if (uid === undefined) return only.size === 0;
			if (ignored.has(uid) || isOwnAction(trigger, uid)) return false;
			return (only.size === 0 || only.has(uid)) && (uid !== APP_USER_UID || canAppStart(trigger));
		},
	};
}

/**
 * True if an event is an action message such as "Mira joined", which CometChat delivers like a user's
 * message.
 */
function isActionNote({ trigger, data }: Delivery): boolean {
	return (
		trigger === 'message_sent' && readNestedObjectOrEmpty(data, 'message').category === 'action'
	);
}
