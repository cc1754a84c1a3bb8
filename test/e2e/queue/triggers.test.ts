import type { Webhook } from '../../../tools/sandbox/webhooks';
import { submitDecision } from '../lib/answerForm';
import { startBalancer } from '../lib/balancer';
import {
	listAcceptedMessages,
	sendBurst,
	findDuplicates,
	type StoredExecution,
} from '../lib/burst';
import { loadExample } from '../lib/examples';
import type { N8n } from '../lib/n8n';
import { waitFor } from '../lib/processes';
import { LOGIN, addLogin, publishWebhook, webhookTrigger } from '../lib/webhook';
import { cometChat, workflow } from '../../../tools/n8nEngine/draft';
import { useCluster, webhookNode } from './cluster';

/** Time limit for the next poll, in milliseconds. n8n polls at most once a minute. */
const NEXT_POLL_MS = 120_000;

/** Maximum number of deliveries in progress at the same time. */
const PARALLEL = 10;

const cluster = useCluster({ webhooks: true });

test('A worker runs the workflow for a group that the main process found by polling', async () => {
	const { client, sandbox, credentialId, workers } = cluster();
	const id = await client.addWorkflow(
		loadExample('new-group', { cometChatApi: { id: credentialId, name: 'CometChat' } }),
	);
	await client.publish(id);
	sandbox.store.createGroup({ guid: `queued-${Date.now()}` });
	const [run] = await client.waitForSuccess(id, 1, NEXT_POLL_MS);
	await client.unpublish(id);
	expect(run.items('Next step').map(({ json }) => json.guid)).toEqual([
		expect.stringMatching(/^queued-/),
	]);
	expect(workers.flatMap((worker) => cluster().listStartedBy(worker))).toContain(run.id);
	expect(await client.listExecutions(id)).toHaveLength(1);
}, 200_000);

test('A webhook process receives the answer to a question, and a worker resumes the execution', async () => {
	const { client, workers } = cluster();
	const [webhooks] = cluster().webhooks;
	const { id, ask } = await publishQuestion();
	const { executionId, message, path } = await ask();
	const url = `${webhooks.url}${path}`;
	expect(await (await fetch(url)).text()).toContain(String(message().text).split('\n')[0]);
	expect((await submitDecision(url, true)).status).toBe(200);
	const { items } = await client.waitForEnd(executionId);
	await client.unpublish(id);
	expect(items('CometChat')[0].json.data).toMatchObject({ approved: true });
	expect(workers.flatMap((worker) => cluster().listStartedBy(worker))).toContain(executionId);
});

test('The message and the workflow get the same answer if two webhook processes receive answers at the same time', async () => {
	const { client, webhooks } = cluster();
	const { id, ask } = await publishQuestion();
	for (let round = 0; round < 10; round++) {
		const { executionId, message, path } = await ask();
		const answers = [true, false].map(async (approved, index) => {
			const receiver = webhooks[(round + index) % 2];
			return await submitDecision(`${receiver.url}${path}`, approved);
		});
		const statuses = (await Promise.all(answers)).map(({ status }) => status);
		const { items, status } = await client.waitForEnd(executionId);
		expect(status).toBe('success');
		const { approved } = Object(items('CometChat')[0].json.data);
		const said = await waitFor('The change of the message', () => {
			const { metadata } = message();
			return Object(Object(metadata).sendAndWait).respondedAt ? String(message().text) : undefined;
		});
		expect(statuses[approved ? 0 : 1]).toBe(200);
		expect(said).toMatch(approved ? /: Approve$/ : /: Decline$/);
	}
	await client.unpublish(id);
}, 200_000);

/** Publishes a workflow whose webhook sends an approval request. */
async function publishQuestion() {
	const { client, sandbox, credentialId } = cluster();
	const [webhooks] = cluster().webhooks;
	const question = cometChat(credentialId, {
		resource: 'message',
		operation: 'sendAndWait',
		groupId: 'makers',
		message: '=Order lamps, {{ $execution.id }}?',
	});
	const id = await client.addWorkflow(workflow('Question', [webhookNode('ask'), question]));
	await client.publish(id);
	const ask = async () => {
		await fetch(`${webhooks.url}/webhook/ask`);
		const executionId = await client.waitForQuestion(id);
		const asked = sandbox.store.messages
			.all()
			.find(({ text }) => text?.startsWith(`Order lamps, ${executionId}?`));
		const { id: messageId = '', text = '' } = asked ?? {};
		const { pathname, search } = new URL(/http\S+$/.exec(text)?.[0] ?? '');
		return {
			executionId,
			message: () => sandbox.store.messages.existing(messageId),
			path: `${pathname}${search}`,
		};
	};
	return { id, ask };
}

/** Publishes a workflow that runs whenever a message is sent, and delivers chat events to n8n. */
async function deliverTo(receiver: Pick<N8n, 'url'>, options: Partial<Webhook>): Promise<string> {
	const { client, sandbox } = cluster();
	const parameters = { events: ['message_sent'], output: 'simplified' };
	const draft = workflow('Burst', [webhookTrigger(parameters, await addLogin(client))]);
	const { id, url } = await publishWebhook(client, receiver, draft);
	sandbox.reset();
	sandbox.webhooks.set([{ ...LOGIN, url, parallel: PARALLEL, timeoutMs: 30_000, ...options }]);
	return id;
}

/** Waits until the workflow has run successfully for `count` messages, and returns all executions. */
async function waitForMessages(id: string, count: number): Promise<StoredExecution[]> {
	return await waitFor(
		'The end of the executions',
		async () => {
			const list = await cluster().executions(id);
			const succeeded = list.filter(({ status }) => status === 'success');
			return new Set(succeeded.map(({ message }) => message)).size === count ? list : undefined;
		},
		400_000,
	);
}

test('1,000 events at the same time all get a response, and each event starts one execution', async () => {
	const { client, sandbox, webhooks, workers } = cluster();
	const id = await deliverTo(webhooks[0], {});
	const texts = sendBurst(sandbox, 1_000);
	await sandbox.webhooks.idle();
	const statuses = sandbox.webhooks.deliveries.map(({ status, error }) => error ?? status);
	expect(statuses).toEqual(texts.map(() => 200));

	const runs = await waitForMessages(id, texts.length);
	await client.unpublish(id);
	expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['success']));
	expect(runs.map(({ message }) => message).sort()).toEqual(texts.sort());
	const parts = workers.map((worker) => cluster().listStartedBy(worker));
	const ids = new Set(runs.map((run) => run.id));
	const ofBurst = parts.map((part) => part.filter((each) => ids.has(each)).length);
	expect(ofBurst.every((count) => count > 0)).toBe(true);
	expect(ofBurst[0] + ofBurst[1]).toBe(texts.length);
}, 600_000);

test('No event is lost if one of two webhook processes is killed, and no event accepted at the first attempt starts two executions', async () => {
	const { client, sandbox, webhooks } = cluster();
	const { deliveries } = sandbox.webhooks;
	const balancer = await startBalancer(() => webhooks);
	const id = await deliverTo(balancer, { retries: true });
	const texts = sendBurst(sandbox, 1_000);
	const some = () => listAcceptedMessages(deliveries).length > 300;
	await waitFor('Some answers', some, 120_000);
	await webhooks[0].service.stop('SIGKILL');
	await sandbox.webhooks.idle();
	await balancer.close();
	const atOnce = new Set(listAcceptedMessages(deliveries.filter(({ attempt }) => attempt === 1)));
	const started = (await waitForMessages(id, texts.length)).map(({ message }) => message);
	await client.unpublish(id);
	expect(new Set(listAcceptedMessages(deliveries))).toEqual(new Set(texts));
	// The killed process stored these deliveries but never responded, so the sandbox delivered them again
	const twice = findDuplicates(started);
	expect(twice.filter((text) => atOnce.has(text))).toEqual([]);
	expect(twice).toHaveLength(new Set(twice).size);
	expect(twice.length).toBeLessThanOrEqual(PARALLEL);
}, 600_000);
