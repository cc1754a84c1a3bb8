import { getOutcomes } from '../../../nodes/CometChat/calls/outcomes';
import { createOutput, type ItemProgress } from '../../../nodes/CometChat/run/itemOutput';
import { Run } from '../../../nodes/CometChat/run/run';
import { SendError } from '../../../nodes/CometChat/transport/failure';
import { findOperation, createRunContext } from '../context';

function outputOf(results: ItemProgress['results']) {
	const context = createRunContext({ credentials: {} });
	const reader = {
		read: () => undefined,
		readSaved: () => undefined,
		isTool: false,
		timezone: 'UTC',
	};
	const item = { index: 0, context, reader };
	const progress = { values: {}, redact: <T>(value: T) => value, results };
	const run = new Run(getOutcomes({}), undefined);
	return createOutput(run, findOperation('group', 'addMembers'), item, progress);
}

test('names 10 reasons at most, and counts the users with other reasons', () => {
	const entries = Array.from({ length: 11 }, (_, index) => `user-${index}`);
	const results = entries.map((entry) => ({ json: {}, entry, failure: `Reason of ${entry}` }));
	expect(() => outputOf(results)).toThrow(
		expect.objectContaining({
			description: expect.stringMatching(/Reason of user-9\. 1 more failed/),
		}),
	);
});

test('counts users who may have been added apart from those who were not', () => {
	const known = { attempts: 1, elapsedMs: 0, mayHaveWorked: true, isRepeatable: false };
	const cut = new SendError({ ...known, error: new Error('Cut') });
	const fail = (...failures: unknown[]) =>
		outputOf(failures.map((failure) => ({ json: {}, entry: 'a', failure })));
	const twice = new SendError({ ...known, error: new Error('Cut') });
	expect(() => fail(cut, twice)).toThrow('2 of 2 users may not have been added');
	expect(() => fail('No such user', cut, twice, undefined)).toThrow(
		'1 of 4 users could not be added, and 2 more may not have been',
	);
});

test('counts 40,000 users with the same failure without copying the list each time', () => {
	const uids = Array.from({ length: 40_000 }, (_, index) => `user-${index}`);
	const results = uids.map((entry) => ({ json: {}, entry, failure: 'No such user' }));
	expect(() => outputOf(results)).toThrow('40,000 of 40,000 users could not be added');
}, 2_000);
