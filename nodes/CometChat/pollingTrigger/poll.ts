import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { DescribedError } from '../errors/describedErrors';
import { toNodeError } from '../errors/nodeError';
import { moveAdviceIntoMessage } from '../errors/publishingError';
import {
	joinMessageAndDescription,
	formatMsAsSeconds,
	getErrorMessage,
} from '../helpers/formatText';
import { getLabelsByShownFieldName } from '../request/hiddenFields';
import { StoppedError } from '../transport/failure';
import { RequestLimiter } from '../transport/limiter';
import { createSecretRedactor } from '../helpers/redact';
import { realClock } from '../helpers/clock';
import { API_CREDENTIAL } from '../transport/attempt';
import { isReactivatedByN8n } from '../sharedByTriggers/reactivation';
import { Client } from '../transport/client';
import type { PollResult, Occurrence } from './occurrences';
import { findNewSingleListEvents, findSingleListEventsForTestEvent } from './findSingleListEvents';
import { findMessagesForTestEvent, findNewMessages } from './findMessages';
import type { PollSource } from './polledEvents';
import { computeFingerprint, readParameters, type PollParameters } from './pollParameters';
import { pollingProperties } from './properties';
import { AllListsRefusedError } from './refusedLists';
import {
	searchGroupListForOccurrences,
	searchFirstPageOfModerationQueue,
	type PollParametersWithClientFactory,
	type SingleListSearchFunction,
} from './search';
import { selectTestEventsOrThrow } from './testEvents';

/**
 * Time limit in milliseconds for the first poll, which n8n awaits while it activates the trigger. n8n 2.41 allows
 * 84 seconds for all triggers of a workflow (0.7 × `N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS`). These seconds
 * include up to five attempts to activate a failing trigger, and 15 seconds of pauses between the attempts.
 */
const FIRST_POLL_LIMIT_MS = 12_000;

/** Time limit in milliseconds for other polls, so that a poll usually ends before the next one is due. */
const POLL_LIMIT_MS = 50_000;

/** Returns a poll's time limit in milliseconds, at most nine tenths of n8n's limit. */
function computeLimitMs(
	context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>,
	isFirst: boolean,
): number {
	const n8nLimitMs = context.getPollBudgetMs?.() ?? Infinity;
	return Math.min(isFirst ? FIRST_POLL_LIMIT_MS : POLL_LIMIT_MS, Math.floor(0.9 * n8nLimitMs));
}

/** Advice for polls that take too long, keyed by the event's source. */
const ADVICE_ON_LONG_POLLS: Readonly<Record<PollSource, string>> = {
	groups: "add 'Filters' to make the list of groups shorter",
	queue: 'review reported messages to make the queue shorter',
	messages: 'watch fewer groups or users',
};

const adviseOnLongPolls = ({ event, watchKind }: PollParameters): string =>
	event.source === 'messages' && watchKind === 'app'
		? 'poll more often'
		: ADVICE_ON_LONG_POLLS[event.source];

const createTimeoutError = (advice: string, limitMs: number, isFirst: boolean) =>
	new DescribedError(
		'CometChat did not answer in time',
		`A poll can take at most ${formatMsAsSeconds(limitMs)}. ${isFirst ? 'Try again later.' : 'Nothing is lost: the next poll starts over.'} If this happens again, ${advice}.`,
	);

/** Functions that find the occurrences of events from one source. */
interface Finder {
	/**
	 * Finds the occurrences since the last poll.
	 *
	 * @param saved state that the last successful poll returned. Undefined at the first poll.
	 * @param now the poll's start time in Unix seconds
	 */
	findNew: (
		input: PollParametersWithClientFactory,
		fingerprint: string,
		saved: unknown,
		now: number,
	) => Promise<PollResult>;
	/** Finds example occurrences for 'Fetch Test Event', regardless of the saved state. The newest is among them. */
	findForTestEvent: (input: PollParametersWithClientFactory, now: number) => Promise<Occurrence[]>;
}

const createSingleListFinder = (search: SingleListSearchFunction): Finder => ({
	findNew: async (...parameters) => await findNewSingleListEvents(search, ...parameters),
	findForTestEvent: async (...parameters) =>
		await findSingleListEventsForTestEvent(search, ...parameters),
});

const FINDERS: Readonly<Record<PollSource, Finder>> = {
	groups: createSingleListFinder(searchGroupListForOccurrences),
	queue: createSingleListFinder(searchFirstPageOfModerationQueue),
	messages: { findNew: findNewMessages, findForTestEvent: findMessagesForTestEvent },
};

/** Returns the error to show to the user, and the context that `toNodeError` needs to explain the error. */
function explainPollError(
	error: unknown,
	timeoutError: DescribedError,
): ReturnType<AllListsRefusedError['getCauseAndContext']> {
	if (error instanceof AllListsRefusedError) return error.getCauseAndContext();
	const cause = error instanceof StoppedError ? (error.lastFailure ?? timeoutError) : error;
	return { cause, errorContext: {} };
}

/** Describes a trigger for n8n's log, which doesn't name the workflow. */
const describeTrigger = (context: IPollFunctions): string =>
	`"${context.getNode().name}" in "${context.getWorkflow().name ?? ''}"`;

/** Static data of each trigger that is currently polling. */
const runningPolls = new WeakSet<object>();

/**
 * Contexts in which a poll has started. n8n creates a context when it activates a trigger, awaits the first poll,
 * and uses the same context for the scheduled polls.
 */
const polledContexts = new WeakSet<object>();

/**
 * Polls CometChat. Returns the new occurrences, or the latest occurrences for 'Fetch Test Event', oldest first.
 *
 * If n8n itself reactivates the trigger, e.g. when n8n starts, a failed first poll is only logged, because n8n would
 * never poll again after an error. The scheduled polls report the problem if it persists.
 *
 * @returns null, which doesn't start the workflow, if there are no occurrences, the previous poll is still running,
 * or a failure was only logged
 * @throws NodeApiError, NodeOperationError or n8n's own error, with the API key redacted. The message of an error
 * that prevents publishing includes the advice. After an error, the saved state is unchanged.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await runPoll(this, false);
	const isFirst = !polledContexts.has(this);
	polledContexts.add(this);
	const staticData = this.getWorkflowStaticData('node');
	// n8n may start a poll before the previous poll ends. Both polls would return the same occurrences.
	if (runningPolls.has(staticData)) return null;
	runningPolls.add(staticData);
	try {
		return await runPoll(this, isFirst, staticData);
	} catch (error) {
		if (!isFirst || !isReactivatedByN8n(this)) {
			throw isFirst && error instanceof Error ? moveAdviceIntoMessage(error) : error;
		}
		const reason =
			error instanceof Error ? joinMessageAndDescription(error) : getErrorMessage(error);
		this.logger.error(
			`When n8n started, the first poll of ${describeTrigger(this)} failed. The next scheduled poll tries again. ${reason}`,
		);
		return null;
	} finally {
		runningPolls.delete(staticData);
	}
}

/** @param staticData contains the saved state; omitted when fetching test events */
async function runPoll(
	context: IPollFunctions,
	isFirst: boolean,
	staticData?: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const limitMs = computeLimitMs(context, isFirst);
	const ending = new AbortController();
	const limiter = new RequestLimiter(
		AbortSignal.any([AbortSignal.timeout(limitMs), ending.signal]),
	);
	const credentials = await context.getCredentials(API_CREDENTIAL);
	const redact = createSecretRedactor(credentials.apiKey);
	const { logger } = context;
	let timeoutError = createTimeoutError(ADVICE_ON_LONG_POLLS.messages, limitMs, isFirst);
	try {
		const parameters = readParameters(context);
		const advice = adviseOnLongPolls(parameters);
		timeoutError = createTimeoutError(advice, limitMs, isFirst);
		const createClient = (queuePosition = 0) =>
			new Client({ context, credentials, limiter, queuePosition, ...parameters.policy });
		const input = { ...parameters, createClient, logger, redact };
		const now = Math.floor(realClock.systemTime() / 1000);
		const fingerprint = computeFingerprint(parameters, credentials);
		const { findNew, findForTestEvent } = FINDERS[parameters.event.source];
		const { occurrences, state, isUnfinished } = staticData
			? await findNew(input, fingerprint, staticData.state, now)
			: {
					occurrences: selectTestEventsOrThrow(input, await findForTestEvent(input, now)),
					state: undefined,
					isUnfinished: false,
				};
		if (isUnfinished) {
			logger.info(
				`The poll of ${describeTrigger(context)} ended after ${formatMsAsSeconds(limitMs)}, and the next poll goes on. If this happens often, ${advice}.`,
			);
		}
		const items =
			occurrences.length === 0 ? [] : parameters.toItems(occurrences.map(({ data }) => data));
		const output = items.map((json) => ({ json: redact(json) }));
		// Saves the state last, so that the next poll repeats the search if this poll fails
		if (staticData) staticData.state = state;
		return output.length === 0 ? null : [output];
	} catch (error) {
		const { region } = credentials;
		const { cause, errorContext } = explainPollError(error, timeoutError);
		throw toNodeError(context.getNode(), cause, {
			redact,
			region,
			labels: getLabelsByShownFieldName(pollingProperties, context.getNode().parameters),
			...errorContext,
		});
	} finally {
		ending.abort();
	}
}
