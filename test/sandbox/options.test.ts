import { readOptions } from '../../tools/sandbox/options';

test('command line options become options of the sandbox', () => {
	const args = ['--groups=500', '--rate-limit=2', '--json'];
	expect(readOptions([...args, '--webhook=http://localhost/', '--webhook-user=hook'])).toEqual({
		help: false,
		json: true,
		quiet: true,
		sandbox: {
			port: 4100,
			groups: 500,
			faults: [{ effect: { window: { requests: 2, ms: 60_000 } } }],
			webhooks: [{ url: 'http://localhost/', username: 'hook' }],
		},
	});
});

test.each([
	['--webhook=http://example.com/', 'url'],
	['--webhook-user=hook', '--webhook is required'],
	['--nothing', "Unknown option '--nothing'"],
	['--port=x', '--port must be a whole number'],
	['--port=65536', '--port must be at most 65535'],
	['--rate-limit=0', '--rate-limit'],
])('%s is refused', (option, text) => {
	expect(() => readOptions([option])).toThrow(text);
});
