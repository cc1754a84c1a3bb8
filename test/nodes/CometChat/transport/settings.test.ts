import { InputError } from '../../../../nodes/CometChat/transport/input';
import { DEFAULT_MAX_TRIES, DEFAULT_MAX_WAIT } from '../../../../nodes/CometChat/transport/retry';
import { collection, patienceOf, settingsOf } from '../../../../nodes/CometChat/transport/settings';
import { templateOf } from '../context';

describe('patienceOf', () => {
	test.each([[{}], [{ maxTries: '', maxWait: null }], [{ maxTries: undefined }]])(
		'%j leaves the patience that is usual',
		(options) => {
			expect(patienceOf(options)).toEqual({
				maxTries: DEFAULT_MAX_TRIES,
				maxWaitMs: DEFAULT_MAX_WAIT * 1_000,
			});
		},
	);

	test('takes tries as they are and seconds as milliseconds', () => {
		expect(patienceOf({ maxTries: 1, maxWait: 0 })).toEqual({ maxTries: 1, maxWaitMs: 0 });
		expect(patienceOf({ maxTries: '100', maxWait: '86400' })).toEqual({
			maxTries: 100,
			maxWaitMs: 86_400_000,
		});
	});

	test.each([
		[{ maxTries: 0 }, '"Max Tries"'],
		[{ maxTries: 101 }, '"Max Tries"'],
		[{ maxWait: -1 }, '"Max Wait"'],
		[{ maxWait: 86_401 }, '"Max Wait"'],
		[{ maxWait: 'long' }, '"Max Wait"'],
	])('%j is refused', (options, label) => {
		expect(() => patienceOf(options)).toThrow(InputError);
		expect(() => patienceOf(options)).toThrow(label);
	});
});

describe('collection', () => {
	const read = (value: object | string | number | null | undefined) =>
		collection({ getNodeParameter: () => value ?? null }, 'filters', 'Filters');

	test.each([[null], [''], [{}]])('%j has nothing set', (value) => {
		expect(read(value)).toEqual({});
	});

	test('what is set is read as it is', () => {
		expect(read({ tags: ['a'] })).toEqual({ tags: ['a'] });
	});

	test.each([['text'], [5], [[1]]])('%j, from an expression, is refused', (value) => {
		expect(() => read(value)).toThrow('"Filters" must be an object');
	});
});

describe('settingsOf', () => {
	test("keeps n8n's own request options and nothing else", () => {
		const options = {
			timeout: 0,
			proxy: { host: '127.0.0.1', port: 1 },
			skipSslCertificateValidation: true,
			url: '/groups',
			headers: { a: 'b' },
			qs: { c: 'd' },
			body: 'e',
			baseURL: 'https://evil.example',
		};
		expect(settingsOf(templateOf(options))).toEqual({
			timeout: 0,
			proxy: { host: '127.0.0.1', port: 1 },
			skipSslCertificateValidation: true,
		});
	});

	test('has nothing when nothing was set', () => {
		expect(settingsOf(templateOf({ url: '/groups', skipSslCertificateValidation: false }))).toEqual(
			{},
		);
	});
});
