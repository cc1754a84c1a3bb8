import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, manual, workflow } from '../n8nEngine/draft';
import { runWorkflow } from '../n8nEngine/engine';
import { loadContract, type Contract } from '../sandbox/contract';
import {
	codeOf,
	formatOutcome,
	formatRateLimit,
	startRecorder,
	type Exchange,
	type Recorder,
} from './recorder';
import { LAST_STEPS, STEPS, type Run, type Step } from './steps';
import { eventResults, type EventResult, type Listener } from './webhooks';

/** The checked service. */
export interface Target {
	apiKey: string;
	/** Base URL with the version segment. */
	baseUrl: string;
}

/** Result of a step. */
export interface StepResult {
	operation: string;
	/** Statuses of the responses, with the service's error codes. */
	status: string;
	deviations: string[];
	/** Total time of the requests in milliseconds. */
	ms: number;
	/** Rate limit headers of the responses. */
	limits: string;
}

export interface Results {
	steps: StepResult[];
	events: EventResult[];
	/** Things that couldn't be removed, e.g. "the group n8n-check-…". */
	left: string[];
	wasStopped: boolean;
}

export interface RunOptions {
	/** Stops the run, which then removes what it created. */
	signal: AbortSignal;
	/** Receiver of the app's webhook deliveries. */
	listener?: Listener;
	onStep?: (result: StepResult) => void;
}

/** Names that can't be mistaken for users and groups of the app. */
function newRun(): Run {
	const date = new Date().toISOString().slice(0, 10).replaceAll('-', '');
	const id = `n8n-check-${date}-${randomBytes(4).toString('hex')}`;
	return {
		id,
		guid: id,
		otherGuid: `${id}-other`,
		uids: [`${id}-a`, `${id}-b`, `${id}-c`],
		messageId: '',
	};
}

/** Things that the steps of a run share. */
interface Service extends Pick<RunOptions, 'signal'>, Pick<Target, 'apiKey'> {
	contract: Contract;
	recorder: Recorder;
	run: Run;
}

/** Differences between a response and `tools/sandbox/openapi.yaml`. Never contains values. */
function deviationsOf(contract: Contract, exchange: Exchange): string[] {
	const { method, path, status, body } = exchange;
	const operationId = contract.operationIdOf(method, `/v3${path.split('?')[0]}`);
	if (!operationId) return [`other path: ${method} is not in the contract`];
	if (status < 200 || status > 299) {
		const what = codeOf(exchange) === 'ERR_API_NOT_FOUND' ? 'path' : 'status';
		return [`other ${what}: ${formatOutcome(exchange)}, not 200`];
	}
	return contract
		.validateResponse(operationId, status, body)
		.map((text) => `other shape: ${text.trim().replace(/\/\d+(?=\/| )/g, '[]')}`);
}

/** Runs an operation of the node. */
async function perform(
	{ operation, title = operation, parameters, keep, minItems = 0 }: Step,
	{ contract, recorder, apiKey, run, signal }: Service,
): Promise<StepResult> {
	const [resource, value] = operation.split(' ');
	const all = { resource, operation: value, output: 'raw', ...parameters(run) };
	const file = workflow('Check', [manual(), cometChat('1', all)]);
	const { baseUrl, exchanges } = recorder;
	const credentials = { apiKey, region: 'custom', baseUrl };
	const before = exchanges.length;
	const result = await runWorkflow(file, { credentials, signal });
	const seen = exchanges.slice(before);
	const items = result.items('CometChat');
	if (!result.error && items.length > 0) keep?.(run, items[0].json);
	// Only the last attempt of a repeated request counts
	const last = new Map(seen.map((exchange) => [`${exchange.method} ${exchange.path}`, exchange]));
	const deviations = [...last.values()].flatMap((exchange) => deviationsOf(contract, exchange));
	if (result.error && deviations.length === 0) {
		deviations.push(`the node failed: ${result.error.message}`);
	}
	if (!result.error && items.length < minItems) {
		deviations.push(`two values count as one: ${items.length} of ${minItems} items`);
	}
	const limits = new Set(seen.map(formatRateLimit));
	return {
		operation: title,
		status: [...new Set(seen.map(formatOutcome))].join(', ') || 'not sent',
		deviations: [...new Set(deviations)],
		ms: Math.round(seen.reduce((sum, { ms }) => sum + ms, 0)),
		limits: [...limits].join('; '),
	};
}

/** Removes the run's groups and users. @returns those that couldn't be removed */
async function cleanUp({ rest }: Recorder, { guid, otherGuid, uids }: Run): Promise<string[]> {
	const things = [
		...[guid, otherGuid].map((id) => ({
			name: `the group ${id}`,
			path: `/groups/${id}`,
			body: undefined,
		})),
		...uids.map((uid) => ({
			name: `the user ${uid}`,
			path: `/users/${uid}`,
			body: { permanent: true },
		})),
	];
	// The service may not find deactivated users
	await rest('PUT', '/users', { uidsToActivate: uids }).catch(() => {});
	const left: string[] = [];
	for (const { name, path, body } of things) {
		let status = 0;
		for (let attempt = 1; attempt <= 4; attempt++) {
			status = await rest('DELETE', path, body).then(
				(exchange) => exchange.status,
				() => 0,
			);
			if (status === 200 || status === 404) break;
			if (attempt < 4) await wait(attempt * 500);
		}
		if (status !== 200 && status !== 404) left.push(name);
	}
	return left;
}

/**
 * Runs every operation of the node against a service, with groups and users of its own. Removes them
 * at the end, even after a failure or a stop.
 */
export async function check(
	target: Target,
	{ signal, listener, onStep }: RunOptions,
): Promise<Results> {
	const contract = await loadContract();
	const recorder = await startRecorder(target);
	const run = newRun();
	const results: Results = { steps: [], events: [], left: [], wasStopped: false };
	const service = { contract, recorder, apiKey: target.apiKey, run, signal };
	const performAll = async (steps: Step[]) => {
		for (const step of steps) {
			if (signal.aborted) return;
			const result = await perform(step, service);
			results.steps.push(result);
			onStep?.(result);
		}
	};
	try {
		await performAll(STEPS);
		await performAll(LAST_STEPS);
	} finally {
		results.left = await cleanUp(recorder, run);
		results.wasStopped = signal.aborted;
		if (listener) results.events = await eventResults(listener, run.id, signal);
		await recorder.close();
	}
	return results;
}
