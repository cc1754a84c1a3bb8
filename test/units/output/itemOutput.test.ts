import {
	ChangeOutcomesOfItem,
	findOrCreateChangeOutcomesOfRun,
} from '../../../nodes/CometChat/calls/outcomes';
import { createItemOutputOrThrow, type ItemState } from '../../../nodes/CometChat/run/itemOutput';
import { SharedRunState } from '../../../nodes/CometChat/run/run';
import { FailedAttemptsError } from '../../../nodes/CometChat/transport/failure';
import { findOperation, createRunContext } from '../context';

function outputOf(results: ItemState['results']) {
	const context = createRunContext({ credentials: {} });
	const reader = {
		read: () => undefined,
		readSaved: () => undefined,
		isTool: false,
		timezone: 'UTC',
	};
	const item = { index: 0, context, reader };
	const progress = { values: {}, redact: <T>(value: T) => value, results };
	const run = new SharedRunState(findOrCreateChangeOutcomesOfRun({}), undefined);
	return createItemOutputOrThrow(run, findOperation('group', 'addMembers'), item, progress);
}

test('names 10 reasons at most, and counts the users with other reasons', () => {
	// The last two users failed for the same reason
	const results = Array.from({ length: 12 }, (_, index) => ({
		...{ json: {}, entry: `user-${index}` },
		failure: `Reason ${Math.min(index, 10)}`,
	}));
	expect(() => outputOf(results)).toThrow(
		expect.objectContaining({
			description: expect.stringMatching(/Reason 9\. 2 more failed/),
		}),
	);
});

test('counts users who may have been added apart from those who were not', () => {
	const known = { attempts: 1, elapsedMs: 0, mayHaveWorked: true, isRepeatable: false };
	const cut = new FailedAttemptsError({ ...known, error: new Error('Cut') });
	const fail = (...failures: unknown[]) =>
		outputOf(failures.map((failure) => ({ json: {}, entry: 'a', failure })));
	const twice = new FailedAttemptsError({ ...known, error: new Error('Cut') });
	expect(() => fail(cut, twice)).toThrow('2 of 2 users may not have been added');
	expect(() => fail('No such user', cut, twice, undefined)).toThrow(
		'1 of 4 users could not be added, and 2 more may not have been',
	);
});

/** Returns the output of users whose changes failed with these failures, all of them after a doubt. */
const outputAfterDoubt = (...failures: unknown[]) => {
	const outcomes = new ChangeOutcomesOfItem();
	const parts = failures.map((_, index) => `user-${index}`);
	outcomes.recordPossiblyMade(parts);
	return outputOf(
		parts.map((entry, index) => {
			const { failure } = outcomes.recordChangeResult(entry, {
				received: {},
				failure: failures[index],
			});
			return { json: {}, entry, failure };
		}),
	);
};

test('names users who failed for the same reason together, even after a doubt', () => {
	const fail = () =>
		new FailedAttemptsError({
			...{ attempts: 1, elapsedMs: 0, mayHaveWorked: false, isRepeatable: true },
			error: new Error('Cut'),
		});
	expect(() => outputAfterDoubt('No such user', 'No such user', 'Banned')).toThrow(
		expect.objectContaining({
			message: '3 of 3 users may not have been added',
			description: expect.stringMatching(/^user-0 and user-1: No such user\. .*user-2: Banned\./),
		}),
	);
	expect(() => outputAfterDoubt(fail(), fail())).toThrow(
		expect.objectContaining({
			message: '2 of 2 users may not have been added',
			description: expect.stringMatching(/^user-0 and user-1: Cut\./),
		}),
	);
});

test.each([
	['the reason', 'No such user', 'No such user'],
	['the failure', new Error('Cut'), 'Cut'],
])('an error that all users share after a doubt is %s itself', (_, failure, message) => {
	expect(() => outputAfterDoubt(failure, failure)).toThrow(
		expect.objectContaining({
			message,
			description: expect.stringMatching(/^CometChat may have made the change anyway\./),
		}),
	);
});

test('counts 40,000 users with the same failure without copying the list each time', () => {
	const uids = Array.from({ length: 40_000 }, (_, index) => `user-${index}`);
	const results = uids.map((entry) => ({ json: {}, entry, failure: 'No such user' }));
	expect(() => outputOf(results)).toThrow('40,000 of 40,000 users could not be added');
}, 2_000);
