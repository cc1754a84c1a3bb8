import * as fc from 'fast-check';

import { Views } from '../../../tools/sandbox/views';
import { CONTINUE, hintsOf, NODE, run, useSandbox } from '../harness';
import { addData } from './data';
import { expectedList } from './expectedList';
import { build, configurations, isExpression, valuesOf, type Configuration } from './parameters';

const sandbox = useSandbox({
	...{
		now: () => 1_770_000_000,
		validate: false,
		messageIds: 'number',
		reactionsInMessages: true,
		reactionsPerPage: 3,
	},
});

async function compare(configuration: Configuration): Promise<void> {
	const { store, settings } = sandbox();
	const views = new Views(store, () => settings);
	const { parameters, input } = build(configuration);
	const result = await run(sandbox(), parameters, { ...CONTINUE, input });
	expect(result.error).toBeUndefined();
	const items = result.items(NODE);
	const hints = new Set<string>();
	const found = new Map<string, boolean>();
	for (const index of input.keys()) {
		const actual = items
			.filter(({ pairedItem }) => Object(pairedItem).item === index)
			.map(({ json: { meta, ...json } }) =>
				Array.isArray(json.data) && meta ? { data: json.data } : json,
			);
		const expected = expectedList(store, views, {
			operation: configuration.operation,
			values: valuesOf(configuration, index),
			isExpression: isExpression(configuration),
		});
		if (expected.errors.length > 0) {
			expect(actual).toEqual([{ error: expect.any(String) }]);
			const [{ error }] = actual;
			expect([
				error,
				expected.errors.some((text) => String(error).includes(text)) ? 'named' : expected.errors,
			]).toEqual([error, 'named']);
		} else {
			expect(actual).toEqual(expected.items);
			// The order of the columns matters, too
			expect(actual.map((item) => Object.keys(item))).toEqual(
				expected.items.map((item) => Object.keys(item)),
			);
		}
		for (const hint of expected.hints) hints.add(hint);
		for (const [path, isFound] of expected.found) found.set(path, found.get(path) || isFound);
	}
	const missing = [...found].flatMap(([path, isFound]) => (isFound ? [] : [`'${path}'`]));
	if (missing.length > 0)
		hints.add(`No item has the field${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`);
	expect(new Set(hintsOf(result))).toEqual(hints);
	expect(sandbox().violations).toEqual([]);
}

/** Tests that list operations return what the oracle expects, whatever the node's parameters are. */
export function testOracle(numRuns: number): void {
	test(
		'Lists return what their parameters say',
		async () => {
			addData(sandbox().store);
			await fc.assert(fc.asyncProperty(configurations, compare), { numRuns });
		},
		200 * numRuns,
	);
}
