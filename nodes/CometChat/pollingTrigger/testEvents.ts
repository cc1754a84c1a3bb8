import { DescribedError } from '../errors/inputError';
import type { Entry, EventName } from './entries';
import type { PollParameters } from './pollParameters';
import { findEntries, type EntrySource } from './search';

/** Maximum number of test events to return. */
const MAX_TEST_EVENTS = 10;

/**
 * Time spans to search for test events, in seconds before now. The search tries the next span until there
 * are enough events. CometChat sorts only by creation time, so the first page doesn't always contain the
 * latest changes.
 */
const TEST_SPANS: Record<EventName, number[]> = {
	groupCreated: [0],
	groupUpdated: [3_600, 86_400, 30 * 86_400, Infinity],
	groupJoined: [Infinity],
	messageFlagged: [Infinity],
};

/**
 * Finds entries for 'Fetch Test Event'.
 *
 * @param now current time in Unix seconds
 * @returns the newest entries that may start the workflow, oldest first
 * @throws DescribedError if no such entries are found
 */
export async function findTestEvents(
	source: EntrySource,
	now: number,
	{ maxItems, canStart }: Pick<PollParameters, 'maxItems' | 'canStart'>,
): Promise<Entry[]> {
	const limit = Math.min(maxItems, MAX_TEST_EVENTS);
	let found: Entry[] = [];
	let selected: Entry[] = [];
	for (const span of TEST_SPANS[source.event]) {
		if (selected.length >= limit) break;
		found = await findEntries(source, Math.max(0, now - span));
		selected = found.filter(canStart);
	}
	if (selected.length > 0) return selected.sort((a, b) => a.at - b.at).slice(-limit);
	if (found.length > 0) {
		throw new DescribedError(
			"The app itself caused every event found, which 'Events Caused by the App Itself' ignores",
			`Create ${source.event === 'groupUpdated' ? 'or change ' : ''}a group as a user, or choose Always Start.`,
		);
	}
	if (source.event === 'messageFlagged') {
		throw new DescribedError(
			'The queue of reported messages is empty',
			'Report a message in your app, or with Moderation → Report Message.',
		);
	}
	throw new DescribedError(
		"No group matches 'Trigger On' and 'Filters' yet",
		"Create a group in CometChat, or change 'Filters'.",
	);
}
