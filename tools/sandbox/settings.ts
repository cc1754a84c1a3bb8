import { z } from 'zod/v4';
import { parseAs } from './parse';

const no = z.boolean().default(false);
const yes = z.boolean().default(true);

/** Behavior that the service's documents leave open. */
const SETTINGS = z.strictObject({
	/** Groups changed in exactly the second of the `updatedAt` filter: excluded or included. */
	boundary: z.enum(['exclusive', 'inclusive']).default('exclusive'),
	/** Seconds that the service's clock is ahead. */
	clockSkew: z.number().default(0),
	/** Presence of the `Date` header. */
	dateShown: z.enum(['right', 'missing']).default('right'),
	/** Meaning of `total_pages`: the number of pages, or the next page (the current one on the last page). */
	totalPages: z.enum(['count', 'next']).default('count'),
	/** Place of the cursor: inside `meta` or beside it. */
	cursorPlace: z.enum(['meta', 'beside']).default('meta'),
	/** True if groups have no `updatedAt`. */
	hideUpdatedAt: no,
	/** True if the `updatedAt` filter excludes groups that were never changed. */
	updatedAtOnlyAfterChange: no,
	/** Maximum groups, members or users per page, even if `perPage` is higher. 0 means no maximum. */
	maxPerPage: z.int().min(0).default(0),
	/** Value of `per_page`: the page size, none, or the requested size. */
	perPageShown: z.enum(['right', 'missing', 'asked']).default('right'),
	/** Value of `total_pages`: the number of pages, none, or the number of pages of the requested size. */
	totalPagesShown: z.enum(['right', 'missing', 'asked']).default('right'),
	totalShown: z.enum(['right', 'missing']).default('right'),
	/** Order of the messages on a page, by ID. */
	messageOrder: z.enum(['ascending', 'descending']).default('ascending'),
	/** Message of the query parameter `id` in a page of messages: excluded or included. */
	idBoundary: z.enum(['exclusive', 'inclusive']).default('exclusive'),
	/** Presence of `meta.next`: if more messages or reactions follow, always, or never. */
	nextShown: z.enum(['more', 'always', 'never']).default('more'),
	/** Type of message IDs and reaction IDs. */
	messageIds: z.enum(['text', 'number']).default('text'),
	/** Direction of a list of messages without `affix`: from the newest back, or from the oldest on. */
	withoutAffix: z.enum(['prepend', 'append']).default('prepend'),
	/** Maximum messages per page, even if `limit` is higher. 0 means no maximum. */
	maxMessagesPerPage: z.int().min(0).default(0),
	/** Paging of threads: by page number, or by the cursor in `meta.next`. */
	threadPages: z.enum(['number', 'cursor']).default('number'),
	/** True if lists of messages include the action messages about edits and deletions. */
	listActions: yes,
	/** True if Get Message and lists of messages include reactions. */
	reactionsInMessages: no,
	/** Content of `meta` in lists of messages: `next`, or `pagination` and `cursor`. */
	messagesMeta: z.enum(['next', 'cursor']).default('next'),
	/** Response to removing an absent reaction: an error, or the unchanged message. */
	absentReaction: z.enum(['refuse', 'accept']).default('refuse'),
	/** Content of the events of an edit or deletion: the action message about it, or the message itself. */
	changeEvents: z.enum(['note', 'message']).default('note'),
	/** True if an edit also fires three `message_sent` events for the action message, and a deletion fires one. */
	changesSent: no,
	/** Status if a UID, GUID or muid is already in use. */
	takenStatus: z.union([z.literal(400), z.literal(409)]).default(400),
	/** Seconds during which a new message is refused to users with ERR_MESSAGE_NO_ACCESS. */
	accessDelay: z.number().min(0).default(0),
	/** Reactions per page. */
	reactionsPerPage: z.int().min(1).default(100),
	/** Response to a ban or unban: an action message, or `success` and `message`. */
	banResponse: z.enum(['action', 'success']).default('action'),
	/** True if List Members includes banned users. */
	bannedInMembers: no,
	/** Add Members: value of the scopes that the request doesn't contain. */
	emptyLists: z.enum(['missing', 'null']).default('missing'),
	/** Maximum members per group. 0 means no maximum. */
	maxMembers: z.int().min(0).default(0),
	/** Response to a permanent deletion: an action message, or `success` and `message`. */
	permanentResponse: z.enum(['action', 'success']).default('action'),
	/** True if a deletion without `permanent` is permanent. */
	permanentDefault: no,
	/** Effect of a group's new metadata: replaces the old metadata, or is merged into it. */
	groupMetadata: z.enum(['replace', 'merge']).default('replace'),
	/** Response to a decision about a flagged message: in `data`, at the top level, or an empty `data`. */
	reviewResponse: z.enum(['data', 'top', 'empty']).default('data'),
	/** Cursor to the next page of a moderation queue. */
	queuePages: z.enum(['none', 'cursor']).default('none'),
	/** True if the app's plan includes moderation. */
	moderationInPlan: yes,
	/** Response to a second message with the same sender and `muid`. */
	repeatedMuid: z.enum(['accept', 'refuse']).default('accept'),
});

export type Settings = z.infer<typeof SETTINGS>;

/** @throws {TypeError} if a setting doesn't exist or can't have its value */
export function parseSettings(value: unknown): Settings {
	return parseAs(SETTINGS, value, 'Settings');
}

/**
 * Settings among the options of a sandbox, with defaults for missing settings.
 *
 * @throws {TypeError} if a setting can't have its value
 */
export function initialSettings(options: object): Settings {
	const settings = Object.entries(options).filter(([name]) => name in SETTINGS.shape);
	return parseSettings(Object.fromEntries(settings));
}
