import {
	mayHaveNextPage,
	readPositivePaginationNumber,
} from '../../../nodes/CometChat/calls/numberedPages';

test.each<[isNext: boolean, length: number, pagination: object | undefined]>([
	// Filters can leave a page empty
	[true, 0, { total: 90, total_pages: 9 }],
	[true, 0, { total: 90 }],
	[false, 0, { total: 20, total_pages: 2 }],
	[false, 0, undefined],
	[true, 3, { total_pages: 3 }],
	[true, 10, { total_pages: 2 }],
	[false, 9, { total_pages: 2 }],
	[false, 10, { total: 9, total_pages: 1 }],
	[false, 9, { total: 9, total_pages: 1 }],
	[true, 3, { total: 14, total_pages: 2 }],
	[false, 3, { total: 13 }],
	[false, 10, { total: 20 }],
	[true, 10, { total: 21 }],
	[true, 5, { total: 16, per_page: 5 }],
	[true, 1, { per_page: 10 }],
	[true, 1, undefined],
	[true, 1, { total: '5', total_pages: '1' }],
	[true, 1, { total: 0, total_pages: 0 }],
])(
	'returns %j for a second page of %i entities with the pagination %j',
	(isNext, length, pagination) => {
		const data = Array.from({ length }, (_, id) => ({ id }));
		const place = { number: 2, perPage: 10, before: 10 };
		expect(mayHaveNextPage({ data, meta: { pagination } }, place)).toBe(isNext);
	},
);

test.each([
	[{ pagination: { total: 5 } }, 5],
	[{ pagination: { total: 0 } }, undefined],
	[{ pagination: { total: '5' } }, undefined],
	[{ pagination: [5] }, undefined],
	['text', undefined],
	[undefined, undefined],
])('reads the total in %j as %j', (meta, total) => {
	const page: object = { data: [], meta };
	expect(readPositivePaginationNumber(Object.assign({ data: [] }, page), 'total')).toBe(total);
});
