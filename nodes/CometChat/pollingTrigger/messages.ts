import type { IDataObject } from 'n8n-workflow';

import { fetchPages } from '../calls/pages';
import { MAX_PER_PAGE, type PagedList } from '../calls/paging';
import { isRefusedWith, UNREADABLE_CODES } from '../errors/refusalCodes';
import { listedMessageEntity } from '../resources/message/entity';
import { listWatchedAddressees, type Watch } from '../sharedByTriggers/watch';
import type { Client } from '../transport/client';
import { toPlainText } from '../helpers/json';
import { expandPath } from '../transport/path';
import { createPageReader } from '../transport/response';
import type { RestRequest } from '../transport/types';
import { readTime } from './occurrences';
import type { RefusedList } from './refusedLists';

/** A list of messages that a poll reads: a group's, a user's, or the whole app's. */
export interface MessageList {
	/** GUID or UID in lower case, or an empty string for the whole app */
	key: string;
	request: RestRequest;
	/**
	 * Returns the keys of the watched lists that a message of this list is for. If users are watched, a message
	 * can be for several of them, or for none.
	 */
	listWatchedKeys: (message: IDataObject) => string[];
}

/** Returns the lists that contain the watched messages: one per group or user, or one for the whole app. */
export function getMessageLists({ kind, ids }: Watch): MessageList[] {
	const keys = [...ids].sort();
	if (kind === 'groups') {
		return keys.map((key) => ({
			key,
			request: { method: 'GET', path: expandPath('/groups/{key}/messages', { key }) },
			listWatchedKeys: () => [key],
		}));
	}
	const request: RestRequest = { method: 'GET', path: '/messages' };
	if (kind === 'app') return [{ key: '', request, listWatchedKeys: () => [''] }];
	return keys.map((key) => ({
		key,
		// Lists the messages that the user can see
		request: { ...request, headers: { onBehalfOf: key } },
		listWatchedKeys: (message) => listWatchedAddressees(message, keys),
	}));
}

/** True for calls, for notes such as "Mira joined", and for deleted messages. */
const isCallOrActionOrDeleted = (message: IDataObject): boolean =>
	listedMessageEntity.isExcluded?.(message, {}) ?? false;

/** Part of a list that a poll has read, newest messages first. */
export interface MessageListPart {
	list: MessageList;
	/** Messages that may start the workflow, by ID */
	messages: Map<string, IDataObject>;
	/** Times of all messages, in Unix seconds */
	times: number[];
	/** CometChat's time at the first response, in Unix seconds. Undefined without a `Date` header. */
	clock?: number;
}

/** Part of a list to read. */
export interface ListRange {
	/** Time in Unix seconds from which CometChat lists messages. 0 lists all. */
	from: number;
	/** Returns a time in Unix seconds. The first page with an earlier message is the last page to read. */
	chooseStop: (read: MessageListPart) => number;
}

/** Range of a list's first page, which contains the newest messages. */
export const FIRST_PAGE_RANGE: ListRange = { from: 0, chooseStop: () => Infinity };

/** Lists that a poll has read, and lists that CometChat refused. */
export interface ReadResult {
	read: MessageListPart[];
	refused: RefusedList[];
}

/**
 * Reads the watched lists. Leaves out lists that CometChat refuses with a code in `UNREADABLE_CODES`. After any other
 * failure, the next poll can repeat the whole search.
 *
 * @throws RequestError for any other failed request, StoppedError if the poll was stopped, or DescribedError if a
 * list may have more messages that can't be reached
 */
export async function readLists(
	{ lists, client }: { lists: MessageList[]; client: Client },
	chooseRange: (key: string) => ListRange,
): Promise<ReadResult> {
	const read: MessageListPart[] = [];
	const refused: RefusedList[] = [];
	for (const list of lists) {
		const { key } = list;
		await readList(list, client, chooseRange(key)).then(
			(each) => read.push(each),
			(error: unknown) => {
				if (!isRefusedWith(error, UNREADABLE_CODES)) throw error;
				refused.push({ key, error });
			},
		);
	}
	return { read, refused };
}

async function readList(
	list: MessageList,
	client: Client,
	{ from, chooseStop }: ListRange,
): Promise<MessageListPart> {
	const read: MessageListPart = { list, messages: new Map(), times: [] };
	for await (const { fresh } of fetchPages(createPagedList(read, client, from))) {
		for (const message of fresh) {
			read.times.push(readTime(message, 'sentAt'));
			if (!isCallOrActionOrDeleted(message) && list.listWatchedKeys(message).includes(list.key)) {
				read.messages.set(toPlainText(message.id), message);
			}
		}
		const stop = chooseStop(read);
		if (read.times.some((time) => time < stop)) break;
	}
	return read;
}

function createPagedList(part: MessageListPart, client: Client, from: number): PagedList {
	const { request } = part.list;
	// Open question 13: CometChat may exclude the exact second
	const query = from > 1 ? { fromTimestamp: from - 1 } : {};
	const readPage = createPageReader('messages');
	return {
		entity: listedMessageEntity,
		pagedBy: 'id',
		perPage: MAX_PER_PAGE,
		advice: 'Poll more often, or watch fewer groups or users.',
		fetchPage: async (paging) =>
			await client.send({ ...request, query: { ...query, ...paging } }, (response) => {
				const seconds = Math.floor(Date.parse(toPlainText(response.headers.date)) / 1000);
				if (seconds > 0) part.clock ??= seconds;
				return readPage(response);
			}),
	};
}
