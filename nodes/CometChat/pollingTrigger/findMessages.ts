import { WATCH_FIELD_NAMES } from '../sharedByTriggers/watch';
import type { Occurrence } from './occurrences';
import { readMessageState, toSavedMessageState, type SavedMessageState } from './messageState';
import { FIRST_PAGE_RANGE, readLists, type ListRange } from './messages';
import { chooseRange, mergeIntoOccurrences, selectNewMessages } from './newMessages';
import type { Fingerprints } from './pollParameters';
import { AllRefusedError, describeRefusal } from './refusedLists';
import type { PollInput } from './search';

/**
 * Finds the messages since the last poll. A list that no poll has read yet starts afresh: the poll only records
 * which of its messages already exist.
 *
 * @param now the poll's start time in Unix seconds
 * @throws AllRefusedError if CometChat refused all lists, or the errors of `readLists`
 */
export async function findNewMessages(
	input: PollInput,
	fingerprints: Fingerprints,
	saved: unknown,
	now: number,
): Promise<{ occurrences: Occurrence[]; state: SavedMessageState }> {
	const keys = input.lists.map(({ key }) => key);
	const before = readMessageState(saved, fingerprints, keys);
	const read = await readAndWarn(input, (key) => chooseRange(before, key, now), before.refused);
	const { occurrences, state } = selectNewMessages(before, read, input, now);
	return { occurrences, state: toSavedMessageState(state, fingerprints.current) };
}

/** Finds the newest messages, on the first page of each list, oldest first. */
export const findNewestMessages = async (input: PollInput): Promise<Occurrence[]> =>
	mergeIntoOccurrences(input.event, (await readAndWarn(input, () => FIRST_PAGE_RANGE)).read);

/**
 * Reads the lists. Names newly refused lists in n8n's log, because a trigger can't show hints.
 *
 * @param alreadyRefused keys of the lists that CometChat already refused in the last poll
 * @throws AllRefusedError if CometChat refused all lists, or the errors of `readLists`
 */
async function readAndWarn(
	input: PollInput,
	choose: (key: string) => ListRange,
	alreadyRefused: string[] = [],
) {
	const found = await readLists(input, choose);
	if (found.read.length === 0) {
		throw new AllRefusedError(found.refused, WATCH_FIELD_NAMES[input.watchKind]);
	}
	for (const list of found.refused.filter(({ key }) => !alreadyRefused.includes(key))) {
		input.logger.warn(describeRefusal(list));
	}
	return found;
}
