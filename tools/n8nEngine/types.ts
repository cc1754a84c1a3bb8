import type {
	ICredentialType,
	IDataObject,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IExecuteFunctions,
} from 'n8n-workflow';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import { core, packageRoot } from './n8n';
import { addRequestOptions } from './versions';

const load = createRequire(join(packageRoot, 'package.json'));

const { name: packageName, n8n }: { name: string; n8n: Record<'nodes' | 'credentials', string[]> } =
	load('./package.json');

/** Creates instances of the package's classes. n8n requires each class to be named after its file. */
const createInstances = <Type>(files: string[]): Type[] =>
	files.map((file) => {
		const [name = ''] = basename(file).split('.');
		const { [name]: Class }: Record<string, new () => Type> = load(`./${file}`);
		if (!Class) throw new Error(`${file} exports no class "${name}"`);
		return new Class();
	});

/** The package's credential types, loaded from the compiled files as n8n does. */
export const credentialTypes = new Map(
	createInstances<ICredentialType>(n8n.credentials).map((type) => [type.name, type]),
);

/** Creates a minimal stand-in for one of n8n's own nodes, because n8n-nodes-base isn't installed here. */
const ownNode = (
	displayName: string,
	inputs: INodeTypeDescription['inputs'],
	outputs: INodeTypeDescription['outputs'],
	execute?: INodeType['execute'],
): INodeType => ({
	description: {
		displayName,
		name: displayName,
		group: [],
		version: 1,
		description: '',
		defaults: { name: displayName },
		inputs,
		outputs,
		properties: [],
	},
	execute,
});

const manualTrigger = ownNode('Manual Trigger', [], ['main'], async function () {
	return Promise.resolve([this.getInputData()]);
});

/** A note on the canvas. Notes never run, but n8n must know their node type. */
const stickyNote = ownNode('Sticky Note', [], []);

/** A tool that n8n passes to an AI agent. */
interface Tool {
	invoke(values: IDataObject): Promise<unknown>;
}

/**
 * An AI agent without a model. The agent calls its first tool once per item, with the item's fields as
 * arguments.
 */
const agent = ownNode('Agent', ['main', { type: 'ai_tool' }], ['main'], async function () {
	const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
	if (!tool) throw new Error('The agent has no tool');
	const answers = [];
	for (const { json } of this.getInputData()) {
		const said = await tool
			.invoke({ ...json })
			.catch(
				(error: unknown) => `Error: ${error instanceof Error ? error.message : String(error)}`,
			);
		answers.push({ json: { said: String(said) } });
	}
	return [answers];
});

/** A memory that n8n passes to an AI agent. */
interface Memory {
	loadMemoryVariables(values: IDataObject): Promise<{ chat_history: MemoryMessage[] }>;
	saveContext(input: IDataObject, output: IDataObject): Promise<void>;
	chatHistory: { clear(): Promise<void> };
}

interface MemoryMessage {
	role: string;
	content: string;
	getType(): string;
}

/**
 * An AI agent without a model, which outputs what its memory contains. Like version 3 of the AI Agent node, it asks for
 * the memory again after each round of tools.
 */
const agentWithMemory = ownNode(
	'Agent With Memory',
	['main', { type: 'ai_memory', maxConnections: 1 }],
	['main'],
	async function () {
		const { rounds = 1, clears = false } = this.getNode().parameters;
		const answers = [];
		for (let round = 0; round < Number(rounds); round++) {
			const memory = (await this.getInputConnectionData('ai_memory', 0)) as Memory;
			const { chat_history: messages } = await memory.loadMemoryVariables({});
			await memory.saveContext({ input: 'x' }, { output: 'y' });
			if (clears) await memory.chatHistory.clear();
			const said = messages.map((each) => ({
				...{ role: each.role, content: each.content, type: each.getType() },
			}));
			answers.push({ json: { said } });
		}
		return [answers];
	},
);

agentWithMemory.description.properties = [
	{ displayName: 'Rounds', name: 'rounds', type: 'number', default: 1 },
	{ displayName: 'Clears', name: 'clears', type: 'boolean', default: false },
];

type RoutingContext = IExecuteFunctions & ConstructorParameters<typeof core.RoutingNode>[0];

/** Prepares a node type as n8n does. Declarative nodes get request options, and RoutingNode runs them. */
export function asInProduction(type: INodeType): INodeType {
	addRequestOptions(type);
	const isDeclarative = type.description.requestDefaults !== undefined;
	if (!type.execute && !type.poll && !type.trigger && (!type.webhook || isDeclarative)) {
		type.execute = async function (this: IExecuteFunctions) {
			return (await new core.RoutingNode(this as RoutingContext, type).runNode()) ?? [];
		};
	}
	return type;
}

/**
 * Creates the tool variant of a node, as passed to an AI agent. n8n calls the tool's `execute`, which calls
 * RoutingNode.
 */
function asToolOfAgent(type: INodeType): INodeType {
	const description = { ...type.description, inputs: [], outputs: ['ai_tool' as const] };
	return Object.create(type, { description: { value: description } });
}

/** Creates a variant of a node that runs like an AI agent's tool, but can be used anywhere in a workflow. */
function asRouted(type: INodeType): INodeType {
	return Object.create(type, { customOperations: { value: undefined } });
}

/** All available node types, keyed by their name in workflows. */
export const nodeTypesByName = new Map<string, INodeType>([
	['n8n-nodes-base.manualTrigger', manualTrigger],
	['n8n-nodes-base.stickyNote', stickyNote],
	['n8n-nodes-base.agent', agent],
	['n8n-nodes-base.agentWithMemory', agentWithMemory],
	...createInstances<INodeType>(n8n.nodes).flatMap((node): Array<[string, INodeType]> => {
		const type = asInProduction(node);
		const name = `${packageName}.${type.description.name}`;
		return [
			[name, type],
			// n8n appends "Tool" to the name of a node used as a tool
			[`${name}Tool`, asRouted(type)],
			[`${name}HitlTool`, type],
			// Version 3 of the AI Agent node runs its tools like other nodes
			[`${name}OfNewAgentTool`, type],
			[`${name}OfAgentTool`, asToolOfAgent(type)],
		];
	}),
]);

function getNodeType(name: string): INodeType {
	const type = nodeTypesByName.get(name);
	if (!type) throw new Error(`Unknown node type "${name}"`);
	return type;
}

export const nodeTypes = {
	getByName: getNodeType,
	getByNameAndVersion: getNodeType,
	getKnownTypes: () => ({}),
} satisfies INodeTypes;
