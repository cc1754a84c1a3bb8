/** Types of the data that the store keeps. Timestamps are Unix seconds. */

export type GroupType = 'public' | 'private' | 'protected' | 'password';
export type Scope = 'admin' | 'moderator' | 'participant';
export type Affix = 'append' | 'prepend';
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
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
}

/** A report of a message by a user, or by the system if a rule flagged the message. */
export interface Report {
	uid: string;
	reasonId: string;
	remark?: string;
	flaggedAt: number;
}
