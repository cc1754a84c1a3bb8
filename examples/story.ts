import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';

import { workflow as draftWorkflow } from '../tools/n8nEngine/draft';
import {
	runWorkflow,
	type RunOptions,
	type RunResult,
	type WorkflowFile,
} from '../tools/n8nEngine/engine';
import { askWorkflow } from '../tools/n8nEngine/links';
import { activateTrigger } from '../tools/n8nEngine/poll';
import { startInstance } from '../tools/n8nEngine/activation';
import { activateWebhook } from '../tools/n8nEngine/webhook';
import type { Sandbox } from '../tools/sandbox/server';

export type Print = (line?: string) => void;

/** Objects that all of the story's scenes use. */
interface Stage {
	sandbox: Sandbox;
	options: RunOptions;
	print: Print;
}

const PACKAGE = 'n8n-nodes-cometchat';

const byId = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

function nodeOf(
	name: string,
	type: string,
	parameters: INodeParameters,
	credential: string,
): INode {
	return {
		...{ id: name, name, type: `${PACKAGE}.${type}`, typeVersion: 1, position: [0, 0], parameters },
		credentials: { [credential]: { id: '1', name: credential } },
	};
}

/** Builds a workflow that runs CometChat nodes one after another. The nodes are named A, B, C, and so on. */
function workflowOf(...steps: INodeParameters[]): WorkflowFile {
	const start: INode = {
		...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
		...{ position: [0, 0], parameters: {} },
	};
	const nodes = steps.map((parameters, index) =>
		nodeOf(String.fromCharCode(65 + index), 'cometChat', parameters, 'cometChatApi'),
	);
	const names = nodes.map(({ name }) => name);
	const connections = Object.fromEntries(
		names.map((node, index) => [
			names[index - 1] ?? start.name,
			{ main: [[{ node, type: 'main' as const, index: 0 }]] },
		]),
	);
	return { name: 'Story', nodes: [start, ...nodes], connections };
}

/** Returns a node's output items. @throws the run's error if the run failed */
function itemsOf({ items, error }: RunResult, node: string): IDataObject[] {
	if (error) throw error;
	return items(node).map(({ json }) => json);
}

/** Returns a node's first output item. @throws the run's error if the run failed */
const firstItem = (result: RunResult, node: string): IDataObject => itemsOf(result, node)[0] ?? {};

async function listGroups({ options, print }: Stage): Promise<void> {
	print('\n1. Which groups are there?');
	const list = workflowOf({ resource: 'group', operation: 'list', returnAll: true });
	const groups = itemsOf(await runWorkflow(list, options), 'A');
	const names = groups
		.slice(0, 3)
		.map(({ name, membersCount }) => `${String(name)} (${String(membersCount)} members)`);
	print(`   Group → List: ${names.join(', ')} and ${groups.length - 3} more`);
}

async function removeReaction({ sandbox, options, print }: Stage): Promise<void> {
	print('\n2. Tomás reacts with 👎 to a message of Noor');
	const login = { username: 'cometchat', password: 'story' };
	const events = { events: ['message_reaction_added'], watch: 'app' };
	const trigger = nodeOf('Trigger', 'cometChatTrigger', events, 'cometChatWebhookApi');
	const webhook = await activateWebhook(trigger, { credentials: { cometChatWebhookApi: login } });
	try {
		sandbox.webhooks.set([{ url: webhook.url, ...login }]);
		const { store } = sandbox;
		const { id } = store.sendMessage({
			sender: 'noor',
			receiver: 'makers',
			text: 'My first lamp!',
		});
		store.addReaction(id, 'tomas', '👎');
		await sandbox.webhooks.idle();
		await webhook.idle();
		const input = webhook.executions.flatMap(({ items }) => items.map(({ json }) => json));
		for (const { name, reaction } of input) {
			print(`   CometChat Trigger: ${String(name)} added ${String(reaction)}`);
		}
		const remove = workflowOf({
			...{ resource: 'message', operation: 'removeReaction', reaction: '👎' },
			...{ messageId: '={{ $json.messageId }}', onBehalfOf: byId('tomas') },
		});
		itemsOf(await runWorkflow(remove, { ...options, input }), 'A');
		const get = workflowOf({
			...{ resource: 'message', operation: 'get', messageId: id },
			...{ output: 'fields', fields: ['text', 'reactions'] },
		});
		const { text, reactions } = firstItem(await runWorkflow(get, options), 'A');
		print('   Message → Remove Reaction: removed');
		print(
			`   Message → Get: "${String(text)}" has ${String(reactions ?? 'no reactions any more')}`,
		);
	} finally {
		await webhook.close();
	}
}

async function answerAsBot({ sandbox, options, print }: Stage): Promise<void> {
	print('\n3. Mira mentions a bot in a group');
	const bot = 'reminder-bot';
	const { credentials } = options;
	const node = nodeOf('Trigger', 'cometChatBotTrigger', { botId: byId(bot) }, 'cometChatApi');
	const workflow = { id: 'bot', node: { ...node, webhookId: 'bot' } };
	const n8n = await startInstance({ credentials: () => credentials });
	try {
		await n8n.publish(workflow);
		const { store } = sandbox;
		print(`   CometChat Bot Trigger: published, and ${bot} is a bot`);
		store.sendMessage({ sender: 'mira', receiver: 'all-hands', text: 'Nobody asks the bot' });
		const text = `<@uid:${bot}> When do we meet?`;
		store.sendMessage({ sender: 'mira', receiver: 'all-hands', text });
		await sandbox.webhooks.idle();
		await n8n.idle();
		const input = n8n.executions.flatMap(({ items }) => items.map(({ json }) => json));
		for (const item of input) {
			print(
				`   CometChat Bot Trigger: "${String(item.text)}", to answer in ${String(item.replyTo)}`,
			);
		}
		const { nodes } = workflowOf({ resource: 'message', operation: 'answer', text: 'At nine.' });
		const answer = draftWorkflow('Bot', [node, ...nodes.slice(1)]);
		const run = await runWorkflow(answer, { ...options, trigger: node.name, input });
		const sent = firstItem(run, 'A');
		print(`   Message → Answer: ${String(sent.senderName)} writes "${String(sent.text)}"`);
		await n8n.unpublish(workflow);
	} finally {
		await n8n.close();
	}
}

async function askModerators({ sandbox, options, print }: Stage): Promise<void> {
	print('\n4. May a group go? The moderators decide');
	const guid = 'flea-market';
	sandbox.store.createGroup({ guid, name: 'Flea Market' }, 'sam');
	const ask = workflowOf(
		{
			...{ resource: 'message', operation: 'sendAndWait', receiverType: 'group' },
			...{ groupId: byId('makers-mods'), message: 'Delete the group Flea Market?' },
			responseType: 'approval',
			approvalOptions: { values: { approvalType: 'double', approveLabel: 'Delete It' } },
			options: { askName: true, updateMessage: true },
		},
		{ resource: 'group', operation: 'delete', groupId: byId(guid) },
	);
	const { answered, close } = await askWorkflow(ask, options);
	const question = () =>
		sandbox.store.messages.all().findLast(({ receiver }) => receiver === 'makers-mods');
	try {
		const [text] = String(question()?.text).split('\n');
		print(`   Message → Send and Wait for Response: "${text}"`);
		const link = /https?:\S+/.exec(String(question()?.text))?.[0] ?? '';
		const body = new URLSearchParams({ approved: 'true', respondedBy: 'Priya' }).toString();
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		await request(link, { method: 'POST', body, headers });
		const result = await answered;
		const { data } = firstItem(result, 'A');
		const { approved, respondedBy, respondedAt } = data as IDataObject;
		const time = new Date(String(respondedAt)).toLocaleTimeString('en', { timeStyle: 'short' });
		print(
			`   ${String(respondedBy)} opens the link in it and answers at ${time}: approved ${String(approved)}`,
		);
		const { guid: gone } = firstItem(result, 'B');
		print(`   The workflow goes on. Group → Delete: ${String(gone)} is deleted`);
	} finally {
		await close();
	}
}

async function reviewReport({ sandbox, options, print }: Stage): Promise<void> {
	print('\n5. Aisha reports a message');
	const { credentials } = options;
	const trigger = nodeOf(
		'Trigger',
		'cometChatPollingTrigger',
		{ event: 'messageFlagged' },
		'cometChatApi',
	);
	const polling = activateTrigger(trigger, { credentials, onRequest: options.onRequest });
	await polling.poll();
	const sent = { sender: 'felix', receiver: 'watercooler', text: 'CHEAP BULBS, buy now!' };
	const { id } = sandbox.store.sendMessage(sent);
	sandbox.store.flagMessage(id, { uid: 'aisha', reasonId: 'spam' });
	const input = ((await polling.poll()) ?? []).map(({ json }) => json);
	for (const { text, senderName, reason } of input) {
		print(
			`   CometChat Polling Trigger: "${String(text)}" by ${String(senderName)}, ${String(reason)}`,
		);
	}
	const review = workflowOf({
		...{ resource: 'moderation', operation: 'review', queue: 'flagged' },
		...{ messageId: '={{ $json.id }}', decision: 'block' },
	});
	const { decision, id: decided } = firstItem(
		await runWorkflow(review, { ...options, input }),
		'A',
	);
	print(`   Moderation → Review: ${String(decision)} message ${String(decided)}, done`);
}

async function fail({ options, print }: Stage): Promise<void> {
	print('\n6. One thing fails, and the item says why');
	const send = workflowOf({
		...{ resource: 'message', operation: 'send', receiverType: 'group', text: 'Hello' },
		...{ groupId: byId('flea-market') },
	});
	const { error } = await runWorkflow(send, options);
	print(`   Message → Send: ✘ ${String(error?.message)}`);
	print(`   ${String(error && 'description' in error ? error.description : '')}`);
}

/** Runs all of the story's scenes on n8n's own engine, with real HTTP requests. */
export async function tellStory(stage: Stage): Promise<void> {
	const scenes = [listGroups, removeReaction, answerAsBot, askModerators, reviewReport, fail];
	for (const scene of scenes) await scene(stage);
}
