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

/** n8n's rule: the class is named like the file, up to the first dot. */
function loadClass<T>(file: string): T {
	const className = file.split('/').at(-1)?.split('.')[0] ?? '';
	const exported = load(`./${file}`) as Record<string, new () => T>;
	return new exported[className]();
}

/** The package's credential types, loaded from its compiled files as n8n does. */
export const credentialTypes = new Map(
	manifest.n8n.credentials
		.map((file) => loadClass<ICredentialType>(file))
		.map((type) => [type.name, type]),
);

/** A node of n8n's own, as far as the engine needs it: n8n-nodes-base is not installed here. */
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
	...(execute ? { execute } : {}),
});

const manualTrigger = ownNode('Manual Trigger', [], ['main'], async function () {
	return [this.getInputData()];
});

/** A note on the canvas. Nothing runs it, but n8n has to know its type. */
const stickyNote = ownNode('Sticky Note', [], []);

/** A tool as an agent gets it from n8n. */
interface Tool {
	invoke(values: IDataObject): Promise<unknown>;
}

/** An AI agent without a model: it calls its first tool once per item, with the item's fields. */
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

/** As n8n does it for a declarative node: request options are added, and RoutingNode runs it. */
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

/** The node as n8n offers it to an agent, which calls its `execute`, and so RoutingNode. */
function asToolOfAgent(type: INodeType): INodeType {
	const description = { ...type.description, inputs: [], outputs: ['ai_tool' as const] };
	return Object.create(type, { description: { value: description } });
}

/** The node as it is when an agent calls it, but in a place of its own: through RoutingNode. */
function asRouted(type: INodeType): INodeType {
	return Object.create(type, { customOperations: { value: undefined } });
}

/** All node types that a workflow may use here, by the name they have in a workflow. */
export const nodeTypesByName = new Map<string, INodeType>([
	['n8n-nodes-base.manualTrigger', manualTrigger],
	['n8n-nodes-base.stickyNote', stickyNote],
	['n8n-nodes-base.agent', agent],
	...manifest.n8n.nodes.flatMap((file): Array<[string, INodeType]> => {
		const type = asInProduction(loadClass<INodeType>(file));
		const name = `${manifest.name}.${type.description.name}`;
		return [
			[name, type],
			// n8n names the tool like the node, with "Tool" at the end
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
		if (!type) {
			throw new Error(
				`This runner knows n8n's Manual Trigger and the nodes of ${manifest.name}, but not "${name}"`,
			);
		}
		return type;
	},
	getKnownTypes: () => ({}),
};
