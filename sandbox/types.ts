/** Shapes of the service's answers, named as the contract names them. Timestamps are Unix seconds. */

export type GroupType = 'public' | 'private' | 'protected' | 'password';
export type Scope = 'admin' | 'moderator' | 'participant';
export type Affix = 'append' | 'prepend';

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
	createdAt: number;
	updatedAt?: number;
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

export interface GroupList {
	data: Group[];
	meta: { pagination: Pagination; cursor?: Cursor };
	cursor?: Cursor;
}

export interface User {
	uid: string;
	name: string;
	avatar?: string;
	status: string;
	role: string;
	createdAt?: number;
	conversationId?: string;
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

export interface Message {
	id: string;
	conversationId: string;
	sender: string;
	receiverType: 'user' | 'group';
	receiver: string;
	category: string;
	type: string;
	data: {
		text: string;
		metadata?: Record<string, unknown>;
		entities: { sender: Entity; receiver: Entity };
		reactions?: Reaction[];
	};
	sentAt: number;
	updatedAt: number;
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
