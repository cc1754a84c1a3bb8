import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';

import type { WorkflowFile } from '../../engine/engine';
import { runWorkflow } from '../../engine/engine';
import { activateTrigger } from '../../engine/poll';
import { credentialsOf, useClockedSandbox } from './harness';

const FOLDER = join(__dirname, '../../examples/automation');

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

test('the trigger of "new group" gives a new group', async () => {
	const trigger = activateTrigger(nodeIn('new-group.json', 'CometChat Polling Trigger'), {
		credentials: credentialsOf(sandbox()),
	});
	expect(await trigger.poll()).toBeNull();
	sandbox().store.createGroup({ guid: 'fresh' });
	expect((await trigger.poll())?.map(({ json }) => json.guid)).toEqual(['fresh']);
});

test('the sync lists what changed since the time that it is given, as pages', async () => {
	const node = nodeIn('incremental-sync.json', 'List groups');
	sandbox().store.updateGroup('brand', { name: 'Changed' });
	const result = await runNode(node, [{ since: sandbox().clock.now - 1 }]);
	expect(result.items(node.name).map(({ json }) => json)).toMatchObject([
		{ data: [{ guid: 'brand' }], meta: { cursor: { updatedAt: sandbox().clock.now } } },
	]);
});
