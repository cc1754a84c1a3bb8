import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { node, workflow, type Wire } from '../../tools/n8nEngine/draft';
import { runWorkflow, type RunOptions } from '../../tools/n8nEngine/engine';
import type { StoredMessage } from '../../tools/sandbox/store/messages';
import type { Sandbox } from '../../tools/sandbox/server';
import { credentialsOf } from '../actionNode/harness';

export const BOT = 'reminder-bot';

export const TRIGGER = 'CometChat Bot Trigger';

export const AGENT = 'Agent';

export const MEMORY = 'CometChat Chat Memory';

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export const botTrigger = (parameters: INodeParameters = {}, rest: Partial<INode> = {}): INode =>
	node({
		name: TRIGGER,
		type: 'n8n-nodes-cometchat.cometChatBotTrigger',
		parameters: { botId: byId(BOT), ...parameters },
		...rest,
	});

const memory = (parameters: INodeParameters = {}): INode =>
	node({
		name: MEMORY,
		type: 'n8n-nodes-cometchat.cometChatMemory',
		parameters,
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
	});

/** @param parameters how often the agent asks for its memory, and if it clears the memory */
export const agent = (parameters: { rounds?: number; clears?: boolean } = {}): INode =>
	node({ name: AGENT, type: 'n8n-nodes-base.agentWithMemory', parameters });

/** Returns a message to the bot as the Bot Trigger returns it. */
export const toRow = ({
	id,
	text = '',
	sender,
	receiver,
	...rest
}: StoredMessage): IDataObject => ({
	...{ id, text, sender, bot: BOT },
	replyTo: rest.receiverType === 'group' ? receiver : sender,
	replyToType: rest.receiverType,
	parentId: rest.parentId ?? null,
});

export interface Setup extends Partial<RunOptions> {
	/** Items of the Bot Trigger */
	rows?: IDataObject[];
	trigger?: string;
	triggerParameters?: INodeParameters;
	/** Parameters of the memory */
	parameters?: INodeParameters;
	/** Nodes from the trigger to the agent. Default: the Bot Trigger and the agent. */
	nodes?: INode[];
	wires?: Wire[];
}

/** Runs a workflow with an agent that has a memory. */
export async function runAgent(
	sandbox: Sandbox,
	{ rows, parameters, nodes, wires, triggerParameters, ...options }: Setup,
) {
	const path = nodes ?? [botTrigger(triggerParameters), agent()];
	const ways =
		wires ??
		path.slice(1).map(({ name: to }, index): Wire => ({ from: path[index]?.name ?? '', to }));
	const all = [...ways, { from: MEMORY, to: AGENT, kind: 'ai_memory' } as const];
	return await runWorkflow(workflow('Test', [...path, memory(parameters)], all), {
		...{ credentials: credentialsOf(sandbox), trigger: TRIGGER, input: rows },
		...options,
	});
}

/** Runs an agent, and lists what it knows, e.g. "user: Mira Halden: Hi". */
export async function listKnown(sandbox: Sandbox, setup: Setup): Promise<string[]> {
	const { items, error } = await runAgent(sandbox, setup);
	if (error) throw error;
	const said = items(AGENT)[0]?.json.said;
	if (!Array.isArray(said)) throw new Error('The agent has no output');
	return said.map((each) => {
		const { role, content } = each as IDataObject;
		return `${String(role)}: ${String(content)}`;
	});
}
