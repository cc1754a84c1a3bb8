import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { toNodeError, type ErrorContext, type WaitLimit } from '../errors/nodeError';
import { seconds } from '../errors/words';
import { labelsOf } from '../values/shownFields';
import { dateIn } from '../transport/limitHeaders';
import { RequestLimiter, StoppedError } from '../transport/limiter';
import { redactor } from '../transport/redact';
import { pageOf } from '../transport/response';
import { CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { purposeOf, readParameters, type PollParameters } from './parameters';
import { triggerProperties } from './properties';
import { metSince, newestGroups, type Search } from './search';
import { firstState, isState, nextStep, windowStart, type PollState, type Step } from './state';

/** What a poll may take where n8n does not say: its own default, in milliseconds. */
const DEFAULT_BUDGET_MS = 300_000;

/** What is kept back of it to make items of the groups: a tenth, at most so many milliseconds. */
const MAX_MARGIN_MS = 5_000;

const LABELS = labelsOf(triggerProperties);

/** n8n's time limit for a poll, in milliseconds, less the margin; versions before 2.41 tell none. */
function budgetMsOf(context: IPollFunctions): number {
	const { getPollBudgetMs }: Partial<IPollFunctions> = context;
	const told = getPollBudgetMs?.call(context);
	const budgetMs = typeof told === 'number' && told > 0 ? told : DEFAULT_BUDGET_MS;
	return Math.floor(budgetMs - Math.min(MAX_MARGIN_MS, budgetMs / 10));
}

/** For a wait that n8n's time bounds, not 'Longest Retry Wait'. */
const waitLimitOf = (budgetMs: number): WaitLimit => ({
	words: `the ${seconds(budgetMs)} of a poll`,
	advice: "Wait for the next poll, or set 'Poll Times' to poll less often",
});

const tooLate = (budgetMs: number) =>
	new DescribedError(
		'CometChat did not respond in time',
		`A poll may take ${seconds(budgetMs)}. Wait for the next poll.`,
	);

/** The state that was saved for this purpose. */
function savedState(
	context: IPollFunctions,
	purpose: string,
	saved: unknown,
): PollState | undefined {
	if (isState(saved)) return saved.purpose === purpose ? saved : undefined;
	if (saved !== undefined) {
		context.logger.warn(
			`"${context.getNode().name}" can't read what it remembered of earlier polls, so it starts afresh: what is there now starts no workflow`,
		);
	}
	return undefined;
}

/** What a poll has to work with until its time is up. */
interface Poll {
	context: IPollFunctions;
	credentials: ICredentialDataDecryptedObject;
	parameters: PollParameters;
	limiter: RequestLimiter;
	/** Milliseconds that it has left */
	remainingMs: () => number;
	/** Unix seconds by our clock when it began */
	ourNow: number;
}

function searchOf(poll: Poll): Search {
	const { context, credentials, parameters, limiter } = poll;
	const { event, request, policy } = parameters;
	const { timeoutMs, retry } = policy;
	const read = pageOf(event === 'messageFlagged' ? 'messages' : 'groups');
	let clockMs: number | undefined;
	const fetchPage = async (query: IDataObject) => {
		// A request waits for the rate limit no longer than the poll may take
		const maxWaitMs = Math.min(retry.maxWaitMs, poll.remainingMs());
		const options = { context, credentials, timeoutMs, limiter, retry: { ...retry, maxWaitMs } };
		return await new Client(options).send({ ...request, query }, (response) => {
			clockMs = dateIn(response.headers.date);
			return read(response);
		});
	};
	const warn = (message: string) => context.logger.warn(message);
	const clock = () => clockMs && Math.floor(clockMs / 1000);
	return { event, filters: request.query ?? {}, fetchPage, clock, warn };
}

/** The groups that are new since the last poll, and the state after this one. */
async function newGroups(poll: Poll, savedValue: unknown): Promise<Step> {
	const { context, credentials, parameters, ourNow } = poll;
	const search = searchOf(poll);
	const purpose = purposeOf(parameters, credentials);
	const saved = savedState(context, purpose, savedValue);
	const now = () => search.clock() ?? ourNow;
	if (saved) {
		const met = await metSince(search, windowStart(saved.upTo));
		const { maxGroups: most, isWanted } = parameters;
		return nextStep(saved, met, { most, now: now(), isWanted });
	}
	// What is there counts as returned, also what does not match the filters yet: a group that comes
	// to match them later was not created or joined then
	const everything = search.event === 'groupUpdated' ? search : { ...search, filters: {} };
	let first = firstState(purpose, ourNow);
	let met = await metSince(everything, windowStart(first.upTo));
	if (now() < first.upTo) {
		// Our clock is so far ahead that what is there was not looked at
		first = firstState(purpose, now());
		met = await metSince(everything, windowStart(first.upTo));
	}
	return { ...nextStep(first, met, { most: Infinity, now: now() }), groups: [] };
}

/** Static data of the polls under way. */
const underWay = new WeakSet<object>();

/**
 * One poll of the trigger: what is new since the last one, oldest first. As a test event: the newest.
 *
 * @returns null when there is nothing, so that no workflow starts
 * @throws NodeApiError or NodeOperationError, without the API key; the state has not moved then
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await outputOf(this);
	const staticData = this.getWorkflowStaticData('node');
	// n8n starts a poll even while the one before goes on: both would return the same groups
	if (underWay.has(staticData)) return null;
	underWay.add(staticData);
	try {
		return await outputOf(this, staticData);
	} finally {
		underWay.delete(staticData);
	}
}

/** @param staticData whose state moves on; without it, test events are wanted */
async function outputOf(
	context: IPollFunctions,
	staticData?: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const budgetMs = budgetMsOf(context);
	const endsAt = performance.now() + budgetMs;
	const remainingMs = () => Math.max(1, Math.floor(endsAt - performance.now()));
	const limiter = new RequestLimiter(AbortSignal.timeout(budgetMs));
	const credentials = await context.getCredentials(CREDENTIAL);
	const redact = redactor(credentials.apiKey);
	const words: ErrorContext = { redact, labels: LABELS };
	try {
		const parameters = readParameters(context);
		if (parameters.policy.retry.maxWaitMs >= budgetMs) words.waitLimit = waitLimitOf(budgetMs);
		const ourNow = Math.floor(Date.now() / 1000);
		const current = { context, credentials, parameters, limiter, remainingMs, ourNow };
		const next = staticData && (await newGroups(current, staticData.state));
		const groups =
			next?.groups ?? (await newestGroups(searchOf(current), ourNow, parameters.isWanted));
		const items = groups.length === 0 ? [] : parameters.shape(groups.map(({ thing }) => thing));
		const output = items.map((json) => ({ json: redact(json) }));
		// Last, so that a poll that did not get this far is repeated
		if (staticData) staticData.state = next?.state;
		return output.length === 0 ? null : [output];
	} catch (error) {
		const cause = error instanceof StoppedError ? tooLate(budgetMs) : error;
		throw toNodeError(context.getNode(), cause, words);
	} finally {
		limiter.stop();
	}
}
