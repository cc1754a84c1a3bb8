import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { cometChat, node, workflow } from '../../../tools/n8nEngine/draft';
import { POLL_OFTEN } from '../lib/examples';
import { waitFor } from '../lib/processes';
import { useTestSystem } from '../lib/testHooks';

const system = useTestSystem();

const BOT = 'reminder-bot';

const POLLING_TRIGGER = 'CometChat Polling Trigger';

const BOT_TRIGGER = 'CometChat Bot Trigger';

const credentials = () => ({ cometChatApi: { id: system().credentialId, name: 'CometChat' } });

const addPollingWorkflow = async (groupIds: string[], parameters: INodeParameters = {}) =>
	await system().client.addWorkflow(
		workflow('Polls', [
			node({
				name: POLLING_TRIGGER,
				type: 'n8n-nodes-cometchat.cometChatPollingTrigger',
				parameters: {
					...{ event: 'messageSent', watch: 'groups', groupIds },
					...parameters,
				},
				credentials: credentials(),
			}),
		]),
	);

const addBotWorkflow = async () =>
	await system().client.addWorkflow(
		workflow('Bot', [
			node({
				name: BOT_TRIGGER,
				type: 'n8n-nodes-cometchat.cometChatBotTrigger',
				webhookId: 'hook-outages',
				parameters: { botId: { __rl: true, mode: 'id', value: BOT } },
				credentials: credentials(),
			}),
			cometChat(system().credentialId, {
				...{ resource: 'message', operation: 'answer', text: 'Answer' },
			}),
		]),
	);

/** Returns the texts of the messages that have started a workflow, sorted. */
async function listHeard(workflowId: string, trigger: string): Promise<string[]> {
	const { client } = system();
	const executions = await client.listExecutions(workflowId);
	const all = await Promise.all(
		executions.map(async ({ id }) => (await client.getExecution(id)).items(trigger)),
	);
	return all
		.flat()
		.map(({ json }) => String(json.text))
		.sort();
}

/** Waits until a workflow has heard as many messages as expected. */
async function expectHeard(workflowId: string, trigger: string, texts: string[]): Promise<void> {
	const isComplete = async () => (await listHeard(workflowId, trigger)).length >= texts.length;
	await waitFor(`The messages ${texts.join()}`, isComplete, 240_000).catch(() => undefined);
	expect(await listHeard(workflowId, trigger)).toEqual(texts.toSorted());
}

const write = (receiver: string, text: string): void => {
	const receiverType = receiver === BOT ? 'user' : 'group';
	system().sandbox.store.sendMessage({ sender: 'mira', receiver, receiverType, text });
};

test('A poll of 1,000 groups can be published with 300 milliseconds of latency, and finds each message once', async () => {
	const { client, sandbox } = system();
	const guids = Array.from({ length: 1_000 }, (_, index) => `group-${index}`);
	for (const guid of guids) sandbox.store.createGroup({ guid });
	const latency = { ms: 300 };
	sandbox.setFaults([{ effect: { latency } }]);
	const id = await addPollingWorkflow(guids);
	const start = Date.now();
	await client.publish(id);
	expect(Date.now() - start).toBeLessThan(60_000);
	for (const guid of ['group-0', 'group-500', 'group-999']) write(guid, guid);
	await expectHeard(id, POLLING_TRIGGER, ['group-0', 'group-500', 'group-999']);
	// The workflow polls once a minute
	await wait(70_000);
	expect(await listHeard(id, POLLING_TRIGGER)).toHaveLength(3);
	await client.unpublish(id);
}, 900_000);

test('After CometChat was away for 100 seconds while n8n started, a bot answers, and a poll has lost nothing', async () => {
	const { client, sandbox, n8n, restart } = system();
	const polls = await addPollingWorkflow(['all-hands', 'makers'], POLL_OFTEN);
	const bot = await addBotWorkflow();
	await client.publish(polls);
	await client.publish(bot);
	write('all-hands', 'before');
	await expectHeard(polls, POLLING_TRIGGER, ['before']);

	await n8n.stop();
	write('makers', 'while n8n is down');
	sandbox.setFaults([{ effect: { status: { status: 503 } } }]);
	const { length } = n8n.service.log();
	await restart();
	await wait(50_000);
	write('all-hands', 'during the outage');
	await wait(50_000);
	const log = system().n8n.service.log().slice(length);
	expect(log.match(/When n8n started, the first poll of .* in "Polls" failed/g)).toHaveLength(1);
	expect(log.match(/When n8n started, the CometChat bot of .* was left as it is/g)).toHaveLength(1);

	sandbox.setFaults([]);
	write(BOT, 'question');
	write('makers', 'after the outage');
	await expectHeard(bot, BOT_TRIGGER, ['question']);
	await waitFor('The answer', () =>
		sandbox.store.messages.all().some(({ sender, text }) => sender === BOT && text === 'Answer'),
	);
	await expectHeard(polls, POLLING_TRIGGER, [
		...['before', 'while n8n is down', 'during the outage', 'after the outage'],
	]);
	await wait(25_000);
	expect(await listHeard(polls, POLLING_TRIGGER)).toHaveLength(4);
	await client.unpublish(polls);
	await client.unpublish(bot);
}, 900_000);
