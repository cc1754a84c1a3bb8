/**
 * Columns of Simplified, in the order of the docs, as `name` or `name=path` in CometChat's response. `@` marks
 * times, and `#` marks IDs, which can be numbers.
 */
const ATTACHMENTS = 'attachments=data.attachments';
const SENDER = 'senderName=data.entities.sender.entity.name sender';
const MESSAGE = `#id @sentAt senderName=data.entities.sender.entity.name text=data.text sender type
	#parentId ${ATTACHMENTS} receiver receiverType`;

/** Moves message columns of a queue into the entry's message. */
const inMessage = (columns: string) =>
	columns.replace(
		/([@#]?)(\w+)(=?)([\w.]*)/g,
		(_, mark: string, name: string, __, path: string) => {
			return `${mark}${name}=message.${path || name}`;
		},
	);

const CONTENT = inMessage(`text=data.text ${ATTACHMENTS} ${SENDER}`);
const RULE = 'ruleName reason=condition.message';
const RECEIVER = inMessage('receiver receiverType');
const ID = inMessage('#id');

export const COLUMNS = {
	groups: `guid name description type membersCount @createdAt owner icon conversationId tags hasJoined
		scope @joinedAt`,
	members: 'guid uid name scope @joinedAt status role avatar @lastActiveAt',
	banned: 'guid uid name @bannedAt status role avatar @lastActiveAt',
	users: `uid name email phone role tags status avatar @createdAt @lastActiveAt @deactivatedAt`,
	blockedUsers: 'userId uid name status role avatar @blockedAt conversationId',
	conversations: `conversationId name=conversationWith.name unreadMessageCount=unread
		@sentAt=lastMessage.sentAt senderName=lastMessage.data.entities.sender.entity.name
		text=lastMessage.data.text sender=lastMessage.sender receiver=with receiverType=conversationType
		#messageId=lastMessage.id tags`,
	friends: 'userId uid name status role avatar @lastActiveAt',
	messages: `${MESSAGE} tags @deletedAt action=data.action uid=affected.uid name=affected.name`,
	reactions: '#messageId reaction name=reactedBy.name uid @reactedAt',
	flagged: `${ID} ${inMessage('text=data.text')} reason=report.reasonName remark=report.remark
		${inMessage('senderName=data.entities.sender.entity.name')} reportedByName=report.name
		${inMessage('receiver')} reportCount=flaggedCount @reportedAt=report.flaggedAt
		${inMessage('receiverType sender')} reportedBy=report.uid`,
	blocked: `${ID} @blockedAt=createdAt ${CONTENT} ${RULE} ${RECEIVER}`,
	reviewed: `${ID} @decidedAt=updatedAt decision=verdict ${inMessage(`text=data.text ${SENDER}`)}
		${RULE} ${RECEIVER}`,
};

/** Columns of all queues, as far as a queue has them. */
const OF_QUEUES = `${inMessage('@sentAt type #parentId conversationId')} ${inMessage(ATTACHMENTS)}
	receiverName=message.data.entities.receiver.entity.name actions=action
	${COLUMNS.flagged} ${COLUMNS.blocked}`;

const UNDECIDED = 'decision=none decidedAt=none';

const OF_USERS = '@deactivatedAt';
const OF_MESSAGES = `#quotedMessageId quotedText=quotedMessage.data.text
	quotedSender=quotedMessage.sender`;
const OF_ENTRIES = inMessage(`@deletedAt ${OF_MESSAGES}`);
const OF_ENTRIES_WITH_FILES = inMessage(`@deletedAt ${ATTACHMENTS} ${OF_MESSAGES}`);

/** Columns that Simplified has only in rows with a value for them, by the columns that all rows have. */
export const OPTIONAL_COLUMNS = new Map([
	[COLUMNS.members, `${OF_USERS} banned`],
	[COLUMNS.banned, OF_USERS],
	[COLUMNS.blockedUsers, OF_USERS],
	[COLUMNS.friends, OF_USERS],
	[COLUMNS.conversations, '@deletedAt=lastMessage.deletedAt'],
	[COLUMNS.messages, OF_MESSAGES],
	[COLUMNS.flagged, OF_ENTRIES_WITH_FILES],
	[COLUMNS.blocked, OF_ENTRIES],
	[COLUMNS.reviewed, OF_ENTRIES_WITH_FILES],
]);

const FURTHER_OF_USERS = 'statusMessage link @updatedAt';

/** Columns that only Selected Fields returns, by the columns of Simplified. */
export const FURTHER = new Map([
	[COLUMNS.groups, '@updatedAt updatedBy'],
	[COLUMNS.users, FURTHER_OF_USERS],
	[COLUMNS.blockedUsers, FURTHER_OF_USERS],
	[COLUMNS.friends, FURTHER_OF_USERS],
	[
		COLUMNS.messages,
		`category reactions=data.reactions moderationStatus=data.moderation.status conversationId
			receiverName=data.entities.receiver.entity.name muid`,
	],
	[COLUMNS.flagged, `${OF_QUEUES} ${UNDECIDED}`],
	[COLUMNS.blocked, `${OF_QUEUES} ${UNDECIDED}`],
	[COLUMNS.reviewed, OF_QUEUES],
]);

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
