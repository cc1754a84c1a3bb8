import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { REACTIONS } from '../../sandbox/data/messages';
import { get, list, removeReaction, run, useSandbox } from '../engine/harness';
import { readOperations } from './document';

const sandbox = useSandbox({ groups: 2_500 });

const VALUES: Array<[string, INodeParameters[string], INodeParameters[string]]> = [
	['searchKey', 'project', 'R&D/ü 100%'],
	['searchIn', ['name'], ['guid', 'name']],
	['type', 'public', 'password'],
	['types', ['private'], ['public', 'private', 'protected', 'password']],
	['tags', ['social'], ['project', 'two words']],
	['withTags', true, false],
	['hasJoined', true, false],
	['updatedAt', '2025-01-01T00:00:00Z', 1_754_300_000],
	['affix', 'append', 'prepend'],
];

const SORTS = ['name', 'guid', 'createdAt'].flatMap((sortBy) =>
	['asc', 'desc'].map((sortOrder) => ({ sortBy, sortOrder })),
);

/** Lists with each filter alone, all together, each order, page and size. */
const LISTS: INodeParameters[] = [
	...VALUES.flatMap(([name, ...values]) => values.map((value) => ({ filters: { [name]: value } }))),
	{ filters: Object.fromEntries(VALUES.map(([name, value]) => [name, value])) },
	{ filters: Object.fromEntries(VALUES.map(([name, , value]) => [name, value])) },
	...SORTS.map((sort) => ({ sort })),
	{ options: { page: 9_999 } },
	{ options: { page: 3, perPage: 1 } },
	{ limit: 2_100 },
	{ limit: 1 },
].map((parameters) => list({ onBehalfOf: 'mira', ...parameters }));

async function send(parameters: INodeParameters, input?: IDataObject[]): Promise<void> {
	const { error } = await run(sandbox(), parameters, { input, onError: 'continueRegularOutput' });
	if (error) throw error;
}

describe('Everything that is sent and answered keeps to the contract', () => {
	test.each([
		{ totalPages: 'count', cursorPlace: 'meta' },
		{ totalPages: 'next', cursorPlace: 'beside' },
	] as const)('when groups are listed in every way: %j', async (settings) => {
		sandbox().setSettings(settings);
		for (const parameters of LISTS) await send(parameters);
		const asked = new Set(sandbox().log.flatMap(({ query }) => Object.keys(query)));
		const listGroups = readOperations().find(({ operationId }) => operationId === 'listGroups');
		const known = listGroups?.parameters.filter((parameter) => parameter.in === 'query');
		expect([...asked].sort()).toEqual(known?.map(({ name }) => name).sort());
		expect(sandbox().log.map(({ status }) => status)).toEqual(sandbox().log.map(() => 200));
		expect(sandbox().violations).toEqual([]);
	});

	test('when all groups are fetched', async () => {
		await send(list({ returnAll: true, options: { perPage: 333 } }));
		expect(sandbox().log.length).toBeGreaterThanOrEqual(8);
		expect(sandbox().violations).toEqual([]);
	});

	test('when every message is fetched, for itself and for each of its people', async () => {
		const messages = sandbox().store.messages();
		const input = messages.flatMap(({ id, sender, receiver }) =>
			['', sender, receiver].map((onBehalfOf) => ({ id, onBehalfOf })),
		);
		await send(get('={{ $json.id }}', { onBehalfOf: '={{ $json.onBehalfOf }}' }), input);
		expect(sandbox().log.length).toBe(input.length);
		expect(sandbox().violations).toEqual([]);
	});

	test('when every reaction is removed, and once more when none is left', async () => {
		const input = sandbox()
			.store.messages()
			.flatMap(({ id, reactions }) =>
				[...reactions].flatMap(([reaction, uids]) => uids.map((uid) => ({ id, reaction, uid }))),
			);
		const all = removeReaction('={{ $json.id }}', '={{ $json.reaction }}', '={{ $json.uid }}');
		await send(all, input);
		expect(new Set(sandbox().log.map(({ status }) => status))).toEqual(new Set([200]));
		await send(all, input);
		expect(sandbox().stats.byStatus).toEqual({ 200: input.length, 404: input.length });
		expect(sandbox().violations).toEqual([]);
	});

	test('when IDs, reactions and users are not to be found', async () => {
		const ids = ['999', 'a/b', '%2e%2e', '?', '#', ' ', '😀', 'é', '...'];
		await send(
			get('={{ $json.id }}'),
			ids.map((id) => ({ id })),
		);
		await send(
			removeReaction('101', '={{ $json.reaction }}', 'mira'),
			[...ids, ...Object.values(REACTIONS)].map((reaction) => ({ reaction })),
		);
		await send(list({ onBehalfOf: 'nobody' }));
		await send(get('101', { onBehalfOf: 'Some One' }));
		expect(sandbox().log.length).toBeGreaterThan(20);
		expect(sandbox().violations).toEqual([]);
	});
});
