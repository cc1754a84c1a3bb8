import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';

import { asText } from '../../nodes/CometChat/helpers/json';
import { cometChat, manual, workflow } from '../n8nEngine/draft';
import { runWorkflow } from '../n8nEngine/engine';
import { loadContract, type Contract } from '../sandbox/contract';
import {
	formatOutcome,
	formatRateLimit,
	readErrorCode,
	startRecorder,
	type Exchange,
	type Recorder,
} from './recorder';
import { answerQuestions, type Answers, type Ask } from './questions';
import type { CheckResult, CheckResults } from './report';
import { commonParameters, DELETIONS, STEPS, type Run, type Step } from './steps';
import { checkDeliveries, type Listener } from './webhooks';

/** The service to check. */
export interface Target {
	apiKey: string;
	/** Base URL, including the API version. */
	baseUrl: string;
}

export interface CheckOptions {
	/** Stops the check, which then removes everything it created. */
	signal: AbortSignal;
	/** Server that receives the app's webhook deliveries. */
	listener?: Listener;
	onResult?: (result: CheckResult) => void;
}

/** Generates names that can't be confused with the app's own users and groups. */
function createNames(): Run {
	const date = new Date().toISOString().slice(0, 10).replaceAll('-', '');
	const id = `n8n-check-${date}-${randomBytes(4).toString('hex')}`;
	return {
		...{ id, guid: id, otherGuid: `${id}-other` },
		...{ owner: `${id}-a`, member: `${id}-b`, guest: `${id}-c`, messageId: '0' },
	};
}

/** Objects shared by all steps of a check. */
interface Service extends Pick<Target, 'apiKey'> {
	contract: Contract;
	recorder: Recorder;
	run: Run;
}

/**
 * Lists the differences between a response and the contract, `tools/sandbox/openapi.yaml`. The descriptions
 * never include values from the response.
 */
function findDeviations(contract: Contract, exchange: Exchange): string[] {
	const { method, path, status, body } = exchange;
	const operationId = contract.operationIdOf(method, `/v3${path.split('?')[0]}`);
	if (!operationId) return [`unexpected path: ${method} is not in the contract`];
	if (status < 200 || status > 299) {
		const part = readErrorCode(exchange) === 'ERR_API_NOT_FOUND' ? 'path' : 'status';
		return [`unexpected ${part}: ${formatOutcome(exchange)}, not 200`];
	}
	return contract
		.validateResponse(operationId, status, body)
		.map((text) => `unexpected shape: ${text.trim().replace(/\/\d+(?=\/| )/g, '[]')}`);
}

/** Runs one of the node's operations and compares the responses with the contract. */
async function perform(
	[name, parameters, filter]: Step,
	{ contract, recorder, apiKey, run }: Service,
	signal?: AbortSignal,
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
	const [first, second] = items('CometChat');
	if (name === 'message send' && run.messageId === '0') run.messageId = asText(first?.json.id ?? 0);
	// If a request was retried, only the last attempt counts
	const last = new Map(own.map((exchange) => [`${exchange.method} ${exchange.path}`, exchange]));
	const deviations = [...last.values()].flatMap((exchange) => findDeviations(contract, exchange));
	if (error && deviations.length === 0) deviations.push(`the node failed: ${error.message}`);
	if (!error && filter && !second) deviations.push('two values count as one: fewer than 2 items');
	return {
		name: filter ? `${name}, two ${filter}` : name,
		outcome: [...new Set(own.map(formatOutcome))].join(', ') || 'not sent',
		deviations: [...new Set(deviations)],
	};
}

const MAX_ASKED = 20;

/** Time between two attempts of a request that CometChat refuses for now, in milliseconds. */
const ASK_AGAIN_MS = 250;

/** Creates the function that sends the questions' own requests through the recorder. */
const createAsk = ({ apiKey, recorder: { baseUrl, exchanges } }: Service): Ask => {
	const send: Ask = async (method, path, { body, onBehalfOf } = {}) => {
		const sent = exchanges.length;
		const actor = onBehalfOf === undefined ? {} : { onBehalfOf };
		await request(`${baseUrl}${path}`, {
			method,
			headers: { apikey: apiKey, 'content-type': 'application/json', ...actor },
			body: body && JSON.stringify(body),
		}).then(
			async (response) => await response.body.dump(),
			() => {},
		);
		return exchanges[sent] ?? { method, path, status: 0, headers: {}, body: '' };
	};
	return async (...request) => {
		let exchange = await send(...request);
		for (let count = 1; count < MAX_ASKED; count++) {
			const isTooNew = readErrorCode(exchange) === 'ERR_MESSAGE_NO_ACCESS';
			if (!isTooNew && exchange.status !== 429) break;
			await wait(ASK_AGAIN_MS);
			exchange = await send(...request);
		}
		return exchange;
	};
};

/**
 * Runs all of the node's operations against a service, using groups and users created for the check.
 * Removes these groups and users at the end, even if the check fails or is stopped.
 */
export async function check(
	{ apiKey, baseUrl }: Target,
	{ signal, listener, onResult }: CheckOptions,
): Promise<CheckResults> {
	const recorder = await startRecorder(baseUrl);
	const run = createNames();
	const service = { contract: await loadContract(), recorder, apiKey, run };
	const operations: CheckResult[] = [];
	const notRemoved: string[] = [];
	let answers: Answers = {};
	const add = (result: CheckResult) => {
		operations.push(result);
		onResult?.(result);
	};
	try {
		for (const step of STEPS) {
			if (!signal.aborted) add(await perform(step, service, signal));
		}
		answers = await answerQuestions(createAsk(service), run, recorder.exchanges, signal);
	} finally {
		for (const step of DELETIONS) {
			const result = await perform(step, service);
			if (!signal.aborted) add(result);
			if (/(200|404 \w+)$/.test(result.outcome)) continue;
			const { groupId, userId } = { ...commonParameters(run), ...step[1]?.(run) };
			notRemoved.push(
				step[0] === 'group delete' ? `group ${asText(groupId)}` : `user ${asText(userId)}`,
			);
		}
	}
	const events = listener ? await checkDeliveries(listener, run.id, signal) : [];
	await recorder.close();
	const rateLimits = [...new Set(recorder.exchanges.map(formatRateLimit))];
	return { operations, events, answers, rateLimits, notRemoved, isStopped: signal.aborted };
}
