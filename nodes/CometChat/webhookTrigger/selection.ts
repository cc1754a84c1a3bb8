import type { IDataObject } from 'n8n-workflow';

import { areAllPlacesWatchedGroups, includesWatchedUser } from '../sharedByTriggers/watch';
import { allMessagesInDataAudienceReader, listGroupPlacesOrPrivate } from './audience';
import type { Delivery } from './delivery';
import { findEventDefinition, readEventSubjectsOrEmptyList, type EventDefinition } from './events';
import {
	readSubjectsOfUnknownShapeEvent,
	type SubjectWithActor,
	type Person,
} from './eventReaders';
import { findAudienceReaderOfEvent, type TriggerParameters } from './parameters';

/** An event that starts the workflow if 'Watch' allows the event. */
export interface EventAllowedApartFromWatch {
	/** Undefined for an event of unknown shape */
	type?: EventDefinition;
	/** Entities whose actors are allowed to start the workflow */
	subjects: SubjectWithActor[];
}

/**
 * Reads the event from a delivery, and checks the event against all settings except 'Watch'.
 *
 * @returns undefined if these settings don't allow the delivery to start the workflow
 */
export function readEventIfAllowedApartFromWatch(
	delivery: Delivery,
	parameters: TriggerParameters,
): EventAllowedApartFromWatch | undefined {
	const { trigger, data } = delivery;
	if (!parameters.isChosen(delivery)) return undefined;
	const canUserStart = (user: Person) => parameters.canUserStart(trigger, user);
	const known = readEventSubjectsOrEmptyList(trigger, data, canUserStart);
	// Even an event of unknown shape may name the user who caused the event
	const all = known.length > 0 ? known : readSubjectsOfUnknownShapeEvent(data, canUserStart);
	const subjects = all.filter(({ by, possibleActors = [] }) =>
		[by, ...possibleActors].every(canUserStart),
	);
	if (subjects.length === 0) return undefined;
	return { type: known.length > 0 ? findEventDefinition(trigger) : undefined, subjects };
}

const isUnknown = (places: ReturnType<typeof listGroupPlacesOrPrivate>): boolean =>
	places.length === 0 || places.includes(undefined);

/**
 * Selects the entities that 'Watch' allows to start the workflow.
 *
 * @param message the message that a reaction belongs to, or an empty object if the message couldn't be fetched;
 * undefined for other events
 * @returns undefined if no entity is selected, possibly because the data doesn't name the event's place or the users
 * concerned
 */
export function selectWatchedSubjects(
	{ trigger, data }: Delivery,
	{ type, subjects }: EventAllowedApartFromWatch,
	message: IDataObject | undefined,
	{ watch }: Pick<TriggerParameters, 'watch'>,
): SubjectWithActor[] | undefined {
	const audience = findAudienceReaderOfEvent(trigger, allMessagesInDataAudienceReader);
	if (watch.kind === 'app' || audience === undefined) return subjects;
	const content = message === undefined ? data : { message };
	const places = listGroupPlacesOrPrivate(content);
	if (watch.kind === 'groups') {
		const isWatched = !audience.hasPlace || areAllPlacesWatchedGroups(places, watch.ids);
		return isWatched ? subjects : isWatched === undefined ? undefined : [];
	}
	// The subject of an event of unknown shape is the whole data, so list the UIDs of all messages in the data
	const { listUids } =
		type === undefined && audience.hasPlace ? allMessagesInDataAudienceReader : audience;
	const concerned = subjects.map(({ subject }) =>
		includesWatchedUser(listUids(message ?? subject, content), watch.ids),
	);
	const selected = subjects.filter((_subject, index) => concerned[index]);
	const isDoubtful = concerned.includes(undefined) || (audience.hasPlace && isUnknown(places));
	return selected.length === 0 && isDoubtful ? undefined : selected;
}
