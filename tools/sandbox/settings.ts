import type { Boundary } from './store/listing';

/**
 * How the service behaves where its document leaves that open. The first value of each is the default.
 */
export interface Settings {
	/** Whether the `updatedAt` filter lets groups of exactly that second through. */
	boundary: Boundary;
	/** Seconds that the service's clock is ahead. */
	clockSkew: number;
	/** Whether responses have a `Date` header. */
	dateShown: 'right' | 'missing';
	/** What total_pages means: the number of pages, or current_page, plus 1 while there is more. */
	totalPages: 'count' | 'next';
	/** Whether the cursor is inside `meta` or beside it. */
	cursorPlace: 'meta' | 'beside';
	/** Whether groups are shown without the time of their last change. */
	hideUpdatedAt: boolean;
	/** Whether the `updatedAt` filter leaves out groups that never changed, which have no `updatedAt`. */
	updatedAtOnlyAfterChange: boolean;
	/** Most groups, members or users on a page, whatever `perPage` asks for; 0 for no such cap. */
	maxPerPage: number;
	/** What `per_page` says: the size of the page, nothing, or the size that was asked for. */
	perPageShown: 'right' | 'missing' | 'asked';
	/** What `total_pages` says: the pages there are, nothing, or the pages there would be of the size asked for. */
	totalPagesShown: 'right' | 'missing' | 'asked';
	totalShown: 'right' | 'missing';
	/** Order of the messages on a page, by id. */
	messageOrder: 'ascending' | 'descending';
	/** Whether the message of the query parameter `id` is on the page again. */
	idBoundary: Boundary;
	/** When `meta.next` is there: while more messages or reactions follow, always, or never. */
	nextShown: 'more' | 'always' | 'never';
	/** Whether ids of messages and reactions are text or numbers. */
	messageIds: 'text' | 'number';
	/** What a list of messages does without `affix`: start with the newest, or with the oldest. */
	withoutAffix: 'prepend' | 'append';
	/** Most messages on a page, whatever `limit` asks for; 0 for no such cap. */
	maxMessagesPerPage: number;
	/** What leads from page to page of a thread: the number of the page, or the cursor in `meta.next`. */
	threadPages: 'number' | 'cursor';
	/** Whether lists of messages have the action messages about edited and deleted ones. */
	listActions: boolean;
	/** Whether messages carry their reactions in Get Message and in lists. */
	reactionsInMessages: boolean;
	/** Whether lists of messages have `meta.next`, or `meta.pagination` and `meta.cursor`. */
	messagesMeta: 'next' | 'cursor';
	/** What is answered to who removes a reaction that they have not made: a refusal, or the message as it is. */
	absentReaction: 'refuse' | 'accept';
	/** What the events of an edit and a deletion hold: the note about it, or the message itself. */
	changeEvents: 'note' | 'message';
	/** Whether an edit and a deletion fire `message_sent` besides: three times and once, for messages of the category action. */
	changesSent: boolean;
	/** The status for what is taken: a GUID or a muid. */
	takenStatus: 400 | 409;
	/** Seconds for which a message just sent is refused to users with ERR_MESSAGE_NO_ACCESS. */
	accessDelay: number;
	/** Reactions on a page. */
	reactionsPerPage: number;
	/** What banning and unbanning are answered with: an action message, or success and a message. */
	banResponse: 'action' | 'success';
	/** Whether who is banned stays in the list of members. */
	bannedInMembers: boolean;
	/** What stands for the lists that Add Members was not given. */
	emptyLists: 'missing' | 'null';
	/** Most members of a group; 0 for no limit. */
	maxMembers: number;
	/** What a permanent deletion is answered with: an action message, or success and a message. */
	permanentResponse: 'action' | 'success';
	/** Whether a deletion that does not say is permanent. */
	permanentDefault: boolean;
	/** Whether new metadata of a group replaces the old or is merged into it. */
	groupMetadata: 'replace' | 'merge';
	/** Where a decision about a flagged message is answered: in `data`, at the top, or by `data` that is empty. */
	reviewResponse: 'data' | 'top' | 'empty';
	/** Whether the queues of moderation show where they go on. */
	queuePages: 'none' | 'cursor';
	/** Whether the app's plan includes moderation. */
	moderationInPlan: boolean;
	/** Whether a message whose `muid` its sender has used before is accepted. */
	repeatedMuid: 'accept' | 'refuse';
}

interface Rule<Value> {
	initial: Value;
	accepts(value: unknown): boolean;
}

function oneOf<Value extends string | number>(initial: Value, ...others: Value[]): Rule<Value> {
	const values: unknown[] = [initial, ...others];
	return { initial, accepts: (value) => values.includes(value) };
}

const off: Rule<boolean> = { initial: false, accepts: (value) => typeof value === 'boolean' };
const on: Rule<boolean> = { ...off, initial: true };

function wholeNumber(initial: number, least = 0): Rule<number> {
	return { initial, accepts: (value) => Number.isInteger(value) && Number(value) >= least };
}

const RULES: { [Name in keyof Settings]: Rule<Settings[Name]> } = {
	boundary: oneOf('exclusive', 'inclusive'),
	clockSkew: { initial: 0, accepts: (value) => Number.isFinite(value) },
	dateShown: oneOf('right', 'missing'),
	totalPages: oneOf('count', 'next'),
	cursorPlace: oneOf('meta', 'beside'),
	hideUpdatedAt: off,
	updatedAtOnlyAfterChange: off,
	maxPerPage: wholeNumber(0),
	perPageShown: oneOf('right', 'missing', 'asked'),
	totalPagesShown: oneOf('right', 'missing', 'asked'),
	totalShown: oneOf('right', 'missing'),
	messageOrder: oneOf('ascending', 'descending'),
	idBoundary: oneOf('exclusive', 'inclusive'),
	nextShown: oneOf('more', 'always', 'never'),
	messageIds: oneOf('text', 'number'),
	withoutAffix: oneOf('prepend', 'append'),
	maxMessagesPerPage: wholeNumber(0),
	threadPages: oneOf('number', 'cursor'),
	listActions: on,
	reactionsInMessages: off,
	messagesMeta: oneOf('next', 'cursor'),
	absentReaction: oneOf('refuse', 'accept'),
	changeEvents: oneOf('note', 'message'),
	changesSent: off,
	takenStatus: oneOf(400, 409),
	accessDelay: { initial: 0, accepts: (value) => Number.isFinite(value) && Number(value) >= 0 },
	reactionsPerPage: wholeNumber(100, 1),
	banResponse: oneOf('action', 'success'),
	bannedInMembers: off,
	emptyLists: oneOf('missing', 'null'),
	maxMembers: wholeNumber(0),
	permanentResponse: oneOf('action', 'success'),
	permanentDefault: off,
	groupMetadata: oneOf('replace', 'merge'),
	reviewResponse: oneOf('data', 'top', 'empty'),
	queuePages: oneOf('none', 'cursor'),
	moderationInPlan: on,
	repeatedMuid: oneOf('accept', 'refuse'),
};

const NAMES = Object.keys(RULES);

function isSettingName(name: string): name is keyof Settings {
	return NAMES.includes(name);
}

function isSettings(value: unknown): value is Partial<Settings> {
	for (const [name, setting] of Object.entries(value ?? {})) {
		if (!isSettingName(name) || !RULES[name].accepts(setting)) {
			throw new TypeError(`The setting "${name}" cannot be ${String(setting)}`);
		}
	}
	return true;
}

/**
 * Reads settings that came as JSON.
 *
 * @throws {TypeError} when a setting does not exist, or cannot have that value
 */
export function parseSettings(value: unknown): Partial<Settings> {
	return isSettings(value) ? value : {};
}

/**
 * The settings among the options of a sandbox, the others with their defaults.
 *
 * @throws {TypeError} when a setting cannot have that value
 */
export function initialSettings(options: object): Settings {
	const given = Object.entries(options).filter(
		([name, value]) => isSettingName(name) && value !== undefined,
	);
	const defaults = Object.fromEntries(
		Object.entries(RULES).map(([name, { initial }]) => [name, initial]),
	) as unknown as Settings;
	return { ...defaults, ...parseSettings(Object.fromEntries(given)) };
}
