import type { IDataObject } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../helpers/limits';
import { streamAllPages, type PageWithNewItems } from '../calls/pages';
import { listedMessageEntity } from '../resources/message/entity';
import type { Client } from '../transport/client';
import { expandPath } from '../transport/path';
import { createEntityReader, createPageBodyReader } from '../transport/response';
import type { RestResponse } from '../transport/restTypes';
import type { ConversationAndQuestion, MemoryParameters } from './conversation';
import {
	isBeforeQuestion,
	mayBePartOfMemory,
	isStartOverMessage,
	isThreadStart,
	isTooOld,
} from './messageFilters';

/** Messages that the agent may know, oldest first. */
export interface MessagesForMemory {
	messages: IDataObject[];
	/** True if a thread has too many replies to read all of them, so that the latest replies are missing */
	isEndMissing?: boolean;
}

/** Maximum number of pages to read from a group or a private chat. Later pages can have 1,000 messages each. */
const MAX_PAGES = 4;

/**
 * Maximum number of pages to read from a thread. CometChat lists replies oldest first, so the latest replies are
 * on the last page (open question 47).
 */
const MAX_THREAD_PAGES = 20;

/**
 * Page size that CometChat is sure to allow. A page with fewer messages must be the last one, so reading stops without
 * another request (open question 2).
 */
const MIN_FULL_PAGE = 100;

const isLastPage = ({ page }: PageWithNewItems, requested: number): boolean =>
	page.data.length < Math.min(requested, MIN_FULL_PAGE);

/** Creates a function that sends a GET request on behalf of the bot, with the conversation's IDs in the path. */
const createGet =
	(client: Client, conversation: ConversationAndQuestion) =>
	async <T>(path: string, read: (response: RestResponse) => T, query: IDataObject = {}) =>
		await client.sendAndRead(
			{
				method: 'GET',
				path: expandPath(path, { ...conversation }),
				headers: { onBehalfOf: conversation.bot },
				query,
			},
			read,
		);

/** Reads pages of a group or a private chat, from the newest to the oldest, until the memory has enough messages. */
async function readTimeline(
	client: Client,
	parameters: MemoryParameters,
): Promise<MessagesForMemory> {
	const { conversation, limits } = parameters;
	const { groupId, questionId } = conversation;
	const get = createGet(client, conversation);
	const path = groupId === undefined ? '/users/{userId}/messages' : '/groups/{groupId}/messages';
	const start = questionId === undefined ? {} : { id: questionId };
	// In a group, replies belong to their threads, not to the group's own conversation
	const scope = groupId === undefined ? {} : { hideReplies: true };
	// Requests extra messages, because some aren't part of the memory, e.g. "Mira joined"
	const perPage = Math.min(2 * limits.messages + 10, MAX_PER_PAGE);
	const pages = streamAllPages({
		...{ entity: listedMessageEntity, pagedBy: 'id', order: 'newestFirst', advice: '' },
		...{ perPage, perPageAfterExclusions: MAX_PER_PAGE },
		isExcluded: (message) => !mayBePartOfMemory(message, parameters),
		fetchPage: async (query) =>
			await get(path, createPageBodyReader('messages'), { ...start, ...query, ...scope }),
	});
	const messages: IDataObject[] = [];
	let count = 0;
	for await (const listed of pages) {
		messages.unshift(...listed.fresh.toReversed());
		const isComplete =
			messages.length >= limits.messages ||
			listed.fresh.some((message) => isStartOverMessage(message, parameters)) ||
			listed.page.data.some((message) => isTooOld(message, limits.maxAgeHours));
		if (isComplete || isLastPage(listed, perPage) || ++count === MAX_PAGES) break;
	}
	return { messages };
}

/** Reads a thread's replies, oldest first, up to the agent's question. Keeps only the latest replies. */
async function readReplies(
	client: Client,
	parameters: MemoryParameters,
): Promise<MessagesForMemory> {
	const { conversation, limits } = parameters;
	const get = createGet(client, conversation);
	const pages = streamAllPages({
		...{ entity: listedMessageEntity, pagedBy: 'pageOrCursor', advice: '' },
		perPage: MAX_PER_PAGE,
		isExcluded: (message) => !mayBePartOfMemory(message, parameters),
		fetchPage: async (query) =>
			await get('/messages/{parentId}/thread', createPageBodyReader('messages'), query),
	});
	let messages: IDataObject[] = [];
	let count = 0;
	for await (const listed of pages) {
		const { data } = listed.page;
		const end = data.findIndex((each) => !isBeforeQuestion(each, conversation));
		const before = end < 0 ? listed.fresh : listed.fresh.filter((each) => data.indexOf(each) < end);
		// Keeps one reply more than the limit, as a sign that replies are left out
		messages = [...messages, ...before].slice(-limits.messages - 1);
		if (end >= 0 || isLastPage(listed, MAX_PER_PAGE)) break;
		if (++count === MAX_THREAD_PAGES) return { messages, isEndMissing: true };
	}
	return { messages };
}

/** Reads the message that starts a thread, and the replies. */
async function readThread(
	client: Client,
	parameters: MemoryParameters,
): Promise<MessagesForMemory> {
	const { conversation } = parameters;
	const [first, replies] = await Promise.all([
		createGet(client, conversation)('/messages/{parentId}', createEntityReader('message')),
		readReplies(client, parameters),
	]);
	const isShown = isThreadStart(first, conversation) && mayBePartOfMemory(first, parameters);
	return { ...replies, messages: [...(isShown ? [first] : []), ...replies.messages] };
}

/**
 * Reads the conversation on behalf of the bot, so that CometChat returns only messages that the bot may see. Assumes
 * that the bot's latest answer is already in CometChat's lists (open question 44).
 *
 * @throws the errors of `Client`
 */
export async function fetchRawMessagesForMemory(
	client: Client,
	parameters: MemoryParameters,
): Promise<MessagesForMemory> {
	const isThread = parameters.conversation.parentId !== undefined;
	return await (isThread ? readThread : readTimeline)(client, parameters);
}
