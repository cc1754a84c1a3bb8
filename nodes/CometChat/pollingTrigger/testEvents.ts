import { DescribedError } from '../errors/describedErrors';
import type { WatchKind } from '../sharedByTriggers/watchFields';
import type { Occurrence } from './occurrences';
import type { PollSource } from './polledEvents';
import type { PollParameters } from './pollParameters';

type TestParameters = Pick<PollParameters, 'event' | 'watchKind' | 'maxItems' | 'canStartWorkflow'>;

/** Maximum number of test events to return. */
const MAX_TEST_EVENTS = 10;

/** Texts of the error if no message is found, by the value of 'Watch'. */
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
 * Functions that return the error's texts if no occurrence may start the workflow, keyed by the event's source.
 */
const NO_OCCURRENCES: Record<
	PollSource,
	(source: TestParameters, found: Occurrence[]) => [message: string, description: string]
> = {
	queue: () => [
		'The queue of reported messages is empty',
		'Report a message in your app, or with Moderation → Report Message.',
	],
	groups: () => [
		"No group matches 'Trigger On' and the other settings yet",
		"Create or change a group as a user, or change 'Filters' or 'Events Caused by the App Itself'.",
	],
	messages: ({ watchKind }, found) =>
		found.length === 0
			? NO_MESSAGES[watchKind]
			: [
					'The newest messages are by the app itself or by ignored users',
					"Send a message as another user, or change 'Ignored User Names or IDs' or 'Events Caused by the App Itself' under Options.",
				],
};

/**
 * Selects occurrences for 'Fetch Test Event'.
 *
 * @param found the newest occurrences
 * @returns the newest occurrences that may start the workflow, at most `maxItems` and `MAX_TEST_EVENTS`, oldest
 * first
 * @throws DescribedError if no such occurrences are found
 */
export function selectTestEventsOrThrow(
	parameters: TestParameters,
	found: Occurrence[],
): Occurrence[] {
	const { event, maxItems, canStartWorkflow } = parameters;
	const selected = found.filter(canStartWorkflow).sort((a, b) => a.at - b.at);
	if (selected.length > 0) return selected.slice(-Math.min(maxItems, MAX_TEST_EVENTS));
	throw new DescribedError(...NO_OCCURRENCES[event.source](parameters, found));
}
