import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Views } from '../../../tools/sandbox/views';
import { countCases } from '../../countCases';
import { CONTINUE, hintsOf, NODE, run, useSandbox } from '../harness';
import { build, configurations, resolve, type Configuration } from './configurations';
import { addData } from './data';
import { expectedList } from './expectedList';
import { REACTIONS_PER_PAGE } from './lists';

const sandbox = useSandbox({
	...{ now: () => 1_770_000_000, validate: false, messageIds: 'number' },
	...{ reactionsInMessages: true, reactionsPerPage: REACTIONS_PER_PAGE, listOrder: 'oldestFirst' },
	mediaAccess: 'plain',
});

const EMPTY_LIST_HINT =
	"The list is empty, so the nodes after this one don't run, and a loop ends. To continue, turn on 'Always Output Data' in the node's Settings.";

/** Removes a page's `meta` and `cursor`, whose values depend on the service alone. */
function withoutMeta(json: IDataObject): IDataObject {
	const { meta, data } = json;
	return meta !== undefined && Array.isArray(data) ? { data } : json;
}

/** Hints about the items' parameters instead of the lists. hints.test.ts and repetitions.test.ts test these hints. */
const INPUT_HINT_PATTERN = /^The expression of '.*' returned no value|ran with the same values/;

/** Lists and their filters, each with true if the filter has kept an entry. */
const hasKeptByFilter = new Map<string, boolean>();

/** Runs the node, and compares the output for each input item with the oracle's. */
async function compare(configuration: Configuration): Promise<void> {
	const { store, violations, setSettings } = sandbox();
	setSettings(configuration.paging);
	const { url, appId } = sandbox();
	const toUrl = (stored: string) =>
		stored.startsWith('media/') ? `${url}/${appId}/${stored}` : stored;
	const views = new Views(store, () => sandbox().settings, toUrl);
	const { parameters, input } = build(configuration);
	const result = await run(sandbox(), parameters, { ...CONTINUE, input });
	expect(result.error).toBeUndefined();
	const hints = new Set<string>();
	const found = new Map<string, boolean>();
	for (const item of input.keys()) {
		const actual = result
			.items(NODE)
			.filter(({ pairedItem }) => Object(pairedItem).item === item)
			.map(({ json }) => withoutMeta(json));
		const expected = expectedList(store, views, resolve(configuration, item));
		if (expected.errors.length > 0) {
			expect(actual).toEqual([{ error: expect.any(String) }]);
			const error = String(actual[0].error);
			const isNamed = expected.errors.some((each) => error.includes(each));
			expect([error, ...(isNamed ? [] : expected.errors)]).toEqual([error]);
		} else {
			expect(actual).toEqual(expected.items);
			const keys = (items: object[]) => items.map((each) => Object.keys(each).join());
			expect(keys(actual)).toEqual(keys(expected.items));
		}
		for (const [path, keepsSome] of expected.keepsSome) {
			const filter = `${configuration.operation}, ${path}`;
			hasKeptByFilter.set(filter, hasKeptByFilter.get(filter) || keepsSome);
		}
		expected.hints.forEach((hint) => hints.add(hint));
		expected.found.forEach((isFound, path) => found.set(path, found.get(path) || isFound));
	}
	const missing = [...found].flatMap(([path, isFound]) => (isFound ? [] : `'${path}'`));
	const noun = missing.length > 1 ? 'fields' : 'field';
	if (missing.length > 0) hints.add(`No item has the ${noun} ${missing.join(', ')}`);
	if (result.items(NODE).length === 0) hints.add(EMPTY_LIST_HINT);
	const about = hintsOf(result).filter((hint) => !INPUT_HINT_PATTERN.test(hint));
	expect(new Set(about)).toEqual(hints);
	expect(violations).toEqual([]);
}

const NUM_RUNS = countCases({ eachChange: 50, nightly: 5_000 });

test(
	'Lists return what their parameters say',
	async () => {
		addData(sandbox().store);
		// Biased runs would mostly draw configurations with few parameters
		const options = { numRuns: NUM_RUNS, unbiased: true, endOnFailure: true };
		await fc.assert(fc.asyncProperty(configurations, compare), options);
		// Few cases draw each filter too seldom
		if (NUM_RUNS < 1_000) return;
		const emptying = [...hasKeptByFilter].filter(([, hasKept]) => !hasKept);
		expect(emptying.map(([filter]) => filter)).toEqual([]);
	},
	200 * NUM_RUNS,
);
