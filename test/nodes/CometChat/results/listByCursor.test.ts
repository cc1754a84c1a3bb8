import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { listByCursor } from '../../../../nodes/CometChat/results/listByCursor';
import { DescribedError } from '../../../../nodes/CometChat/errors/inputError';
import type { Entity, Values } from '../../../../nodes/CometChat/description/types';
import { callOf, thingsOf, type Respond } from './call';

const message: Entity = { name: 'message', plural: 'messages', id: 'id', columns: {} };

type Order = 'newestFirst' | 'oldestFirst';

const all = (order: Order, more: Values = {}): Values => ({ returnAll: true, order, ...more });

/** The ids of the things of a list, and what it ended with. */
async function listed(respond: Respond, values: Values, by: 'time' | 'cursor' = 'time') {
	const asked: IDataObject[] = [];
	const noting: Respond = (query, part) => {
		if (part !== asked.length) throw new Error(`request ${asked.length} was part ${part}`);
		asked.push(query);
		if (asked.length > 300) throw new Error('the list goes on for ever');
		return respond(query, part);
	};
	const kept: IDataObject[] = [];
	const error: unknown = await thingsOf(
		listByCursor({ many: message, by }, callOf(noting, values)),
		kept,
	).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return { ids: kept.map(({ id }) => id), asked, error };
}

/** Pages that come one after the other, whatever is asked for; then empty ones. */
const pages =
	(
		...given: Array<{ ids: unknown[]; next?: unknown; previous?: unknown; limit?: number }>
	): Respond =>
	(_, part) => {
		const { ids, next, previous, limit } = given[part] ?? { ids: [] };
		const meta = { next, previous, current: limit === undefined ? undefined : { limit } };
		return { data: ids.map((id) => (id === undefined ? { text: 'a' } : { id })), meta };
	};

const to = (id: unknown, affix = 'append') => ({ affix, id });

const stopped = (message: string) =>
	expect.objectContaining({
		constructor: DescribedError,
		message,
		description: "There may be more. Set 'Limit', or add a filter.",
	});

/** How a service sends its own cursor. */
type Next = 'never' | 'whileMore' | 'always' | 'wrongWay' | 'withoutId';

interface Behaviour {
	size: number;
	idAs: 'text' | 'number';
	firstId: number;
	/** Order within a page, whatever the direction */
	isReversed: boolean;
	/** Whether the message of the cursor comes again */
	isInclusive: boolean;
	next: Next;
	saysLimit: boolean;
	/** Most messages on a page, whatever is asked for */
	cap: number;
}

/** A service in memory that pages by `affix` and `id`. */
function serviceOf({ isReversed, isInclusive, next, saysLimit, ...behaviour }: Behaviour) {
	const messages = Array.from({ length: behaviour.size }, (_, i) => {
		const id = behaviour.firstId + i;
		return { id: behaviour.idAs === 'text' ? String(id) : id };
	});
	const respond: Respond = ({ affix, id, limit }) => {
		const isForward = affix === 'append';
		const rest = messages.filter((each) => {
			const distance = (Number(each.id) - Number(id ?? NaN)) * (isForward ? 1 : -1);
			return Number.isNaN(distance) || distance > 0 || (isInclusive && distance === 0);
		});
		const length = Math.min(Number(limit), behaviour.cap);
		const page = isForward ? rest.slice(0, length) : rest.slice(-length);
		const edge = isForward ? page.at(-1) : page.at(0);
		const way = (next === 'wrongWay') === isForward ? 'prepend' : 'append';
		const isSaid = next !== 'whileMore' || rest.length > page.length;
		const cursor = { affix: way, id: next === 'withoutId' ? undefined : edge?.id };
		return {
			data: isReversed ? [...page].reverse() : page,
			meta: {
				...(saysLimit ? { current: { limit: length } } : {}),
				...(edge && next !== 'never' && isSaid ? { next: cursor } : {}),
			},
		};
	};
	return { messages, respond };
}

const behaviours = fc.record<Behaviour>({
	size: fc.oneof(fc.nat(8), fc.nat(60)),
	idAs: fc.constantFrom('text', 'number'),
	// 95: ids with two and with three digits are no order as texts
	firstId: fc.constantFrom(1, 95),
	isReversed: fc.boolean(),
	isInclusive: fc.boolean(),
	next: fc.constantFrom('never', 'whileMore', 'always', 'wrongWay', 'withoutId'),
	saysLimit: fc.boolean(),
	cap: fc.oneof(fc.constant(1_000), fc.integer({ min: 2, max: 9 })),
});

describe('A list by time', () => {
	test('holds each message once and in order, however the service pages, for one request too many', async () => {
		await fc.assert(
			fc.asyncProperty(
				behaviours,
				fc.constantFrom<Order>('newestFirst', 'oldestFirst'),
				fc.integer({ min: 1, max: 40 }),
				fc.option(fc.integer({ min: 1, max: 70 }), { nil: Infinity }),
				async (behaviour, order, perPage, limit) => {
					const { messages, respond } = serviceOf(behaviour);
					const values = { limit, returnAll: limit === Infinity, order, options: { perPage } };
					const { ids, asked, error } = await listed(respond, values);
					const inOrder = order === 'oldestFirst' ? messages : messages.toReversed();
					expect({ ids, error }).toEqual({ ids: inOrder.slice(0, limit).map(({ id }) => id) });
					const size = limit === 1 ? perPage : Math.max(2, perPage);
					const length = Math.min(size, behaviour.cap) - (behaviour.isInclusive ? 1 : 0);
					const needed = Math.ceil(Math.min(limit, messages.length) / Math.max(1, length));
					expect(asked.length).toBeLessThanOrEqual(Math.max(1, needed) + 1);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('begins without an id, and goes on after the last message in its direction', async () => {
		const odd = pages({ ids: ['110', '119'] }, { ids: ['101'] });
		const { ids, asked } = await listed(odd, all('newestFirst', { options: { perPage: 10 } }));
		expect(ids).toEqual(['119', '110', '101']);
		expect(asked).toEqual([
			{ affix: 'prepend', limit: 10 },
			{ affix: 'prepend', id: '110', limit: 10 },
			{ affix: 'prepend', id: '101', limit: 10 },
		]);
		expect((await listed(odd, { order: 'oldestFirst', limit: 3 })).asked).toEqual([
			{ affix: 'append', limit: 3 },
			{ affix: 'append', id: '119', limit: 3 },
		]);
	});

	test("goes on with the service's cursor: what it holds and we know, in the direction of the list", async () => {
		const cursor = { affix: 'prepend', id: '7', sentAt: 5, fromTimestamp: 6 };
		const next = { affix: 'append', id: '9' };
		const previous = { ...cursor, apikey: 'x', url: '/other' };
		const { asked } = await listed(pages({ ids: ['9'], next, previous }), all('newestFirst'));
		expect(asked[1]).toEqual({ ...cursor, limit: 1_000 });
		const forward = await listed(pages({ ids: ['9'], next, previous }), all('oldestFirst'));
		expect(forward.asked[1]).toEqual({ ...next, limit: 1_000 });
	});

	test('takes no notice of a cursor that says nothing, and of one without an affix', async () => {
		const none = (id: unknown) => ({ affix: 'append', id, sentAt: id });
		for (const next of [
			'2',
			5,
			null,
			['x'],
			{ affix: 'append' },
			{ id: 9 },
			{ sentAt: 9 },
			none(null),
			none(''),
			none(0),
		]) {
			const { ids, asked } = await listed(pages({ ids: [1], next }), all('oldestFirst'));
			expect([ids, asked[1]]).toEqual([[1], { affix: 'append', id: '1', limit: 1_000 }]);
		}
	});

	test('goes on after a short or empty page where a cursor leads on', async () => {
		const { ids } = await listed(
			pages({ ids: [], next: to(3) }, { ids: [4], limit: 9, next: to(4) }, { ids: [5], limit: 9 }),
			all('oldestFirst'),
		);
		expect(ids).toEqual([4, 5]);
	});

	test('says where it stopped when a page comes again', async () => {
		const { ids, error, asked } = await listed(
			() => pages({ ids: [5, 6] })({}, 0),
			all('newestFirst'),
		);
		expect(ids).toEqual([6, 5]);
		expect(asked).toHaveLength(2);
		expect(error).toEqual(
			stopped(
				'CometChat sent nothing new, so the list stopped after 2 messages, the last one with the ID 5',
			),
		);
	});

	test('says where it stopped when more messages are of one second than a page holds', async () => {
		const next = { affix: 'append', sentAt: 7 };
		const { ids, error } = await listed(
			({ sentAt }) => pages({ ids: sentAt === undefined ? [1, 2] : [2, 3], next })({}, 0),
			all('oldestFirst'),
		);
		expect(ids).toEqual([1, 2, 3]);
		expect(error).toEqual(expect.objectContaining({ message: expect.stringMatching(/ID 3$/) }));
	});

	test('says where it stopped when a cursor leads back', async () => {
		const { ids, error } = await listed(
			(_, part) =>
				pages({ ids: part % 2 ? [2, 3] : [4, 5], previous: to(part % 2 ? 6 : 4, 'prepend') })(
					{},
					0,
				),
			all('newestFirst'),
		);
		expect(ids).toEqual([5, 4, 3, 2]);
		expect(error).toBeInstanceOf(DescribedError);
	});

	test('says that it stopped at a message without an ID', async () => {
		const { ids, error } = await listed(pages({ ids: [undefined, undefined] }), all('newestFirst'));
		expect(ids).toHaveLength(2);
		expect(error).toEqual(
			stopped('CometChat did not say how to go on, so the list stopped after 2 messages'),
		);
	});

	test('is in the order of ids that a number cannot hold, else of their times, else as it came', async () => {
		const order = async (data: IDataObject[], way: Order) =>
			(await listed((_, part) => ({ data: part === 0 ? data : [] }), all(way))).ids;
		const large = ['9007199254740993', '9007199254740992', '999'].map((id) => ({ id }));
		expect(await order(large, 'oldestFirst')).toEqual([
			'999',
			'9007199254740992',
			'9007199254740993',
		]);
		const timed = [2, 3, 1].map((sentAt) => ({ id: `x${9 - sentAt}`, sentAt }));
		expect(await order(timed, 'oldestFirst')).toEqual(['x8', 'x7', 'x6']);
		expect(await order(timed, 'newestFirst')).toEqual(['x6', 'x7', 'x8']);
		expect(await order([{ id: 'x' }, { id: '5' }, { id: 'w' }], 'oldestFirst')).toEqual([
			'x',
			'5',
			'w',
		]);
	});
});

describe('Items that are left out', () => {
	const leavingOut: Entity = { ...message, isExcluded: ({ id }) => Number(id) > 100 };

	/** Numbers of items that are requested until the list ends. */
	async function limitsFor(notes: number, values: Values): Promise<unknown[]> {
		const { respond } = serviceOf({
			...{ size: 100 + notes, idAs: 'number', firstId: 1, isReversed: false, cap: 1_000 },
			...{ isInclusive: false, next: 'never', saysLimit: false },
		});
		const limits: unknown[] = [];
		const noting: Respond = (query, part) => {
			limits.push(query.limit);
			return respond(query, part);
		};
		const call = callOf(noting, { order: 'newestFirst', ...values });
		const things = await thingsOf(listByCursor({ many: leavingOut, by: 'time' }, call));
		expect(things[0]).toEqual({ id: 100 });
		return limits;
	}

	test('make the next pages as large as possible', async () => {
		expect(await limitsFor(2_000, { limit: 1 })).toEqual([1, 1_000, 1_000]);
		expect(await limitsFor(40, { limit: 50 })).toEqual([50, 1_000]);
	});

	test('change nothing if they are few, or if Per Page is set', async () => {
		expect(await limitsFor(0, { limit: 1 })).toEqual([1]);
		expect(await limitsFor(20, { limit: 50 })).toEqual([50, 50]);
		const asked = await limitsFor(20, { limit: 5, options: { perPage: 10 } });
		expect(asked).toEqual([10, 10, 10]);
	});
});

describe("A list by nothing but the service's cursor", () => {
	const byService = async (respond: Respond, values: Values = { returnAll: true }) =>
		await listed(respond, values, 'cursor');

	test('is left in its order, and read as far as the service leads, and as the limit needs', async () => {
		const service = pages(
			{ ids: ['c', 'a'], next: to(1) },
			{ ids: ['b'], next: to(2) },
			{ ids: ['d'] },
		);
		const { ids, asked } = await byService(service);
		expect(ids).toEqual(['c', 'a', 'b', 'd']);
		expect(asked).toEqual([{}, to(1), to(2)]);
		expect((await byService(service, { limit: 3 })).asked).toHaveLength(2);
	});

	test('ends at a page shorter than the service sends them, by what it says or as documented', async () => {
		const ids = Array.from({ length: 100 }, (_, i) => i);
		expect((await byService(pages({ ids: ids.slice(1) }))).asked).toEqual([{}]);
		expect((await byService(pages({ ids }))).asked).toEqual([{}, to('99')]);
		expect((await byService(pages({ ids: [1, 2], limit: 2 }))).asked).toEqual([{}, to('2')]);
		expect((await byService(pages({ ids: [1, 2], limit: 3 }))).asked).toEqual([{}]);
	});

	test('goes on after an empty page that leads on, and ends where the cursor is the same', async () => {
		const service = pages(
			{ ids: ['a'], next: to(1) },
			{ ids: [], next: to(2) },
			{ ids: ['b'], next: to(2) },
		);
		const { ids, asked, error } = await byService(service);
		expect({ ids, error }).toEqual({ ids: ['a', 'b'] });
		expect(asked).toHaveLength(4);
	});
});

test('a list is not cut without a word where empty pages lead on', async () => {
	const message = { name: 'message', plural: 'messages', id: 'id', columns: {} };
	const call = callOf(
		(_, part) => ({
			data: part === 4 ? [{ id: 'late' }] : [],
			meta: part < 4 ? { next: { affix: 'append', id: part + 1 } } : {},
		}),
		{ returnAll: true, order: 'oldestFirst' },
	);
	const ids = await thingsOf(listByCursor({ many: message, by: 'time' }, call)).then(
		(things) => things.map(({ id }) => id),
		() => ['an error that says so'],
	);
	expect(ids).not.toEqual([]);
});
