import type { INode } from 'n8n-workflow';

import { COMETCHAT, cometChat, node, type Wire } from '../../../tools/n8nEngine/draft';
import type { ChatModel } from './chatModel';
import type { TestSystem } from './testSystem';

/** Expression for a parameter whose value the model chooses. */
export const fromAi = (key: string, type = 'string'): string =>
	`={{ $fromAI('${key}', '', '${type}') }}`;

/** Saves a credential for the chat model and returns the credential's ID. */
export const addModelCredential = async (
	{ client }: Pick<TestSystem, 'client'>,
	{ url }: Pick<ChatModel, 'url'>,
): Promise<string> =>
	await client.addCredential('openAiApi', 'openAiApi', { apiKey: 'model-key', url });

/** Returns a CometChat node that an AI agent can use as a tool. */
export const tool = (
	{ credentialId }: TestSystem,
	name: string,
	parameters: INode['parameters'],
	kind: 'Tool' | 'HitlTool' = 'Tool',
): INode => cometChat(credentialId, parameters, { name, id: name, type: `${COMETCHAT}${kind}` });

/** An AI Agent node and its chat model node. */
export const agentNodes = (modelCredentialId: string): INode[] => [
	node({
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 3,
		parameters: { promptType: 'define', text: 'Tidy up', options: { maxIterations: 100 } },
	}),
	node({
		name: 'Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
		credentials: { openAiApi: { id: modelCredentialId, name: 'openAiApi' } },
	}),
];

/** Connections from a trigger, the chat model, and the tools to the agent. */
export const agentWires = (trigger: string, tools: string[]): Wire[] => [
	{ from: trigger, to: 'AI Agent' },
	{ from: 'Model', to: 'AI Agent', kind: 'ai_languageModel' },
	...tools.map((from): Wire => ({ from, to: 'AI Agent', kind: 'ai_tool' })),
];
