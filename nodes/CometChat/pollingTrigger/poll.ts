import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { toNodeError } from '../errors/nodeError';
import { moveAdviceIntoMessage } from '../errors/publishingError';
import { formatError, formatMsAsSeconds, getErrorMessage } from '../helpers/formatText';
import { getFieldLabels } from '../request/fieldTree';
import { StoppedError } from '../transport/failure';
import { RequestLimiter } from '../transport/limiter';
import { createRedactor } from '../helpers/redact';
import { systemClock } from '../helpers/clock';
import { API_CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import type { Occurrence } from './occurrences';
import { findNewGroupsOrReports, findNewestGroupsOrReports } from './findGroupsOrReports';
import { findNewestMessages, findNewMessages } from './findMessages';
import type { Source } from './polledEvents';
import { computeFingerprints, readParameters, type Fingerprints } from './pollParameters';
import { pollingProperties } from './properties';
import { AllRefusedError } from './refusedLists';
import type { PollInput } from './search';
import { selectTestEvents } from './testEvents';

/**
 * n8n's default time limit for a poll, in milliseconds. Used for n8n versions before 2.41, which don't
 * report a limit.
 */
const DEFAULT_POLL_LIMIT_MS = 300_000;

const FIELD_LABELS = getFieldLabels(pollingProperties);

/** Returns nine tenths of n8n's time limit for a poll, in milliseconds. The rest is for creating items. */
function computeBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return Math.floor(0.9 * (context.getPollBudgetMs?.() ?? DEFAULT_POLL_LIMIT_MS));
}

const createTimeoutError = (budgetMs: number) =>
	new DescribedError(
		'The poll took too long',
		`A poll can take at most ${formatMsAsSeconds(budgetMs)}. Nothing is lost: the next poll starts over. If this happens again, poll less often, or add 'Filters' to make a long list of groups shorter.`,
	);

/** Functions that find the occurrences of one source of events. */
interface Finder {
	/**
	 * Finds the occurrences since the last poll.
	 *
	 * @param saved state that the last successful poll returned. Undefined at the first poll.
	 * @param now the poll's start time in Unix seconds
	 */
	findNew: (
		input: PollInput,
		fingerprints: Fingerprints,
		saved: unknown,
		now: number,
	) => Promise<{ occurrences: Occurrence[]; state: object }>;
	/** Finds the newest occurrences, for 'Fetch Test Event'. */
	findNewest: (input: PollInput, now: number) => Promise<Occurrence[]>;
}

const GROUP_AND_REPORT_FINDER: Finder = {
	findNew: findNewGroupsOrReports,
	findNewest: findNewestGroupsOrReports,
};

const FINDERS: Readonly<Record<Source, Finder>> = {
	groups: GROUP_AND_REPORT_FINDER,
	queue: GROUP_AND_REPORT_FINDER,
	messages: { findNew: findNewMessages, findNewest: findNewestMessages },
};

/** Returns the error to show for an error, and the words with which `toNodeError` explains it. */
function explainPollError(
	error: unknown,
	budgetMs: number,
): ReturnType<AllRefusedError['explain']> {
	if (error instanceof AllRefusedError) return error.explain();
	const cause = error instanceof StoppedError ? createTimeoutError(budgetMs) : error;
	return { cause, words: {} };
}

/** Static data of each trigger that is currently polling. */
const runningPolls = new WeakSet<object>();

/**
 * Contexts that have polled. n8n creates a context when it activates a trigger, awaits a poll with the context, and
 * then uses the context for the scheduled polls.
 */
const polledContexts = new WeakSet<object>();

/** Reasons for an activation by n8n itself: n8n starts, or another of its processes becomes the leader. */
const AUTOMATIC_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/**
 * Polls CometChat. Returns the new occurrences, or the latest occurrences for 'Fetch Test Event', oldest first.
 *
 * If n8n activates the trigger when it starts, a failed first poll is only logged: n8n would never poll again if
 * this poll threw an error. The scheduled polls report the problem if it persists.
 *
 * @returns null if there are no occurrences or the previous poll is still running, so that the workflow doesn't
 * start
 * @throws NodeApiError, NodeOperationError or n8n's own error, with the API key redacted. The message of an error
 * that prevents publishing includes the advice. After an error, the saved state is unchanged.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (this.getMode() === 'manual') return await runPoll(this);
	const isFirst = !polledContexts.has(this);
	polledContexts.add(this);
	const staticData = this.getWorkflowStaticData('node');
	// n8n may start a poll before the previous poll ends. Both polls would return the same occurrences.
	if (runningPolls.has(staticData)) return null;
	runningPolls.add(staticData);
	try {
		return await runPoll(this, staticData);
	} catch (error) {
		if (!isFirst || !AUTOMATIC_MODES.includes(this.getActivationMode())) {
			throw isFirst && error instanceof Error ? moveAdviceIntoMessage(error) : error;
		}
		const reason = error instanceof Error ? formatError(error) : getErrorMessage(error);
		this.logger.error(
			`The first poll after the start of n8n failed. The next scheduled poll tries again. ${reason}`,
		);
		return null;
	} finally {
		runningPolls.delete(staticData);
	}
}

/** @param staticData contains the saved state; omitted when fetching test events */
async function runPoll(
	context: IPollFunctions,
	staticData?: IDataObject,
): Promise<INodeExecutionData[][] | null> {
	const budgetMs = computeBudgetMs(context);
	const limiter = new RequestLimiter(AbortSignal.timeout(budgetMs));
	const credentials = await context.getCredentials(API_CREDENTIAL);
	const redact = createRedactor(credentials.apiKey);
	try {
		const parameters = readParameters(context);
		const client = new Client({ context, credentials, limiter, ...parameters.policy });
		const input = { ...parameters, client, logger: context.logger };
		const now = Math.floor(systemClock.systemTime() / 1000);
		const fingerprints = computeFingerprints(parameters, credentials);
		const { findNew, findNewest } = FINDERS[parameters.event.source];
		const { occurrences, state } = staticData
			? await findNew(input, fingerprints, staticData.state, now)
			: { occurrences: selectTestEvents(input, await findNewest(input, now)), state: undefined };
		const items =
			occurrences.length === 0 ? [] : parameters.toItems(occurrences.map(({ data }) => data));
		const output = items.map((json) => ({ json: redact(json) }));
		// Saves the state last, so that the next poll repeats the search if this poll fails
		if (staticData) staticData.state = state;
		return output.length === 0 ? null : [output];
	} catch (error) {
		const { region } = credentials;
		const { cause, words } = explainPollError(error, budgetMs);
		throw toNodeError(context.getNode(), cause, { redact, region, labels: FIELD_LABELS, ...words });
	} finally {
		limiter.stop();
	}
}
