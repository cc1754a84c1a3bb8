import type {
	ICredentialType,
	IDataObject,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IVersionedNodeType,
	IExecuteFunctions,
} from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { core, packageRoot } from './n8n';
import { addRequestOptions } from './versions';

interface PackageFile {
	name: string;
	n8n: { nodes: string[]; credentials: string[] };
}

const manifest: PackageFile = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
const load = createRequire(join(packageRoot, 'package.json'));

/** Creates an instance of a file's class. n8n requires the file name up to the first dot as class name. */
function createInstance<T>(file: string): T {
	const className = file.split('/').at(-1)?.split('.')[0] ?? '';
	const exported = load(`./${file}`) as Record<string, new () => T>;
	return new exported[className]();
}

/** The package's credential types, loaded from the compiled files as in n8n. */
export const credentialTypes = new Map(
	manifest.n8n.credentials
		.map((file) => createInstance<ICredentialType>(file))
		.map((type) => [type.name, type]),
);

/** A minimal copy of an n8n node, because n8n-nodes-base isn't installed here. */
export const ownNode = (
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
	...(execute ? { execute } : {}),
});

const manualTrigger = ownNode('Manual Trigger', [], ['main'], async function () {
	return [this.getInputData()];
});

/** A note on the canvas. It never runs, but n8n must know its type. */
const stickyNote = ownNode('Sticky Note', [], []);

/** A tool that n8n gives to an agent. */
interface Tool {
	invoke(values: IDataObject): Promise<unknown>;
}

/** An AI agent without a model. Calls its first tool once per item, with the item's fields as arguments. */
const agent = ownNode('Agent', ['main', { type: 'ai_tool' }], ['main'], async function () {
	const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
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

type RoutingContext = IExecuteFunctions & ConstructorParameters<typeof core.RoutingNode>[0];

/** Loads a declarative node like n8n: adds the request options and lets RoutingNode run it. */
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

/** The node as an agent's tool. n8n calls its `execute`, which calls RoutingNode. */
function asToolOfAgent(type: INodeType): INodeType {
	const description = { ...type.description, inputs: [], outputs: ['ai_tool' as const] };
	return Object.create(type, { description: { value: description } });
}

/** The node as an agent's tool, but usable anywhere in a workflow. */
function asRouted(type: INodeType): INodeType {
	return Object.create(type, { customOperations: { value: undefined } });
}

/** All available node types by their name in workflows. */
export const nodeTypesByName = new Map<string, INodeType>([
	['n8n-nodes-base.manualTrigger', manualTrigger],
	['n8n-nodes-base.stickyNote', stickyNote],
	['n8n-nodes-base.agent', agent],
	...manifest.n8n.nodes.flatMap((file): Array<[string, INodeType]> => {
		const type = asInProduction(createInstance<INodeType>(file));
		const name = `${manifest.name}.${type.description.name}`;
		return [
			[name, type],
			// n8n appends "Tool" to the node's name
			[`${name}Tool`, asRouted(type)],
			[`${name}HitlTool`, type],
			[`${name}OfAgentTool`, asToolOfAgent(type)],
		];
	}),
]);

export const nodeTypes: INodeTypes = {
	getByName(name): INodeType | IVersionedNodeType {
		return this.getByNameAndVersion(name);
	},
	getByNameAndVersion(name): INodeType {
		const type = nodeTypesByName.get(name);
		if (!type) throw new Error(`Unknown node type "${name}"`);
		return type;
	},
	getKnownTypes: () => ({}),
};
