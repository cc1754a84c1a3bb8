/**
 * A browser on a busy machine may be late once, so a test that fails is run again. What went wrong
 * is shown either way, and a test that fails twice has failed.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
