import { retryPolicyOf } from '../../../../nodes/CometChat/operation/retryPolicy';

test.each([[{}], [undefined], [null], [{ maxTries: undefined }], [['5']]])(
	'%j leaves the usual policy: six attempts, five minutes',
	(options) => {
		expect(retryPolicyOf(options)).toEqual({ maxAttempts: 6, maxWaitMs: 300_000 });
	},
);

test('attempts are taken as they are, and seconds as milliseconds', () => {
	expect(retryPolicyOf({ maxTries: 1, maxWait: 0 })).toEqual({ maxAttempts: 1, maxWaitMs: 0 });
	expect(retryPolicyOf({ maxTries: 100, maxWait: 86_400 })).toEqual({
		maxAttempts: 100,
		maxWaitMs: 86_400_000,
	});
});
