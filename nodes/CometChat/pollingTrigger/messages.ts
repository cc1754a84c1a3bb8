import type { IDataObject } from 'n8n-workflow';

import { readPages } from '../calls/pages';
import { MAX_PER_PAGE, type PagedList } from '../calls/paging';
import type { WatchKind } from '../fields/watch';
import { listedMessageEntity } from '../resources/message/entity';
import { listMentioned } from '../resources/message/mentions';
import type { Client } from '../transport/client';
import { asText } from '../helpers/json';
import { expandPath } from '../transport/path';
import { pageReader } from '../transport/response';
import type { RestRequest } from '../transport/types';
import { readTime } from './entries';

/** A list of messages that a poll reads. */
export interface MessageList {
	/** GUID or UID in lower case, or an empty string for the whole app */
	key: string;
	request: RestRequest;
	/** True if the message starts the workflow */
	isHeard: (message: IDataObject) => boolean;
}

/** Times of a list's messages that a poll has read, in Unix seconds. */
export type ListTimes = [key: string, times: number[]];

/**
 * True if a user's own list contains the message for the user: a private message or a mention by somebody else.
 */
function isForUser(message: IDataObject, uid: string): boolean {
	const { sender, receiver, receiverType } = message;
	if (asText(sender).toLowerCase() === uid) return false;
	const isPrivate = receiverType === 'user' && asText(receiver).toLowerCase() === uid;
	return isPrivate || listMentioned(message).some((id) => asText(id).toLowerCase() === uid);
}

/**
 * Returns the lists that contain the watched messages: one per group or user, or one for the whole app.
 *
 * @param ids GUIDs or UIDs in lower case
 */
export function getMessageLists(watch: WatchKind, ids: string[]): MessageList[] {
	const keys = [...new Set(ids)].sort();
	if (watch === 'groups') {
		return keys.map((key) => ({
			key,
			request: { method: 'GET', path: expandPath('/groups/{key}/messages', { key }) },
			isHeard: () => true,
		}));
	}
	const request: RestRequest = { method: 'GET', path: '/messages' };
	if (watch === 'app') return [{ key: '', request, isHeard: () => true }];
	return keys.map((key) => ({
		key,
		// The messages that the user can see
		request: { ...request, headers: { onBehalfOf: key } },
		isHeard: (message) => isForUser(message, key),
	}));
}

/** True if CometChat itself created the message, or if the message was deleted. */
const isExcluded = (message: IDataObject): boolean =>
	listedMessageEntity.isExcluded?.(message, {}) ?? false;

/** Result of reading message lists. */
export interface FoundMessages {
	/** The messages that start the workflow, each once */
	messages: Map<string, IDataObject>;
	times: ListTimes[];
	/** CometChat's time at the start of the search, in Unix seconds. Undefined if CometChat doesn't say. */
	clock?: number;
}

/**
 * Reads the watched lists, newest messages first.
 *
 * @param start first second of the search, in Unix seconds. Undefined for the first page of each list.
 * @param anchors times of older messages, by list. A page that contains such a message is the last page to read.
 */
export async function findMessages(
	{ lists, client }: { lists: MessageList[]; client: Client },
	start?: number,
	anchors: ReadonlyMap<string, number> = new Map(),
): Promise<FoundMessages> {
	const found: FoundMessages = { messages: new Map(), times: [] };
	for (const list of lists) {
		const times: number[] = [];
		const from = start === undefined ? 0 : Math.min(start, anchors.get(list.key) ?? start);
		for await (const fresh of readMessages(list, client, from, found)) {
			for (const message of fresh) {
				times.push(readTime(message, 'sentAt'));
				if (!isExcluded(message) && list.isHeard(message)) {
					found.messages.set(asText(message.id), message);
				}
			}
			if (start === undefined || times.some((time) => time < start)) break;
		}
		found.times.push([list.key, times]);
	}
	return found;
}

async function* readMessages(
	{ request }: MessageList,
	client: Client,
	from: number,
	found: FoundMessages,
): AsyncGenerator<IDataObject[]> {
	// Open question 13: CometChat may exclude the exact second
	const query = from > 1 ? { fromTimestamp: from - 1 } : {};
	const read = pageReader('messages');
	const list: PagedList = {
		entity: listedMessageEntity,
		by: 'id',
		perPage: MAX_PER_PAGE,
		advice: 'Poll more often, or watch fewer groups or users.',
		fetchPage: async (paging) =>
			await client.send({ ...request, query: { ...query, ...paging } }, (response) => {
				const seconds = Math.floor(Date.parse(asText(response.headers.date)) / 1000);
				if (seconds > 0) found.clock ??= seconds;
				return read(response);
			}),
	};
	for await (const { fresh } of readPages(list)) yield fresh;
}

/** Chooses each list's newest message before `start`, so that the next poll knows where to stop reading. */
export function chooseAnchors(
	times: ListTimes[],
	anchors: ReadonlyMap<string, number>,
	start: number,
): Array<[key: string, at: number]> {
	return times.flatMap(([key, all]) => {
		const older = all.filter((time) => time < start);
		const known = anchors.get(key);
		if (older.length === 0) return known === undefined ? [] : [[key, known]];
		return [[key, older.reduce((latest, time) => Math.max(latest, time))]];
	});
}
