import { selectNewSingleListEventsAndState } from '../../nodes/CometChat/pollingTrigger/newSingleListEvents';
import { toOccurrence } from '../../nodes/CometChat/pollingTrigger/occurrences';
import { POLLED_EVENTS } from '../../nodes/CometChat/pollingTrigger/polledEvents';

const NOW = 1_000_000;

const event = POLLED_EVENTS.groupUpdated;

test('a change of a group that was once dated in the future starts the workflow', () => {
	const group = { guid: 'makers', createdAt: 5 };
	const future = { ...group, updatedAt: NOW + 9_000, name: 'Before' };
	const { id, at, version } = toOccurrence(event, 'makers', future, 0);
	const changed = { ...group, updatedAt: NOW - 10, name: 'After' };
	const found = toOccurrence(event, 'makers', changed, 0);
	const { occurrences } = selectNewSingleListEventsAndState(
		{ fingerprint: '', lastSeenAt: NOW - 60, handled: [[id, at, version]] },
		{ occurrences: [found], mayLackOccurrences: false },
		{ maxItems: 9, canStartWorkflow: () => true },
		NOW,
	);
	expect(occurrences).toEqual([found]);
});

test('a changed group without the time of its change is dated at the start of the search', () => {
	const group = { guid: 'makers', createdAt: 5 };
	expect(toOccurrence(event, 'makers', group, 900).at).toBe(900);
});
