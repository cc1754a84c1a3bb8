import { submitDecision } from '../lib/answerForm';
import { startBalancer } from '../lib/balancer';
import { EVENTS, PARALLEL, findDuplicates, listAcceptedMessages, sendBurst } from '../lib/burst';
import { addModelCredential, agentNodes, agentWires } from '../lib/agent';
import { startChatModel } from '../lib/chatModel';
import { FINAL } from '../lib/client';
import { waitFor } from '../lib/processes';
import { LOGIN, addLogin, publishWebhook, webhookTrigger } from '../lib/webhook';
import { code, cometChat, node, workflow } from '../../../tools/n8nEngine/draft';
import { useCluster, webhookNode } from './cluster';

const cluster = useCluster();

test('Two workers complete all executions under a shared rate limit', async () => {
	const { client, sandbox, credentialId, webhooks, executions } = cluster();
	sandbox.setFaults([{ effect: { window: { requests: 20, ms: 200 } } }]);
	const ids = Array.from({ length: 20 }, (_, index) => ({ id: String(101 + (index % 16)) }));
	const get = { resource: 'message', operation: 'get', messageId: '={{ $json.id }}' };
	const id = await client.addWorkflow(
		workflow('Limited', [webhookNode('limited'), code('Items', ids), cometChat(credentialId, get)]),
	);
	await client.publish(id);
	const calls = ids.map(async () => await fetch(`${webhooks[0].url}/webhook/limited`));
	await Promise.all(calls);
	const findStatuses = async () => {
		const list = (await executions(id)).map(({ status }) => status);
		return list.length === 20 && list.every((status) => FINAL.includes(status)) ? list : undefined;
	};
	const statuses = await waitFor('The end of all executions', findStatuses, 120_000);
	expect(statuses).toEqual(Array(20).fill('success'));
	const { byStatus: answers } = sandbox.stats;
	expect(answers[200]).toBe(400);
	expect(answers[429]).toBeGreaterThan(0);
	await client.unpublish(id);
}, 240_000);

test('The message and the workflow get the same answer if two webhook processes receive answers at the same time', async () => {
	const { client, sandbox, credentialId, webhooks } = cluster();
	const question = cometChat(credentialId, {
		resource: 'message',
		operation: 'sendAndWait',
		groupId: 'makers',
		message: '=Order lamps, {{ $execution.id }}?',
	});
	const id = await client.addWorkflow(workflow('Question', [webhookNode('ask'), question]));
	await client.publish(id);
	for (let round = 0; round < 10; round++) {
		await fetch(`${webhooks[0].url}/webhook/ask`);
		const executionId = await client.waitForQuestion(id);
		const asked = `Order lamps, ${executionId}?`;
		const { id: messageId = '', text = '' } =
			sandbox.store.messages.all().find((message) => message.text?.startsWith(asked)) ?? {};
		const { pathname, search } = new URL(/http\S+$/.exec(text)?.[0] ?? '');
		const urls = webhooks.map(({ url }) => `${url}${pathname}${search}`);
		for (const url of urls) expect(await (await fetch(url)).text()).toContain(asked);
		const answers = [true, false].map(
			async (approved, index) => await submitDecision(urls[(round + index) % 2], approved),
		);
		const statuses = (await Promise.all(answers)).map(({ status }) => status);
		const { items, status } = await client.waitForEnd(executionId);
		expect(status).toBe('success');
		const { approved } = Object(items('CometChat')[0].json.data);
		const said = await waitFor('The change of the message', () => {
			const message = sandbox.store.messages.existing(messageId);
			const { respondedAt } = Object(Object(message.metadata).sendAndWait);
			return respondedAt && String(message.text);
		});
		expect(statuses[approved ? 0 : 1]).toBe(200);
		expect(said).toMatch(approved ? /: Approve$/ : /: Decline$/);
	}
	await client.unpublish(id);
}, 200_000);

test('With two workers, each of eight turns of a chat with a bot knows all earlier turns', async () => {
	const { client, sandbox, credentialId } = cluster();
	const model = await startChatModel();
	const credentials = { cometChatApi: { id: credentialId, name: 'CometChat' } };
	const [agent, chatModel] = agentNodes(await addModelCredential(cluster(), model));
	const trigger = {
		...{ name: 'Bot', type: 'n8n-nodes-cometchat.cometChatBotTrigger', webhookId: 'turns' },
		...{ parameters: { botId: { __rl: true, mode: 'id', value: 'reminder-bot' } }, credentials },
	};
	const memory = { name: 'Memory', type: 'n8n-nodes-cometchat.cometChatMemory', credentials };
	const answer = { resource: 'message', operation: 'answer', text: '={{ $json.output }}' };
	const id = await client.addWorkflow(
		workflow(
			'Turns',
			[
				node(trigger),
				...[agent, chatModel].flatMap((each) => each ?? []),
				node(memory),
				cometChat(credentialId, answer),
			],
			[
				...agentWires('Bot', []),
				{ from: 'Memory', to: 'AI Agent', kind: 'ai_memory' },
				{ from: 'AI Agent', to: 'CometChat' },
			],
		),
	);
	await client.publish(id);
	const turns = [1, 2, 3, 4, 5, 6, 7, 8];
	model.respond(...turns.map((turn) => () => ({ text: `Answer ${turn}` })));
	const isAnswered = (turn: number) =>
		sandbox.store.messages.all().some(({ text }) => text === `Answer ${turn}`);
	const write = { sender: 'mira', receiver: 'reminder-bot', receiverType: 'user' } as const;
	for (const turn of turns) {
		sandbox.store.sendMessage({ ...write, text: `Question ${turn}` });
		await waitFor(`Answer ${turn}`, () => isAnswered(turn));
	}
	const known = model.requests.map(({ messages }) => {
		const texts = JSON.stringify(messages.slice(0, -1));
		return turns.filter((turn) => texts.includes(`Question ${turn}`)).length;
	});
	expect(known).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
	await client.unpublish(id);
	await model.close();
}, 240_000);

test('No event is lost if one of two webhook processes is killed, and no event accepted at the first attempt starts two executions', async () => {
	const { client, sandbox, webhooks } = cluster();
	const { deliveries } = sandbox.webhooks;
	const balancer = await startBalancer(() => webhooks);
	const parameters = { events: ['message_sent'], output: 'simplified' };
	const draft = workflow('Burst', [webhookTrigger(parameters, await addLogin(client))]);
	const { id, url } = await publishWebhook(client, balancer, draft);
	const delivery = { parallel: PARALLEL, timeoutMs: 30_000, retries: true };
	sandbox.webhooks.set([{ ...LOGIN, url, ...delivery }]);
	const texts = sendBurst(sandbox, EVENTS);
	const some = () => listAcceptedMessages(deliveries).length > EVENTS / 3;
	await waitFor('Some answers', some, 120_000);
	await webhooks[0].service.stop('SIGKILL');
	await sandbox.webhooks.idle();
	await balancer.close();
	const atOnce = new Set(listAcceptedMessages(deliveries.filter(({ attempt }) => attempt === 1)));
	const succeeded = async () => {
		const executions = await cluster().executions(id);
		return executions.flatMap(({ status, message }) => (status === 'success' ? message : []));
	};
	await waitFor(
		'The end of the executions',
		async () => new Set(await succeeded()).size === texts.length,
		400_000,
	);
	const started = (await cluster().executions(id)).map(({ message }) => message);
	await client.unpublish(id);
	expect(new Set(listAcceptedMessages(deliveries))).toEqual(new Set(texts));
	// The killed process stored these deliveries but never responded, so the sandbox delivered them again
	const twice = findDuplicates(started);
	expect(twice.filter((text) => atOnce.has(text))).toEqual([]);
	expect(twice).toHaveLength(new Set(twice).size);
	expect(twice.length).toBeLessThanOrEqual(PARALLEL);
}, 600_000);
