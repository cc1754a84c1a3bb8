import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	eachItemByCursor,
	eachPageByCursor,
} from '../../../../nodes/CometChat/operation/cursorPagination';
import type { Cursor, CursorPlan } from '../../../../nodes/CometChat/operation/cursorPagination';
import { ListError, MAX_IN_PAGES } from '../../../../nodes/CometChat/operation/lists';
import type { Page } from '../../../../nodes/CometChat/transport/response';

/** When a service sends its own cursor. */
type Next = 'never' | 'whileMore' | 'always' | 'wrongWay' | 'sometimes' | 'withoutId';

interface Behaviour {
	/** Messages in the list, with ids that grow with time */
	size: number;
	idAs: 'text' | 'number';
	firstId: number;
	/** Order within a page, whatever the direction */
	order: 'oldestFirst' | 'newestFirst' | 'shuffled';
	/** Whether the message of the cursor comes again */
	inclusive: boolean;
	next: Next;
	/** Whether a page says how many messages were asked for, or are sent at most */
	saysLimit: boolean;
	/** Most messages on a page, whatever is asked for */
	cap: number;
}

const plan = (changes: Partial<CursorPlan> = {}): CursorPlan => ({
	plural: 'messages',
	id: 'id',
	perPage: 10,
	limit: Infinity,
	maxItems: Infinity,
	affix: 'prepend',
	...changes,
});

/** The same pseudo-random order at each call. */
const shuffled = <T>(list: T[]): T[] =>
	list
		.map((entry, index) => ({ entry, key: (index * 7919 + 13) % 101 }))
		.sort((a, b) => a.key - b.key)
		.map(({ entry }) => entry);

function arranged<T>(oldestFirst: T[], order: Behaviour['order']): T[] {
	if (order === 'shuffled') return shuffled(oldestFirst);
	return order === 'oldestFirst' ? oldestFirst : [...oldestFirst].reverse();
}

/** A service in memory that pages by `affix` and `id`. */
function serviceOf(behaviour: Behaviour, perPage: number) {
	const { size, idAs, firstId, inclusive, next, saysLimit, order } = behaviour;
	const length = Math.min(perPage, behaviour.cap);
	// Three at a time were sent in the same second
	const messages = Array.from({ length: size }, (_, i) => ({
		id: idAs === 'text' ? String(firstId + i) : firstId + i,
		sentAt: 1_700_000_000 + Math.floor(i / 3),
	}));
	const asked: Cursor[] = [];

	/** Those on the far side of the cursor, oldest first. */
	function rest(affix: unknown, id: unknown) {
		if (id === undefined) return messages;
		const at = Number(id);
		const isBeyond = (number: number) =>
			(inclusive && number === at) || (affix === 'append' ? number > at : number < at);
		return messages.filter((message) => isBeyond(Number(message.id)));
	}

	function nextOf(affix: unknown, page: IDataObject[], hasMore: boolean) {
		const edge = affix === 'append' ? page.at(-1) : page.at(0);
		const cursor = edge && { affix, id: edge.id, sentAt: edge.sentAt };
		if (cursor === undefined || next === 'never') return undefined;
		if (next === 'wrongWay') return { ...cursor, affix: affix === 'append' ? 'prepend' : 'append' };
		if (next === 'withoutId') return { affix };
		if (next === 'sometimes' && asked.length % 2 === 0) return undefined;
		return next === 'always' || hasMore ? cursor : undefined;
	}

	return {
		asked,
		messages,
		fetchPage: async (cursor: Cursor): Promise<Page> => {
			asked.push(cursor);
			if (asked.length > 1_000) throw new Error('the list goes on for ever');
			const left = rest(cursor.affix, cursor.id);
			const page = cursor.affix === 'append' ? left.slice(0, length) : left.slice(-length);
			const meta: IDataObject = saysLimit ? { current: { limit: length, count: page.length } } : {};
			const following = nextOf(cursor.affix, page, left.length > page.length);
			if (following) meta.next = following;
			return { data: arranged(page, order), meta };
		},
	};
}

const behaviours = fc.record<Behaviour>({
	size: fc.oneof(fc.nat(8), fc.nat(120)),
	idAs: fc.constantFrom('text', 'number'),
	// 95: ids with two and with three digits are no order as texts
	firstId: fc.constantFrom(1, 95, 99_990),
	order: fc.constantFrom('oldestFirst', 'newestFirst', 'shuffled'),
	inclusive: fc.boolean(),
	next: fc.constantFrom('never', 'whileMore', 'always', 'wrongWay', 'sometimes', 'withoutId'),
	saysLimit: fc.boolean(),
	// A page that holds but the message of the cursor leads no further
	cap: fc.oneof(fc.constant(1_000), fc.integer({ min: 2, max: 9 })),
});

const affixes = fc.constantFrom('append' as const, 'prepend' as const);

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

/** What a list must hold, in its order. */
function expectedOf(messages: IDataObject[], affix: 'append' | 'prepend', limit: number) {
	const inOrder = affix === 'append' ? messages : [...messages].reverse();
	return ids(inOrder.slice(0, limit));
}

async function listed(thePlan: CursorPlan, fetchPage: (cursor: Cursor) => Promise<Page>) {
	const items: IDataObject[] = [];
	await eachItemByCursor(thePlan, fetchPage, (fresh) => items.push(...fresh));
	return ids(items);
}

describe('a list by time', () => {
	test('holds each message once and in order, however the service pages', async () => {
		await fc.assert(
			fc.asyncProperty(
				behaviours,
				affixes,
				fc.integer({ min: 2, max: 40 }),
				fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 130 })),
				async (behaviour, affix, perPage, limit) => {
					const service = serviceOf(behaviour, perPage);
					const thePlan = plan({ affix, perPage, limit });
					expect(await listed(thePlan, service.fetchPage)).toEqual(
						expectedOf(service.messages, affix, limit),
					);
					const length = Math.min(perPage, behaviour.cap) - (behaviour.inclusive ? 1 : 0);
					const needed = Math.ceil(Math.min(limit, behaviour.size) / length);
					expect(service.asked.length).toBeLessThanOrEqual(Math.max(1, needed) + 1);
				},
			),
			{ numRuns: 1_000 },
		);
	});

	test('as pages holds every page as it came, until the limit is reached', async () => {
		await fc.assert(
			fc.asyncProperty(
				behaviours,
				affixes,
				fc.integer({ min: 2, max: 40 }),
				fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 130 })),
				async (behaviour, affix, perPage, limit) => {
					const service = serviceOf(behaviour, perPage);
					const pages: Page[] = [];
					await eachPageByCursor(plan({ affix, perPage, limit }), service.fetchPage, (page) =>
						pages.push(page),
					);
					const held = new Set(pages.flatMap(({ data }) => ids(data)));
					for (const id of expectedOf(service.messages, affix, limit)) {
						// A message that comes again on each page counts there
						if (!behaviour.inclusive || limit === Infinity) expect(held).toContain(id);
					}
					const items = pages.flatMap(({ data }) => data).length;
					const last = pages.at(-1)?.data.length ?? 0;
					expect(items - last).toBeLessThan(limit);
				},
			),
			{ numRuns: 300 },
		);
	});

	const behaviour: Behaviour = {
		size: 25,
		idAs: 'text',
		firstId: 95,
		order: 'oldestFirst',
		inclusive: false,
		next: 'never',
		saysLimit: false,
		cap: 1_000,
	};

	test('begins without an id and goes on from the last message in its direction', async () => {
		const back = serviceOf(behaviour, 10);
		await listed(plan(), back.fetchPage);
		expect(back.asked).toEqual([
			{ affix: 'prepend' },
			{ affix: 'prepend', id: '110' },
			{ affix: 'prepend', id: '100' },
			{ affix: 'prepend', id: '95' },
		]);
		const forward = serviceOf(behaviour, 10);
		await listed(plan({ affix: 'append', limit: 20 }), forward.fetchPage);
		expect(forward.asked).toEqual([{ affix: 'append' }, { affix: 'append', id: '104' }]);
	});

	test("goes on from the service's own cursor, with all that it holds and we know", async () => {
		const asked: Cursor[] = [];
		const cursor = { affix: 'prepend', id: '7', sentAt: 5, fromTimestamp: 6 };
		const fetchPage = async (given: Cursor): Promise<Page> => {
			asked.push(given);
			return asked.length === 1
				? { data: [{ id: '9' }], meta: { next: { ...cursor, apikey: 'x', url: '/other' } } }
				: { data: [] };
		};
		expect(await listed(plan(), fetchPage)).toEqual(['9']);
		expect(asked).toEqual([{ affix: 'prepend' }, cursor]);
	});

	test('ends without another request where the service says that a page is short', async () => {
		const service = serviceOf({ ...behaviour, saysLimit: true }, 10);
		expect(await listed(plan(), service.fetchPage)).toHaveLength(25);
		expect(service.asked).toHaveLength(3);
		// What was asked for is the most that a page can hold, whatever the service says
		const boasting = async (cursor: Cursor): Promise<Page> => ({
			...(await service.fetchPage(cursor)),
			meta: { current: { limit: 1_000 } },
		});
		expect(await listed(plan(), boasting)).toHaveLength(25);
	});

	test('ends at a message that comes again for ever', async () => {
		let pages = 0;
		const fetchPage = async (): Promise<Page> => {
			pages++;
			return { data: [{ id: '5' }, { id: '6' }] };
		};
		expect(await listed(plan(), fetchPage)).toEqual(['6', '5']);
		expect(pages).toBe(2);
	});

	test('ends where a message has no id to go on from', async () => {
		const fetchPage = async (): Promise<Page> => ({ data: [{ text: 'a' }, { text: 'b' }] });
		expect(await listed(plan(), fetchPage)).toHaveLength(2);
	});

	test('of one message asks once', async () => {
		const service = serviceOf({ ...behaviour, inclusive: true }, 1);
		expect(await listed(plan({ limit: 1, perPage: 1 }), service.fetchPage)).toEqual(['119']);
		expect(service.asked).toHaveLength(1);
	});

	test('works with pages of one message where the service leaves that of the cursor out', async () => {
		const service = serviceOf(behaviour, 1);
		expect(await listed(plan({ perPage: 1 }), service.fetchPage)).toHaveLength(25);
	});

	test('puts ids in order that a number cannot hold', async () => {
		const data = [{ id: '9007199254740993' }, { id: '9007199254740992' }, { id: '999' }];
		const fetchPage = async ({ id }: Cursor): Promise<Page> => ({ data: id ? [] : data });
		expect(await listed(plan({ affix: 'append' }), fetchPage)).toEqual([
			'999',
			'9007199254740992',
			'9007199254740993',
		]);
	});

	test('puts messages whose ids are no numbers in the order of their time', async () => {
		const data = [
			{ id: 'b', sentAt: 2 },
			{ id: 'c', sentAt: 3 },
			{ id: 'a', sentAt: 1 },
		];
		const fetchPage = async ({ id }: Cursor): Promise<Page> => ({ data: id ? [] : data });
		expect(await listed(plan({ affix: 'append' }), fetchPage)).toEqual(['a', 'b', 'c']);
		expect(await listed(plan(), fetchPage)).toEqual(['c', 'b', 'a']);
		const untimed = async ({ id }: Cursor): Promise<Page> => ({
			data: id ? [] : [{ id: 'x' }, { id: 'w' }],
		});
		expect(await listed(plan({ affix: 'append' }), untimed)).toEqual(['x', 'w']);
	});

	test('keeps what came when a later page fails', async () => {
		const service = serviceOf(behaviour, 10);
		const kept: IDataObject[] = [];
		const fetchPage = async (cursor: Cursor) => {
			if (service.asked.length === 2) throw new Error('page 3');
			return await service.fetchPage(cursor);
		};
		await expect(
			eachItemByCursor(plan(), fetchPage, (items) => kept.push(...items)),
		).rejects.toThrow('page 3');
		expect(kept).toHaveLength(20);
	});

	test('fails when there are more messages than n8n can take, and only then', async () => {
		const service = serviceOf(behaviour, 10);
		expect(await listed(plan({ maxItems: 25 }), service.fetchPage)).toHaveLength(25);
		await expect(listed(plan({ maxItems: 24 }), service.fetchPage)).rejects.toThrow(ListError);
	});

	test('as pages fails when there are more than one run takes, and only then', async () => {
		const service = serviceOf(behaviour, 5);
		const few = plan({ perPage: 5, maxItems: 5 });
		let pages = 0;
		await eachPageByCursor(few, service.fetchPage, () => pages++);
		expect(pages).toBe(5);
		await expect(
			eachPageByCursor({ ...few, maxItems: 4 }, service.fetchPage, () => pages++),
		).rejects.toThrow(
			expect.objectContaining({
				constructor: ListError,
				message: 'The list has more than 20 messages on 4 pages, which is as much as one run takes',
				description: "Set 'Limit', or add a filter.",
			}),
		);
		expect(pages).toBe(9);
	});

	test('as pages holds no more messages than one run takes', async () => {
		const rest = Array.from({ length: MAX_IN_PAGES / 4 - 1 }, () => ({}));
		const fetchPage = async ({ id = 1_000 }: Cursor): Promise<Page> => ({
			data: [{ id: Number(id) - 1 }, ...rest],
			meta: { next: { affix: 'prepend', id: Number(id) - 1 } },
		});
		let pages = 0;
		const run = eachPageByCursor(plan({ perPage: 500_000 }), fetchPage, () => pages++);
		await expect(run).rejects.toThrow('more than 2,000,000 messages on 4 pages');
		expect(pages).toBe(4);
	});

	test('as pages shows an empty list as one empty page, and no empty page after others', async () => {
		for (const [size, count] of [
			[0, 1],
			[10, 1],
			[11, 2],
		]) {
			const pages: Page[] = [];
			const service = serviceOf({ ...behaviour, size }, 10);
			await eachPageByCursor(plan(), service.fetchPage, (page) => pages.push(page));
			expect(pages).toHaveLength(count);
		}
	});
});

describe("a list by nothing but the service's cursor", () => {
	const byCursor = plan({ affix: undefined });

	/** Pages that name the next one by its place. */
	const pagesOf = (...pages: IDataObject[][]) => {
		const asked: Cursor[] = [];
		const fetchPage = async (cursor: Cursor): Promise<Page> => {
			asked.push(cursor);
			const number = Number(cursor.id ?? 0);
			const next = number + 1 < pages.length ? { affix: 'append', id: number + 1 } : undefined;
			return { data: pages[number], ...(next ? { meta: { next } } : {}) };
		};
		return { asked, fetchPage };
	};

	const things = (...names: string[]) => names.map((id) => ({ id }));

	test('is left in its order, and read as far as the service leads', async () => {
		const { asked, fetchPage } = pagesOf(things('c', 'a'), things('b'), things('d'));
		expect(await listed(byCursor, fetchPage)).toEqual(['c', 'a', 'b', 'd']);
		expect(asked).toEqual([{}, { affix: 'append', id: 1 }, { affix: 'append', id: 2 }]);
	});

	test('ends at once where the service leads no further', async () => {
		const { asked, fetchPage } = pagesOf(things('a', 'b'));
		expect(await listed(byCursor, fetchPage)).toEqual(['a', 'b']);
		expect(asked).toHaveLength(1);
	});

	test('ends at an empty page, and at one that brings nothing new', async () => {
		const empty = pagesOf(things('a'), [], things('b'));
		expect(await listed(byCursor, empty.fetchPage)).toEqual(['a']);
		const again = pagesOf(things('a', 'b'), things('b', 'a'), things('c'));
		expect(await listed(byCursor, again.fetchPage)).toEqual(['a', 'b']);
	});

	test('asks for no page beyond the limit', async () => {
		const { asked, fetchPage } = pagesOf(things('a', 'b'), things('c', 'd'), things('e'));
		expect(await listed({ ...byCursor, limit: 3 }, fetchPage)).toEqual(['a', 'b', 'c']);
		expect(asked).toHaveLength(2);
	});

	test('takes no notice of a cursor that is no object or has no id', async () => {
		for (const next of ['2', 5, null, ['x'], { affix: 'append' }]) {
			const fetchPage = async (): Promise<Page> => ({ data: things('a'), meta: { next } });
			expect(await listed(byCursor, fetchPage)).toEqual(['a']);
		}
	});
});
