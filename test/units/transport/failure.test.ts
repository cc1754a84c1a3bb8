import {
	ConnectionError,
	toConnectionErrorOrPlainError,
} from '../../../nodes/CometChat/transport/failure';
import { attemptMayHaveWorked, isRetryable } from '../../../nodes/CometChat/transport/retry';

const createError = (message: string, more: object) => Object.assign(new Error(message), more);

const timedOut = createError('connect ETIMEDOUT 203.0.113.1:443', { code: 'ETIMEDOUT' });

test.each<[string, Error, object]>([
	['a timeout while connecting', timedOut, { code: 'ETIMEDOUT', whileConnecting: true }],
	[
		'a timeout of the name lookup',
		createError('getaddrinfo ETIMEDOUT host', { code: 'ETIMEDOUT' }),
		{ code: 'ETIMEDOUT', whileConnecting: true },
	],
	[
		'a timeout after the connection',
		createError('read ETIMEDOUT', { code: 'ETIMEDOUT' }),
		{ code: 'ETIMEDOUT', whileConnecting: false },
	],
	[
		'an error as the cause',
		createError('x', { cause: timedOut }),
		{ message: timedOut.message, whileConnecting: true },
	],
	[
		'the first error of several addresses',
		createError('x', {
			cause: new AggregateError([
				createError('connect ECONNREFUSED ::1:443', { code: 'ECONNREFUSED' }),
				timedOut,
			]),
		}),
		{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:443', whileConnecting: true },
	],
	[
		'a code in place of a status',
		createError('x', { httpCode: 'ECONNRESET', messages: ['slow'] }),
		{ code: 'ECONNRESET', message: 'slow' },
	],
	[
		'an incomplete response',
		createError('x', { httpCode: '200', messages: ['slow'] }),
		{ code: 'ERR_BAD_RESPONSE', message: 'slow' },
	],
	[
		'an error with unusable messages',
		createError('slow', { httpCode: 'EPIPE', messages: [{}] }),
		{ code: 'EPIPE', message: 'slow' },
	],
	[
		'an error without messages',
		createError('slow', { httpCode: 'EPIPE' }),
		{ code: 'EPIPE', message: 'slow' },
	],
])('An error from n8n becomes a ConnectionError with its code: %s', (_, thrown, expected) => {
	expect(toConnectionErrorOrPlainError(thrown)).toMatchObject({
		constructor: ConnectionError,
		...expected,
	});
});

test.each([
	'Proxy connection ended before receiving CONNECT response',
	'No header received from proxy CONNECT response',
	'Invalid header from proxy CONNECT response: "x"',
])('A proxy that opened no connection has sent nothing on: %s', (message) => {
	for (const thrown of [new Error(message), createError('x', { cause: new Error(message) })]) {
		const error = toConnectionErrorOrPlainError(thrown);
		expect(error).toMatchObject({ constructor: ConnectionError, code: 'ERR_PROXY', message });
		expect(attemptMayHaveWorked('POST', error)).toBe(false);
		expect(isRetryable('POST', error, 0)).toBe(true);
	}
});

test('An error of the HTTP client without a code leaves open whether a change was made', () => {
	const cause = createError('Odd', { isAxiosError: true });
	const error = toConnectionErrorOrPlainError(createError('x', { cause }));
	expect(error).toMatchObject({ constructor: ConnectionError, message: 'Odd' });
	expect(attemptMayHaveWorked('POST', error)).toBe(true);
});

test.each([
	new Error('No'),
	createError('No', { httpCode: 'not a code' }),
	{ message: 'No' },
	'No',
])('An error from n8n keeps its message without a known code: %p', (thrown) => {
	expect(toConnectionErrorOrPlainError(thrown)).toMatchObject({
		constructor: Error,
		message: 'No',
	});
});

test('A change was not sent if the network is unreachable, even at several addresses', () => {
	// Node.js and axios throw an error like this after every IP address has failed
	const code = 'ENETUNREACH';
	const all = ['203.0.113.1', '203.0.113.2'].map((address) =>
		createError(`connect ENETUNREACH ${address}:443`, { code }),
	);
	const cause = Object.assign(new AggregateError(all), { code });
	const error = toConnectionErrorOrPlainError(createError('', { code, cause }));
	expect(attemptMayHaveWorked('POST', error)).toBe(false);
});
