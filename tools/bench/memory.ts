import { addModelCredential, agentNodes, agentWires } from '../../test/e2e/lib/agent';
import { startChatModel } from '../../test/e2e/lib/chatModel';
import { withCleanup } from '../../test/e2e/lib/cleanup';
import { installN8n } from '../../test/e2e/lib/install';
import { pack } from '../../test/e2e/lib/package';
import { E2E } from '../../test/e2e/lib/paths';
import { waitFor } from '../../test/e2e/lib/processes';
import { startTestSystem, type TestSystem } from '../../test/e2e/lib/testSystem';
import { node, workflow } from '../n8nEngine/draft';
import type { NewMessage } from '../sandbox/store/messages';
import { formatTable } from '../scripts/markdown';
import { median, writeFigures } from './page';

/**
 * Compares how long an AI agent takes to answer without a memory, with n8n's Simple Memory, and with CometChat
 * Chat Memory.
 */

const GROUP = 'all-hands';

const ROUNDS = 9;

/** Questions to each bot before the measured ones, because n8n loads code when it first needs it. */
const WARM_UP_ROUNDS = 3;

/** Latencies of the service in milliseconds. */
const LATENCIES = [0, 100];

/** Number of replies in a long thread. */
const REPLIES = 3_000;

/** A workflow that is a bot's. */
interface Contender {
	bot: string;
	workflowId: string;
}

/** Types of the memory nodes, keyed by their names in the table. */
const MEMORIES = {
	None: undefined,
	'Simple Memory': { type: '@n8n/n8n-nodes-langchain.memoryBufferWindow', typeVersion: 1.3 },
	'CometChat Chat Memory': { type: 'n8n-nodes-cometchat.cometChatMemory' },
};

/** Publishes a bot with an agent for each memory. */
async function publishBots(system: TestSystem, modelCredentialId: string): Promise<Contender[]> {
	const { client, credentialId, sandbox } = system;
	const credentials = { cometChatApi: { id: credentialId, name: 'CometChat' } };
	const [agent, model] = agentNodes(modelCredentialId);
	if (!agent || !model) throw new Error('There is no agent');
	const contenders: Contender[] = [];
	for (const memory of Object.values(MEMORIES)) {
		const bot = `bot-${contenders.length}`;
		sandbox.store.people.create({ uid: bot, name: bot });
		sandbox.store.addMembers(GROUP, [{ uid: bot, scope: 'participant' }]);
		const trigger = node({
			...{ name: 'Bot', type: 'n8n-nodes-cometchat.cometChatBotTrigger', webhookId: bot },
			...{ parameters: { botId: { __rl: true, mode: 'id', value: bot } }, credentials },
		});
		const nodes = [trigger, { ...agent, parameters: { options: {} } }, model];
		const wires = agentWires('Bot', []);
		if (memory) {
			nodes.push(node({ name: 'Memory', ...memory, credentials }));
			wires.push({ from: 'Memory', to: agent.name, kind: 'ai_memory' });
		}
		const workflowId = await client.addWorkflow(workflow(bot, nodes, wires));
		await client.publish(workflowId);
		contenders.push({ bot, workflowId });
	}
	return contenders;
}

/** Sends a message, and returns how long the bot's execution took, in milliseconds. */
async function ask(
	{ client, sandbox }: TestSystem,
	workflowId: string,
	message: NewMessage,
): Promise<number> {
	const { length } = await client.listExecutions(workflowId);
	sandbox.store.sendMessage(message);
	const { id } = await waitFor('The execution', async () => {
		const [latest, ...earlier] = await client.listExecutions(workflowId);
		return earlier.length === length && latest;
	});
	const { startedAt, stoppedAt, error } = await client.waitForEnd(id);
	if (error) throw new Error(error.message);
	return Date.parse(stoppedAt) - Date.parse(startedAt);
}

/** Measures all contenders in turns, and returns the medians in milliseconds. */
async function measure(
	system: TestSystem,
	contenders: Contender[],
	toMessage: (bot: string) => NewMessage,
): Promise<string[]> {
	const times = contenders.map((): number[] => []);
	for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
		for (const [index, { bot, workflowId }] of contenders.entries()) {
			const ms = await ask(system, workflowId, toMessage(bot));
			if (round >= 0) times[index]?.push(ms);
		}
	}
	return times.map((each) => `${median(each).toFixed(0)} ms`);
}

async function measureAll(system: TestSystem, contenders: Contender[]): Promise<string> {
	const { store } = system.sandbox;
	const inGroup = { sender: 'mira', receiver: GROUP, receiverType: 'group' as const };
	const { id: parentId } = store.sendMessage({ ...inGroup, text: 'A topic' });
	for (let reply = 0; reply < REPLIES; reply++) {
		store.sendMessage({ ...inGroup, text: `Reply ${reply}`, parentId });
	}
	const places: Record<string, (bot: string) => NewMessage> = {
		'a private chat': (receiver) => ({
			...{ sender: 'mira', receiver, receiverType: 'user', text: 'When?' },
		}),
		[`a thread of ${REPLIES.toLocaleString('en')} replies`]: (bot) => ({
			...{ ...inGroup, text: `<@uid:${bot}> when?`, parentId },
		}),
	};
	const rows: string[][] = [];
	for (const [place, toMessage] of Object.entries(places)) {
		for (const ms of LATENCIES) {
			system.sandbox.setFaults([{ effect: { latency: { ms } } }]);
			rows.push([`${place}, ${ms} ms`, ...(await measure(system, contenders, toMessage))]);
			console.log(rows.at(-1)?.join('  '));
		}
	}
	return formatTable(['Asked in, latency', ...Object.keys(MEMORIES)], rows);
}

async function main(): Promise<void> {
	await installN8n(console.log);
	const { close, table } = await withCleanup(async (cleanup) => {
		const { tarball, remove } = await pack();
		cleanup.add(remove);
		process.env.COMETCHAT_E2E_TARBALL = tarball;
		const system = await startTestSystem();
		cleanup.add(system.close);
		const model = await startChatModel();
		cleanup.add(model.close);
		const contenders = await publishBots(system, await addModelCredential(system, model));
		return { close: cleanup.close, table: await measureAll(system, contenders) };
	});
	await close();
	await writeFigures('memory-figures', table, ROUNDS, E2E);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

void main();
