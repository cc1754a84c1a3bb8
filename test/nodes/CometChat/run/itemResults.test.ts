import { findOperation, createRunContext } from '../context';
import { ItemResults } from '../../../../nodes/CometChat/run/itemResults';

function createResults() {
	const context = createRunContext({ credentials: {} });
	const reader = { read: () => undefined, parameters: {}, timezone: 'UTC' };
	return new ItemResults(findOperation('group', 'addMembers'), { index: 0, context, reader });
}

test('names 10 reasons at most, and counts the users with other reasons', () => {
	const results = createResults();
	const entries = Array.from({ length: 12 }, (_, index) => `user-${index}`);
	results.add(entries.map((entry) => ({ entity: {}, entry, failure: `Reason of ${entry}` })));
	expect(() => results.getItems()).toThrow(
		expect.objectContaining({
			description: expect.stringMatching(/Reason of user-9\. 2 more failed/),
		}),
	);
});

test('counts 40,000 users with the same failure without copying the list each time', () => {
	const results = createResults();
	const uids = Array.from({ length: 40_000 }, (_, index) => `user-${index}`);
	results.add(uids.map((entry) => ({ entity: {}, entry, failure: 'No such user' })));
	expect(() => results.getItems()).toThrow('40,000 of 40,000 users could not be added');
}, 2_000);
