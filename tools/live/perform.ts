import type { INodeExecutionData } from 'n8n-workflow';

import { valueToText } from '../../nodes/CometChat/helpers/json';
import { cometChat, manual, workflow } from '../n8nEngine/draft';
import { runWorkflow } from '../n8nEngine/engine';
import type { Contract } from '../sandbox/contract';
import { findDeviations } from './deviations';
import { formatOutcome, readErrorCode, type Recorder } from './recorder';
import type { CheckResult } from './results';
import { commonParameters, EXPECTED_REFUSALS, type Run, type Step } from './steps';

/** Objects shared by all parts of a check. */
export interface Service {
	apiKey: string;
	contract: Contract;
	recorder: Recorder;
	run: Run;
}

export interface PerformOptions {
	/** Stops the execution. */
	signal?: AbortSignal;
	/** Addition to the operation's name in the report. */
	note?: string;
	/** Lists the deviations of the items that the node returned. */
	inspect?: (items: INodeExecutionData[]) => string[];
}

const requireTwo = (items: INodeExecutionData[]): string[] =>
	items.length > 1 ? [] : ['two values count as one: fewer than 2 items'];

/** Runs one of the node's operations and compares the responses with the contract. */
export async function perform(
	[name, parameters, filter]: Step,
	{ contract, recorder, apiKey, run }: Service,
	{
		signal,
		note = filter && `two ${filter}`,
		inspect = filter ? requireTwo : undefined,
	}: PerformOptions = {},
): Promise<CheckResult> {
	const [resource, operation] = name.split(' ');
	const all = {
		resource,
		operation,
		output: 'raw',
		...commonParameters(run),
		...parameters?.(run),
	};
	const file = workflow('Check', [manual(), cometChat('1', all)]);
	const { baseUrl, exchanges } = recorder;
	const before = exchanges.length;
	const credentials = { apiKey, region: 'custom', baseUrl };
	const { error, items } = await runWorkflow(file, { credentials, signal });
	const own = exchanges.slice(before);
	const returned = items('CometChat');
	if (name === 'message send' && run.messageId === '0') {
		run.messageId = valueToText(returned[0]?.json.id ?? 0);
	}
	// If a request was retried, only the last attempt counts
	const last = new Map(own.map((exchange) => [`${exchange.method} ${exchange.path}`, exchange]));
	const deviations = [...last.values()]
		.filter((exchange) => !EXPECTED_REFUSALS[name]?.includes(readErrorCode(exchange)))
		.flatMap((exchange) => findDeviations(contract, exchange));
	if (error && deviations.length === 0) deviations.push(`the node failed: ${error.message}`);
	if (!error && inspect) deviations.push(...inspect(returned));
	return {
		name: note ? `${name}, ${note}` : name,
		outcome: [...new Set(own.map(formatOutcome))].join(', ') || 'not sent',
		deviations: [...new Set(deviations)],
	};
}
