import { fingerprint, occurrenceOf } from '../../../../nodes/CometChat/polling/events';

describe('occurrenceOf', () => {
	test('a group is created when it was created, whatever happened to it later', () => {
		const group = { guid: 'a', createdAt: 100, updatedAt: 900 };
		expect(occurrenceOf('groupCreated', group)).toEqual({
			group,
			guid: 'a',
			at: 100,
			version: '100',
			isTimed: true,
		});
	});

	test('a group is joined when the user joined it', () => {
		const group = { guid: 'a', createdAt: 100, updatedAt: 900, joinedAt: 500 };
		expect(occurrenceOf('groupJoined', group)).toMatchObject({ at: 500, version: '500' });
	});

	test('a group is updated when it was changed last', () => {
		const group = { guid: 'a', createdAt: 100, updatedAt: 900 };
		expect(occurrenceOf('groupUpdated', group, 300)).toMatchObject({ at: 900, isTimed: true });
	});

	test('a time that is earlier than the creation is not that of the last change', () => {
		const group = { guid: 'a', createdAt: 900, updatedAt: 100 };
		expect(occurrenceOf('groupUpdated', group)).toMatchObject({ at: 900 });
	});

	test('without a time the change is as early as the request allows, but not before the creation', () => {
		expect(occurrenceOf('groupUpdated', { guid: 'a', createdAt: 100 }, 300)).toMatchObject({
			at: 301,
			isTimed: false,
		});
		expect(occurrenceOf('groupUpdated', { guid: 'a', createdAt: 400 }, 300)).toMatchObject({
			at: 400,
			isTimed: false,
		});
		expect(occurrenceOf('groupUpdated', { guid: 'a' })).toMatchObject({ at: 1 });
	});

	test('times that come as text count', () => {
		expect(occurrenceOf('groupCreated', { guid: 'a', createdAt: '100' })).toMatchObject({
			at: 100,
		});
	});

	test.each([undefined, null, 'yesterday', {}])('%p is no time', (createdAt) => {
		const group = { guid: 'a', ...(createdAt === undefined ? {} : { createdAt }) };
		expect(occurrenceOf('groupCreated', group)).toMatchObject({ at: 0 });
	});

	test('two changes in one second differ when they change what the group is', () => {
		const versionOf = (more: object) =>
			occurrenceOf('groupUpdated', { guid: 'a', updatedAt: 900, ...more })?.version;
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
		].map(versionOf);
		expect(new Set(versions).size).toBe(versions.length);
	});

	test('what depends on the user, and counts of members, are no change', () => {
		const versionOf = (more: object) =>
			occurrenceOf('groupUpdated', { guid: 'a', updatedAt: 900, ...more })?.version;
		expect(versionOf({ membersCount: 2, scope: 'admin', hasJoined: true })).toBe(versionOf({}));
	});

	test('a GUID may be a number', () => {
		expect(occurrenceOf('groupCreated', { guid: 42, createdAt: 100 })).toMatchObject({
			guid: '42',
		});
	});

	test('a group without a GUID is left out', () => {
		expect(occurrenceOf('groupCreated', { createdAt: 100 })).toBeUndefined();
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

	test('tells characters beyond the basic plane apart', () => {
		expect(fingerprint(['🙂'])).not.toBe(fingerprint(['🙃']));
	});
});
