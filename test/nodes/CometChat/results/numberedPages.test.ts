import {
	hasNextPage,
	readPaginationNumber,
} from '../../../../nodes/CometChat/results/numberedPages';

const page = (length: number, pagination?: unknown) => ({
	data: Array.from({ length }, (_, id) => ({ id })),
	...(pagination === undefined ? {} : { meta: { pagination } }),
});

test.each<[string, number, object | undefined, boolean]>([
	['it is empty, whatever is said', 0, { total: 90, total_pages: 9 }, false],
	['total_pages is larger', 3, { total_pages: 3 }, true],
	['total_pages is this page, although it is full', 10, { total_pages: 2 }, false],
	[
		'total_pages is smaller, so means nothing, and it is full',
		10,
		{ total: 9, total_pages: 1 },
		true,
	],
	['total_pages is smaller, and it is short', 9, { total: 9, total_pages: 1 }, false],
	['total is more than came', 3, { total: 14, total_pages: 2 }, true],
	['total is what came', 3, { total: 13 }, false],
	['total is less than came, but it is as long as asked for', 10, { total: 10 }, true],
	[
		'total is less than came, and it is as long as pages are said to be',
		5,
		{ total: 5, per_page: 5 },
		true,
	],
	['total is less than came, and it is shorter than that', 4, { total: 5, per_page: 5 }, false],
	['pages are said to be longer than asked for', 10, { total: 5, per_page: 50 }, true],
	['only a length of pages is said, and it is short', 1, { per_page: 10 }, true],
	['nothing is said, and it is short', 1, undefined, true],
	['what is said is no number', 1, { total: '5', total_pages: '1' }, true],
	['what is said is 0', 1, { total: 0, total_pages: 0 }, true],
])('whether a page follows the second one where %s', (_, length, pagination, expected) => {
	const place = { number: 2, perPage: 10, before: 10 };
	expect(hasNextPage(page(length, pagination), place)).toBe(expected);
});

test.each([
	[{ pagination: { total: 5 } }, 5],
	[{ pagination: { total: 0 } }, undefined],
	[{ pagination: { total: '5' } }, undefined],
	[{ pagination: [5] }, undefined],
	['text', undefined],
	[undefined, undefined],
])('the total in %j is %j', (meta, total) => {
	const given: object = { data: [], meta };
	expect(readPaginationNumber(Object.assign({ data: [] }, given), 'total')).toBe(total);
});
