import type { GroupList } from '../../sandbox/types';
import { call, listOf, useSandbox } from './client';

const sandbox = useSandbox({ groups: 40 });

async function list(query = '', as?: string): Promise<GroupList> {
	const answer = await call(sandbox(), `/groups${query}`, { as });
	expect(answer.status).toBe(200);
	return listOf(answer);
}

const found = async (query: string, as?: string) =>
	(await list(`?${query}`, as)).data.map(({ guid }) => guid);

test('the sample data has groups of every type, whose people exist', () => {
	const groups = sandbox().store.groups();
	expect(new Set(groups.map(({ type }) => type))).toEqual(
		new Set(['public', 'private', 'protected', 'password']),
	);
	for (const { owner, members, guid } of groups) {
		expect(guid).toMatch(/^[a-z0-9_-]{1,100}$/);
		expect(members.map(({ uid }) => uid)).toContain(owner);
		expect(members.filter(({ uid }) => !sandbox().store.hasUser(uid))).toEqual([]);
	}
});

describe('the cursor', () => {
	test.each(['append', 'prepend'])('%s walks through all groups', async (affix) => {
		const seen = new Set<string>();
		let updatedAt = affix === 'append' ? 0 : 4_000_000_000;
		for (let isEnd = false; !isEnd;) {
			const { data, meta } = await list(`?updatedAt=${updatedAt}&affix=${affix}&perPage=8`);
			data.forEach(({ guid }) => seen.add(guid));
			isEnd = data.length === 0;
			if (isEnd) expect(meta.cursor).toEqual({ updatedAt, affix });
			updatedAt = meta.cursor?.updatedAt ?? NaN;
		}
		// Two groups were changed in the same second: where a page ends between them, the cursor steps over the second one.
		expect(sandbox().store.groupCount - seen.size).toBeLessThanOrEqual(1);
	});
});

test('groups with equal keys are ordered by GUID', async () => {
	for (const guid of ['tie-c', 'tie-a', 'tie-b']) {
		sandbox().store.createGroup({ guid, name: 'Tie', createdAt: 1_700_000_000 });
	}
	for (const [sortBy, sortOrder] of [
		['name', 'asc'],
		['name', 'desc'],
		['createdAt', 'desc'],
	]) {
		const query = `searchKey=tie-&sortBy=${sortBy}&sortOrder=${sortOrder}`;
		expect(await found(query)).toEqual(['tie-a', 'tie-b', 'tie-c']);
	}
});

test('what the store changes shows at once, keeps its place, and is gone after a reset', async () => {
	const { store } = sandbox();
	const before = await found('perPage=1000');
	const joined = 'hasJoined=true&perPage=1000';
	expect(await found(joined, 'noor')).not.toContain('lunch');
	store.joinGroup('lunch', 'noor');
	expect(await found(joined, 'noor')).toContain('lunch');
	store.leaveGroup('lunch', 'noor');
	expect(await found(joined, 'noor')).not.toContain('lunch');
	store.updateGroup('generated-0000007', { tags: ['changed'] });
	expect(await found('perPage=1000')).toEqual(before);
	expect(await found('tags=changed')).toEqual(['generated-0000007']);
	store.createGroup({ guid: 'gone' });
	sandbox().reset();
	expect(await found('perPage=1000')).toEqual(before);
	expect(() => store.updateGroup('nowhere', {})).toThrow('nowhere');
	expect(() => store.joinGroup('lunch', 'nobody')).toThrow('nobody');
	expect(() => store.createGroup({ guid: 'generated-0000001' })).toThrow('exists');
});
