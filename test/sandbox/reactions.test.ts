import { REACTIONS } from '../../sandbox/data/messages';
import type { CursorList, UserReaction } from '../../sandbox/types';
import { call, dataOf, messageOf, refusalOf, removeReaction, useSandbox } from './client';

const sandbox = useSandbox();

const path = (id: string, reaction: string) =>
	`/messages/${id}/reactions/${encodeURIComponent(reaction)}`;
const add = (id: string, reaction: string, as?: string) =>
	call(sandbox(), path(id, reaction), { method: 'POST', as });
const list = async (id: string, query = '', as?: string) =>
	JSON.parse(
		(await call(sandbox(), `/messages/${id}/reactions${query}`, { as })).text,
	) as CursorList<UserReaction>;

describe('Add Reaction', () => {
	test('returns the message with its reactions, and marks those of the user', async () => {
		const answer = await add('114', REACTIONS.keycapHash, 'leo');
		expect(answer.status).toBe(200);
		expect(messageOf(answer)).toMatchObject({
			id: '114',
			data: {
				text: 'Anyone?',
				reactions: [{ reaction: REACTIONS.keycapHash, count: 1, reactedByMe: true }],
			},
		});
		expect(sandbox().store.reactions('114')).toHaveLength(1);
	});

	test('counts each user once', async () => {
		await add('109', 'ok', 'mira');
		const again = messageOf(await add('109', 'ok', 'mira'));
		expect(again.data.reactions).toContainEqual({ reaction: 'ok', count: 1, reactedByMe: true });
		const other = messageOf(await add('109', 'ok', 'priya'));
		expect(other.data.reactions).toContainEqual({ reaction: 'ok', count: 2, reactedByMe: true });
	});

	test('keeps code points apart, and takes any text', async () => {
		const texts = [...Object.values(REACTIONS), 'a/b', '100%', '?x=1&y#z', ' space ', '+1'];
		for (const text of texts) expect((await add('114', text, 'leo')).status).toBe(200);
		const { data } = await list('114', '?limit=1000');
		expect(data.map(({ reaction }) => reaction)).toEqual(texts);
		for (const text of texts) {
			expect((await removeReaction(sandbox(), '114', text, 'leo')).status).toBe(200);
		}
		expect(sandbox().violations).toEqual([]);
	});

	test.each([
		['999', 'leo', 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
		['114', 'mira', 403, 'ERR_MESSAGE_NO_ACCESS'],
		['114', 'nobody', 404, 'ERR_UID_NOT_FOUND'],
		['114', undefined, 400, 'ERR_BAD_REQUEST'],
	])('to %s as %s is refused', async (id, as, status, code) => {
		expect(refusalOf(await add(id, 'ok', as))).toEqual([status, code]);
	});

	test('to a deleted message is not allowed', async () => {
		sandbox().store.deleteMessage('114');
		expect(refusalOf(await add('114', 'ok', 'leo'))).toEqual([
			403,
			'ERR_MESSAGE_ACTION_NOT_ALLOWED',
		]);
	});
});

describe('List Reactions', () => {
	test('tells who reacted how and when, in that order', async () => {
		const now = Math.floor(Date.now() / 1000);
		await add('110', 'seen', 'mira');
		const { data, meta } = await list('110');
		expect(data.map(({ reaction, uid }) => [reaction, uid])).toEqual([
			['\u{1F440}', 'jonas'],
			['\u{1F440}', 'leo'],
			['ack', 'yuki'],
			['seen', 'mira'],
		]);
		expect(data[3]).toEqual({
			id: expect.stringMatching(/^\d+$/),
			messageId: '110',
			reaction: 'seen',
			uid: 'mira',
			reactedAt: expect.any(Number),
			reactedBy: expect.objectContaining({ uid: 'mira', name: 'Mira Halden' }),
		});
		expect(data[3].reactedAt).toBeGreaterThanOrEqual(now);
		expect(data[0].reactedAt).toBeGreaterThan(sandbox().store.message('110')?.sentAt ?? Infinity);
		expect(meta).toEqual({ current: { limit: 100, count: 4 } });
	});

	test('of one kind, which may be none', async () => {
		const one = await call(sandbox(), path('110', '\u{1F440}'));
		expect(dataOf<UserReaction[]>(one).map(({ uid }) => uid)).toEqual(['jonas', 'leo']);
		expect(dataOf(await call(sandbox(), path('110', 'nothing')))).toEqual([]);
	});

	test('no longer has what was removed', async () => {
		await removeReaction(sandbox(), '110', 'ack', 'yuki');
		expect((await list('110')).data.map(({ uid }) => uid)).toEqual(['jonas', 'leo']);
	});

	test('goes on where meta.next says', async () => {
		sandbox().setSettings({ reactionsPerPage: 2, nextShown: 'more' });
		const all = (await list('109', '?limit=1000')).data;
		const seen: UserReaction[] = [];
		let query = '';
		for (;;) {
			const { data, meta } = await list('109', query);
			seen.push(...data);
			if (!meta.next) break;
			query = `?affix=${meta.next.affix}&id=${meta.next.id}`;
		}
		expect(seen).toEqual(all);
		expect(all).toHaveLength(7);
		const back = await list('109', `?affix=prepend&id=${all[3].id}`);
		expect(back.data).toEqual(all.slice(1, 3));
		sandbox().setSettings({ nextShown: 'never' });
		expect((await list('109')).meta).toEqual({ current: { limit: 2, count: 2 } });
	});

	test.each([
		['999', undefined, 404, 'ERR_MESSAGE_ID_NOT_FOUND'],
		['109', 'ext_sam-99', 403, 'ERR_MESSAGE_NO_ACCESS'],
	])('of %s as %s is refused', async (id, as, status, code) => {
		for (const target of [`/messages/${id}/reactions`, path(id, 'x')]) {
			expect(refusalOf(await call(sandbox(), target, { as }))).toEqual([status, code]);
		}
	});
});
