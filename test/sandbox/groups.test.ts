import fc from 'fast-check';
import type { StoredGroup } from '../../sandbox/data/groups';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import type { GroupList } from '../../sandbox/types';
import { call, errorOf, guidsOf, listOf } from './client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ groups: 40 });
});
afterEach(() => {
	const { violations } = sandbox;
	const answers = violations.filter((text) => text.includes('answered'));
	sandbox.reset();
	expect(answers).toEqual([]);
});
afterAll(() => sandbox.close());

const list = async (query = '', as?: string): Promise<GroupList> => {
	const answer = await call(sandbox, `/groups${query}`, { as });
	expect(answer.status).toBe(200);
	return listOf(answer);
};

/** Every group that a query finds, page by page until one is not full. */
async function every(query: string, perPage: number): Promise<string[]> {
	const guids: string[] = [];
	for (let page = 1; ; page++) {
		const { data } = await list(`?${query}&perPage=${perPage}&page=${page}`);
		guids.push(...data.map(({ guid }) => guid));
		if (data.length < perPage) return guids;
	}
}

const changed = (group: StoredGroup): number => group.updatedAt ?? group.createdAt;

describe('the sample data', () => {
	test('has groups of every type, and enough of them to fill pages', () => {
		const groups = sandbox.store.groups().filter(({ guid }) => !guid.startsWith('generated-'));
		expect(groups.length).toBeGreaterThanOrEqual(42);
		expect(new Set(groups.map(({ type }) => type))).toEqual(
			new Set(['public', 'private', 'protected', 'password']),
		);
		expect(groups.some(({ tags }) => tags.length === 0)).toBe(true);
		expect(groups.some(({ icon }) => icon === undefined)).toBe(true);
	});

	test('names only people who exist, and the owner is a member', () => {
		for (const { owner, members, guid } of sandbox.store.groups()) {
			expect(guid).toMatch(/^[a-z0-9_-]{1,100}$/);
			expect(members.map(({ uid }) => uid)).toContain(owner);
			expect(members.filter(({ uid }) => !sandbox.store.hasUser(uid))).toEqual([]);
			expect(new Set(members.map(({ uid }) => uid)).size).toBe(members.length);
		}
	});
});

describe('a group', () => {
	test('has no view of a user without onBehalfOf', async () => {
		const { data } = await list('?searchKey=all-hands&searchIn=guid');
		expect(data).toEqual([
			{
				guid: 'all-hands',
				name: 'All Hands',
				description: 'What everybody at Lanternworks should know',
				icon: 'https://assets.example.com/groups/all-hands.png',
				type: 'public',
				membersCount: 11,
				conversationId: 'group_all-hands',
				createdAt: 1_704_096_000,
				updatedAt: 1_748_854_800,
				owner: 'mira',
				tags: ['company', 'news'],
			},
		]);
	});

	test('shows its place to the user in onBehalfOf, in any case of letters', async () => {
		const { data } = await list('?searchKey=all-hands&searchIn=guid', 'JONAS');
		expect(data[0]).toMatchObject({
			hasJoined: true,
			scope: 'moderator',
			joinedAt: 1_704_096_000 + 3600,
		});
	});

	test('says hasJoined false, and no more, to a user who has not joined', async () => {
		const { data } = await list('?searchKey=all-hands&searchIn=guid', 'ext_sam-99');
		expect(data[0].hasJoined).toBe(false);
		expect(data[0]).not.toHaveProperty('scope');
		expect(data[0]).not.toHaveProperty('joinedAt');
	});

	test('has updatedAt only after a change', async () => {
		const fresh = await list('?searchKey=lunch&searchIn=guid');
		expect(fresh.data[0]).not.toHaveProperty('updatedAt');
		sandbox.store.updateGroup('lunch', { name: 'Lunch!' });
		const { data } = await list('?searchKey=lunch&searchIn=guid');
		expect(data[0].name).toBe('Lunch!');
		expect(Math.abs((data[0].updatedAt ?? 0) - Date.now() / 1000)).toBeLessThan(3);
	});
});

describe('pages', () => {
	test('hold 100 groups when nothing is asked for, and 1000 at most', async () => {
		expect((await list()).meta.pagination).toMatchObject({ per_page: 100, current_page: 1 });
		expect((await list('?perPage=1000')).meta.pagination.per_page).toBe(1000);
		const refused = await call(sandbox, '/groups?perPage=1001');
		expect(refused.status).toBe(400);
		expect(errorOf(refused).details).toEqual({ perPage: ['must be <= 1000'] });
	});

	test('count from 1, and tell the true count', async () => {
		const total = sandbox.store.groupCount;
		const { data, meta } = await list('?perPage=7&page=3');
		expect(data).toHaveLength(7);
		expect(meta.pagination).toEqual({
			total,
			count: 7,
			per_page: 7,
			current_page: 3,
			total_pages: Math.ceil(total / 7),
		});
	});

	test('are empty past the end', async () => {
		const { data, meta } = await list('?perPage=1000&page=2');
		expect(data).toEqual([]);
		expect(meta.pagination).toMatchObject({ count: 0, current_page: 2, total_pages: 1 });
		expect(meta).not.toHaveProperty('cursor');
	});

	test('together hold every group once', async () => {
		const guids = await every('sortBy=name', 9);
		expect(new Set(guids).size).toBe(guids.length);
		expect([...guids].sort()).toEqual(
			sandbox.store
				.groups()
				.map(({ guid }) => guid)
				.sort(),
		);
	});

	test('can tell only whether there is more', async () => {
		sandbox.setSettings({ totalPages: 'next' });
		const last = Math.ceil(sandbox.store.groupCount / 10);
		const middle = await list('?perPage=10&page=2');
		expect(middle.meta.pagination).toMatchObject({ total: 0, current_page: 2, total_pages: 3 });
		const end = await list(`?perPage=10&page=${last}`);
		expect(end.meta.pagination.total_pages).toBe(last);
		const past = await list(`?perPage=10&page=${last + 1}`);
		expect(past.meta.pagination.total_pages).toBe(last + 1);
	});

	test('claim no further page when the last one is exactly full', async () => {
		sandbox.setSettings({ totalPages: 'next' });
		const half = sandbox.store.groupCount / 2;
		expect(Number.isInteger(half)).toBe(true);
		const { meta } = await list(`?perPage=${half}&page=2`);
		expect(meta.pagination.total_pages).toBe(2);
	});
});

describe('the cursor', () => {
	test('is the newest change of the page, inside meta', async () => {
		const answer = await list('?perPage=5');
		const groups = answer.data.map(({ guid }) => sandbox.store.group(guid) as StoredGroup);
		expect(answer.meta.cursor).toEqual({
			updatedAt: Math.max(...groups.map(changed)),
			affix: 'append',
		});
		expect(answer).not.toHaveProperty('cursor');
	});

	test('can be beside meta', async () => {
		sandbox.setSettings({ cursorPlace: 'beside' });
		const answer = await list('?perPage=5&affix=prepend');
		expect(answer.meta).not.toHaveProperty('cursor');
		expect(answer.cursor?.affix).toBe('prepend');
	});

	test.each(['append', 'prepend'])('%s walks through all groups', async (affix) => {
		const seen = new Set<string>();
		let updatedAt = affix === 'append' ? 0 : 4_000_000_000;
		for (let step = 0; step < 100; step++) {
			const { data, meta } = await list(`?updatedAt=${updatedAt}&affix=${affix}&perPage=8`);
			if (data.length === 0) {
				expect(meta.cursor).toEqual({ updatedAt, affix });
				break;
			}
			data.forEach(({ guid }) => seen.add(guid));
			updatedAt = meta.cursor?.updatedAt ?? NaN;
		}
		// Two groups were changed in the same second: where a page ends between them, the cursor steps over the second one.
		expect(sandbox.store.groupCount - seen.size).toBeLessThanOrEqual(1);
	});
});

describe('the updatedAt filter', () => {
	const edge = 1_754_299_980;

	test('leaves the second itself out, and two groups share one', async () => {
		const shared = sandbox.store.groups().filter((group) => changed(group) === edge);
		expect(shared.map(({ guid }) => guid)).toEqual(['project-aurora', 'project-borealis']);
		expect(guidsOf(await call(sandbox, `/groups?updatedAt=${edge}`))).toEqual(['releases']);
	});

	test('lets the second itself through when the service does so', async () => {
		sandbox.setSettings({ boundary: 'inclusive' });
		expect(guidsOf(await call(sandbox, `/groups?updatedAt=${edge}`))).toEqual([
			'project-aurora',
			'project-borealis',
			'releases',
		]);
	});

	test('takes the creation of a group that was never changed', async () => {
		const { createdAt } = sandbox.store.createGroup({ guid: 'just-made' });
		expect(guidsOf(await call(sandbox, `/groups?updatedAt=${createdAt - 1}`))).toEqual([
			'just-made',
		]);
	});

	test('follows a clock that is ahead', async () => {
		sandbox.setSettings({ clockSkew: 3600 });
		const { createdAt } = sandbox.store.createGroup({ guid: 'from-the-future' });
		expect(createdAt - Date.now() / 1000).toBeGreaterThan(3500);
	});
});

describe('changes of the groups', () => {
	test('a clock that is given stamps what happens', async () => {
		const clocked = await startSandbox({ now: () => 1_700_000_000, clockSkew: 5 });
		try {
			expect(clocked.store.createGroup({ guid: 'timed' }).createdAt).toBe(1_700_000_005);
		} finally {
			await clocked.close();
		}
	});

	test('a deleted group is gone, a sample group as well as a generated one', async () => {
		const generated = await startSandbox({ groups: 2 });
		try {
			generated.store.deleteGroup('brand');
			generated.store.deleteGroup('generated-0000000');
			const left = guidsOf(await call(generated, '/groups?perPage=1000'));
			expect(left).toContain('generated-0000001');
			expect(left).not.toContain('generated-0000000');
			expect(left).not.toContain('brand');
			expect(() => generated.store.deleteGroup('generated-0000000')).toThrow('no group');
			expect(generated.store.group('generated-0000000')).toBeUndefined();
			expect(generated.store.groupCount).toBe(left.length);
		} finally {
			await generated.close();
		}
	});

	test('a group that was left is no longer among the joined ones', async () => {
		sandbox.store.joinGroup('brand', 'leo');
		sandbox.store.leaveGroup('brand', 'leo');
		const joined = await call(sandbox, '/groups?hasJoined=true&perPage=1000', { as: 'leo' });
		expect(guidsOf(joined)).not.toContain('brand');
	});

	test('the time of the last change can be kept back', async () => {
		sandbox.store.updateGroup('brand', { name: 'Changed' });
		sandbox.setSettings({ hideUpdatedAt: true });
		const { data } = await list('?searchKey=brand');
		expect(data[0]).toMatchObject({ guid: 'brand', name: 'Changed' });
		expect(data[0]).not.toHaveProperty('updatedAt');
	});
});

describe('the order', () => {
	const names = async (query: string) => (await list(query)).data.map(({ name }) => name);

	test('is by creation when nothing is asked for', async () => {
		const { data } = await list('?perPage=1000');
		const times = data.map(({ createdAt }) => createdAt);
		expect(times).toEqual([...times].sort((a, b) => a - b));
	});

	test('can be by name, in both directions', async () => {
		const up = await names('?sortBy=name&perPage=1000');
		expect(up).toEqual([...up].sort((a, b) => (a < b ? -1 : 1)));
		expect(await names('?sortBy=name&sortOrder=desc&perPage=1000')).toEqual([...up].reverse());
	});

	test('of equal keys is by guid, ascending in both directions', async () => {
		for (const guid of ['tie-c', 'tie-a', 'tie-b']) {
			sandbox.store.createGroup({ guid, name: 'Tie', createdAt: 1_700_000_000 });
		}
		for (const sortOrder of ['asc', 'desc']) {
			for (const sortBy of ['name', 'createdAt']) {
				const query = `/groups?searchKey=tie-&sortBy=${sortBy}&sortOrder=${sortOrder}`;
				expect(guidsOf(await call(sandbox, query))).toEqual(['tie-a', 'tie-b', 'tie-c']);
			}
		}
	});
});

describe('filters', () => {
	/** What a query has to find, worked out in the plainest way. */
	function expected(query: Query): string[] {
		return sandbox.store
			.groups()
			.filter((group) => {
				const key = query.searchKey?.toLowerCase();
				const places = query.searchIn ?? ['name', 'guid'];
				if (key && !places.some((place) => group[place].toLowerCase().includes(key))) return false;
				if (query.type && group.type !== query.type) return false;
				if (query.types && !query.types.includes(group.type)) return false;
				if (query.withTags && group.tags.length === 0) return false;
				if (query.tags && !query.tags.some((tag) => group.tags.includes(tag))) return false;
				if (query.updatedAt !== undefined) {
					if (query.affix === 'prepend' && changed(group) >= query.updatedAt) return false;
					if (query.affix !== 'prepend' && changed(group) <= query.updatedAt) return false;
				}
				if (!query.hasJoined || !query.as) return true;
				return group.members.some(({ uid }) => uid === query.as);
			})
			.map(({ guid }) => guid)
			.sort();
	}

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

	const types = ['public', 'private', 'protected', 'password'];
	const some = <T>(values: T[]) => fc.subarray(values, { minLength: 1 });
	const queries: fc.Arbitrary<Query> = fc.record(
		{
			searchKey: fc.constantFrom(
				'office',
				'OFFICE',
				'a',
				'generated-00',
				'circle',
				'大阪',
				'&',
				'<now',
			),
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

	test.each(['comma-joined', 'repeated'])(
		'agree with a plain computation, lists %s',
		async (form) => {
			await fc.assert(
				fc.asyncProperty(queries, async ({ as, ...query }) => {
					const params = new URLSearchParams({ perPage: '1000' });
					for (const [name, value] of Object.entries(query)) {
						if (!Array.isArray(value)) params.append(name, String(value));
						else if (form === 'repeated') value.forEach((item) => params.append(name, item));
						else params.append(name, value.join(','));
					}
					const answer = await call(sandbox, `/groups?${params}`, { as });
					expect(guidsOf(answer).sort()).toEqual(expected({ as, ...query }));
				}),
				{ numRuns: 100 },
			);
			expect(sandbox.violations).toEqual([]);
		},
	);

	test('hasJoined has no effect without onBehalfOf, and none when false', async () => {
		const total = sandbox.store.groupCount;
		expect((await list('?hasJoined=true')).meta.pagination.total).toBe(total);
		expect((await list('?hasJoined=false', 'mira')).meta.pagination.total).toBe(total);
		expect((await list('?hasJoined=true', 'mira')).meta.pagination.total).toBeLessThan(total);
	});
});

describe('changes', () => {
	test('show at once, in lists that were asked for before', async () => {
		const query = '/groups?hasJoined=true&perPage=1000';
		expect(guidsOf(await call(sandbox, query, { as: 'noor' }))).not.toContain('lunch');
		sandbox.store.joinGroup('lunch', 'noor');
		expect(guidsOf(await call(sandbox, query, { as: 'noor' }))).toContain('lunch');
	});

	test('of a generated group keep it in its place', async () => {
		const before = guidsOf(await call(sandbox, '/groups?perPage=1000'));
		sandbox.store.updateGroup('generated-0000007', { tags: ['changed'] });
		expect(guidsOf(await call(sandbox, '/groups?perPage=1000'))).toEqual(before);
		expect(guidsOf(await call(sandbox, '/groups?tags=changed'))).toEqual(['generated-0000007']);
	});

	test('are gone after a reset', async () => {
		const before = sandbox.store.groupCount;
		sandbox.store.createGroup({ guid: 'gone' });
		expect(sandbox.store.groupCount).toBe(before + 1);
		sandbox.reset();
		expect(sandbox.store.group('gone')).toBeUndefined();
		expect(guidsOf(await call(sandbox, '/groups?perPage=1000'))).toHaveLength(before);
	});

	test('of what does not exist are refused', () => {
		expect(() => sandbox.store.updateGroup('nowhere', {})).toThrow('nowhere');
		expect(() => sandbox.store.joinGroup('lunch', 'nobody')).toThrow('nobody');
		expect(() => sandbox.store.createGroup({ guid: 'lunch' })).toThrow('exists');
		expect(() => sandbox.store.createGroup({ guid: 'generated-0000001' })).toThrow('exists');
	});
});
