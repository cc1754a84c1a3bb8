/** Data types used throughout the sandbox. Timestamps are in Unix seconds. */

export type GroupType = 'public' | 'private' | 'protected' | 'password';
export type Scope = 'admin' | 'moderator' | 'participant';
export type Affix = 'append' | 'prepend';
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a copy without the properties whose value is undefined. */
export const compact = <Part extends object>(part: Part): Part =>
	Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;

export interface User {
	uid: string;
	name: string;
	avatar?: string;
	link?: string;
	status: string;
	statusMessage?: string;
	role: string;
	/** An object, except for some old entities */
	metadata?: unknown;
	tags?: string[];
	createdAt?: number;
	updatedAt?: number;
	/** Only for deactivated users */
	deactivatedAt?: number;
}

/** A user's report about a message. If a rule flagged the message, the system user is the reporter. */
export interface Report {
	uid: string;
	reasonId: string;
	remark?: string;
	flaggedAt: number;
}
