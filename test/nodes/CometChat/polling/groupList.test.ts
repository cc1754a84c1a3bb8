import fc from 'fast-check';

import type { Place } from '../../../../nodes/CometChat/polling/groupList';
import { GroupList, cutAt, isLastPage } from '../../../../nodes/CometChat/polling/groupList';
import type { Page } from '../../../../nodes/CometChat/transport/response';

const names = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => `g${String(from + index).padStart(6, '0')}`);

interface Service {
	guids: string[];
	/** Requests so far, as page and length */
	asked: Array<[page: number, perPage: number]>;
	/** What happens after each response */
	then?: (page: number) => void;
	/** Longest page that it sends, whatever is asked for */
	longest?: number;
	/** What its responses say about the length of the list */
	says: Array<'total' | 'total_pages' | 'per_page'>;
	/** When a group was created; without it the responses have no times */
	createdAt?: (guid: string) => number;
}

const serviceOf = (guids: string[], more: Partial<Service> = {}): Service => ({
	guids,
	asked: [],
	says: ['total_pages', 'per_page'],
	...more,
});

/** A list that is cut into pages, as the service does it. */
const pagesOf = (service: Service) => async (page: number, asked: number) => {
	service.asked.push([page, asked]);
	const { createdAt, longest = asked, says } = service;
	const perPage = Math.min(asked, longest);
	const guids = service.guids.slice((page - 1) * perPage, page * perPage);
	const total = service.guids.length;
	const facts = { total, per_page: perPage, total_pages: Math.ceil(total / perPage) };
	const pagination = Object.fromEntries(says.map((name) => [name, facts[name]]));
	const response: Page = {
		data: guids.map((guid) => (createdAt ? { guid, createdAt: createdAt(guid) } : { guid })),
		meta: { pagination },
	};
	service.then?.(page);
	return response;
};

/** Reads a list to its end, from a place on. */
async function read(service: Service, place?: Place, seen = new Set<string>()) {
	const list = new GroupList(pagesOf(service), place);
	for (;;) {
		const { groups, isLast } = await list.next();
		for (const { guid } of groups) seen.add(String(guid));
		if (isLast) return seen;
	}
}

test('one page is one request', async () => {
	const service = serviceOf(names(0, 1_000));
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked).toEqual([[1, 1_000]]);
});

test('pages overlap by some groups', async () => {
	const service = serviceOf(names(0, 3_500));
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked).toEqual([
		[1, 1_000],
		[2, 990],
		[3, 985],
		[4, 981],
	]);
});

test('a page begins at a position or before it, and reaches as far as it can', () => {
	for (const mostPerPage of [20, 100, 1_000]) {
		for (let position = 0; position < 40_000; position += 7) {
			const { number, perPage, start } = cutAt(position, mostPerPage);
			expect((number - 1) * perPage).toBe(start);
			expect(start).toBeLessThanOrEqual(position);
			expect(perPage).toBeLessThanOrEqual(mostPerPage);
			expect(start + perPage - position).toBeGreaterThan(mostPerPage / 20);
		}
	}
});

test('a long list takes few requests more than it has pages', async () => {
	const service = serviceOf(names(0, 251_300));
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked.length).toBeLessThan(1.1 * 252);
});

describe('the end of a list', () => {
	const page = (length: number, pagination: object): Page => ({
		data: Array.from({ length }, (_, index) => ({ guid: `g${index}` })),
		meta: { pagination: { ...pagination } },
	});
	const first = { number: 1, perPage: 1_000, start: 0 };

	test.each<[string, Page, boolean]>([
		['an empty page', page(0, { total: 50, total_pages: 5 }), true],
		['all of the total', page(3, { total: 3, total_pages: 1 }), true],
		['a larger total', page(100, { total: 350 }), false],
		[
			'a larger total than the number of pages allows',
			page(3, { total: 5, total_pages: 1 }),
			false,
		],
		['a further page', page(3, { total: 0, total_pages: 2 }), false],
		['a further page, in spite of the total', page(3, { total: 3, total_pages: 2 }), false],
		['the last page', page(3, { total_pages: 1, per_page: 1_000 }), true],
		['the last page, full', page(1_000, { total_pages: 1 }), true],
		['the last page, but of a shorter one', page(100, { total_pages: 1, per_page: 100 }), false],
		['the last page, but nothing of its length', page(3, { total_pages: 1 }), false],
		['a number of pages that is below the page', page(3, { total_pages: -1 }), false],
		['nothing', page(3, {}), false],
	])('%s', (_, response, expected) => {
		expect(isLastPage(response, first)).toBe(expected);
	});

	test.each([0, 1, 3, 999, 1_000, 1_001, 1_990, 2_500])(
		'of %p groups is found without a word about it',
		async (count) => {
			const service = serviceOf(names(0, count), { says: [] });
			expect(await read(service)).toEqual(new Set(service.guids));
			expect(service.asked.length).toBeLessThanOrEqual(2 + Math.ceil(count / 900));
		},
	);
});

describe('a service with shorter pages than asked for', () => {
	test.each<[string, Service['says']]>([
		['says everything', ['total', 'total_pages', 'per_page']],
		['says the total', ['total']],
		['says the number of pages', ['total_pages']],
		['says nothing', []],
	])('and which %s is read to the end', async (_, says) => {
		for (const count of [99, 100, 101, 950, 3_500]) {
			const service = serviceOf(names(0, count), { longest: 100, says });
			expect(await read(service)).toEqual(new Set(service.guids));
			expect(service.asked.length).toBeLessThan(3 + count / 80);
		}
	});

	test('is one only while there is more than its first page', async () => {
		const service = serviceOf(names(0, 5), { says: [] });
		const list = new GroupList(pagesOf(service));
		while (!(await list.next()).isLast);
		expect(list.end.perPage).toBe(1_000);
	});

	test('is read on from a place with pages that it sends', async () => {
		const service = serviceOf(names(0, 950), { longest: 100 });
		const list = new GroupList(pagesOf(service));
		for (let page = 0; page < 5; page++) await list.next();
		const place: Place = JSON.parse(JSON.stringify(list.end));
		expect(place).toMatchObject({ perPage: 100 });
		const rest = await read(service, place);
		expect(rest.has('g000949')).toBe(true);
		expect(rest.size).toBeLessThan(600);
	});
});

test('a group that slips to a page that was read is found by going back', async () => {
	const service = serviceOf(names(0, 4_500));
	service.then = (page) => {
		if (page === 3) service.guids = service.guids.slice(600);
		if (page === 3) service.then = undefined;
	};
	const seen = await read(service);
	expect(names(600, 4_500).filter((guid) => !seen.has(guid))).toEqual([]);
	expect(service.asked.map(([page]) => page)).toEqual([1, 2, 3, 4, 3, 4, 5]);
});

test('a group that slips while the next page becomes empty is found too', async () => {
	const service = serviceOf(names(0, 1_001));
	service.then = () => {
		service.then = undefined;
		service.guids = service.guids.slice(50);
	};
	expect((await read(service)).has('g001000')).toBe(true);
});

test('whatever is deleted and added meanwhile, what stays is found, also in several goes', async () => {
	const change = fc.record({
		after: fc.nat({ max: 12 }),
		at: fc.nat({ max: 3_000 }),
		remove: fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 1_500 })),
		add: fc.nat({ max: 4 }),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 3_200 }),
			fc.array(change, { maxLength: 3 }),
			fc.constantFrom(undefined, 60, 250),
			fc.boolean(),
			fc.nat({ max: 4 }),
			async (count, changes, longest, hasTimes, pagesOfPoll) => {
				const createdAt = (guid: string) => Number(guid.replace(/\D/g, '').slice(-6, -1));
				const service = serviceOf(names(0, count), hasTimes ? { longest, createdAt } : { longest });
				const staying = new Set(service.guids);
				service.then = () => {
					for (const { at, remove, add, after } of changes) {
						if (service.asked.length !== after) continue;
						const added = names(0, add).map((name) => `new-${after}-${at}-${name}`);
						const removed = service.guids.splice(at, remove, ...(hasTimes ? [] : added));
						for (const guid of removed) staying.delete(guid);
					}
				};
				const seen = new Set<string>();
				const list = new GroupList(pagesOf(service));
				for (let pages = 0; pages < pagesOfPoll; pages++) {
					const { groups, isLast } = await list.next();
					for (const { guid } of groups) seen.add(String(guid));
					if (isLast) break;
				}
				await read(service, JSON.parse(JSON.stringify(list.end)), seen);
				expect([...staying].filter((guid) => !seen.has(guid))).toEqual([]);
			},
		),
		{ numRuns: 300, seed: 7 },
	);
});

test('a list that shrinks all the time is read as far as there is something', async () => {
	const service = serviceOf(names(0, 30_000));
	service.then = () => {
		service.guids = service.guids.slice(1_500);
	};
	await read(service);
	expect(service.asked.length).toBeLessThan(25);
});

test('gives up on a list whose pages have nothing in common', async () => {
	let number = 0;
	const list = new GroupList(async (_page, perPage) => ({
		data: names(number, (number += perPage)).map((guid) => ({ guid })),
		meta: { pagination: { total: 9_000 } },
	}));
	const reading = async () => {
		while (!(await list.next()).isLast);
	};
	await expect(reading()).rejects.toThrow('changes faster than it can be read');
	expect(number).toBeLessThan(100_000);
});

test('gives up on a list that repeats one page', async () => {
	const list = new GroupList(async () => ({
		data: names(0, 1_000).map((guid) => ({ guid })),
		meta: { pagination: { total_pages: 100_000 } },
	}));
	const reading = async () => {
		while (!(await list.next()).isLast);
	};
	await expect(reading()).rejects.toThrow('CometChat sent the same groups again');
});

test('groups without a GUID are read on from', async () => {
	let pages = 0;
	const list = new GroupList(async (page, perPage) => {
		pages++;
		return {
			data: Array.from({ length: page === 1 ? perPage : 1 }, () => ({ name: 'nameless' })),
			meta: { pagination: { total_pages: 2, per_page: perPage } },
		};
	});
	while (!(await list.next()).isLast);
	expect(pages).toBe(2);
});

describe('skipping', () => {
	const createdAt = (guid: string) => Number(guid.slice(1));

	test.each([0, 1, 999, 1_500, 3_000, 77_777, 99_999])(
		'to the time %p needs few requests, and misses nothing from then on',
		async (time) => {
			const service = serviceOf(names(0, 100_000), { createdAt, says: ['total'] });
			const list = new GroupList(pagesOf(service));
			await list.next();
			await list.skipTo(time);
			const seen = await read(service, list.end);
			const wanted = service.guids.filter((guid) => createdAt(guid) >= Math.max(time, 1_000));
			expect(wanted.filter((guid) => !seen.has(guid))).toEqual([]);
			expect(seen.size).toBeLessThan(wanted.length + 2_100);
			expect(service.asked.filter(([, perPage]) => perPage === 1).length).toBeLessThan(16);
		},
	);

	test('goes on with the groups before it when those there were deleted meanwhile', async () => {
		const service = serviceOf(names(0, 20_000), { createdAt, says: ['total'] });
		const list = new GroupList(pagesOf(service));
		await list.next();
		await list.skipTo(15_000);
		service.guids = [...names(0, 8_000), ...names(15_000, 20_000)];
		const seen = await read(service, list.end);
		expect(names(15_000, 20_000).filter((guid) => !seen.has(guid))).toEqual([]);
	});
});
