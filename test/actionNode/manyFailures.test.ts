import * as nodeError from '../../nodes/CometChat/errors/nodeError';
import { CONTINUE, group, jsonOf, useSandbox } from './harness';
import { json, withRecorder } from './recorder';

useSandbox();

afterEach(() => jest.restoreAllMocks());

test.each([504, 500, 403])(
	'Add Members explains each failure once, although all entries of a batch share it: %i',
	async (status) => {
		const explain = jest.spyOn(nodeError, 'toNodeError');
		const uids = Array.from({ length: 200 }, (_, index) => `user-${index}`);
		const batches = uids.length / 25;
		await withRecorder(
			(response) => json(response, status, { error: { code: 'ERR', message: 'x'.repeat(9_000) } }),
			async (recorder) => {
				const add = group('addMembers', {
					...{ groupId: 'lunch', uids, requestOptions: { maxTries: 1 } },
				});
				const rows = await jsonOf(recorder, add, CONTINUE);
				expect(rows.filter(({ reason }) => reason)).toHaveLength(uids.length);
			},
		);
		expect(explain.mock.calls.length).toBeLessThanOrEqual(batches);
	},
);
