import type { IDataObject } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../helpers/limits';
import { streamAllPages } from '../calls/pages';
import { type PagedListSettings } from '../calls/paging';
import { DescribedError } from '../errors/describedErrors';
import { getRefusalCodeFromError } from '../errors/refusal';
import { listedMessageEntity } from '../resources/message/entity';
import type { Client } from '../transport/client';
import { valueToText } from '../helpers/json';
import {
	getErrorResponseOfFailedAttempts,
	FailedAttemptsError,
	StoppedError,
	unwrapFailedAttemptsError,
} from '../transport/failure';
import { createPageBodyReader, UnusableResponseError } from '../transport/response';
import { readServerTime, readTimeOrZero } from './occurrences';
import type { WatchedMessageList } from './messageLists';
import type { RefusedMessageList } from './refusedLists';
import type { PollParametersWithClientFactory } from './search';

/** True for calls, action messages such as "Mira joined", and deleted messages. */
const isCallOrActionOrDeleted = (message: IDataObject): boolean =>
	listedMessageEntity.isExcluded?.(message, {}) ?? false;

/** Part of a list that a poll has read. */
export interface MessagesReadFromList {
	list: WatchedMessageList;
	/** Messages that may start the workflow, keyed by ID. Sorted oldest first if `isUnfinished` is set. */
	messages: Map<string, IDataObject>;
	/** IDs of all messages read, including calls, action messages and deleted messages */
	ids: Set<string>;
	/** Times of all messages read, in Unix seconds */
	times: number[];
	/** CometChat's time at the first response, in Unix seconds. Undefined without a `Date` header. */
	serverTime?: number;
	/** True if the time ran out before the poll reached the newest message */
	isUnfinished?: boolean;
}

/** Part of a list to read. */
export interface MessageReadRange {
	/** Earliest time of the messages to request, in Unix seconds. Not later than `stop`. */
	from: number;
	/** Time in Unix seconds. Reading newest first stops at the first page with an earlier message. */
	stop: number;
	/** ID of the message after which to continue. Set if the last poll ran out of time. */
	resumeAfter?: string;
}

export interface MessageListsByFetchOutcome {
	read: MessagesReadFromList[];
	refused: RefusedMessageList[];
	/** Keys of the lists that the poll had no time to read */
	unread: string[];
	/**
	 * Error that ended the poll before it could read the lists in `unread`. Set only if `unread` contains lists.
	 */
	stopped?: StoppedError;
}

/** Number of messages to request when reading only a list's newest page. */
const NEWEST_PAGE_SIZE = 100;

/**
 * Maximum number of pages to read newest first. A longer range is read oldest first instead, so that the next poll
 * can continue after the last message read.
 */
const MAX_PAGES_NEWEST_FIRST = 2;

/**
 * Reads the watched lists in parallel. The rate limiter bounds the requests in flight. If CometChat refuses a list,
 * the other lists are still read. A failure that concerns all lists is thrown, so that the next poll repeats the
 * whole search.
 *
 * @param chooseReadRange returns the range of a list to read, or undefined to read its newest page only
 * @throws FailedAttemptsError if the key is refused, the rate limit lasts too long or there is no connection, or
 * StoppedError if the time ran out before any list was read
 */
export async function fetchMessagesOfWatchedLists(
	{ lists, createClient }: Pick<PollParametersWithClientFactory, 'lists' | 'createClient'>,
	chooseReadRange: (key: string) => MessageReadRange | undefined,
): Promise<MessageListsByFetchOutcome> {
	const results = await Promise.all(
		lists.map(async (list, index): Promise<Partial<MessageListsByFetchOutcome>> => {
			// Requests for lists with a smaller index are sent first. Otherwise, the time could run out before any list is
			// complete.
			const reading = fetchMessagesOfList(list, createClient(index), chooseReadRange(list.key));
			return await reading.then(
				(part) => ({ read: [part] }),
				(error: unknown) => {
					if (error instanceof StoppedError) return { stopped: error, unread: [list.key] };
					if (!concernsOneList(error)) throw error;
					return { refused: [{ key: list.key, error }] };
				},
			);
		}),
	);
	const stopped = results.find((result) => result.stopped)?.stopped;
	if (stopped && results.every((result) => result.stopped)) throw stopped;
	return {
		read: results.flatMap(({ read = [] }) => read),
		refused: results.flatMap(({ refused = [] }) => refused),
		unread: results.flatMap(({ unread = [] }) => unread),
		stopped,
	};
}

/** HTTP statuses of failures that concern all lists: 401 if the API key is refused, 429 at the rate limit. */
const GENERAL_STATUSES = [401, 429];

/** True if a failure to read a list doesn't affect other lists. */
function concernsOneList(error: unknown): boolean {
	const response = getErrorResponseOfFailedAttempts(error);
	if (response) {
		const isKeyRefused = getRefusalCodeFromError(error)?.startsWith('AUTH_ERR') === true;
		return !isKeyRefused && !GENERAL_STATUSES.includes(response.statusCode);
	}
	if (!(error instanceof FailedAttemptsError)) return error instanceof DescribedError;
	return unwrapFailedAttemptsError(error) instanceof UnusableResponseError;
}

/**
 * Reads newest first or, for a longer range, oldest first.
 *
 * @throws StoppedError if the time ran out, unless the next poll can continue after a message that was read oldest
 * first
 */
async function fetchMessagesOfList(
	list: WatchedMessageList,
	client: Client,
	range: MessageReadRange | undefined,
): Promise<MessagesReadFromList> {
	const newest = createPart(list);
	if (range?.resumeAfter === undefined) {
		const isFinished = await readNewestFirst(newest, client, range);
		if (isFinished || range === undefined) return newest;
	}
	return await readOldestFirst(newest, client, range);
}

const createPart = (list: WatchedMessageList): MessagesReadFromList => ({
	...{ list, messages: new Map(), ids: new Set(), times: [] },
});

function addMessages(
	{ list, messages, ids, times }: MessagesReadFromList,
	found: IDataObject[],
): void {
	for (const message of found) {
		const id = valueToText(message.id);
		ids.add(id);
		times.push(readTimeOrZero(message, 'sentAt'));
		if (!isCallOrActionOrDeleted(message) && list.listWatchedKeys(message).includes(list.key)) {
			messages.set(id, message);
		}
	}
}

/**
 * Reads the newest page of a list if `range` is undefined. Otherwise, reads pages, newest first, until a page
 * contains a message from before the range, or `MAX_PAGES_NEWEST_FIRST` pages are read.
 *
 * @returns false if the maximum number of pages ended the search, so the range may contain more messages
 */
async function readNewestFirst(
	part: MessagesReadFromList,
	client: Client,
	range: MessageReadRange | undefined,
): Promise<boolean> {
	let pages = 0;
	for await (const { fresh } of streamAllPages(createPagedList(part, client, range))) {
		addMessages(part, fresh);
		if (range === undefined || part.times.some((time) => time < range.stop)) return true;
		if (fresh.length > 0 && ++pages === MAX_PAGES_NEWEST_FIRST) return false;
	}
	return true;
}

/**
 * Reads a range oldest first, until a page contains one of the messages that were already read newest first.
 *
 * @param newest messages that were read newest first
 */
async function readOldestFirst(
	newest: MessagesReadFromList,
	client: Client,
	range: MessageReadRange,
): Promise<MessagesReadFromList> {
	const part = { ...createPart(newest.list), serverTime: newest.serverTime };
	const readPages = async () => {
		for await (const { fresh } of streamAllPages(
			createPagedList(part, client, range, 'oldestFirst'),
		)) {
			addMessages(part, fresh);
			if ([...newest.ids].some((id) => part.ids.has(id))) break;
		}
		return false;
	};
	const isUnfinished = await readPages().catch((error: unknown) => {
		if (!(error instanceof StoppedError) || part.ids.size === 0) throw error;
		return true;
	});
	if (isUnfinished) return { ...part, isUnfinished };
	return {
		...part,
		messages: new Map([...part.messages, ...newest.messages]),
		times: [...part.times, ...newest.times],
	};
}

function createPagedList(
	part: MessagesReadFromList,
	client: Client,
	{ from, resumeAfter }: Partial<MessageReadRange> = {},
	order?: 'oldestFirst',
): PagedListSettings {
	const { request } = part.list;
	// CometChat may exclude messages sent at exactly `fromTimestamp` (open question 13 in docs/status.md)
	const query = from !== undefined && from > 1 ? { fromTimestamp: from - 1 } : {};
	const readPage = createPageBodyReader('messages');
	let isFirst = true;
	return {
		entity: listedMessageEntity,
		pagedBy: 'id',
		order,
		perPage: from === undefined ? NEWEST_PAGE_SIZE : MAX_PER_PAGE,
		advice: 'Poll more often, or watch fewer groups or users.',
		fetchPage: async (paging) => {
			const start = isFirst && resumeAfter !== undefined ? { id: resumeAfter } : {};
			isFirst = false;
			const sent = { ...request, query: { ...query, ...paging, ...start } };
			return await client.sendAndRead(sent, (response) => {
				part.serverTime ??= readServerTime(response);
				return readPage(response);
			});
		},
	};
}
