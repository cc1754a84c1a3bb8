/**
 * Columns of Simplified, in the order of the docs, as `name` or `name=path` in CometChat's response. `@` marks
 * times, and `#` marks IDs, which can be numbers.
 */
const MESSAGE =
	'#id @sentAt senderName=data.entities.sender.entity.name text=data.text sender type';
const TARGET = 'receiver receiverType conversationId';
const IN_QUEUE = `${MESSAGE} attachments=data.attachments`;
const QUEUE_END = `#parentId receiver receiverName=data.entities.receiver.entity.name receiverType conversationId`;

/** Moves message columns of a queue into the entry's message. */
const inMessage = (columns: string) =>
	columns.replace(
		/([@#]?)(\w+)(=?)([\w.]*)/g,
		(_, mark: string, name: string, __, path: string) => {
			return `${mark}${name}=message.${path || name}`;
		},
	);

const queue = (columns: string) => `${inMessage(IN_QUEUE)} ${columns} ${inMessage(QUEUE_END)}`;

export const COLUMNS = {
	groups: `guid name description type membersCount owner icon conversationId tags hasJoined scope
		@joinedAt @createdAt`,
	members: 'guid uid name scope @joinedAt status role avatar @lastActiveAt',
	banned: 'guid uid name @bannedAt status role avatar @lastActiveAt',
	users: `uid name email phone role tags status statusMessage avatar link @createdAt @lastActiveAt
		@deactivatedAt`,
	blockedUsers: 'userId uid name status role avatar @blockedAt conversationId',
	messages: `${MESSAGE} #parentId category attachments=data.attachments reactions=data.reactions tags
		@deletedAt action=data.action uid=affected.uid name=affected.name ${TARGET}`,
	reactions: '#messageId reaction name=reactedBy.name uid @reactedAt',
	flagged: queue(`reason=report.reasonName remark=report.remark @reportedAt=report.flaggedAt
		reportedBy=report.uid reportedByName=report.name reportCount=flaggedCount`),
	blocked: queue('ruleName reason=condition.message actions=action @blockedAt=createdAt'),
	// Only Selected Fields returns blockedAt here
	reviewed: queue(`decision=verdict @decidedAt=updatedAt ruleName reason=condition.message
		actions=action @blockedAt`),
};

/** Reads the field at a path such as `data.attachments.0.url`. */
export const getPath = (row: unknown, path: string): unknown =>
	path.split('.').reduce<unknown>((inner, key) => {
		return Object.hasOwn(Object(inner), key) ? Object(inner)[key] : undefined;
	}, row);

/** Creates functions that read the columns, by name. */
export const readersOf = (columns: string): Map<string, (row: object) => unknown> =>
	new Map(
		columns.split(/\s+/).map((column) => {
			const [, mark, name, path = name] = /^([@#]?)(\w+)(?:=(.+))?$/.exec(column) ?? [];
			return [
				name,
				(row) => {
					const value = getPath(row, path) ?? null;
					if (value === null || mark === '') return value;
					if (mark === '#') return String(value);
					return new Date(Math.floor(Number(value)) * 1000).toISOString().replace('.000', '');
				},
			];
		}),
	);
