import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { streamListResults as readAll } from '../../../nodes/CometChat/calls/list';
import { DescribedError } from '../../../nodes/CometChat/errors/describedErrors';
import type {
	EntityDefinition,
	ListResponseSettings,
	ParameterValues,
} from '../../../nodes/CometChat/types';
import { createCall, collectEntities, type Respond } from './call';

const message: EntityDefinition = { name: 'message', plural: 'messages', id: 'id', columns: {} };

type Order = 'newestFirst' | 'oldestFirst';

const all = (order: Order, options: ParameterValues = {}): ParameterValues => ({
	returnAll: true,
	options: { order, ...options },
});

/** Reads a list and returns the IDs, the queries sent, and the error if reading failed. */
async function readList(
	respond: Respond,
	values: ParameterValues,
	pagedBy: ListResponseSettings['pagedBy'] = 'id',
) {
	const queries: IDataObject[] = [];
	const recording: Respond = (query, part) => {
		queries.push(query);
		if (queries.length > 300) throw new Error('The list never ends');
		return respond(query, part);
	};
	const kept: IDataObject[] = [];
	const list = readAll({ many: message, pagedBy }, createCall(recording, values));
	const error = await collectEntities(list, kept).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return { ids: kept.map(({ id }) => id), queries, error };
}

/** Responds with the given pages in order, then with empty pages. Ignores the query. */
const respondWith =
	(
		...given: Array<{ ids: unknown[]; next?: unknown; previous?: unknown; limit?: number }>
	): Respond =>
	(_, part) => {
		const { ids, next, previous, limit } = given[part] ?? { ids: [] };
		const meta = { next, previous, current: limit === undefined ? undefined : { limit } };
		return { data: ids.map((id) => (id === undefined ? { text: 'a' } : { id })), meta };
	};

const after = (id: unknown, affix = 'append') => ({ affix, id });

/** Kind of `next` cursor that the service includes in its responses. */
type Next = 'never' | 'whileMore' | 'always' | 'wrongWay' | 'withoutId';

interface ServiceBehavior {
	size: number;
	idAs: 'text' | 'number';
	firstId: number;
	/** True if each page lists the newest message first */
	isReversed: boolean;
	/** True if a page includes the message that the cursor points to */
	isInclusive: boolean;
	next: Next;
	/** True if responses include the page length */
	sendsLimit: boolean;
	/** Maximum messages per page */
	cap: number;
}

/** Creates an in-memory service that paginates by `affix` and `id`. */
function createService(behavior: ServiceBehavior) {
	const { isReversed, isInclusive, next, sendsLimit } = behavior;
	const messages = Array.from({ length: behavior.size }, (_, i) => {
		const id = behavior.firstId + i;
		return { id: behavior.idAs === 'text' ? String(id) : id };
	});
	const respond: Respond = ({ affix, id, limit }) => {
		const isForward = affix === 'append';
		const rest = messages.filter((each) => {
			const distance = (Number(each.id) - Number(id ?? NaN)) * (isForward ? 1 : -1);
			return Number.isNaN(distance) || distance > 0 || (isInclusive && distance === 0);
		});
		const length = Math.min(Number(limit), behavior.cap);
		const page = isForward ? rest.slice(0, length) : rest.slice(-length);
		const edge = isForward ? page.at(-1) : page.at(0);
		const way = (next === 'wrongWay') === isForward ? 'prepend' : 'append';
		const hasCursor = next !== 'whileMore' || rest.length > page.length;
		const cursor = { affix: way, id: next === 'withoutId' ? undefined : edge?.id };
		return {
			data: isReversed ? [...page].reverse() : page,
			meta: {
				...(sendsLimit ? { current: { limit: length } } : {}),
				...(edge && next !== 'never' && hasCursor ? { next: cursor } : {}),
			},
		};
	};
	return { messages, respond };
}

const behaviors = fc.record<ServiceBehavior>({
	size: fc.oneof(fc.nat(8), fc.nat(60)),
	idAs: fc.constantFrom('text', 'number'),
	// Starting at 95 mixes two-digit and three-digit IDs, which sort incorrectly as strings
	firstId: fc.constantFrom(1, 95),
	isReversed: fc.boolean(),
	isInclusive: fc.boolean(),
	next: fc.constantFrom('never', 'whileMore', 'always', 'wrongWay', 'withoutId'),
	sendsLimit: fc.boolean(),
	cap: fc.oneof(fc.constant(1_000), fc.integer({ min: 2, max: 9 })),
});

describe('A list by time', () => {
	test('returns each message once, in order, with at most one extra request', async () => {
		await fc.assert(
			fc.asyncProperty(
				behaviors,
				fc.constantFrom<Order>('newestFirst', 'oldestFirst'),
				fc.integer({ min: 1, max: 40 }),
				fc.option(fc.integer({ min: 1, max: 70 }), { nil: Infinity }),
				async (behavior, order, perPage, limit) => {
					const { messages, respond } = createService(behavior);
					const values = { limit, returnAll: limit === Infinity, options: { order, perPage } };
					const { ids, queries, error } = await readList(respond, values);
					const inOrder = order === 'oldestFirst' ? messages : messages.toReversed();
					expect({ ids, error }).toEqual({ ids: inOrder.slice(0, limit).map(({ id }) => id) });
					const size = limit === 1 ? perPage : Math.max(2, perPage);
					const length = Math.min(size, behavior.cap) - (behavior.isInclusive ? 1 : 0);
					const needed = Math.ceil(Math.min(limit, messages.length) / Math.max(1, length));
					expect(queries.length).toBeLessThanOrEqual(Math.max(1, needed) + 1);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('starts without an ID, and continues after the last message', async () => {
		const respond = respondWith({ ids: ['110', '119'] }, { ids: ['101'] });
		const { ids, queries } = await readList(respond, all('newestFirst', { perPage: 10 }));
		expect(ids).toEqual(['119', '110', '101']);
		expect(queries).toEqual([
			{ affix: 'prepend', limit: 10 },
			{ affix: 'prepend', id: '110', limit: 10 },
			{ affix: 'prepend', id: '101', limit: 10 },
		]);
		expect(
			(await readList(respond, { options: { order: 'oldestFirst' }, limit: 3 })).queries,
		).toEqual([
			{ affix: 'append', limit: 3 },
			{ affix: 'append', id: '119', limit: 3 },
		]);
	});

	test("sends the service's cursor for the list's direction", async () => {
		const cursor = { affix: 'prepend', id: '7', sentAt: 5, fromTimestamp: 6 };
		const next = { affix: 'append', id: '9' };
		const respond = respondWith({ ids: ['9'], next, previous: cursor });
		const backward = await readList(respond, all('newestFirst'));
		expect(backward.queries[1]).toEqual({ ...cursor, limit: 1_000 });
		const forward = await readList(respond, all('oldestFirst'));
		expect(forward.queries[1]).toEqual({ ...next, limit: 1_000 });
	});

	test.each([
		...['2', 5, null, ['x'], { affix: 'append' }, { id: 9 }, { sentAt: 9 }],
		...[null, '', 0].map((id) => ({ affix: 'append', id, sentAt: id })),
	])('ignores the unusable cursor %j', async (next) => {
		const { ids, queries } = await readList(respondWith({ ids: [1], next }), all('oldestFirst'));
		expect([ids, queries[1]]).toEqual([[1], { affix: 'append', id: '1', limit: 1_000 }]);
	});

	test('continues after short and empty pages with a cursor', async () => {
		const service = respondWith(
			{ ids: [], next: after(3) },
			{ ids: [4], limit: 9, next: after(4) },
			{ ids: [5], limit: 9 },
		);
		expect((await readList(service, all('oldestFirst'))).ids).toEqual([4, 5]);
	});

	const NOTHING_NEW = 'CometChat sent nothing new, so the list stopped after';

	test.each<[string, Respond, Order, unknown[], string]>([
		[
			'a page repeats',
			() => respondWith({ ids: [5, 6] })({}, 0),
			'newestFirst',
			[6, 5],
			`${NOTHING_NEW} 2 messages, the last one with the ID 5`,
		],
		[
			'more messages have the same time than fit on a page',
			({ sentAt }) => {
				const next = { affix: 'append', sentAt: 7 };
				return respondWith({ ids: sentAt === undefined ? [1, 2] : [2, 3], next })({}, 0);
			},
			'oldestFirst',
			[1, 2, 3],
			`${NOTHING_NEW} 3 messages, the last one with the ID 3`,
		],
		[
			'cursors form a circle',
			(_, part) => {
				const previous = after(part % 2 ? 6 : 4, 'prepend');
				return respondWith({ ids: part % 2 ? [2, 3] : [4, 5], previous })({}, 0);
			},
			'newestFirst',
			[5, 4, 3, 2],
			`${NOTHING_NEW} 4 messages, the last one with the ID 4`,
		],
		[
			'several pages are empty',
			(_, part) => respondWith({ ids: [], next: after(part + 1) })({}, 0),
			'oldestFirst',
			[],
			`${NOTHING_NEW} 0 messages`,
		],
		[
			'messages have no ID',
			respondWith({ ids: [undefined, undefined] }),
			'newestFirst',
			[undefined, undefined],
			`${NOTHING_NEW} 2 messages`,
		],
	])('stops with an error if %s', async (_, respond, order, expected, text) => {
		const { ids, error, queries } = await readList(respond, all(order));
		expect(ids).toEqual(expected);
		expect(queries.length).toBeLessThanOrEqual(4);
		expect(error).toBeInstanceOf(DescribedError);
		expect(error).toMatchObject({
			message: text,
			description: "There may be more. Turn off 'Return All' and set 'Limit'.",
		});
	});

	const large = ['9007199254740993', '9007199254740992', '999'].map((id) => ({ id }));

	test.each<[Order, string[]]>([
		['oldestFirst', ['999', '9007199254740992', '9007199254740993']],
		['newestFirst', ['9007199254740993', '9007199254740992', '999']],
	])('sorts messages with large IDs: %s', async (order, expected) => {
		const { ids } = await readList((_, part) => ({ data: part === 0 ? large : [] }), all(order));
		expect(ids).toEqual(expected);
	});

	/** Reads a list that excludes the newest messages, and returns the page lengths requested. */
	async function readLimits(excluded: number, values: ParameterValues): Promise<unknown[]> {
		const { respond } = createService({
			...{ size: 100 + excluded, idAs: 'number', firstId: 1, isReversed: false, cap: 1_000 },
			...{ isInclusive: false, next: 'never', sendsLimit: false },
		});
		const limits: unknown[] = [];
		const recording: Respond = (query, part) => {
			limits.push(query.limit);
			return respond(query, part);
		};
		const call = createCall(recording, values);
		const many: EntityDefinition = { ...message, isExcluded: ({ id }) => Number(id) > 100 };
		const entities = await collectEntities(readAll({ many, pagedBy: 'id' }, call));
		expect(entities[0]).toEqual({ id: 100 });
		return limits;
	}

	test.each<[number, ParameterValues, number[]]>([
		[2_000, { limit: 1 }, [1, 1_000, 1_000]],
		[40, { limit: 50 }, [50, 1_000]],
		// Page length stays small if few messages are excluded or Per Page is set
		[0, { limit: 1 }, [1]],
		[20, { limit: 50 }, [50, 50]],
		[20, { limit: 5, options: { perPage: 10 } }, [10, 10, 10]],
	])('requests larger pages after %i excluded messages: %j', async (excluded, values, limits) => {
		expect(await readLimits(excluded, values)).toEqual(limits);
	});
});

describe("A list by the service's cursor", () => {
	const read = async (respond: Respond, values: ParameterValues = { returnAll: true }) =>
		await readList(respond, values, 'cursor');

	test("keeps the service's order, and stops at the limit", async () => {
		const service = respondWith(
			{ ids: ['c', 'a'], next: after(1) },
			{ ids: ['b'], next: after(2) },
			{ ids: ['d'] },
		);
		const { ids, queries } = await read(service);
		expect(ids).toEqual(['c', 'a', 'b', 'd']);
		expect(queries).toEqual([{}, after(1), after(2)]);
		expect((await read(service, { limit: 3 })).queries).toHaveLength(2);
	});

	const hundred = Array.from({ length: 100 }, (_, i) => i);

	test.each([
		[[], undefined, [{}]],
		[[1, 2], undefined, [{}, after('2')]],
		[hundred, 101, [{}]],
		[hundred, undefined, [{}, after('99')]],
		[[1, 2], 2, [{}, after('2')]],
		[[1, 2], 3, [{}]],
	])('ends at a page that is shorter than usual: %#', async (ids, limit, queries) => {
		expect((await read(respondWith({ ids, limit }))).queries).toEqual(queries);
	});

	test('continues after an empty page, and ends when the cursor repeats', async () => {
		const service = respondWith(
			{ ids: ['a'], next: after(1) },
			{ ids: [], next: after(2) },
			{ ids: ['b'], next: after(2) },
		);
		const { ids, queries, error } = await read(service);
		expect({ ids, error }).toEqual({ ids: ['a', 'b'] });
		expect(queries).toHaveLength(4);
	});
});

describe('A list by page numbers', () => {
	test.each([
		['page', { total: 30, total_pages: 30 }, 8],
		['page', { total: 30 }, 8],
		['page', { total_pages: 30 }, 8],
		// CometChat may ignore the page numbers of replies
		['pageOrCursor', { total: 30, total_pages: 30 }, 1],
	] as const)('by %s with %j has at most %i pages in flight', async (by, pagination, most) => {
		let inFlight = 0;
		let peak = 0;
		const respond: Respond = async ({ page }) => {
			peak = Math.max(peak, ++inFlight);
			await new Promise(setImmediate);
			inFlight--;
			return { data: Number(page) > 30 ? [] : [{ id: page }], meta: { pagination } };
		};
		const { ids } = await readList(respond, { returnAll: true, options: { perPage: 1 } }, by);
		expect([ids.length, peak]).toEqual([30, most]);
	});
});

describe('After pages without new items, a list', () => {
	/** Creates the pages a, some empty pages, and b, of which each says that another page follows. */
	const pagesWith =
		(empty: number): Respond =>
		(_, part) => {
			const id = new Map([
				[0, 'a'],
				[empty + 1, 'b'],
			]).get(part);
			const meta = { next: after(part), pagination: { total_pages: Math.min(part, empty) + 2 } };
			return { data: id === undefined ? [] : [{ id }], meta };
		};

	test.each([
		['cursor', 2, ['a', 'b']],
		['cursor', 3, ['a']],
		['page', 3, ['a', 'b']],
		['page', 4, ['a']],
	] as const)('by %s continues or stops with an error: %i pages, %j', async (by, empty, ids) => {
		const values = { limit: 2, options: { perPage: 1 } };
		const list = await readList(pagesWith(empty), values, by);
		expect(list.ids).toEqual(ids);
		expect(list.error instanceof DescribedError).toBe(ids.length === 1);
	});
});
