import type { Execution } from '../lib/client';
import { loadExample, POLL_OFTEN } from '../lib/examples';
import { waitFor } from '../lib/processes';
import { useTestSystem } from '../lib/testHooks';

const TRIGGER = 'CometChat Polling Trigger';

const system = useTestSystem();

const guidsIn = (runs: Execution[]) =>
	runs.map((run) => run.items('Next step').map(({ json }) => json.guid));

test('A polling workflow returns groups created while it is active, while n8n is stopped, and while it is inactive', async () => {
	const { client, sandbox, credentialId } = system();
	const cometChatApi = { id: credentialId, name: 'CometChat' };
	const id = await client.addWorkflow(
		loadExample('new-group', { cometChatApi }, { [TRIGGER]: POLL_OFTEN }),
	);
	/** Waits for `count` executions started by polls and returns them. The manual execution doesn't count. */
	const polled = async (count: number) =>
		(await client.waitForSuccess(id, count + 1)).filter(({ mode }) => mode === 'trigger');
	const shown = await client.runFrom(id, TRIGGER);
	expect(shown.items(TRIGGER).at(-1)?.json.guid).toBe('ideas');
	await client.publish(id);

	sandbox.store.createGroup({ guid: 'while-active', name: 'Now', owner: 'mira', type: 'private' });
	const [first] = await polled(1);
	expect(first.items('Next step').map(({ json }) => json)).toEqual([
		{
			guid: 'while-active',
			text: 'mira opened the private group "Now"',
			createdAt: expect.stringMatching(/^20\d\d-.*Z$/),
		},
	]);

	await system().n8n.stop();
	sandbox.store.createGroup({ guid: 'while-away' });
	await system().restart();
	expect(guidsIn(await polled(2))).toEqual([['while-active'], ['while-away']]);

	const requests = sandbox.log.length;
	await waitFor('The next poll', () => sandbox.log.length > requests);
	expect(await client.listExecutions(id)).toHaveLength(3);

	await client.unpublish(id);
	sandbox.store.createGroup({ guid: 'while-inactive' });
	await client.publish(id);
	expect(guidsIn((await polled(3)).slice(-1))).toEqual([['while-inactive']]);
	expect(sandbox.violations).toEqual([]);
}, 400_000);
