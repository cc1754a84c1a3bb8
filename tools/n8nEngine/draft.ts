import type { IConnections, IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

import type { WorkflowFile } from './engine';

export const COMETCHAT = 'n8n-nodes-cometchat.cometChat';

/** A workflow with its settings, ready to be saved in n8n. */
export type WorkflowDraft = WorkflowFile & { settings: IWorkflowSettings };

/** A connection from a node's output to another node. Its kind defaults to "main". */
export interface Wire {
	from: string;
	to: string;
	output?: number;
	input?: number;
	kind?: 'main' | 'ai_tool' | 'ai_languageModel' | 'ai_memory';
}

type NodeParts = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** Creates a node, with defaults for the fields that n8n requires. */
export function node({ name, type, parameters = {}, typeVersion = 1, ...rest }: NodeParts): INode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters, ...rest };
}

export const manual = (): INode => node({ name: 'Manual', type: 'n8n-nodes-base.manualTrigger' });

/** Creates a Code node that outputs each object as an item. */
export const code = (name: string, items: IDataObject[]): INode =>
	node({
		name,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `return ${JSON.stringify(items)}.map((json) => ({ json, pairedItem: { item: 0 } }))`,
		},
	});

/** Creates a CometChat node that uses a saved credential. */
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

/** Creates a workflow. By default, each node is connected to the next. */
export function workflow(name: string, nodes: INode[], wires?: Wire[]): WorkflowDraft {
	const inARow = nodes.flatMap(({ name: from }, index) =>
		nodes.slice(index + 1, index + 2).map(({ name: to }): Wire => ({ from, to })),
	);
	const connections: IConnections = {};
	for (const { from, to, output = 0, input = 0, kind = 'main' } of wires ?? inARow) {
		const outputs = ((connections[from] ??= {})[kind] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: kind, index: input });
	}
	const placed = nodes.map((each, index) => ({
		...each,
		position: [index * 220, 0] as [number, number],
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
