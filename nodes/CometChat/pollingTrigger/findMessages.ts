import { ID_FIELD_NAME_BY_WATCH_KIND } from '../sharedByTriggers/watch';
import type { PollResult, Occurrence } from './occurrences';
import { restoreMessagePollState, serializeMessagePollState } from './messageState';
import type { WatchedMessageList } from './messageLists';
import { fetchMessagesOfWatchedLists, type MessageReadRange } from './messages';
import {
	chooseMessageReadRange,
	toDistinctOccurrences,
	selectNewMessagesAndState,
} from './newMessages';
import { AllListsRefusedError, describeRefusal } from './refusedLists';
import type { PollParametersWithClientFactory } from './search';

/**
 * Finds the messages sent since the last poll. For a list without a saved position, only records the newest message.
 *
 * @param now the poll's start time in Unix seconds
 * @throws AllListsRefusedError if CometChat refused all lists that the poll had time to read, or the errors of
 * `fetchMessagesOfWatchedLists`
 */
export async function findNewMessages(
	input: PollParametersWithClientFactory,
	fingerprint: string,
	saved: unknown,
	now: number,
): Promise<PollResult> {
	const keys = input.lists.map(({ key }) => key);
	const before = restoreMessagePollState(saved, fingerprint, keys);
	// Lists that the last poll had no time to read come first, so that each list gets its turn
	const turns = new Map(before.unread.map((key, index) => [key, index]));
	const turnOf = ({ key }: WatchedMessageList) => turns.get(key) ?? keys.length;
	const lists = input.lists.toSorted((a, b) => turnOf(a) - turnOf(b));
	const choose = (key: string) => chooseMessageReadRange(before, key);
	const found = await readAndWarn({ ...input, lists }, choose, before.refused);
	const { occurrences, state } = selectNewMessagesAndState(before, found, input, now);
	return {
		occurrences,
		state: serializeMessagePollState(state, fingerprint),
		isUnfinished: found.unread.length > 0 || found.read.some((part) => part.isUnfinished),
	};
}

/** Finds the messages on the newest page of each list, sorted oldest first. */
export const findMessagesForTestEvent = async (
	input: PollParametersWithClientFactory,
): Promise<Occurrence[]> =>
	toDistinctOccurrences(input.event, (await readAndWarn(input, () => undefined)).read);

/**
 * Reads the watched lists of messages. Logs the lists that CometChat newly refuses, because a trigger can't show
 * hints.
 *
 * @param alreadyRefused keys of the lists that CometChat already refused in the last poll
 * @throws AllListsRefusedError if CometChat refused all lists that the poll had time to read, or the errors of
 * `fetchMessagesOfWatchedLists`
 */
async function readAndWarn(
	input: PollParametersWithClientFactory,
	choose: (key: string) => MessageReadRange | undefined,
	alreadyRefused: string[] = [],
) {
	const found = await fetchMessagesOfWatchedLists(input, choose);
	if (found.read.length === 0) {
		throw new AllListsRefusedError(found.refused, ID_FIELD_NAME_BY_WATCH_KIND[input.watchKind]);
	}
	for (const list of found.refused.filter(({ key }) => !alreadyRefused.includes(key))) {
		input.logger.warn(describeRefusal(list, input.redact));
	}
	return found;
}
