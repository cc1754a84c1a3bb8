import type { WorkflowExecute } from 'n8n-core';
import type { INode, INodeType, IPinData, Workflow } from 'n8n-workflow';

import { core, workflow } from './n8n';

/**
 * Handles differences between the supported versions of n8n's engine. The types describe the newest
 * version, so functions from older versions are looked up by name.
 */

type Running = ReturnType<WorkflowExecute['run']>;

/** Starts an execution. n8n 2.x takes a single object, and n8n 1.x takes separate arguments. */
export function startRun(
	execution: WorkflowExecute,
	instance: Workflow,
	pinData: IPinData,
	startNode?: INode,
): Running {
	const older: { run: (...parameters: unknown[]) => Running } = Object(execution);
	return older.run.length <= 1
		? execution.run({ workflow: instance, startNode, pinData })
		: older.run(instance, startNode, undefined, pinData);
}

/**
 * Adds n8n's "Request Options" to a declarative node. Different n8n versions export the required function
 * from different packages.
 */
export function addRequestOptions(type: INodeType): void {
	const owner = [core.DirectoryLoader, workflow.NodeHelpers].find(
		(candidate) => 'applyDeclarativeNodeOptionParameters' in candidate,
	);
	if (!owner) throw new Error('This version of n8n is not known: it adds no "Request Options"');
	Reflect.apply(Reflect.get(owner, 'applyDeclarativeNodeOptionParameters'), owner, [type]);
}
