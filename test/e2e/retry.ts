/**
 * Retries a failed test once, because browsers can be slow on a busy machine. Jest also logs the first
 * failure.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
