import { DescribedError } from '../errors/inputError';
import type { Entry } from './entries';
import { findEntries, findNewestMessages, type EntrySource } from './search';

/** Maximum number of test events to return. */
const MAX_TEST_EVENTS = 10;

/**
 * Finds entries for 'Fetch Test Event'.
 *
 * @param now current time in Unix seconds
 * @returns the newest entries that may start the workflow, oldest first
 * @throws DescribedError if no such entries are found
 */
export async function findTestEvents(source: EntrySource, now: number): Promise<Entry[]> {
	const { event, maxItems, canStart } = source;
	// CometChat sorts groups only by creation time, so only the newest groups are on the first page
	const found =
		event === 'messageSent'
			? await findNewestMessages(source)
			: await findEntries(source, event === 'groupCreated' ? now : 0);
	const selected = found.entries.filter(canStart).sort((a, b) => a.at - b.at);
	if (selected.length > 0) return selected.slice(-Math.min(maxItems, MAX_TEST_EVENTS));
	if (event === 'messageFlagged') {
		throw new DescribedError(
			'The queue of reported messages is empty',
			'Report a message in your app, or with Moderation → Report Message.',
		);
	}
	if (event === 'messageSent') {
		throw new DescribedError(
			"No message matches 'Watch' and the other settings yet",
			"Send a message as a user, or change 'Watch' or 'Events Caused by the App Itself'.",
		);
	}
	throw new DescribedError(
		"No group matches 'Trigger On' and the other settings yet",
		"Create or change a group as a user, or change 'Filters' or 'Events Caused by the App Itself'.",
	);
}
