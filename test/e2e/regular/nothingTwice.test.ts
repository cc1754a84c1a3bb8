import type { INode } from 'n8n-workflow';

import { startBalancer } from '../lib/balancer';
import { EVENTS, PARALLEL, findDuplicates, listAcceptedMessages, sendBurst } from '../lib/burst';
import { FINAL } from '../lib/client';
import type { SavedCredentials } from '../lib/examples';
import { waitFor } from '../lib/processes';
import { useTestSystem } from '../lib/testHooks';
import { LOGIN, addLogin, publishWebhook, webhookTrigger } from '../lib/webhook';
import { COMETCHAT, node, workflow, type WorkflowDraft } from '../../../tools/n8nEngine/draft';
import type { Served } from '../../../tools/n8nEngine/serve';

/** Delivery settings with a longer time limit than CometChat's, for busy machines. */
const PATIENT = { ...LOGIN, timeoutMs: 120_000, retries: true };

const system = useTestSystem();
let login: SavedCredentials;

beforeAll(async () => {
	login = await addLogin(system().client);
});

const trigger = (parameters: INode['parameters']): INode =>
	webhookTrigger({ output: 'simplified', ...parameters }, login);

/** Publishes a workflow and delivers chat events to its trigger. */
async function deliverTo(draft: WorkflowDraft, receiver?: Served): Promise<string> {
	const { client, sandbox, n8n } = system();
	const { id, url } = await publishWebhook(client, receiver ?? n8n, draft);
	sandbox.webhooks.set([{ ...PATIENT, url, parallel: PARALLEL }]);
	return id;
}

test('Every event starts the workflow even if n8n is killed twice, and accepted events start the workflow once', async () => {
	const { client, sandbox } = system();
	const { deliveries } = sandbox.webhooks;
	// The balancer holds back calls while n8n restarts, because failed calls would use up the delivery attempts
	// A restarting n8n returns 200 for every call until its database is migrated, so events would be lost
	const balancer = await startBalancer(() => [system().n8n]);
	const draft = workflow('Burst', [trigger({ events: ['message_sent'] })]);
	const id = await deliverTo(draft, balancer);
	const texts = sendBurst(sandbox, EVENTS);
	/** Accepted messages and the number of executions, recorded each time n8n was killed */
	const killed: Array<{ before: Set<string>; count: number }> = [];
	for (const part of [1 / 3, 2 / 3]) {
		const some = () => listAcceptedMessages(deliveries).length > EVENTS * part;
		await waitFor('Some answers', some, 120_000);
		await system().n8n.service.stop('SIGKILL');
		const before = new Set(listAcceptedMessages(deliveries));
		killed.push({ before, count: system().executions(id).length });
		await system().restart();
	}
	await sandbox.webhooks.idle();
	await balancer.close();
	const all = await waitFor('The end of the executions', () => {
		const executions = system().executions(id);
		// If n8n is killed before a node of an execution starts, the execution can stay "running" for ever
		const ofLastProcess = executions.slice(killed.at(-1)?.count);
		const areEnded = ofLastProcess.every(({ status }) => FINAL.includes(status));
		return areEnded && executions.map(({ message }) => message);
	});
	await client.unpublish(id);
	expect(new Set(listAcceptedMessages(deliveries))).toEqual(new Set(texts));
	expect(new Set(all)).toEqual(new Set(texts));
	const edges = [0, ...killed.map(({ count }) => count), all.length];
	const lives = edges.slice(1).map((end, index) => all.slice(edges[index], end));
	expect(lives.flatMap(findDuplicates)).toEqual([]);
	for (const { before, count } of killed) {
		expect(all.slice(count).filter((text) => before.has(text))).toEqual([]);
	}
	// Only deliveries that n8n stored but didn't respond to may start a second execution
	expect(findDuplicates(all).length).toBeLessThanOrEqual(PARALLEL * killed.length);
}, 600_000);

test('The triggers keep the static data of a Code node unchanged', async () => {
	const { client, sandbox, credentialId } = system();
	const count = node({
		name: 'Count',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode:
				"const kept = $getWorkflowStaticData('global');\nkept.count = (kept.count ?? 0) + 1;\nreturn [{ json: { count: kept.count } }];",
		},
	});
	const poll = node({
		name: 'Poll',
		type: `${COMETCHAT}PollingTrigger`,
		parameters: { event: 'groupCreated' },
		credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
	});
	const wires = ['Webhook', 'Poll'].map((from) => ({ from, to: 'Count' }));
	const nodes = [trigger({ events: ['message_sent'] }), poll, count];
	const id = await deliverTo(workflow('Count', nodes, wires));
	// Send messages one by one, because concurrent executions overwrite each other's static data
	for (let number = 1; number <= 5; number++) {
		sendBurst(sandbox, 1);
		await client.waitForSuccess(id, number, 90_000);
	}
	const saved = await client.getWorkflowText(id);
	await client.unpublish(id);
	expect(JSON.parse(saved)).toMatchObject({ staticData: { global: { count: 5 } } });
}, 120_000);
