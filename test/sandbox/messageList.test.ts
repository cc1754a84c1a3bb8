import fc from 'fast-check';
import type { ActionMessage, CursorList, IdCursor, Message } from '../../sandbox/types';
import { call, dataOf, useSandbox, type Answer } from './client';

const sandbox = useSandbox();

type List = CursorList<Message>;

const read = (answer: Answer): List => JSON.parse(answer.text);
const ids = ({ data }: List): number[] => data.map(({ id }) => Number(id));

async function list(
	query: string,
	{ guid, uid, as }: { guid?: string; uid?: string; as?: string } = {},
) {
	const ofUser = uid === undefined ? '/messages' : `/users/${uid}/messages`;
	const path = guid === undefined ? ofUser : `/groups/${guid}/messages`;
	const answer = await call(sandbox(), `${path}?${query}`, { as });
	expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
	return read(answer);
}

/** Sends messages to a group, and returns their ids. */
function fill(count: number, guid = 'lunch'): number[] {
	return Array.from({ length: count }, (_, n) =>
		Number(sandbox().store.sendMessage({ sender: 'leo', receiver: guid, text: `No. ${n}` }).id),
	);
}

const allIds = () =>
	sandbox()
		.store.messages()
		.map(({ id }) => Number(id));

describe('List Messages', () => {
	test('returns the newest ten of the whole app, oldest of them first', async () => {
		const page = await list('');
		expect(ids(page)).toEqual(allIds().slice(-10));
		expect(page.meta).toEqual({
			current: { limit: 10, count: 10 },
			next: { affix: 'prepend', id: String(page.data[0].id), sentAt: page.data[0].sentAt },
		});
	});

	test('of a group returns its messages only', async () => {
		const { data } = await list('limit=100', { guid: 'All-Hands' });
		expect(data.map(({ id }) => id)).toEqual(['108', '109', '117']);
		expect(data[0]).toEqual(dataOf(await call(sandbox(), '/messages/108')));
	});

	test('to and from a user, or between two, come with a pagination and a cursor', async () => {
		const page = await list('limit=2', { uid: 'Mira' });
		expect(ids(page)).toEqual([101, 102]);
		expect(page.meta).toEqual({
			pagination: { total: 0, count: 2, per_page: 2, current_page: 1, total_pages: 1 },
			cursor: { id: '101', affix: 'prepend' },
		});
		expect(ids(await list('', { uid: 'carla', as: 'noor' }))).toEqual([106, 116]);
		expect(ids(await list('', { uid: 'mira', as: 'noor' }))).toEqual([]);
	});

	test('on behalf of a user returns what that user may see', async () => {
		const { data } = await list('limit=1000', { as: 'carla' });
		const visible = sandbox()
			.store.messages()
			.filter((message) => sandbox().store.canSee(message, 'carla'));
		expect(data.map(({ id }) => id)).toEqual(visible.map(({ id }) => id));
		expect(data.length).toBeLessThan(allIds().length);
	});
});

describe('paging', () => {
	interface Behaviour {
		messageOrder: 'ascending' | 'descending';
		idBoundary: 'exclusive' | 'inclusive';
		nextShown: 'more' | 'always' | 'never';
		messageIds: 'text' | 'number';
		withoutAffix: 'append' | 'prepend';
		maxMessagesPerPage: number;
	}
	const behaviours: fc.Arbitrary<Behaviour> = fc.record({
		messageOrder: fc.constantFrom('ascending', 'descending'),
		idBoundary: fc.constantFrom('exclusive', 'inclusive'),
		nextShown: fc.constantFrom('more', 'always', 'never'),
		messageIds: fc.constantFrom('text', 'number'),
		withoutAffix: fc.constantFrom('append', 'prepend'),
		maxMessagesPerPage: fc.constantFrom(0, 3),
	});

	/** Walks as the contract advises: always with `affix`, each page sorted, each id once, until nothing new comes. */
	async function walk(affix: 'append' | 'prepend', limit: number): Promise<number[]> {
		const seen: number[] = [];
		let id: number | undefined;
		for (;;) {
			const from = id === undefined ? '' : `&id=${id}`;
			const page = await list(`limit=${limit}&affix=${affix}${from}`, { guid: 'lunch' });
			const sign = affix === 'append' ? 1 : -1;
			const fresh = ids(page)
				.sort((a, b) => sign * (a - b))
				.filter((n) => !seen.includes(n));
			if (fresh.length === 0) return seen;
			seen.push(...fresh);
			id = seen.at(-1);
		}
	}

	test('finds each message once, in order, under every behaviour', async () => {
		const sent = [114, ...fill(17)];
		await fc.assert(
			fc.asyncProperty(behaviours, fc.integer({ min: 2, max: 20 }), async (behaviour, limit) => {
				sandbox().setSettings(behaviour);
				expect(await walk('append', limit)).toEqual(sent);
				expect(await walk('prepend', limit)).toEqual([...sent].reverse());
			}),
			{ numRuns: 8 },
		);
		expect(sandbox().violations).toEqual([]);
	});

	test('passing meta.next on walks forwards, and meta.previous back', async () => {
		const sent = [114, ...fill(6)];
		const go = async ({ affix, id }: IdCursor) =>
			list(`limit=3&affix=${affix}&id=${id}`, { guid: 'lunch' });
		const first = await list('limit=3&affix=append', { guid: 'lunch' });
		expect(first.meta).not.toHaveProperty('previous');
		const second = await go(first.meta.next as IdCursor);
		const third = await go(second.meta.next as IdCursor);
		expect([first, second, third].flatMap(ids)).toEqual(sent);
		expect(third.meta).not.toHaveProperty('next');
		expect(ids(await go(third.meta.previous as IdCursor))).toEqual(sent.slice(3, 6));
	});

	test.each([
		['more', [true, true, false, false]],
		['always', [true, true, true, true]],
		['never', [false, false, false, false]],
	] as const)('meta.next is there %s', async (nextShown, expected) => {
		sandbox().setSettings({ nextShown });
		const sent = [114, ...fill(5)];
		const shown: boolean[] = [];
		for (const id of [0, sent[1], sent[3], sent[5]]) {
			const { meta } = await list(`limit=2&affix=append&id=${id}`, { guid: 'lunch' });
			shown.push(meta.next !== undefined);
		}
		expect(shown).toEqual(expected);
	});

	test.each([
		['ascending', [1, 2, 3]],
		['descending', [3, 2, 1]],
	] as const)('a page is %s, whichever way it goes', async (messageOrder, places) => {
		sandbox().setSettings({ messageOrder });
		const sent = fill(5);
		const expected = places.map((place) => sent[place]);
		const ahead = await list(`limit=3&affix=append&id=${sent[0]}`, { guid: 'lunch' });
		const back = await list(`limit=3&affix=prepend&id=${sent[4]}`, { guid: 'lunch' });
		expect([ids(ahead), ids(back)]).toEqual([expected, expected]);
	});

	test('the id itself comes again, or not', async () => {
		const [first, second, third] = fill(3);
		const both = async () => [
			ids(await list(`affix=append&id=${second}`, { guid: 'lunch' })),
			ids(await list(`affix=prepend&id=${second}`, { guid: 'lunch' })),
		];
		expect(await both()).toEqual([[third], [114, first]]);
		sandbox().setSettings({ idBoundary: 'inclusive' });
		expect(await both()).toEqual([
			[second, third],
			[114, first, second],
		]);
	});

	test('goes on from an id that is gone', async () => {
		const [first, second, third] = fill(3);
		sandbox().store.deleteMessage(String(second), { permanent: true });
		const query = `limit=1&affix=append&id=${second}`;
		expect(ids(await list(query, { guid: 'lunch' }))).toEqual([third]);
		expect(ids(await list(`limit=1&id=${second}`, { guid: 'lunch' }))).toEqual([first]);
	});

	test('a page can be short though more follow, and meta.next says so', async () => {
		sandbox().setSettings({ maxMessagesPerPage: 2 });
		fill(5);
		const { data, meta } = await list('limit=100&affix=append', { guid: 'lunch' });
		expect(data).toHaveLength(2);
		expect(meta).toMatchObject({ current: { limit: 100, count: 2 }, next: { affix: 'append' } });
	});
});

describe('filters', () => {
	const found = async (query: string, more?: { guid?: string; as?: string }) =>
		ids(await list(`limit=1000&${query}`, more)).map(String);

	test.each([
		['searchKey=LAMP', ['111']],
		['sender=priya', ['103', '108', '119']],
		['categories=custom', ['120']],
		['categories=custom,message&types=ticket', ['120']],
		['types=image,file', ['117', '121']],
		['tags=release', ['118', '119']],
		['tags=tests,orders', ['119', '121']],
		['hasAttachments=true', ['117', '121']],
		['hasLinks=true', ['119', '122']],
		['hasMentions=true', ['118']],
		['attachmentTypes=video,image', ['117']],
		['mentionedUids=priya,leo', ['118']],
		['mentionedUids=mira', []],
		['hasReactions=true&sender=leo', ['104']],
		['hasAttachments=false&sender=aisha', ['112', '117']],
		['receiverType=user&sender=leo', ['104']],
		['conversationId=group_lunch', ['114']],
		['conversationId=mira_user_jonas', ['101', '102']],
		['fromTimestamp=1754040000&toTimestamp=1754040420', ['101', '102']],
		['fromTimestamp=1754040001&toTimestamp=1754040419', []],
	])('%s', async (query, expected) => {
		expect(await found(query)).toEqual(expected);
	});

	test.each([
		['myMentionsOnly=true', 'priya', ['118']],
		['myMentionsOnly=true', 'leo', []],
		['unread=true', 'priya', ['118']],
		['unread=true', 'mira', ['118', '119']],
	])('%s on behalf of %s', async (query, as, expected) => {
		expect(await found(query, { guid: 'project-aurora', as })).toEqual(expected);
	});

	test('hideReplies leaves replies out', async () => {
		expect(await found('', { guid: 'project-aurora' })).toEqual(['118', '119']);
		expect(await found('hideReplies=true', { guid: 'project-aurora' })).toEqual(['118']);
	});

	test('deleted messages are listed without their text, hidden, or listed alone', async () => {
		sandbox().setSettings({ listActions: false });
		sandbox().store.deleteMessage('109');
		const [, deleted] = (await list('limit=9', { guid: 'all-hands' })).data;
		expect(deleted).toMatchObject({ id: '109', deletedAt: expect.any(Number) });
		expect(deleted.data.text).toBeUndefined();
		expect(await found('searchKey=aurora')).not.toContain('109');
		const ofMira = 'sender=mira&conversationId=group_all-hands';
		expect(await found(ofMira)).toEqual(['109']);
		for (const on of ['true', '1']) {
			expect(await found(`${ofMira}&hideDeleted=${on}`)).toEqual([]);
			expect(await found(`onlyDeleted=${on}`)).toEqual(['109']);
		}
		expect(await found(`${ofMira}&hideDeleted=0`)).toEqual(['109']);
	});

	test('withTags puts the tags into the response', async () => {
		const [without] = (await list('tags=orders')).data;
		const [withTags] = (await list('tags=orders&withTags=true')).data;
		expect([without.tags, withTags.tags]).toEqual([undefined, ['orders']]);
	});

	test('notes about changes are messages of the category action, or not listed', async () => {
		const note = sandbox().store.editMessage('109', { text: 'x' }, 'mira');
		expect(await found('categories=action')).toEqual([note.id]);
		const [shown] = (await list('categories=action')).data as unknown as ActionMessage[];
		expect(shown.data.entities.on.entity.id).toBe('109');
		expect(await found('types=message')).toEqual([note.id]);
		sandbox().setSettings({ listActions: false });
		expect(await found('')).not.toContain(note.id);
	});
});
