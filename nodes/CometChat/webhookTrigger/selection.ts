import type { IDataObject } from 'n8n-workflow';

import { areAllPlacesAmongWatchedGroups, includesWatchedUser } from '../sharedByTriggers/watch';
import { allMessagesInDataAudienceReader, listGroupPlacesOrPrivate } from './audience';
import type { Delivery } from './delivery';
import { findEventDefinition, readEventEntitiesOrEmptyList, type EventDefinition } from './events';
import { readWholeDataWithLikelyActor, type EntityWithActor, type Person } from './eventReaders';
import { findAudienceReaderOfEvent, type TriggerParameters } from './parameters';

/** An event that starts the workflow if 'Watch' allows the event. */
export interface EventAllowedApartFromWatch {
	/** Undefined for an event of unknown shape */
	type?: EventDefinition;
	/** Entities whose actors are allowed to start the workflow */
	entities: EntityWithActor[];
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
	const known = readEventEntitiesOrEmptyList(trigger, data, canUserStart);
	// Even an event of unknown shape may name the user who caused the event
	const all = known.length > 0 ? known : readWholeDataWithLikelyActor(data, canUserStart);
	const entities = all.filter(({ by, possibleActors = [] }) =>
		[by, ...possibleActors].every(canUserStart),
	);
	if (entities.length === 0) return undefined;
	return { type: known.length > 0 ? findEventDefinition(trigger) : undefined, entities };
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
export function selectWatchedEntities(
	{ trigger, data }: Delivery,
	{ type, entities }: EventAllowedApartFromWatch,
	message: IDataObject | undefined,
	{ watch }: Pick<TriggerParameters, 'watch'>,
): EntityWithActor[] | undefined {
	const audience = findAudienceReaderOfEvent(trigger, allMessagesInDataAudienceReader);
	if (watch.kind === 'app' || audience === undefined) return entities;
	const content = message === undefined ? data : { message };
	const places = listGroupPlacesOrPrivate(content);
	if (watch.kind === 'groups') {
		const isWatched = !audience.hasPlace || areAllPlacesAmongWatchedGroups(places, watch.ids);
		return isWatched ? entities : isWatched === undefined ? undefined : [];
	}
	// The entity of an event of unknown shape is the whole data, so list the UIDs of all messages in the data
	const { listUids } =
		type === undefined && audience.hasPlace ? allMessagesInDataAudienceReader : audience;
	const concerned = entities.map(({ entity }) =>
		includesWatchedUser(listUids(message ?? entity, content), watch.ids),
	);
	const selected = entities.filter((_entity, index) => concerned[index]);
	const isDoubtful = concerned.includes(undefined) || (audience.hasPlace && isUnknown(places));
	return selected.length === 0 && isDoubtful ? undefined : selected;
}
