import type { IDataObject } from 'n8n-workflow';

import type { WorkflowFile } from '../../engine/engine';
import { runWorkflow } from '../../engine/engine';
import { activateTrigger } from '../../engine/poll';
import { nodeTypesByName } from '../../engine/types';
import { START, credentialsOf, useClockedSandbox } from '../trigger/harness';
import { nodeOfTool, savedWorkflow, savedWorkflows, unknownIn } from './saved';

const sandbox = useClockedSandbox();

const isOurs = ({ type }: { type: string }) => type.startsWith('n8n-nodes-cometchat.');

function typeOf(name: string) {
	const type = nodeTypesByName.get(name.replace(/Tool$/, ''));
	if (!type) throw new Error(`There is no node ${name} any more`);
	return type.description;
}

async function run(workflow: WorkflowFile) {
	const result = await runWorkflow(workflow, { credentials: credentialsOf(sandbox()) });
	if (result.error) throw result.error;
	expect(sandbox().violations).toEqual([]);
	return (node: string): IDataObject[] => result.items(node).map(({ json }) => json);
}

const targets = () => sandbox().log.map(({ method, url }) => `${method} ${url.replace('/v3', '')}`);

describe.each(savedWorkflows())('$version/$file', ({ workflow }) => {
	const nodes = workflow.nodes.filter(isOurs);

	test('has nodes and versions of nodes that there still are', () => {
		expect(nodes.length).toBeGreaterThan(0);
		for (const { type, typeVersion } of nodes)
			expect([typeOf(type).version].flat()).toContain(typeVersion);
	});

	test('has credentials that there still are', () => {
		for (const { type, credentials } of nodes) {
			const known = typeOf(type).credentials?.map(({ name }) => name);
			expect(known).toEqual(expect.arrayContaining(Object.keys(credentials ?? {})));
		}
	});

	test('has no parameter and no choice that is unknown today', () => {
		for (const { name, type, parameters } of nodes) {
			const { properties } = typeOf(type);
			const defaults = Object.fromEntries(
				properties
					.filter(({ name: each }) => each === 'resource')
					.map((each) => [each.name, each.default]),
			);
			const values: IDataObject = { ...defaults, ...parameters };
			const operation = properties.find(
				(each) =>
					each.name === 'operation' &&
					each.displayOptions?.show?.resource?.includes(values.resource as string),
			);
			values.operation ??= operation?.default as string;
			expect({ name, unknown: unknownIn(parameters, properties, values) }).toEqual({
				name,
				unknown: [],
			});
		}
	});
});

describe('Saved by 1.0.0:', () => {
	const saved = (file: string) => savedWorkflow('1.0.0', file);

	test('a list as it is dropped into a workflow gives the first 50 groups, raw', async () => {
		const items = (await run(saved('list-defaults.json')))('List groups');
		expect(targets()).toEqual(['GET /groups?page=1&perPage=50']);
		const all = sandbox().store.groups();
		expect(items.map(({ guid }) => guid).sort()).toEqual(all.map(({ guid }) => guid).sort());
		expect(items[0]).toHaveProperty('conversationId');
	});

	test('a list with every filter sends each of them', async () => {
		const items = (await run(saved('list-everything.json')))('List groups');
		const [{ url, headers }] = sandbox().log;
		expect(headers.onbehalfof).toBe('mira');
		expect(Object.fromEntries(new URL(url, 'http://sandbox').searchParams)).toEqual({
			searchKey: 'a',
			searchIn: 'name,guid',
			type: 'private',
			types: 'public,private',
			tags: 'project,release',
			withTags: 'true',
			hasJoined: 'true',
			updatedAt: String(Date.UTC(2023, 11, 31, 23) / 1000),
			affix: 'append',
			sortBy: 'createdAt',
			sortOrder: 'desc',
			page: '1',
			perPage: '10',
		});
		expect(items.map(({ guid }) => guid)).toEqual(['project-borealis', 'project-aurora']);
	});

	test('a list of chosen fields and one of pages give what they gave', async () => {
		const items = await run(saved('list-fields-and-pages.json'));
		const names = items('Names');
		expect(names.length).toBeGreaterThan(5);
		for (const name of names) expect(Object.keys(name)).toEqual(['guid', 'name']);
		const counts = items('Pages').map(({ data }) => (Array.isArray(data) ? data.length : 0));
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sandbox().store.groups().length);
		expect(counts[0]).toBe(20);
	});

	test('a message and its reaction are got, removed and looked at', async () => {
		const items = await run(saved('messages.json'));
		expect(targets()).toEqual([
			'GET /messages/109',
			'DELETE /messages/109/reactions/%E2%9D%A4%EF%B8%8F',
			'GET /messages/109',
		]);
		expect(items('Get a message')[0]).toMatchObject({
			id: '109',
			data: { text: expect.any(String) },
		});
		expect(items('Remove a reaction')[0]).toMatchObject({
			id: '109',
			reactions: expect.any(String),
		});
		expect(items('Look again')).toEqual([{ id: '109', data: { text: expect.any(String) } }]);
	});

	test.each([
		[
			'List groups in CometChat',
			{ Limit: 2, On_Behalf_Of: 'mira', Search_Key: 'project', Has_Joined: true },
			'GET /groups?hasJoined=true&searchKey=project&page=1&perPage=2',
		],
		['Get a message in CometChat', { Message_ID: 109, On_Behalf_Of: 'leo' }, 'GET /messages/109'],
		[
			'Remove a reaction in CometChat',
			{ Message_ID: '109', Reaction: '❤️' },
			'DELETE /messages/109/reactions/%E2%9D%A4%EF%B8%8F',
		],
	])('the agent tool "%s" does what a model asks', async (name, given, target) => {
		const tool = saved('agent.json').nodes.find((node) => node.name === name);
		if (!tool) throw new Error(`There is no tool ${name}`);
		const list = saved('list-defaults.json');
		const [trigger, { name: place }] = list.nodes;
		const items = await run({
			...list,
			nodes: [trigger, { ...nodeOfTool(tool, given), name: place }],
		});
		expect(targets()).toEqual([target]);
		expect(items(place).length).toBeGreaterThan(0);
	});

	test('a trigger that was active starts its workflow for a group joined later', async () => {
		const [node] = saved('trigger.json').nodes;
		const trigger = activateTrigger(node, { credentials: credentialsOf(sandbox()) });
		expect((await trigger.poll()) ?? []).toEqual([]);
		sandbox().clock.now = START + 60;
		const group = sandbox()
			.store.groups()
			.find(({ type, members }) => type === 'public' && members.every(({ uid }) => uid !== 'mira'));
		if (!group) throw new Error('mira is in every public group');
		sandbox().store.joinGroup(group.guid, 'mira');
		const again = activateTrigger(node, {
			credentials: credentialsOf(sandbox()),
			staticData: trigger.staticData(),
		});
		const items = await again.poll();
		expect(items?.map(({ json }) => json)).toEqual([{ guid: group.guid, name: group.name }]);
	});
});
