import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';

import type { WorkflowFile } from '../../engine/engine';
import { runWorkflow } from '../../engine/engine';
import { activateTrigger } from '../../engine/poll';
import { nodeTypesByName } from '../../engine/types';
import { credentialsOf, useClockedSandbox } from './harness';

const FOLDER = join(__dirname, '../../examples/automation');

const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

const workflowIn = (file: string): WorkflowFile =>
	JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

const nodeIn = (file: string, name: string): INode => {
	const node = workflowIn(file).nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`${file} has no node "${name}"`);
	return node;
};

const sandbox = useClockedSandbox();

/** The node of an example, fed with items by a Manual Trigger. */
const runNode = async (node: INode, input: object[]) =>
	await runWorkflow(
		{
			name: 'Example',
			nodes: [
				{
					id: 'start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				node,
			],
			connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		},
		{ credentials: credentialsOf(sandbox()), input: input.map((json) => ({ ...json })) },
	);

describe.each(FILES)('%s', (file) => {
	const { nodes, connections } = workflowIn(file);

	test('says what it does, in a note that covers no node', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).toHaveLength(1);
		expect(notes[0].parameters.content).toMatch(/^## /);
		const [, top] = notes[0].position;
		expect(top + Number(notes[0].parameters.height)).toBeLessThan(-20);
	});

	test('connects nodes that it has, each of which has a name and an id of its own', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const targets = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) =>
				outputs.flatMap((links) => (links ?? []).map(({ node }) => node)),
			),
		);
		expect(targets.length).toBeGreaterThan(0);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
	});

	test('sets only parameters that the nodes of this package have', () => {
		for (const { type, parameters } of nodes) {
			const known = nodeTypesByName.get(type.replace(/Tool$/, ''));
			if (!type.startsWith('n8n-nodes-cometchat.') || !known) continue;
			const names = known.description.properties.map(({ name }) => name);
			// n8n itself adds the times at which a trigger polls
			expect([...names, 'pollTimes']).toEqual(expect.arrayContaining(Object.keys(parameters)));
		}
	});

	test('holds no key', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/[0-9a-f]{40}/);
	});
});

test('the trigger of "new group" gives a new group', async () => {
	const trigger = activateTrigger(nodeIn('new-group.json', 'CometChat Trigger'), {
		credentials: credentialsOf(sandbox()),
	});
	expect(await trigger.poll()).toBeNull();
	sandbox().store.createGroup({ guid: 'fresh' });
	expect((await trigger.poll())?.map(({ json }) => json.guid)).toEqual(['fresh']);
});

test('the inventory lists all groups', async () => {
	const node = nodeIn('nightly-inventory.json', 'List all groups');
	const result = await runNode(node, [{}]);
	expect(result.items(node.name)).toHaveLength(sandbox().store.groupCount);
});

test('the sync lists what changed since the time that it is given, as pages', async () => {
	const node = nodeIn('incremental-sync.json', 'List changed groups');
	sandbox().store.updateGroup('brand', { name: 'Changed' });
	const result = await runNode(node, [{ since: sandbox().clock.now - 1 }]);
	expect(result.items(node.name).map(({ json }) => json)).toMatchObject([
		{ data: [{ guid: 'brand' }], meta: { cursor: { updatedAt: sandbox().clock.now } } },
	]);
});

test('the clean-up goes on by the error output with what it cannot remove', async () => {
	const node = nodeIn('reaction-cleanup.json', 'Remove the reaction');
	const { jsonOutput } = nodeIn('reaction-cleanup.json', 'What to remove').parameters;
	const { reaction, messages } = JSON.parse(String(jsonOutput));
	const input = messages.map((message: unknown) => ({ reaction, messages: message }));
	const result = await runNode(node, input);
	expect(result.error).toBeUndefined();
	expect(result.items(node.name)).toHaveLength(2);
	expect(result.items(node.name, 1).map(({ json }) => json.messages)).toEqual(messages.slice(2));
});
