import type { ActionMessage, CursorList, IdCursor, Message } from '../../sandbox/types';
import { call, dataOf, useSandbox, type Answer } from './client';

const sandbox = useSandbox();

type List = CursorList<Message>;

const read = (answer: Answer): List => JSON.parse(answer.text);
const ids = ({ data }: List): number[] => data.map(({ id }) => Number(id));

async function list(query: string, { guid, as }: { guid?: string; as?: string } = {}) {
	const path = guid === undefined ? '/messages' : `/groups/${guid}/messages`;
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

	test('of a user returns what that user may see', async () => {
		const { data } = await list('limit=1000', { as: 'carla' });
		const visible = sandbox()
			.store.messages()
			.filter((message) => sandbox().store.canSee(message, 'carla'));
		expect(data.map(({ id }) => id)).toEqual(visible.map(({ id }) => id));
		expect(data.length).toBeLessThan(allIds().length);
	});
});

describe('paging', () => {
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

	test('goes on from an id that is gone', async () => {
		const [first, second, third] = fill(3);
		sandbox().store.deleteMessage(String(second), { permanent: true });
		const query = `limit=1&affix=append&id=${second}`;
		expect(ids(await list(query, { guid: 'lunch' }))).toEqual([third]);
		expect(ids(await list(`limit=1&id=${second}`, { guid: 'lunch' }))).toEqual([first]);
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
	});
});
