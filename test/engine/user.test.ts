import type { INodeParameters } from 'n8n-workflow';

import { errorOf, itemsOf, jsonOf, useSandbox } from './harness';
import { OPERATIONS } from './operations';
import { json, responding, withRecorder } from './recorder';

const sandbox = useSandbox();

const user = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'user',
	operation,
	output: 'simplified',
	...more,
});

const WITH_USER = OPERATIONS.filter(
	({ key, parameters }) => key.startsWith('user ') && 'userId' in parameters,
);

test.each(WITH_USER)('$key refuses an empty UID before anything is sent', async (operation) => {
	const nothing = ['={{ " " }}', '={{ $json.nothing }}'];
	for (const userId of [...nothing, { __rl: true, mode: 'id', value: nothing[0] }]) {
		const { message } = await errorOf(sandbox(), { ...operation.parameters, userId });
		expect(message).toMatch(/^'User' is empty/);
	}
	expect(sandbox().log).toEqual([]);
});

describe('Deactivate and Reactivate say what became of', () => {
	const deactivation = { deactivated: false, alreadyDeactivated: false, notFound: false };
	const reactivation = { reactivated: false, alreadyActive: false, notFound: false };

	test.each([
		['deactivate', 'leo', { ...deactivation, deactivated: true }],
		['deactivate', 'old-account', { ...deactivation, alreadyDeactivated: true }],
		['deactivate', 'nobody', { ...deactivation, notFound: true }],
		['reactivate', 'old-account', { ...reactivation, reactivated: true }],
		['reactivate', 'leo', { ...reactivation, alreadyActive: true }],
		['reactivate', 'nobody', { ...reactivation, notFound: true }],
	])('%s %s', async (operation, userId, outcome) => {
		const active = () => sandbox().store.hasUser(userId);
		const wasActive = active();
		expect(await jsonOf(sandbox(), user(operation, { userId }))).toEqual([
			{ uid: userId, ...outcome },
		]);
		const changed = 'deactivated' in outcome ? outcome.deactivated : outcome.reactivated;
		expect(active() !== wasActive).toBe(changed);
	});

	test('a user in a response that leaves empty lists out', async () => {
		await withRecorder(responding({ nonDeactivatedUids: ['leo'] }), async (recorder) => {
			expect(await jsonOf(recorder, user('reactivate', { userId: 'leo' }))).toEqual([
				{ uid: 'leo', ...reactivation, alreadyActive: true },
			]);
		});
	});
});

describe('List', () => {
	test('finds users by role, tags and state, with their tags', async () => {
		const { store } = sandbox();
		store.createUser({ uid: 'ann', name: 'Ann', role: 'support', tags: ['vip'] });
		store.createUser({ uid: 'bob', name: 'Bob', role: 'support' });
		store.createUser({ uid: 'cyd', name: 'Cyd', role: 'support', tags: ['vip'] });
		store.deactivateUser('cyd');
		const find = async (filters: INodeParameters) =>
			(await jsonOf(sandbox(), user('list', { filters }))).map(({ uid, tags }) => [uid, tags]);
		const filters = { roles: ['support', 'other'], tags: ['vip,x'], withTags: true };
		expect(await find(filters)).toEqual([['ann', 'vip']]);
		expect(await find({ ...filters, onlyDeactivated: true })).toEqual([['cyd', 'vip']]);
		expect(await find({ ...filters, withDeactivated: true })).toHaveLength(2);
		await find({ onlyDeactivated: false, withDeactivated: false });
		expect(sandbox().log[0].query).toMatchObject({ roles: 'support,other', tags: 'vip,x' });
		expect(Object.keys(sandbox().log[3].query).sort()).toEqual(['page', 'perPage']);
	});
});

describe('Create', () => {
	const create = (uid: string, additionalFields: INodeParameters = {}) =>
		user('create', { uid, name: 'Ann', additionalFields });

	test.each([
		['a UID that is taken', create('MIRA'), 'A user with this UID exists already', 'UID'],
		['an unknown role', create('ann', { role: 'chief' }), 'The app has no such role', 'Role'],
	])('says which field is about %s', async (_, parameters, said, label) => {
		const { message, description } = await errorOf(sandbox(), parameters);
		expect(message).toBe(said);
		expect(description).toMatch(new RegExp(`^Check '${label}'\\.`));
		expect(sandbox().store.hasUser('ann')).toBe(false);
	});

	test('makes a user whose auth token is in the item', async () => {
		const [item] = await jsonOf(sandbox(), create('ann', { withAuthToken: true }));
		expect(sandbox().store.authTokens('ann')).toMatchObject([{ authToken: item.authToken }]);
	});
});

test('Delete removes a user for good, also one who was deactivated', async () => {
	for (const userId of ['leo', 'old-account']) {
		await itemsOf(sandbox(), user('delete', { userId }));
		const { message } = await errorOf(sandbox(), user('delete', { userId }));
		expect(message).toBe('No active user has this UID');
	}
	expect(sandbox().store.deactivatedUsers()).toEqual([]);
});

test.each([
	[
		{ success: true, message: 'Gone' },
		{ deleted: true, deactivated: false },
	],
	[{ deactivatedUids: ['leo'] }, { deleted: false, deactivated: true }],
])('Delete says what CometChat did: %j', async (data, outcome) => {
	await withRecorder(
		(response) => json(response, 200, { data }),
		async (recorder) => {
			const items = await jsonOf(recorder, user('delete', { userId: 'leo' }));
			expect(items).toEqual([{ uid: 'leo', ...outcome }]);
		},
	);
});
