import { until } from '../lib/processes';
import { useStage } from '../lib/use';
import { cometChat, node, workflow } from '../../../tools/n8nEngine/draft';

const stage = useStage();

test('An active workflow with a schedule runs in production mode, again and again', async () => {
	const { client, credentialId, sandbox } = stage();
	const everySecond = node({
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
	});
	const list = { resource: 'group', operation: 'list', returnAll: true };
	const id = await client.addWorkflow(
		workflow('Scheduled', [everySecond, cometChat(credentialId, list)]),
	);
	await client.publish(id);
	const ids = await until('Two scheduled executions', async () => {
		const done = (await client.executions(id)).filter(({ status }) => status === 'success');
		return done.length >= 2 ? done.map((execution) => execution.id) : undefined;
	});
	await client.unpublish(id);
	const run = await client.execution(ids[0]);
	expect(run.mode).toBe('trigger');
	expect(run.items('CometChat')).toHaveLength(sandbox.store.groups.count);
	expect(sandbox.violations).toEqual([]);
});
