import { z } from 'zod/v4';
import { parseAs } from './parse';

const no = z.boolean().default(false);
const yes = z.boolean().default(true);

/** Behavior that the service's documentation doesn't specify. */
export const SETTINGS = z.strictObject({
	/** True if the `updatedAt` filter includes groups that changed exactly at the given second. */
	boundary: z.enum(['exclusive', 'inclusive']).default('exclusive'),
	/** Number of seconds by which the service's clock is ahead. */
	clockSkew: z.number().default(0),
	/** Determines if responses contain a `Date` header. */
	dateShown: z.enum(['right', 'missing']).default('right'),
	/**
	 * Meaning of `total_pages`, either the number of pages or the next page's number. On the last page, `next`
	 * repeats the current page's number.
	 */
	totalPages: z.enum(['count', 'next']).default('count'),
	/** Order of users, groups, and members without a sort. `newestFirst` starts with a group's owner. */
	listOrder: z.enum(['newestFirst', 'oldestFirst']).default('newestFirst'),
	/** Position of the cursor in lists of groups, either inside `meta` or next to `meta`. */
	cursorPlace: z.enum(['meta', 'beside']).default('meta'),
	/** Data type of an attachment's `size`. */
	attachmentSize: z.enum(['number', 'text']).default('number'),
	/**
	 * Access to the files of messages. `token` and `tokenRedirect` refuse requests without the header `apikey`,
	 * and respond to others with a signed address, in JSON or as a redirect.
	 */
	mediaAccess: z.enum(['signed', 'plain', 'token', 'tokenRedirect']).default('signed'),
	/** Number of seconds after which a signed address of a file expires. */
	mediaLifetime: z.int().default(86_400),
	/** True to omit `updatedAt` from groups. */
	hideUpdatedAt: no,
	/** True if the `updatedAt` filter excludes groups that were never changed. */
	updatedAtOnlyAfterChange: no,
	/** Maximum groups, members, or users per page, even if `perPage` is higher. 0 means no maximum. */
	maxPerPage: z.int().min(0).default(0),
	/** Value of `per_page`. `right` is the actual page size, and `asked` is the requested page size. */
	perPageShown: z.enum(['right', 'missing', 'asked']).default('right'),
	/**
	 * Value of `total_pages`, calculated from the actual page size (`right`) or the requested page size
	 * (`asked`).
	 */
	totalPagesShown: z.enum(['right', 'missing', 'asked']).default('right'),
	totalShown: z.enum(['right', 'missing']).default('right'),
	/** Sort order of messages on a page, by ID. */
	messageOrder: z.enum(['ascending', 'descending']).default('ascending'),
	/** Determines if a page includes the message whose ID is in the query parameter `id`. */
	idBoundary: z.enum(['exclusive', 'inclusive']).default('exclusive'),
	/** Condition for sending `meta.next`. `more` sends `meta.next` only if more messages or reactions follow. */
	nextShown: z.enum(['more', 'always', 'never']).default('more'),
	/** Determines if lists of messages and reactions contain `meta.current.limit`. */
	limitShown: z.enum(['right', 'missing']).default('right'),
	/** Value of `data` in an empty list. PHP can write an empty list as `null` or `{}`. */
	emptyPage: z.enum(['list', 'null', 'object']).default('list'),
	/** Data type of message IDs and reaction IDs. */
	messageIds: z.enum(['text', 'number']).default('text'),
	/**
	 * Default direction of message lists if a request has no `affix`. `prepend` starts with the newest message,
	 * `append` with the oldest.
	 */
	withoutAffix: z.enum(['prepend', 'append']).default('prepend'),
	/** Maximum messages per page, even if `limit` is higher. 0 means no maximum. */
	maxMessagesPerPage: z.int().min(0).default(0),
	/** Paging method for threads, either page numbers or the cursor in `meta.next`. */
	threadPages: z.enum(['number', 'cursor']).default('number'),
	/** True if message lists include action messages about edits and deletions. */
	listActions: yes,
	/** True if Get Message and message lists include reactions. */
	reactionsInMessages: no,
	/** Content of `meta` in message lists, either `next` or both `pagination` and `cursor`. */
	messagesMeta: z.enum(['next', 'cursor']).default('next'),
	/** Determines if lists of reactions read `limit`, `affix` and `id`, or always return the first page. */
	reactionPages: z.enum(['cursor', 'single']).default('cursor'),
	/** Response to removing a reaction that doesn't exist, either an error or the unchanged message. */
	absentReaction: z.enum(['refuse', 'accept']).default('refuse'),
	/**
	 * Message in edit and deletion events, either the action message (`note`) or the changed message
	 * (`message`).
	 */
	changeEvents: z.enum(['note', 'message']).default('note'),
	/** True to send `message_sent` events for action messages, three for an edit and one for a deletion. */
	changesSent: no,
	/** HTTP status of the error if a UID, GUID, or `muid` is already in use. */
	takenStatus: z.union([z.literal(400), z.literal(409)]).default(400),
	/** Error if a user's new role doesn't exist, either ERR_BAD_REQUEST or ERR_ROLE_NOT_FOUND. */
	unknownRole: z.enum(['badRequest', 'notFound']).default('badRequest'),
	/** Groups whose messages reach a bot, either only those that the bot has joined or all. */
	botGroups: z.enum(['joined', 'all']).default('joined'),
	/** True to relay a bot's own messages to the bot. */
	botOwnMessages: no,
	/** True to relay the messages of bots to other bots. */
	botsHearBots: yes,
	/** True to retry relays to bots, as for webhooks with `retries`. */
	botRetries: no,
	/** Content of `bot` in a relayed message. */
	botField: z.enum(['uid', 'object', 'missing']).default('uid'),
	/** Response to a message with files in a form, either the message or an error. */
	uploads: z.enum(['accept', 'refuse']).default('accept'),
	/** Response to a media message with `data.url` instead of attachments, either an error or the message. */
	mediaUrl: z.enum(['refuse', 'keep']).default('refuse'),
	/** Content of a message that quotes another one, either the quoted message and its ID or only the ID. */
	quotedMessages: z.enum(['whole', 'id']).default('whole'),
	/**
	 * Number of seconds during which moderation of a new message is pending, and users get ERR_MESSAGE_NO_ACCESS for
	 * the message.
	 */
	accessDelay: z.number().min(0).default(0),
	/** Number of reactions per page, unless the request has a `limit`. */
	reactionsPerPage: z.int().min(1).default(100),
	/** Response to a ban or unban, either an action message or `success` and `message`. */
	banResponse: z.enum(['action', 'success']).default('action'),
	/** Fields of banned members besides the user's own, either none or `isBanned` and `bannedAt`. */
	bannedFields: z.enum(['none', 'ban']).default('none'),
	/** True if List Members includes banned users. */
	bannedInMembers: no,
	/** Value in the Add Members response for scopes that the request doesn't contain. */
	emptyLists: z.enum(['missing', 'null']).default('missing'),
	/**
	 * Position of private metadata in Get Many Users and Update User, either in `@private` or at the top level of
	 * `metadata`.
	 */
	privateMetadata: z.enum(['private', 'top']).default('private'),
	/** Maximum members per group. 0 means no maximum. */
	maxMembers: z.int().min(0).default(0),
	/** Response to a permanent deletion, either an action message or `success` and `message`. */
	permanentResponse: z.enum(['action', 'success']).default('action'),
	/** True if a delete request without `permanent` deletes the message permanently. */
	permanentDefault: no,
	/** Determines if new group metadata replaces the existing metadata or is merged with it. */
	groupMetadata: z.enum(['replace', 'merge']).default('replace'),
	/**
	 * Response to new metadata of a group whose metadata is a list. The new metadata replaces the list, or is
	 * refused.
	 */
	listMetadata: z.enum(['replace', 'refuse']).default('replace'),
	/** Groups that Get Group returns on behalf of a user, either all or only the user's own. */
	groupAccess: z.enum(['all', 'members']).default('all'),
	/**
	 * Response to Remove Friends if only some of the users are friends. Refuses all users, or removes the
	 * friends.
	 */
	absentFriend: z.enum(['refuse', 'skip']).default('refuse'),
	/** Response to deleting the auth tokens of a deactivated user. */
	deactivatedTokens: z.enum(['refuse', 'delete']).default('refuse'),
	/** Response to marking a conversation as read. `empty` is a `data` without content. */
	readResponse: z.enum(['success', 'receipt', 'empty']).default('success'),
	/** Meaning of a comma in a filter of a list, either between two values or inside a value. */
	filterCommas: z.enum(['separate', 'literal']).default('separate'),
	/** Determines if moderation queues contain `meta.next`. */
	queueNext: z.enum(['never', 'always']).default('never'),
	/**
	 * Response to the review of a flagged message. The result is in `data` or at the top level, or `data` is
	 * empty.
	 */
	reviewResponse: z.enum(['data', 'top', 'empty']).default('data'),
	/** True if the app's plan includes moderation. */
	moderationInPlan: yes,
	/** Determines if replies need `receiver` and `receiverType`. */
	replyReceiver: z.enum(['optional', 'required']).default('optional'),
	/** Response to a list of messages with an unknown type, either an empty list or an error. */
	unknownTypes: z.enum(['accept', 'refuse']).default('accept'),
	/** Response to a second message with the same sender and `muid`. */
	repeatedMuid: z.enum(['accept', 'refuse']).default('accept'),
});

export type Settings = z.infer<typeof SETTINGS>;

/** @throws {TypeError} if a setting is unknown or has an invalid value */
export function parseSettings(value: unknown): Settings {
	return parseAs(SETTINGS, value, 'Settings');
}

/**
 * Returns the settings among a sandbox's options, with defaults for missing settings.
 *
 * @throws {TypeError} if a setting has an invalid value
 */
export function initialSettings(options: object): Settings {
	return parseAs(SETTINGS.strip(), options, 'Settings');
}
