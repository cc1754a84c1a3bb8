import type { IDataObject } from 'n8n-workflow';

import type { History } from './history';

/** What the model knows of one group. Every occurrence has a number of its own. */
export interface ModelGroup {
	guid: string;
	fits: boolean;
	/** Number of the last change, the creation included; it is also the group's name */
	change: number;
	/** Number of the creation */
	creation: number;
	/** Unix seconds of the join that counts; undefined when the user is not in the group */
	joinedAt?: number;
	/** Whether it fitted the filter all the time since it was created */
	fitsSinceCreation: boolean;
	/** Whether it fitted the filter all the time since it was joined */
	fitsSinceJoin: boolean;
}

/** What was handed over, by GUID: the number or time of the occurrence that came last. */
export type Ledger = Map<string, number>;

/** Which occurrence of a group the event is about; undefined when there is none. */
export function occurrenceOf(event: History['event'], group: ModelGroup): number | undefined {
	if (event === 'groupCreated') return group.creation;
	return event === 'groupUpdated' ? group.change : group.joinedAt;
}

/** The same of an item that the trigger gave. */
export function occurrenceIn(
	event: History['event'],
	json: IDataObject,
	group: ModelGroup,
): number | undefined {
	if (event === 'groupCreated') return group.creation;
	return Number(event === 'groupUpdated' ? json.name : json.joinedAt);
}

/** Whether the trigger has to have given a group by now, once it has been polled to the end. */
export function isDue(
	{ event, isFiltered }: History,
	group: ModelGroup,
	atActivation: Ledger,
): boolean {
	const occurrence = occurrenceOf(event, group);
	if (occurrence === undefined || atActivation.get(group.guid) === occurrence) return false;
	if (!isFiltered) return true;
	if (event === 'groupCreated') return group.fitsSinceCreation;
	return event === 'groupUpdated' ? group.fits : group.fitsSinceJoin && group.fits;
}
