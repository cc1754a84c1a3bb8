import type { IDataObject } from 'n8n-workflow';

import { runWorkflow, type WorkflowFile } from '../../tools/n8nEngine/engine';
import { activateTrigger } from '../../tools/n8nEngine/poll';
import { nodeTypesByName } from '../../tools/n8nEngine/types';
import { credentialsOf } from '../engine/harness';
import { START, useClockedSandbox } from '../polling/harness';
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

/** The value of a resource locator; anything else as it is. */
const valueIn = (value: unknown): unknown =>
	typeof value === 'object' && value !== null && '__rl' in value
		? Reflect.get(value, 'value')
		: value;

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
		for (const { name, type, typeVersion, parameters } of nodes) {
			const properties = typeOf(type).properties.filter(({ displayOptions }) => {
				const versions = displayOptions?.show?.['@version'];
				return versions === undefined || versions.includes(typeVersion);
			});
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

	test('a list as it is dropped into a workflow returns the first 50 groups, simplified', async () => {
		const items = (await run(saved('list-defaults.json')))('List groups');
		expect(targets()).toEqual(['GET /groups?page=1&perPage=50']);
		const all = sandbox().store.groups.all();
		expect(items.map(({ guid }) => guid).sort()).toEqual(all.map(({ guid }) => guid).sort());
		expect(items[0]).not.toHaveProperty('conversationId');
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

	test('a list of chosen fields and one of pages return what they returned', async () => {
		const items = await run(saved('list-fields-and-pages.json'));
		const names = items('Names');
		expect(names.length).toBeGreaterThan(5);
		for (const name of names) expect(Object.keys(name)).toEqual(['guid', 'name']);
		const counts = items('Pages').map(({ data }) => (Array.isArray(data) ? data.length : 0));
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sandbox().store.groups.all().length);
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

	test('a group is created, changed, filled, looked at and deleted', async () => {
		const items = await run(saved('groups.json'));
		expect(targets()).toEqual([
			'POST /groups',
			'PUT /groups/lamp-club',
			'POST /groups/lamp-club/members',
			'DELETE /groups/lamp-club/members/felix',
			'GET /groups/lamp-club/members?scopes=moderator%2Cadmin&page=1&perPage=1000',
			'GET /groups/lamp-club',
			'DELETE /groups/lamp-club',
		]);
		expect(items('Create group')[0]).toMatchObject({ guid: 'lamp-club', type: 'password' });
		expect(items('Update group')[0]).toMatchObject({ name: 'Lamp Friends', type: 'public' });
		expect(items('Add members to group').map(({ success }) => success)).toEqual([true, true, true]);
		expect(items('Remove member from group')).toEqual([
			{ guid: 'lamp-club', uid: 'felix', deleted: true },
		]);
		expect(items('List members of group')).toEqual(
			expect.arrayContaining([
				{ uid: 'mira', scope: 'admin' },
				{ uid: 'noor', scope: 'moderator' },
				{ uid: 'yuki', scope: 'moderator' },
			]),
		);
		expect(items('Get group')[0]).toMatchObject({ guid: 'lamp-club', tags: 'lamps' });
		expect(items('Delete group')).toEqual([{ guid: 'lamp-club', deleted: true }]);
		expect(sandbox().log.map(({ headers }) => headers.onbehalfof)).toEqual([
			...[undefined, 'mira', undefined, undefined],
			...[undefined, undefined, 'mira'],
		]);
	});

	test('messages are sent, changed, reacted to, listed and deleted', async () => {
		const items = await run(saved('message-operations.json'));
		const [{ id }] = items('Send message');
		expect(items('Send message')[0]).toMatchObject({ sender: 'mira', muid: 'order-1042' });
		expect(items('Send files')[0]).toMatchObject({ receiver: 'leo', type: 'file' });
		expect(items('Send custom message')[0]).toMatchObject({
			type: 'location',
			data: { customData: { latitude: 52.5 } },
		});
		expect(items('Update message')).toMatchObject([{ id, text: 'Ready!' }]);
		expect(items('Add reaction to message')[0]).toHaveProperty('data.reactions', [
			{ reaction: '🎉', count: 1, reactedByMe: true },
		]);
		expect(items('List reactions to message')).toMatchObject([{ uid: 'leo', reaction: '🎉' }]);
		expect(items('List messages').at(-1)).toEqual({ id, data: { text: 'Ready!' } });
		expect(items('List messages of app')[0]).toMatchObject({ data: [{}, {}] });
		expect(items('Delete message')).toMatchObject([{ id, deleted: true }]);
		expect(sandbox().store.messages.get(String(id))).toBeUndefined();
	});

	test('users and groups saved as plain texts, by an API client or by hand, go on working', async () => {
		const { nodes, ...rest } = saved('groups.json');
		const plain = nodes.map((node) => ({
			...node,
			parameters: Object.fromEntries(
				Object.entries(node.parameters).map(([name, value]) => [name, valueIn(value)]),
			),
		}));
		await run({ ...rest, nodes: plain as typeof nodes });
		const asText = targets();
		sandbox().reset();
		await run(saved('groups.json'));
		expect(asText).toEqual(targets());
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
			.store.groups.all()
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
