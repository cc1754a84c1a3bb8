import fc from 'fast-check';

import { eachSteadyPage } from '../../../../nodes/CometChat/trigger/steady';
import type { GroupPage } from '../../../../nodes/CometChat/transport/types';

const names = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => `g${String(from + index).padStart(6, '0')}`);

interface Service {
	guids: string[];
	/** Requests so far, as page and length */
	asked: Array<[page: number, perPage: number]>;
	/** What happens after each answer */
	then?: (page: number) => void;
	/** Longest page that it gives, whatever is asked for */
	longest?: number;
	/** Whether the answers say how many pages there are */
	counts?: boolean;
}

const serviceOf = (guids: string[], more: Partial<Service> = {}): Service => ({
	guids,
	asked: [],
	counts: true,
	...more,
});

/** A list that is cut into pages, as the service does it. */
const answersOf = (service: Service) => async (page: number, asked: number) => {
	service.asked.push([page, asked]);
	const perPage = Math.min(asked, service.longest ?? asked);
	const guids = service.guids.slice((page - 1) * perPage, page * perPage);
	const answer: GroupPage = { data: guids.map((guid) => ({ guid })) };
	if (service.counts) {
		const totalPages = Math.ceil(service.guids.length / perPage);
		answer.meta = { pagination: { per_page: perPage, total_pages: totalPages } };
	}
	service.then?.(page);
	return answer;
};

async function read(service: Service): Promise<Set<string>> {
	const seen = new Set<string>();
	await eachSteadyPage(answersOf(service), (groups) => {
		for (const { guid } of groups) seen.add(String(guid));
		return true;
	});
	return seen;
}

test('one page is one request', async () => {
	const service = serviceOf(names(0, 1_000));
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked).toEqual([[1, 1_000]]);
});

test('pages overlap by one group more from page to page', async () => {
	const service = serviceOf(names(0, 3_500));
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked).toEqual([
		[1, 1_000],
		[2, 999],
		[3, 998],
		[4, 997],
	]);
});

test('without a number of pages the first empty one ends the list', async () => {
	const service = serviceOf(names(0, 1_500), { counts: false });
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked.map(([page]) => page)).toEqual([1, 2, 3]);
});

test('a list without end in sight is gone through to its end, beyond the pages that overlap', async () => {
	const service = serviceOf(names(0, 251_300));
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked.at(-1)).toEqual([502, 501]);
});

test('a service that gives shorter pages than asked for is taken as it is', async () => {
	const service = serviceOf(names(0, 950), { longest: 100 });
	expect(await read(service)).toEqual(new Set(service.guids));
	expect(service.asked).toHaveLength(10);
});

test('a group that slips to a page that was read is found by going through again', async () => {
	const service = serviceOf(names(0, 1_500));
	service.then = () => {
		service.then = undefined;
		service.guids = service.guids.slice(1);
	};
	const seen = await read(service);
	expect([...names(1, 1_500)].filter((guid) => !seen.has(guid))).toEqual([]);
	expect(service.asked.map(([page]) => page)).toEqual([1, 2, 1, 2]);
});

test('a group that slips while the next page becomes empty is found too', async () => {
	const service = serviceOf(names(0, 1_001));
	service.then = () => {
		service.then = undefined;
		service.guids = service.guids.slice(5);
	};
	expect((await read(service)).has('g001000')).toBe(true);
});

test('whatever is deleted and added meanwhile, what stays is found', async () => {
	const change = fc.record({
		after: fc.nat({ max: 12 }),
		at: fc.nat({ max: 3_000 }),
		remove: fc.nat({ max: 6 }),
		add: fc.nat({ max: 4 }),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 3_200 }),
			fc.array(change, { maxLength: 3 }),
			async (count, changes) => {
				const service = serviceOf(names(0, count));
				const staying = new Set(service.guids);
				service.then = () => {
					for (const { at, remove, add, after } of changes) {
						if (service.asked.length !== after) continue;
						const added = names(0, add).map((name) => `new-${after}-${at}-${name}`);
						const removed = service.guids.splice(at, remove, ...added);
						for (const guid of removed) staying.delete(guid);
					}
				};
				const seen = await read(service);
				expect([...staying].filter((guid) => !seen.has(guid))).toEqual([]);
			},
		),
		{ numRuns: 300, seed: 7 },
	);
});

test('gives up on a list that shrinks all the time', async () => {
	const service = serviceOf(names(0, 30_000));
	service.then = () => {
		service.guids = service.guids.slice(1_500);
	};
	await expect(read(service)).rejects.toThrow('changes faster than it can be read');
	expect(service.asked.filter(([page]) => page === 1)).toHaveLength(5);
});

test('groups without a GUID show no seam', async () => {
	const answers = async (page: number, perPage: number): Promise<GroupPage> => ({
		data: Array.from({ length: page === 1 ? perPage : 1 }, () => ({ name: 'nameless' })),
		meta: { pagination: { total_pages: 2 } },
	});
	let pages = 0;
	await eachSteadyPage(answers, () => {
		pages++;
		return true;
	});
	expect(pages).toBe(2);
});

test('stops when it is told to', async () => {
	const service = serviceOf(names(0, 5_000));
	await eachSteadyPage(answersOf(service), () => false);
	expect(service.asked).toEqual([[1, 1_000]]);
});

describe('the age of a page', () => {
	const ages: number[] = [];
	beforeEach(() => {
		ages.length = 0;
		jest.useFakeTimers({ now: 1_000_000 });
	});
	afterEach(() => jest.useRealTimers());

	test('is how much younger than the first it may be, in whole seconds', async () => {
		const service = serviceOf(names(0, 2_500));
		service.then = () => jest.setSystemTime(Date.now() + 1_500);
		await eachSteadyPage(answersOf(service), (_, age) => {
			ages.push(age);
			return true;
		});
		expect(ages).toEqual([0, 4, 5]);
	});

	test('is never 0 for a page that is not the first', async () => {
		await eachSteadyPage(answersOf(serviceOf(names(0, 1_500))), (_, age) => {
			ages.push(age);
			return true;
		});
		expect(ages).toEqual([0, 1]);
	});
});
