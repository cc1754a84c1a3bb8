import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, manual, workflow } from '../n8nEngine/draft';
import { runWorkflow } from '../n8nEngine/engine';
import { loadContract, type Contract } from '../sandbox/contract';
import { codeOf, limitOf, outcomeOf, QUESTIONS, Refused } from './questions';
import { startRecorder, type Exchange, type Recorder } from './recorder';
import { deviationsOf } from './shape';
import { LAST_STEPS, STEPS, type Run, type Step } from './steps';
import { eventResults, type EventResult, type Listener } from './webhooks';

/** Where to check. */
export interface Target {
	apiKey: string;
	/** Ends with the version segment */
	baseUrl: string;
}

/** What a step or a question found. */
export interface StepResult {
	operation: string;
	/** Statuses of its responses, with the service's codes */
	status: string;
	deviations: string[];
	/** Until its last response, in milliseconds */
	ms: number;
	/** What its responses said of rate limits */
	limits: string;
}

export interface Results {
	steps: StepResult[];
	answers: Array<{ question: string; answer: string }>;
	events: EventResult[];
	/** What could not be removed, e.g. "the group n8n-check-…" */
	left: string[];
	wasStopped: boolean;
}

export interface RunOptions {
	/** Stops the run; it still cleans up */
	signal: AbortSignal;
	/** Where the app's webhook delivers to */
	listener?: Listener;
	onStep?: (result: StepResult) => void;
}

/** Names that nobody takes for something of the app. */
function newRun(): Run {
	const date = new Date().toISOString().slice(0, 10).replaceAll('-', '');
	const id = `n8n-check-${date}-${randomBytes(4).toString('hex')}`;
	return { id, guid: id, uids: [`${id}-a`, `${id}-b`, `${id}-c`], messageId: '' };
}

/** What the steps of a run share. */
interface Service extends Pick<RunOptions, 'signal'>, Pick<Target, 'apiKey'> {
	contract: Contract;
	recorder: Recorder;
	run: Run;
}

/** In what a response leaves `tools/sandbox/openapi.yaml`. */
function deviationsOfExchange(contract: Contract, exchange: Exchange): string[] {
	const { method, path, status, body } = exchange;
	const operationId = contract.operationIdOf(method, `/v3${path.split('?')[0]}`);
	if (!operationId) return [`other path: ${method} is not in the contract`];
	if (status < 200 || status > 299) {
		const what = codeOf(exchange) === 'ERR_API_NOT_FOUND' ? 'path' : 'status';
		return [`other ${what}: ${outcomeOf(exchange)}, not 200`];
	}
	return deviationsOf(contract, operationId, status, body);
}

/** Runs an operation of the node. */
async function perform(
	{ operation, parameters, keep }: Step,
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
	const [item] = result.items('CometChat');
	if (!result.error && item) keep?.(run, item.json);
	// What the node repeats counts as it ends
	const last = new Map(seen.map((exchange) => [`${exchange.method} ${exchange.path}`, exchange]));
	const deviations = [...last.values()].flatMap((exchange) =>
		deviationsOfExchange(contract, exchange),
	);
	if (result.error && deviations.length === 0) {
		deviations.push(`the node failed: ${result.error.message}`);
	}
	const limits = new Set(seen.map(limitOf));
	return {
		operation,
		status: [...new Set(seen.map(outcomeOf))].join(', ') || 'not sent',
		deviations: [...new Set(deviations)],
		ms: Math.round(seen.reduce((sum, { ms }) => sum + ms, 0)),
		limits: [...limits].join('; '),
	};
}

/** Removes what the run made, whatever of it is there. @returns what is still there */
async function cleanUp({ rest }: Recorder, { guid, uids }: Run): Promise<string[]> {
	const things = [
		{ name: `the group ${guid}`, path: `/groups/${guid}`, body: undefined },
		...uids.map((uid) => ({
			name: `the user ${uid}`,
			path: `/users/${uid}`,
			body: { permanent: true },
		})),
	];
	// A deactivated user may be one that is not found
	await rest('PUT', '/users', { body: { uidsToActivate: uids } }).catch(() => {});
	const left: string[] = [];
	for (const { name, path, body } of things) {
		let status = 0;
		for (let attempt = 1; attempt <= 4; attempt++) {
			status = await rest('DELETE', path, { body }).then(
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
 * Runs every operation of the node against a service, in a group and with users of its own, asks what
 * no document says, and removes what it made, also when it fails or is stopped.
 */
export async function check(
	target: Target,
	{ signal, listener, onStep }: RunOptions,
): Promise<Results> {
	const contract = await loadContract();
	const recorder = await startRecorder(target);
	const run = newRun();
	const results: Results = { steps: [], answers: [], events: [], left: [], wasStopped: false };
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
		for (const [question, ask] of Object.entries(QUESTIONS)) {
			if (signal.aborted) break;
			const answer = await ask(recorder.rest, run).catch((error: unknown) =>
				error instanceof Refused ? error.message : 'no response',
			);
			results.answers.push({ question, answer });
		}
		await performAll(LAST_STEPS);
	} finally {
		results.left = await cleanUp(recorder, run);
		results.wasStopped = signal.aborted;
		if (listener) results.events = await eventResults(listener, run.id, signal);
		await recorder.close();
	}
	return results;
}
