import { findOperation, createRunContext } from '../context';
import { ItemResults } from '../../../../nodes/CometChat/run/itemResults';

test('counts 40,000 users with the same failure without copying the list each time', () => {
	const context = createRunContext({ credentials: {} });
	const reader = { read: () => undefined, parameters: {}, timezone: 'UTC' };
	const results = new ItemResults(findOperation('group', 'addMembers'), {
		index: 0,
		context,
		reader,
	});
	const uids = Array.from({ length: 40_000 }, (_, index) => `user-${index}`);
	results.add(uids.map((entry) => ({ entity: {}, entry, failure: 'No such user' })));
	expect(() => results.getItems()).toThrow('40,000 of 40,000 users could not be added');
}, 2_000);
