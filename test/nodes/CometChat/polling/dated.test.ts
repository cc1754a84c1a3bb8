import { dated, fingerprint, queryOf } from '../../../../nodes/CometChat/polling/dated';

const START = 300;

describe('dated', () => {
	test.each([
		['groupCreated', 100],
		['groupJoined', 500],
		['groupUpdated', 900],
	] as const)('%s happened at %p', (event, at) => {
		const group = { guid: 'a', createdAt: 100, updatedAt: 900, joinedAt: 500 };
		expect(dated(event, 'a', group, START)).toMatchObject({ thing: group, id: 'a', at });
	});

	test.each([
		['is not earlier than the creation', { createdAt: 900, updatedAt: 400 }, 900],
		['is as early as was asked for where the service does not say', { createdAt: 100 }, START],
		['is the creation where the service does not say, and that is later', { createdAt: 400 }, 400],
	])('a change %s', (_, times, at) => {
		expect(dated('groupUpdated', 'a', { guid: 'a', ...times }, START)).toMatchObject({ at });
	});

	test.each<[unknown, number]>([
		['100', 100],
		[undefined, START],
		[null, START],
		['yesterday', START],
		[{}, START],
	])('a creation at %p counts as %p', (createdAt, at) => {
		const group = { guid: 'a', createdAt: createdAt as string };
		expect(dated('groupCreated', 'a', group, START)).toMatchObject({ at });
	});

	test('two changes in one second differ when they change what the group is', () => {
		const versions = [
			{},
			{ name: 'A' },
			{ name: 'B' },
			{ description: 'A' },
			{ icon: 'A' },
			{ type: 'public' },
			{ owner: 'leo' },
			{ tags: ['a'] },
			{ tags: ['a', 'b'] },
			{ metadata: { a: 1 } },
		].map(
			(more) => dated('groupUpdated', 'a', { guid: 'a', updatedAt: 900, ...more }, START).version,
		);
		expect(new Set(versions).size).toBe(versions.length);
	});

	test('what depends on the user, and counts of members, are no change', () => {
		const group = { guid: 'a', updatedAt: 900 };
		const more = { membersCount: 2, scope: 'admin', hasJoined: true };
		expect(dated('groupUpdated', 'a', { ...group, ...more }, START).version).toBe(
			dated('groupUpdated', 'a', group, START).version,
		);
	});

	test('a change is no other creation or join', () => {
		const group = { guid: 'a', createdAt: 100, joinedAt: 500 };
		for (const event of ['groupCreated', 'groupJoined'] as const) {
			const { version } = dated(event, 'a', group, START);
			expect(dated(event, 'a', { ...group, updatedAt: 900, name: 'B' }, START).version).toBe(
				version,
			);
		}
	});
});

describe('queryOf', () => {
	test.each([
		['groupCreated', 300, {}],
		['groupJoined', 300, { hasJoined: true }],
		// One second less brings the first second, whether the service means "after" or "from"
		['groupUpdated', 300, { updatedAt: 299, affix: 'append' }],
		['groupUpdated', 2, { updatedAt: 1, affix: 'append' }],
		['groupUpdated', 1, {}],
	] as const)('%s from second %p on', (event, start, query) => {
		expect(queryOf(event, start)).toEqual(query);
	});
});

describe('fingerprint', () => {
	/** FNV-1a as it is written down: with numbers that have no end. */
	function reference(text: string): string {
		let hash = 0x811c9dc5n;
		for (const unit of text.split('')) {
			hash = ((hash ^ BigInt(unit.charCodeAt(0))) * 0x01000193n) % 2n ** 32n;
		}
		return hash.toString(36);
	}

	test.each([[[]], [['a']], [[1, 'two', { three: [4] }]], [['🙂', 'é', undefined]]])(
		'%j is hashed as FNV-1a does it',
		(values) => {
			expect(fingerprint(values)).toBe(reference(JSON.stringify(values)));
		},
	);
});
