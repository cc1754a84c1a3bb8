import type { IConnections, IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

import type { WorkflowFile } from './engine';

export const COMETCHAT = 'n8n-nodes-cometchat.cometChat';

/** A workflow with settings, ready to save in n8n. */
export type WorkflowDraft = WorkflowFile & { settings: IWorkflowSettings };

/** A connection from a node's output to another node. The default kind is "main". */
export interface Wire {
	from: string;
	to: string;
	output?: number;
	kind?: 'main' | 'ai_tool' | 'ai_languageModel';
}

type NodeParts = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** A node with defaults for n8n's required fields. */
export function node({ name, type, parameters = {}, typeVersion = 1, ...rest }: NodeParts): INode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters, ...rest };
}

export const manual = (): INode => node({ name: 'Manual', type: 'n8n-nodes-base.manualTrigger' });

/** A Code node that outputs one item per object. */
export const code = (name: string, items: IDataObject[]): INode =>
	node({
		name,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return ${JSON.stringify(items)}.map((json) => ({ json, pairedItem: { item: 0 } }))`,
		},
	});

/** The CometChat node with a saved credential. */
export const cometChat = (
	credentialId: string,
	parameters: INode['parameters'],
	rest: Partial<INode> = {},
): INode =>
	node({
		name: 'CometChat',
		type: COMETCHAT,
		parameters,
		credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
		...rest,
	});

/** A workflow of nodes, connected in a row by default. */
export function workflow(name: string, nodes: INode[], wires?: Wire[]): WorkflowDraft {
	const inARow = nodes
		.slice(1)
		.map(({ name: to }, index): Wire => ({ from: nodes[index].name, to }));
	const connections: IConnections = {};
	for (const { from, to, output = 0, kind = 'main' } of wires ?? inARow) {
		const outputs = ((connections[from] ??= {})[kind] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: kind, index: 0 });
	}
	const placed = nodes.map((each, index) => ({
		...each,
		position: [index * 220, 0] as [number, number],
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
