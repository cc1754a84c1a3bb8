import { createBrokenJsonError } from '../../../nodes/CometChat/errors/brokenJson';

test.each([
	['{"a": 1, "url": , "b": 2}', 'the error is in line 1, at "url": , "b": 2}'],
	['{\n "a": 1,\n "url":\n}', 'the error is in line 3, at "url": }'],
	['{"name": "He said "hi""}', 'the error is in line 1, at "name": "He said "hi""}'],
	['{"name":\n"He\nsaid"}', 'the error is in line 2, at "name": "He said"}'],
	['{"a": "b\\"", "c": undefined}', 'the error is in line 1, at "c": undefined}'],
	['{"a": "\\\\"b"}', 'the error is in line 1, at "a": "\\\\"b"}'],
	["{'a': 1}", "the error is in line 1, at {'a': 1}"],
	['{"a": 1,}', 'the error is in line 1, at "a": 1,}'],
	['{"a" 1}', 'the error is in line 1, at "a" 1}'],
	['{"a": 1} x', 'the error is in line 1, at "a": 1} x'],
	['[{"url": "x}]', 'the error is in line 1, at "url": "x}]'],
	['["a", , "b"]', 'the error is in line 1, at "a", , "b"]'],
	[`{"a": x${'y'.repeat(100)}`, `the error is in line 1, at "a": x${'y'.repeat(34)}`],
	['{"a": [1, {"b": -2.5e3}], "c": null', 'a bracket is missing or does not match'],
	['{"a": 1]', 'a bracket is missing or does not match'],
])('names what breaks the JSON %j', (text, problem) => {
	const error = createBrokenJsonError('Card', text, 'Enter JSON.');
	expect(error.message).toBe(`'Card' is not valid JSON: ${problem}`);
	expect(error.description).toMatch(/^Enter JSON\. Write an inserted text as /);
});

test.each([
	`{"a": [${'"x\\"", 1.5, {"k": null}, '.repeat(2_500)} ] }`,
	`{"a": "${'\\'.repeat(60_001)}`,
	`{"a": ${' '.repeat(60_000)}${'"'.repeat(1_000)}`,
	`{${'"'.repeat(60_001)}`,
	`{"a": [${'1 '.repeat(30_000)}`,
	`[${'['.repeat(60_000)}`,
])('reads 60,000 characters of broken JSON at once: %.20s', (text) => {
	const measure = () => {
		const start = process.threadCpuUsage();
		createBrokenJsonError('Card', text, '');
		return process.threadCpuUsage(start).user;
	};
	// The shortest time counts, because other processes only add time
	expect(Math.min(measure(), measure(), measure())).toBeLessThan(50_000);
});
