import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { toNodeError, type ErrorContext, type WaitLimit } from '../errors/nodeError';
import { formatSeconds } from '../errors/formatText';
import { getFieldLabels } from '../values/request';
import { parseHttpDate } from '../transport/rateLimitHeaders';
import { RequestLimiter, StoppedError } from '../transport/limiter';
import { createRedactor } from '../transport/redact';
import { pageReader } from '../transport/response';
import { systemClock } from '../transport/clock';
import { CREDENTIAL_NAME } from '../transport/attempt';
import { Client } from '../transport/client';
import type { Entry } from './entries';
import {
	createState,
	getSearchStart,
	isState,
	selectNewEntries,
	type NewEntries,
	type PollState,
} from './newEntries';
import { computeFingerprint, readParameters, type PollParameters } from './pollParameters';
import { pollingProperties } from './properties';
import { findEntries, findTestEvents, type EntrySource } from './search';

/** n8n's default time limit for a poll, in milliseconds. Versions before 2.41 have no limit to read. */
const DEFAULT_BUDGET_MS = 300_000;

/** Maximum part of the time limit that is reserved for creating items, in milliseconds. */
const MAX_MARGIN_MS = 5_000;

const LABELS = getFieldLabels(pollingProperties);

/** Reads n8n's time limit for a poll, in milliseconds, and subtracts the margin. */
function readBudgetMs(context: IPollFunctions): number {
	const { getPollBudgetMs }: Partial<IPollFunctions> = context;
	const value = getPollBudgetMs?.call(context);
	const budgetMs = typeof value === 'number' && value > 0 ? value : DEFAULT_BUDGET_MS;
	return Math.floor(budgetMs - Math.min(MAX_MARGIN_MS, budgetMs / 10));
}

/** Words for a wait that the poll's time limit cuts short, not an option of the node. */
const describeWaitLimit = (budgetMs: number): WaitLimit => ({
	words: `the ${formatSeconds(budgetMs)} of a poll`,
	advice: "Wait for the next poll, or set 'Poll Times' to poll less often",
});

const timeoutError = (budgetMs: number) =>
	new DescribedError(
		'CometChat did not respond in time',
		`A poll can take at most ${formatSeconds(budgetMs)}. Wait for the next poll.`,
	);

/** Checks a saved state. Returns undefined if it is invalid or belongs to other parameters. */
function readState(
	context: IPollFunctions,
	fingerprint: string,
	saved: unknown,
): PollState | undefined {
	if (isState(saved)) return saved.fingerprint === fingerprint ? saved : undefined;
	if (saved !== undefined) {
		context.logger.warn(
			`"${context.getNode().name}" can't read what it remembered of earlier polls, so it starts afresh: what is there now starts no workflow`,
		);
	}
	return undefined;
}

/** Everything that one poll needs. */
interface CurrentPoll {
	context: IPollFunctions;
	credentials: ICredentialDataDecryptedObject;
	parameters: PollParameters;
	limiter: RequestLimiter;
	/** Milliseconds until the poll's time limit */
	remainingMs: () => number;
	/** Time of the start by n8n's clock, in Unix seconds */
	startedAt: number;
}

function createSource(poll: CurrentPoll): EntrySource {
	const { context, credentials, parameters, limiter } = poll;
	const { event, request, policy } = parameters;
	const { timeoutMs, retry } = policy;
	const readPage = pageReader(event === 'messageFlagged' ? 'messages' : 'groups');
	let serviceMs: number | undefined;
	const fetchPage = async (query: IDataObject) => {
		// A request must not wait for the rate limit beyond the end of the poll
		const maxWaitMs = Math.min(retry.maxWaitMs, poll.remainingMs());
		const options = { context, credentials, timeoutMs, limiter, retry: { ...retry, maxWaitMs } };
		return await new Client(options).send({ ...request, query }, (response) => {
			serviceMs = parseHttpDate(response.headers.date);
			return readPage(response);
		});
	};
	const warn = (message: string) => context.logger.warn(message);
	const serviceTime = () => serviceMs && Math.floor(serviceMs / 1000);
	return { event, filters: request.query ?? {}, fetchPage, serviceTime, warn };
}

/**
 * Finds the entries since the last poll. The first poll returns none: it notes what exists, so that
 * only later events start the workflow.
 */
async function findNewEntries(poll: CurrentPoll, savedState: unknown): Promise<NewEntries> {
	const { context, credentials, parameters, startedAt } = poll;
	const { maxItems, canStart } = parameters;
	const source = createSource(poll);
	const fingerprint = computeFingerprint(parameters, credentials);
	const saved = readState(context, fingerprint, savedState);
	const getNow = () => source.serviceTime() ?? startedAt;
	if (saved) {
		const found = await findEntries(source, getSearchStart(saved.lastSeenAt));
		return selectNewEntries(saved, found, { maxItems, now: getNow(), canStart });
	}
	// Existing groups are noted even if they don't match the filters: a group that matches later is not new
	const unfiltered = source.event === 'groupUpdated' ? source : { ...source, filters: {} };
	let state = createState(fingerprint, startedAt);
	let found = await findEntries(unfiltered, getSearchStart(state.lastSeenAt));
	if (getNow() < state.lastSeenAt) {
		// n8n's clock is so far ahead that the search missed everything
		state = createState(fingerprint, getNow());
		found = await findEntries(unfiltered, getSearchStart(state.lastSeenAt));
	}
	return { ...selectNewEntries(state, found, { maxItems: Infinity, now: getNow() }), entries: [] };
}

/** Static data of the triggers that are polling. */
const runningPolls = new WeakSet<object>();

/**
 * Polls CometChat. Returns the new entries, oldest first; for 'Fetch Test Event', the latest entries.
 *
 * @returns null if there are none, so that no workflow starts
 * @throws NodeApiError or NodeOperationError, without the API key. The state is unchanged then.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await runPoll(this);
	const staticData = this.getWorkflowStaticData('node');
	// n8n may start a poll before the previous poll ends, and both would return the same entries
	if (runningPolls.has(staticData)) return null;
	runningPolls.add(staticData);
	try {
		return await runPoll(this, staticData);
	} finally {
		runningPolls.delete(staticData);
	}
}

/** @param staticData contains the state; left out to get test events */
async function runPoll(
	context: IPollFunctions,
	staticData?: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const budgetMs = readBudgetMs(context);
	const endsAt = systemClock.now() + budgetMs;
	const remainingMs = () => Math.max(1, Math.floor(endsAt - systemClock.now()));
	const limiter = new RequestLimiter(AbortSignal.timeout(budgetMs));
	const credentials = await context.getCredentials(CREDENTIAL_NAME);
	const redact = createRedactor(credentials.apiKey);
	const words: ErrorContext = { redact, labels: LABELS };
	try {
		const parameters = readParameters(context);
		if (parameters.policy.retry.maxWaitMs >= budgetMs)
			words.waitLimit = describeWaitLimit(budgetMs);
		const startedAt = Math.floor(systemClock.today() / 1000);
		const current = { context, credentials, parameters, limiter, remainingMs, startedAt };
		const next = staticData && (await findNewEntries(current, staticData.state));
		const entries: Entry[] =
			next?.entries ??
			(await findTestEvents(createSource(current), startedAt, parameters.canStart));
		const items = entries.length === 0 ? [] : parameters.toItems(entries.map(({ data }) => data));
		const output = items.map((json) => ({ json: redact(json) }));
		// Saved last, so that a poll that fails before is repeated
		if (staticData) staticData.state = next?.state;
		return output.length === 0 ? null : [output];
	} catch (error) {
		const cause = error instanceof StoppedError ? timeoutError(budgetMs) : error;
		throw toNodeError(context.getNode(), cause, words);
	} finally {
		limiter.stop();
	}
}
