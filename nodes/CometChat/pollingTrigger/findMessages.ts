import { ID_FIELD_NAME_BY_WATCH_KIND } from '../sharedByTriggers/watch';
import type { PollResult, Occurrence } from './occurrences';
import { restoreMessagePollState, serializeMessagePollState } from './messageState';
import type { MessageListDefinition } from './messageLists';
import { readWatchedMessageLists, type SearchStartPoints } from './messages';
import {
	chooseSearchStartPoints,
	toDistinctOccurrences,
	selectNewMessagesAndState,
} from './newMessages';
import { AllListsRefusedError, describeRefusal } from './refusedLists';
import type { PollParametersWithClient } from './search';

/**
 * Finds the messages sent since the last poll. For a list without a saved position, only records the newest message.
 *
 * @param now the poll's start time in Unix seconds
 * @throws AllListsRefusedError if CometChat refused all lists that the poll had time to read, or the errors of
 * `readWatchedMessageLists`
 */
export async function findNewMessages(
	input: PollParametersWithClient,
	fingerprint: string,
	saved: unknown,
	now: number,
): Promise<PollResult> {
	const keys = input.lists.map(({ key }) => key);
	const before = restoreMessagePollState(saved, fingerprint, keys);
	// Lists that the last poll had no time to read come first, so that each list gets its turn
	const turns = new Map(before.unread.map((key, index) => [key, index]));
	const turnOf = ({ key }: MessageListDefinition) => turns.get(key) ?? keys.length;
	const lists = input.lists.toSorted((a, b) => turnOf(a) - turnOf(b));
	const choose = (key: string) => chooseSearchStartPoints(before, key);
	const found = await readAndWarn({ ...input, lists }, choose, before.refused);
	const { occurrences, state } = selectNewMessagesAndState(before, found, input, now);
	return {
		occurrences,
		state: serializeMessagePollState(state, fingerprint),
		isUnfinished: found.unread.length > 0 || found.read.some((part) => part.isUnfinished),
	};
}

/** Finds the messages on the newest page of each list, sorted oldest first. */
export const findNewestMessages = async (input: PollParametersWithClient): Promise<Occurrence[]> =>
	toDistinctOccurrences(input.event, (await readAndWarn(input, () => undefined)).read);

/**
 * Reads the watched lists of messages. Logs the lists that CometChat newly refuses, because a trigger can't show
 * hints.
 *
 * @param alreadyRefused keys of the lists that CometChat already refused in the last poll
 * @throws AllListsRefusedError if CometChat refused all lists that the poll had time to read, or the errors of
 * `readWatchedMessageLists`
 */
async function readAndWarn(
	input: PollParametersWithClient,
	choose: (key: string) => SearchStartPoints | undefined,
	alreadyRefused: string[] = [],
) {
	const found = await readWatchedMessageLists(input, choose);
	if (found.read.length === 0) {
		throw new AllListsRefusedError(found.refused, ID_FIELD_NAME_BY_WATCH_KIND[input.watchKind]);
	}
	for (const list of found.refused.filter(({ key }) => !alreadyRefused.includes(key))) {
		input.logger.warn(describeRefusal(list, input.redact));
	}
	return found;
}
