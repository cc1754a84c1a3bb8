import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { labelsOf } from '../operation/parameters';
import { ListError } from '../operation/lists';
import type { ErrorContext, WaitLimit } from '../errors/nodeError';
import { toNodeError } from '../errors/nodeError';
import { seconds } from '../errors/words';
import { DescribedError } from '../errors/describedError';
import { SendError } from '../transport/failure';
import { RequestLimiter, StoppedError } from '../transport/limiter';
import { redactor } from '../transport/redact';
import { pageOf } from '../transport/response';
import type { RetryPolicy } from '../transport/retry';
import type { Connection } from '../transport/send';
import { CREDENTIAL, send } from '../transport/send';
import type { RestRequest } from '../transport/types';
import { isObject } from '../transport/types';
import type { Cursor } from './cursor';
import { Deadline } from './deadline';
import type { Occurrence } from './events';
import { fingerprint } from './events';
import type { Settings } from './parameters';
import { readSettings } from './parameters';
import { triggerProperties } from './properties';
import type { FetchGroups } from './search';
import { Search, firstCursor } from './search';
import { newestMatching } from './testEvents';

/** How long one request of a poll may take, in milliseconds; polls have no request options. */
const TIMEOUT_MS = 120_000;

const LABELS = labelsOf(triggerProperties);

const WAIT_ADVICE = 'Wait for the next poll';

/** What the workflow's static data holds for this node. */
interface State {
	/** Of what the cursor was made for: another event or filter needs another cursor */
	purpose: string;
	cursor: Cursor;
}

/** What a poll works with. */
interface Poll {
	settings: Settings;
	purpose: string;
	fetchGroups: FetchGroups;
	deadline: Deadline;
	toItems: (occurrences: Occurrence[]) => INodeExecutionData[];
}

function purposeOf(
	{ event, filters, onBehalfOf }: Settings,
	{ region, appId, baseUrl }: Connection['credentials'],
): string {
	// In the same order in whatever order the user set them
	const filterList = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
	return fingerprint([event, filterList, onBehalfOf, region, appId, baseUrl]);
}

function isState(value: unknown): value is State {
	if (!isObject(value) || !isObject(value.cursor)) return false;
	return typeof value.cursor.time === 'number' && Array.isArray(value.cursor.seen);
}

/** What "Fetch Test Event" shows. The cursor does not move. */
async function showNewest(current: Poll): Promise<INodeExecutionData[]> {
	const { settings, fetchGroups, deadline, toItems } = current;
	const newest = await newestMatching(fetchGroups, settings, deadline);
	if (newest.length > 0) return toItems(newest);
	throw new ListError(
		"No group matches 'Trigger On' and 'Filters' yet",
		"Create one in CometChat, or change 'Filters'.",
	);
}

/**
 * What is new since the cursor. When the time is up, or CometChat fails or limits the rate in the
 * middle, that is what was found until then; the next poll goes on from there.
 */
async function takeNew(
	{ settings, fetchGroups, deadline }: Poll,
	saved: Cursor | undefined,
): Promise<{ occurrences: Occurrence[]; cursor: Cursor }> {
	const found = new Map<string, Occurrence>();
	let cursor = saved ?? (await firstCursor(fetchGroups, settings.event));
	for (let isOver = false; !isOver;) {
		const { pass } = cursor;
		const room = pass?.isFirst ? Infinity : settings.most - found.size;
		const search = new Search(fetchGroups, settings, cursor, room);
		const failure = await failureOf(search.run(deadline));
		const mayPass = failure instanceof SendError || failure instanceof StoppedError;
		const hasProgress = search.hasProgress || found.size > 0;
		if (failure !== undefined && !(mayPass && hasProgress)) throw failure;
		for (const occurrence of search.found) found.set(occurrence.guid, occurrence);
		cursor = search.next;
		// What was read by earlier polls may have changed meanwhile: then one more pass finds it
		const isPassOver = pass !== undefined && !pass.isFirst && cursor.pass === undefined;
		isOver = failure !== undefined || !isPassOver || deadline.isNear || found.size >= settings.most;
	}
	const occurrences = [...found.values()].sort((a, b) => a.at - b.at);
	return { occurrences, cursor };
}

async function failureOf(work: Promise<void>): Promise<unknown> {
	try {
		await work;
		return undefined;
	} catch (error) {
		return error;
	}
}

/** Deadlines of the polls under way, by their static data. */
const underWay = new WeakMap<object, Deadline>();

/**
 * Moves the cursor in the static data and returns what is new.
 *
 * @returns nothing when another poll is under way: n8n starts one even while the one before goes on,
 * and both would return the same groups
 */
async function moveOn(current: Poll, staticData: IDataObject): Promise<INodeExecutionData[]> {
	const { deadline, purpose, toItems } = current;
	if (underWay.get(staticData)?.isOver === false) return [];
	underWay.set(staticData, deadline);
	try {
		const { state } = staticData;
		const saved = isState(state) && state.purpose === purpose ? state.cursor : undefined;
		const { occurrences, cursor } = await takeNew(current, saved);
		if (underWay.get(staticData) !== deadline) return [];
		const items = toItems(occurrences);
		// Last, so that a poll that did not get this far is repeated
		staticData.state = { purpose, cursor };
		return items;
	} finally {
		if (underWay.get(staticData) === deadline) underWay.delete(staticData);
	}
}

/** Fetches pages; a request waits for the rate limit no longer than the poll may take. */
function fetcherOf(connection: Connection, deadline: Deadline): FetchGroups {
	const { retry } = connection;
	return async (query, onBehalfOf) => {
		const maxWaitMs = Math.min(retry.maxWaitMs, deadline.remainingMs);
		const request: RestRequest = {
			method: 'GET',
			path: '/groups',
			query,
			headers: onBehalfOf === undefined ? {} : { onBehalfOf },
		};
		return await deadline.timed(
			async () =>
				await send({ ...connection, retry: { ...retry, maxWaitMs } }, request, pageOf('groups')),
		);
	};
}

/** What bounds a wait, when it is the time of the poll and not 'Max Wait'. */
function waitLimitOf({ maxWaitMs }: RetryPolicy, { budgetMs }: Deadline): WaitLimit | undefined {
	if (maxWaitMs < budgetMs) return undefined;
	return {
		words: `the ${seconds(budgetMs)} of a poll`,
		advice: `${WAIT_ADVICE}, or set 'Poll Times' to poll less often`,
	};
}

/**
 * One poll of the trigger: what is new since the last one, oldest first.
 *
 * @returns null when there is nothing, so that no workflow starts
 * @throws NodeApiError or NodeOperationError, without the API key; the cursor has not moved then
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const deadline = new Deadline(this);
	const credentials = await this.getCredentials(CREDENTIAL);
	const redact = redactor(credentials.apiKey);
	const limiter = new RequestLimiter({ signal: deadline.signal });
	const words: ErrorContext = { redact, labels: LABELS };
	try {
		const settings = readSettings(this);
		const { retry } = settings;
		words.waitLimit = waitLimitOf(retry, deadline);
		const timeouts = { timeout: TIMEOUT_MS };
		const connection = { context: this, credentials, settings: timeouts, limiter, retry, order: 0 };
		const current: Poll = {
			settings,
			purpose: purposeOf(settings, credentials),
			fetchGroups: fetcherOf(connection, deadline),
			deadline,
			toItems: (occurrences) =>
				occurrences.length === 0
					? []
					: settings.toItems(occurrences).map(({ json }) => ({ json: redact(json) })),
		};
		const items =
			this.getMode() === 'manual'
				? await showNewest(current)
				: await moveOn(current, this.getWorkflowStaticData('node'));
		return items.length === 0 ? null : [items];
	} catch (error) {
		throw toNodeError(this.getNode(), explained(error, deadline), words);
	} finally {
		limiter.stop();
	}
}

/** Says why a poll was stopped. */
function explained(error: unknown, { budgetMs }: Deadline): unknown {
	if (!(error instanceof StoppedError)) return error;
	return new DescribedError(
		'CometChat did not respond in time',
		`A poll may take ${seconds(budgetMs)}. ${WAIT_ADVICE}.`,
	);
}
