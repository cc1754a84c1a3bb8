import {
	adviseJsonTemplate,
	appendToExpression,
	rewriteExpression,
} from '../../../nodes/CometChat/errors/expressions';

test.each([
	['={{ $json.names }}', '{{ $json.names.join() }}'],
	['={{$json.user?.names[0]["a b"]}} ', '{{ $json.user?.names[0]["a b"].join() }}'],
	[`={{ $('Form').item.json.names }}`, `{{ $('Form').item.json.names.join() }}`],
	['={{ $json.a ?? [] }}', '{{ ($json.a ?? []).join() }}'],
	['={{ [1, 2] }}', '{{ ([1, 2]).join() }}'],
	['={{ $json.a }}{{ $json.b }}', undefined],
	['=To {{ $json.a }}', undefined],
	['=plain', undefined],
])('adds a method call to %s: %s', (saved, expected) => {
	expect(appendToExpression(saved, '.join()')).toBe(expected);
});

test.each([
	['={{ $json.a }}', '{{ [$json.a] }}'],
	['= {{ $json.a }}\n', '{{ [$json.a] }}'],
	['=x y{{ $json.a }} {{ b }}z', 'X Y{{ <$json.a> }} {{ <b> }}Z'],
	['=plain', undefined],
	['=', undefined],
])('rewrites the parts of %j: %j', (saved, expected) => {
	const toCode = (code: string, isWhole: boolean) => (isWhole ? `[${code}]` : `<${code}>`);
	expect(rewriteExpression(saved, (text) => text.toUpperCase(), toCode)).toBe(expected);
});

const WHY = 'A value with quotes or line breaks breaks the JSON. Write ';

test.each([
	['={ "a": "{{ $json.q }}" }', '{{ JSON.stringify($json.q) }} in place of "{{ $json.q }}".'],
	['={"a": {{ $json.q }}}', '{{ JSON.stringify($json.q) }} in place of {{ $json.q }}.'],
	[
		'={"a": "To {{ $json["q"] }}, `${x}`", "b": "c\\"d"}',
		'{{ JSON.stringify(`To ${$json["q"]}, \\`\\${x}\\``) }} in place of "To {{ $json["q"] }}, `${x}`".',
	],
	[
		'={"a": "{{ 1 }}", "{{ 2 }}": {{ JSON.stringify(0) }}, "b": ["{{ 3 }}", "{{ 4 }}"]}',
		'{{ JSON.stringify(1) }} in place of "{{ 1 }}", {{ JSON.stringify(2) }} in place of "{{ 2 }}", {{ JSON.stringify(3) }} in place of "{{ 3 }}", and so on.',
	],
])('advises how to insert values into the JSON template %s', (saved, advice) => {
	expect(adviseJsonTemplate(saved)).toBe(`${WHY}${advice}`);
});

/** Writes a JSON template with many values in a text without a closing quote. */
const writeUnclosed = (count: number) => `={"a": "${'{{ $json.q }}, '.repeat(count)}}`;

test.each([
	[writeUnclosed(1), '"{{ $json.q }}, }'],
	[writeUnclosed(1_000), '"{{ $json.q }}, {{ $json.q }},'],
	['={"a": "C:\\", "b": "{{ $json["q"] }}"}', '"}'],
	['={"a": "{{ $json.q }}\n}', '"{{ $json.q }} }'],
])('finds the text without a closing quote in the JSON template %s', (saved, start) => {
	expect(adviseJsonTemplate(saved)).toBe(
		`The JSON text that starts with ${start} has no closing quote.`,
	);
});

test.each([
	`={"a": {{ "b": ${'{{'.repeat(10_000)}`,
	`={${'{{'.repeat(10_000)}}`,
	`={"a": "${'{{ " }}'.repeat(3_000)}}`,
	`={{${' '.repeat(20_000)}`,
	`={{ $json.a${'( )'.repeat(7_000)}; }}`,
])('rewrites 20,000 characters that almost are an expression at once', (saved) => {
	const measure = () => {
		const start = process.threadCpuUsage();
		adviseJsonTemplate(saved);
		appendToExpression(saved, '.join()');
		rewriteExpression(saved, String, String);
		return process.threadCpuUsage(start).user;
	};
	// The shortest time counts, because other processes only add time
	expect(Math.min(measure(), measure(), measure())).toBeLessThan(50_000);
});

test.each(['={{ $json.q }}', '={"a": 1', '={"a": {{ JSON.stringify($json.q) }}', '={a: 1}'])(
	'gives no advice for %s, which inserts no values into JSON',
	(saved) => expect(adviseJsonTemplate(saved)).toBeUndefined(),
);
