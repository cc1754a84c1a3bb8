import type { SavedCredentials } from '../lib/examples';
import { useEditor, useTestSystem } from '../lib/testHooks';
import { LOGIN, addLogin, publishWebhook, webhookTrigger, webhookUrl } from '../lib/webhook';
import { workflow, type WorkflowDraft } from '../../../tools/n8nEngine/draft';

const system = useTestSystem();
const editor = useEditor(system);
let login: SavedCredentials;

beforeAll(async () => {
	login = await addLogin(system().client);
});

const starting = (events: string[]): WorkflowDraft =>
	workflow('Events', [webhookTrigger({ events, output: 'simplified' }, login)]);

/** Delivery settings with a longer time limit than CometChat's, for busy machines. */
const PATIENT = { ...LOGIN, timeoutMs: 20_000 };

/** Sends a chat message and waits for all of its webhook deliveries to end. */
async function send(text: string): Promise<void> {
	const { store, webhooks } = system().sandbox;
	store.sendMessage({ sender: 'yuki', receiver: 'makers', text });
	await webhooks.idle();
}

const statuses = (): number[] => system().sandbox.webhooks.deliveries.map(({ status }) => status);

describe('The production URL', () => {
	test('starts the workflow for events in the chat, and n8n does not store the password', async () => {
		const { sandbox, client, n8n } = system();
		const events = ['message_sent', 'message_reaction_added', 'group_member_joined'];
		const published = await publishWebhook(client, n8n, starting(events));
		sandbox.webhooks.set([{ url: published.url, ...PATIENT }]);
		sandbox.store.sendMessage({ sender: 'yuki', receiver: 'makers', text: 'It works' });
		sandbox.store.addReaction('124', 'noor', '🏮');
		sandbox.store.joinGroup('makers', 'mira');
		sandbox.store.updateGroup('makers', { name: 'Not chosen' });
		await sandbox.webhooks.idle();
		expect(statuses()).toEqual([200, 200, 200, 200]);

		const runs = await client.waitForSuccess(published.id, 3);
		expect(runs.map(({ mode }) => mode)).toEqual(['webhook', 'webhook', 'webhook']);
		const items = runs.flatMap((run) => run.items('Webhook').map(({ json }) => json));
		for (const { stored } of runs) {
			expect(stored).not.toContain(LOGIN.password);
			expect(stored).not.toContain(btoa(`${LOGIN.username}:${LOGIN.password}`));
		}
		expect(items).toHaveLength(3);
		expect(items).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ event: 'message_sent', sender: 'yuki', text: 'It works' }),
				expect.objectContaining({ event: 'message_reaction_added', uid: 'noor', messageId: '124' }),
				expect.objectContaining({ event: 'group_member_joined', uid: 'mira' }),
			]),
		);
		expect(await client.listExecutions(published.id)).toHaveLength(3);
		await client.unpublish(published.id);
	});

	test('starts the workflow once for repeated deliveries, even if the workflow is republished', async () => {
		const { sandbox, client, n8n } = system();
		const published = await publishWebhook(client, n8n, starting(['message_sent']));
		sandbox.webhooks.set([{ url: published.url, ...PATIENT, copies: 5, parallel: 5 }]);
		await send('Five times');
		await client.waitForSuccess(published.id, 1);
		const { id } = sandbox.webhooks.deliveries.at(-1) ?? { id: 0 };
		await client.unpublish(published.id);
		await client.publish(published.id);
		sandbox.webhooks.set([{ url: published.url, ...PATIENT }]);
		sandbox.webhooks.repeat(id);
		await send('Another one');
		expect(statuses().slice(-7)).toEqual(Array(7).fill(200));
		const runs = await client.waitForSuccess(published.id, 2);
		expect(runs.map((run) => run.items('Webhook')[0].json.text)).toEqual([
			'Five times',
			'Another one',
		]);
		await client.unpublish(published.id);
	});
});

test('"Listen for test event" shows the next event', async () => {
	const { n8n, client, sandbox } = system();
	const draft = starting(['group_member_joined']);
	const id = await client.addWorkflow(draft);
	await editor().openWorkflow(id);
	await editor().openNode('Webhook');
	await editor().page.getByTestId('node-execute-button').click();
	await editor().ndv.getByText('Listening for test event').waitFor();
	sandbox.webhooks.set([{ url: webhookUrl(n8n, draft, 'webhook-test'), ...PATIENT }]);
	sandbox.store.joinGroup('makers', 'jonas');
	await sandbox.webhooks.idle();
	expect(statuses().at(-1)).toBe(200);
	const { columns, rows } = await editor().readTable();
	expect(rows).toHaveLength(1);
	expect(rows[0][columns.indexOf('uid')]).toBe('jonas');
});
