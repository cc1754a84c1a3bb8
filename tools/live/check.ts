import { randomBytes } from 'node:crypto';

import { valueToText } from '../../nodes/CometChat/helpers/json';
import { loadContract } from '../sandbox/contract';
import { createAsk } from './ask';
import { checkBots, type BotResults } from './bots';
import { checkDownload } from './downloads';
import { perform, type Service } from './perform';
import { askQuestions, readAnswers, type Answers } from './questions';
import { formatRateLimit, readField, startRecorder } from './recorder';
import type { CheckResults } from './report';
import type { CheckResult } from './results';
import { commonParameters, DELETIONS, STEPS, type Run } from './steps';
import { PIXEL, probeUploads, type Upload, type Uploads } from './uploads';
import { checkDeliveries, collectDeliveries, REFUSED_EVENT, type Listener } from './webhooks';

/** The service to check. */
export interface Target {
	apiKey: string;
	/** Base URL, including the API version. */
	baseUrl: string;
}

export interface CheckOptions {
	/** Stops the check, which then removes everything it created. */
	signal: AbortSignal;
	/** Server that receives the app's webhook deliveries, and the messages to the check's bot. */
	listener?: Listener;
	/** True to try to upload a file. */
	uploads?: boolean;
	/** URL of a file on the service's media host, which the node downloads. */
	fileUrl?: string;
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

/** Sends a message with a file of the service's media host, which the node then downloads. */
async function checkFile(service: Service, url: string, signal: AbortSignal): Promise<CheckResult> {
	const { guid: receiver, owner: onBehalfOf } = service.run;
	const message = { receiver, receiverType: 'group', category: 'message', type: 'image' };
	const body = { ...message, data: { attachments: [{ url }] } };
	const sent = await createAsk(service, signal)('POST', '/messages', { body, onBehalfOf });
	const messageId = valueToText(readField(sent.body, 'data', 'id') ?? '0');
	return await checkDownload(service, { messageId, note: 'of the media host', signal });
}

/** Lets the node download the files that were uploaded. */
async function checkUploaded(
	service: Service,
	{ inMessage, toStorage }: Uploads,
	signal: AbortSignal,
): Promise<CheckResult[]> {
	const results: CheckResult[] = [];
	const notes = { 'uploaded in a message': inMessage, 'uploaded to a storage': toStorage };
	for (const [note, { messageId }] of Object.entries(notes)) {
		if (messageId === undefined) continue;
		results.push(await checkDownload(service, { messageId, note, content: PIXEL, signal }));
	}
	return results;
}

/**
 * Runs all of the node's operations against a service, using groups, users and a bot created for the check.
 * Removes everything that it created at the end, even if the check fails or is stopped.
 */
export async function check(
	{ apiKey, baseUrl }: Target,
	{ signal, listener, uploads: hasUploads = false, fileUrl, onResult }: CheckOptions,
): Promise<CheckResults> {
	const recorder = await startRecorder(baseUrl);
	const run = createNames();
	const service = { contract: await loadContract(), recorder, apiKey, run };
	const { exchanges } = recorder;
	const operations: CheckResult[] = [];
	const events: CheckResult[] = [];
	const notRemoved: string[] = [];
	const asked: Answers = {};
	let bots: BotResults | undefined;
	let uploads: Uploads | undefined;
	const add = (result: CheckResult) => {
		operations.push(result);
		onResult?.(result);
	};
	listener?.refuseOnce('webhook', run.id, REFUSED_EVENT);
	try {
		for (const step of STEPS) {
			if (!signal.aborted) add(await perform(step, service, { signal }));
		}
		await askQuestions(createAsk(service, signal), run, asked);
		if (fileUrl !== undefined) add(await checkFile(service, fileUrl, signal));
		if (hasUploads) {
			uploads = await probeUploads(service, signal);
			(await checkUploaded(service, uploads, signal)).forEach(add);
		}
		bots = await checkBots(service, { signal, listener, onResult: add });
		events.push(...bots.events);
		if (!bots.isRemoved) notRemoved.push(`bot ${run.member}`);
	} catch (error) {
		// Requests of a stopped check throw
		if (!signal.aborted) throw error;
	} finally {
		for (const step of DELETIONS) {
			const result = await perform(step, service);
			if (!signal.aborted) add(result);
			if (/(200|404 \w+)$/.test(result.outcome)) continue;
			const { groupId, userId } = { ...commonParameters(run), ...step[1]?.(run) };
			notRemoved.push(
				step[0] === 'group delete'
					? `group ${valueToText(groupId)}`
					: `user ${valueToText(userId)}`,
			);
		}
	}
	const deliveries = listener && (await collectDeliveries(listener, run.id, signal));
	events.unshift(...checkDeliveries(deliveries ?? []));
	const read = signal.aborted ? {} : readAnswers({ exchanges, bots, uploads, deliveries });
	await recorder.close();
	return {
		...{ operations, events, answers: { ...read, ...asked }, notRemoved },
		uploads: Object.values(uploads ?? {}).flatMap(({ requests }: Upload) => requests),
		rateLimits: [...new Set(exchanges.map(formatRateLimit))],
		isStopped: signal.aborted,
	};
}
