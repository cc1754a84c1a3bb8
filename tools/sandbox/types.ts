/** Shapes of the service's responses, named as the contract names them. Timestamps are Unix seconds. */

export type GroupType = 'public' | 'private' | 'protected' | 'password';
export type Scope = 'admin' | 'moderator' | 'participant';
export type Affix = 'append' | 'prepend';
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Group {
	guid: string;
	name: string;
	description?: string;
	icon?: string;
	type: GroupType;
	scope?: Scope;
	membersCount: number;
	joinedAt?: number;
	conversationId: string;
	hasJoined?: boolean;
	metadata?: JsonObject;
	createdAt: number;
	updatedAt?: number;
	updatedBy?: string;
	owner: string;
	tags?: string[];
}

export interface Pagination {
	total: number;
	count: number;
	per_page: number;
	current_page: number;
	total_pages: number;
}

export interface Cursor {
	updatedAt: number;
	affix: Affix;
}

export interface User {
	uid: string;
	name: string;
	avatar?: string;
	link?: string;
	status: string;
	statusMessage?: string;
	role: string;
	metadata?: JsonObject;
	tags?: string[];
	createdAt?: number;
	updatedAt?: number;
	conversationId?: string;
}

export interface AuthToken {
	uid: string;
	authToken: string;
	createdAt: number;
}

export interface GroupMember extends User {
	scope: Scope;
	joinedAt: number;
}

export interface Entity {
	entity: User | Pick<Group, 'guid' | 'name' | 'type' | 'icon' | 'owner' | 'conversationId'>;
	entityType: 'user' | 'group';
}

export interface Reaction {
	reaction: string;
	count: number;
	reactedByMe?: true;
}

/** One reaction of one user. */
export interface UserReaction {
	id: MessageId;
	messageId: MessageId;
	reaction: string;
	uid: string;
	reactedAt: number;
	reactedBy: User;
}

export type MessageId = string | number;

export interface Attachment {
	url: string;
	name?: string;
	mimeType?: string;
	extension?: string;
	/** Bytes. */
	size?: string;
}

interface MessageFrame {
	id: MessageId;
	muid?: string;
	conversationId: string;
	sender: string;
	receiverType: 'user' | 'group';
	receiver: string;
	category: string;
	type: string;
	sentAt: number;
	updatedAt: number;
}

export interface Message extends MessageFrame {
	parentId?: MessageId;
	data: {
		text?: string;
		metadata?: JsonObject;
		attachments?: Attachment[];
		customData?: JsonObject;
		mentions?: Record<string, User>;
		entities: { sender: Entity; receiver: Entity };
		reactions?: Reaction[];
		moderation?: { status: string; rule?: { id: string; name: string } };
	};
	tags?: string[];
	editedAt?: number;
	editedBy?: string;
	deletedAt?: number;
	deletedBy?: string;
}

/** The service's note that a message was edited or deleted. The message itself is at `data.entities.on.entity`. */
export interface ActionMessage extends MessageFrame {
	data: {
		action: MessageAction;
		entities: {
			by: Entity;
			for: Entity;
			on: { entity: Message; entityType: 'message' };
		};
	};
}

export type MessageAction = 'edited' | 'deleted';

/** Where a list of messages or reactions goes on. */
export interface IdCursor {
	affix: Affix;
	id: MessageId;
	sentAt?: number;
}

/** Why users can report a message. */
export interface Reason {
	id: string;
	name: string;
	description: string;
	createdAt: number;
	updatedAt: number;
	default: boolean;
}

/** A report of a user; of the system, where a rule flagged the message. */
export interface Report {
	uid: string;
	reasonId: string;
	remark?: string;
	flaggedAt: number;
}

/** What a failed request is answered with. */
export interface Failure {
	error: {
		code: string;
		message: string;
		devMessage?: string;
		source?: string;
		details?: Record<string, string[]>;
	};
}
