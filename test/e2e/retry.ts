/**
 * Retries a failed test once, since a browser on a busy machine can be slow. The first failure is
 * logged too.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
