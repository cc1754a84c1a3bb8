import { DescribedError } from '../errors/inputError';
import type { WatchKind } from '../fields/watch';
import type { Entry } from './entries';
import { findNewestMessages } from './findMessages';
import { findEntries, type EntrySource } from './search';

/** Maximum number of test events to return. */
const MAX_TEST_EVENTS = 10;

/** Messages and descriptions of the error if 'Watch' finds no message, by its value. */
const NO_MESSAGES: Record<WatchKind, [message: string, description: string]> = {
	groups: [
		"The groups in 'Groups to Watch' have no messages yet",
		"Send a message to one of these groups as a user, or change 'Groups to Watch' or 'Watch'.",
	],
	users: [
		"The users in 'Users to Watch' have no private messages and no mentions yet",
		"Write to one of these users as another user, or change 'Users to Watch' or 'Watch'.",
	],
	app: ['The app has no messages yet', "Send a message as a user, or change 'Watch'."],
};

/**
 * Finds entries for 'Fetch Test Event'.
 *
 * @param now current time in Unix seconds
 * @returns the newest entries that may start the workflow, oldest first
 * @throws DescribedError if no such entries are found
 */
export async function findTestEvents(source: EntrySource, now: number): Promise<Entry[]> {
	const { event, watch, maxItems, canStart } = source;
	// CometChat sorts groups only by creation time, so only the newest groups are on the first page
	const found =
		event === 'messageSent'
			? await findNewestMessages(source)
			: (await findEntries(source, event === 'groupCreated' ? now : 0)).entries;
	const selected = found.filter(canStart).sort((a, b) => a.at - b.at);
	if (selected.length > 0) return selected.slice(-Math.min(maxItems, MAX_TEST_EVENTS));
	if (event === 'messageFlagged') {
		throw new DescribedError(
			'The queue of reported messages is empty',
			'Report a message in your app, or with Moderation → Report Message.',
		);
	}
	if (event === 'messageSent' && found.length === 0) {
		throw new DescribedError(...NO_MESSAGES[watch]);
	}
	if (event === 'messageSent') {
		throw new DescribedError(
			'The newest messages are by the app itself or by ignored users',
			"Send a message as another user, or change 'Ignored User Names or IDs' or 'Events Caused by the App Itself' under Options.",
		);
	}
	throw new DescribedError(
		"No group matches 'Trigger On' and the other settings yet",
		"Create or change a group as a user, or change 'Filters' or 'Events Caused by the App Itself'.",
	);
}
