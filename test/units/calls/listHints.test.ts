import { ListCounter } from '../../../nodes/CometChat/calls/listHints';
import type { PageWithItemsWithinLimit } from '../../../nodes/CometChat/calls/pages';

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const createPart = (count: number, total?: number, overLimit = 0): PageWithItemsWithinLimit => ({
	page: { data: items(count + overLimit), meta: { pagination: { total } } },
	items: items(count),
	overLimit,
});

const CHANGED = /^The number of groups changed while the list was read/;

test.each<[string, 'page' | 'queue', number | undefined, PageWithItemsWithinLimit[], RegExp[]]>([
	['a complete list', 'page', undefined, [createPart(5, 5)], []],
	[
		'a list that became shorter',
		'page',
		undefined,
		[createPart(5, 9), createPart(3, 8)],
		[CHANGED],
	],
	[
		'items beyond the limit',
		'page',
		3,
		[createPart(5), createPart(5, 20, 2)],
		[/out 2 .* page 4\./],
	],
	['a page that was not chosen', 'page', undefined, [createPart(10, 20, 2)], []],
	['a page beyond the end', 'page', 3, [createPart(0)], [/^Page 3 is beyond the last page$/]],
	['a full queue', 'queue', undefined, [createPart(100)], [/^CometChat sent 100 groups/]],
	['a queue that is not full', 'queue', undefined, [createPart(99)], []],
])('the hints about %s', (_, pagedBy, firstPageNumber, parts, expected) => {
	const limit = parts.some(({ overLimit }) => overLimit > 0) ? 10 : Infinity;
	const summary = new ListCounter({ plural: 'groups', pagedBy, limit, firstPageNumber });
	for (const part of parts) summary.addPage(part);
	summary.recordEndWithoutError();
	expect(summary.hints).toEqual(expected.map((text) => expect.stringMatching(text)));
});

test('a list that ended with an error has only hints about what was read', () => {
	const summary = new ListCounter({
		plural: 'groups',
		pagedBy: 'page',
		limit: 10,
		firstPageNumber: 2,
	});
	expect(summary.hints).toEqual([]);
	summary.addPage(createPart(0, 9));
	summary.addPage(createPart(0, 8));
	expect(summary.hints).toEqual([expect.stringMatching(CHANGED)]);
});
