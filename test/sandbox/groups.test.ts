import fc from 'fast-check';
import type { StoredGroup } from '../../sandbox/data/groups';
import type { Group, GroupList } from '../../sandbox/types';
import { call, dataOf, guidsOf, listOf, useSandbox } from './client';

const sandbox = useSandbox({ groups: 40 });

async function list(query = '', as?: string): Promise<GroupList> {
	const answer = await call(sandbox(), `/groups${query}`, { as });
	expect(answer.status).toBe(200);
	return listOf(answer);
}

const found = async (query: string, as?: string) =>
	(await list(`?${query}`, as)).data.map(({ guid }) => guid);

const get = async (guid: string, as?: string) =>
	dataOf<Group>(await call(sandbox(), `/groups/${guid}`, { as }));
const create = async (json: object, as?: string) =>
	dataOf<Group>(await call(sandbox(), '/groups', { method: 'POST', json, as }));
const update = async (guid: string, json: object, as?: string) =>
	dataOf<Group>(await call(sandbox(), `/groups/${guid}`, { method: 'PUT', json, as }));

const changed = (group: StoredGroup): number => group.updatedAt ?? group.createdAt;

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

test('a group shows its place to the user in onBehalfOf, in any case of letters', async () => {
	const { data } = await list('?searchKey=all-hands&searchIn=guid');
	expect(await get('ALL-HANDS')).toEqual(data[0]);
	for (const field of ['hasJoined', 'scope', 'joinedAt']) expect(data[0]).not.toHaveProperty(field);
	const view = { hasJoined: true, scope: 'moderator', joinedAt: 1_704_099_600 };
	expect(await get('all-hands', 'JONAS')).toEqual({ ...data[0], ...view });
	expect(await get('all-hands', 'ext_sam-99')).toEqual({ ...data[0], hasJoined: false });
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

describe('the time of the last change', () => {
	test('is that of the creation where nothing changed, or there is none', async () => {
		const { createdAt } = await create({ guid: 'just-made', name: 'x' });
		expect(await get('just-made')).not.toHaveProperty('updatedAt');
		expect(await found(`updatedAt=${createdAt - 1}`)).toEqual(['just-made']);
		sandbox().setSettings({ updatedAtOnlyAfterChange: true });
		expect(await found(`updatedAt=${createdAt - 1}`)).toEqual([]);
		expect((await list('?searchKey=just-made')).meta).not.toHaveProperty('cursor');
		await update('just-made', { name: 'y' });
		expect(await found(`updatedAt=${createdAt - 1}`)).toEqual(['just-made']);
		expect((await get('just-made')).updatedAt).toBeGreaterThanOrEqual(createdAt);
	});
});

test('the order is by creation, by name or by GUID; equal keys by GUID', async () => {
	for (const guid of ['tie-c', 'tie-a', 'tie-b']) {
		sandbox().store.createGroup({ guid, name: 'Tie', createdAt: 1_700_000_000 });
	}
	const { data } = await list('?perPage=1000');
	const times = data.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort((a, b) => a - b));
	for (const [sortBy, sortOrder] of [
		['name', 'asc'],
		['name', 'desc'],
		['createdAt', 'desc'],
	]) {
		const query = `searchKey=tie-&sortBy=${sortBy}&sortOrder=${sortOrder}`;
		expect(await found(query)).toEqual(['tie-a', 'tie-b', 'tie-c']);
	}
	const names = async (order: string) =>
		(await list(`?sortBy=name&sortOrder=${order}&types=private`)).data.map(({ name }) => name);
	const up = await names('asc');
	expect(up).toEqual([...up].sort((a, b) => (a < b ? -1 : 1)));
	expect(await names('desc')).toEqual([...up].reverse());
});

describe('filters', () => {
	interface Query {
		searchKey?: string;
		searchIn?: Array<'name' | 'guid'>;
		type?: string;
		types?: string[];
		tags?: string[];
		withTags?: boolean;
		updatedAt?: number;
		affix?: 'append' | 'prepend';
		hasJoined?: boolean;
		as?: string;
	}

	/** Whether a query has to find a group, worked out in the plainest way. */
	function fits(group: StoredGroup, query: Query): boolean {
		const { searchKey, searchIn = ['name', 'guid'], type, types, tags, updatedAt } = query;
		const key = searchKey?.toLowerCase() ?? '';
		const isBack = query.affix === 'prepend';
		return [
			searchIn.some((place) => group[place].toLowerCase().includes(key)),
			type === undefined || group.type === type,
			types === undefined || types.includes(group.type),
			!query.withTags || group.tags.length > 0,
			tags === undefined || tags.some((tag) => group.tags.includes(tag)),
			updatedAt === undefined || (isBack ? changed(group) < updatedAt : changed(group) > updatedAt),
			!query.hasJoined || !query.as || group.members.some(({ uid }) => uid === query.as),
		].every(Boolean);
	}

	const types = ['public', 'private', 'protected', 'password'];
	const keys = ['OFFICE', 'a', 'generated-00', 'circle', '大阪', '&', '<now'];
	const some = <T>(values: T[]) => fc.subarray(values, { minLength: 1 });
	const queries: fc.Arbitrary<Query> = fc.record(
		{
			searchKey: fc.constantFrom(...keys),
			searchIn: some<'name' | 'guid'>(['name', 'guid']),
			type: fc.constantFrom(...types),
			types: some(types),
			tags: some(['social', 'engineering', 'project', 'load', 'even-more', 'nowhere']),
			withTags: fc.boolean(),
			updatedAt: fc.constantFrom(0, 1_600_001_000, 1_704_700_000, 1_754_299_980, 1_754_300_000),
			affix: fc.constantFrom<'append' | 'prepend'>('append', 'prepend'),
			hasJoined: fc.boolean(),
			as: fc.constantFrom('mira', 'yuki', 'ext_sam-99'),
		},
		{ requiredKeys: [] },
	);

	test('agree with a plain computation', async () => {
		await fc.assert(
			fc.asyncProperty(queries, async ({ as, ...query }) => {
				const params = new URLSearchParams({ perPage: '1000' });
				for (const [name, value] of Object.entries(query)) params.append(name, String(value));
				const expected = sandbox()
					.store.groups()
					.filter((group) => fits(group, { as, ...query }));
				const guids = guidsOf(await call(sandbox(), `/groups?${params}`, { as }));
				expect(guids.sort()).toEqual(expected.map(({ guid }) => guid).sort());
			}),
			{ numRuns: 25 },
		);
		expect(sandbox().violations).toEqual([]);
	});
});

describe('Update Group', () => {
	test('keeps a password while the type needs one', async () => {
		const password = () => sandbox().store.group('brand')?.password;
		await update('brand', { type: 'password', password: 'x' });
		await update('brand', { type: 'password', name: 'B' });
		expect(password()).toBe('x');
		await update('brand', { type: 'public' });
		expect(password()).toBeUndefined();
	});
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
