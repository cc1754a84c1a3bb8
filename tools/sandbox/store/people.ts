import { sampleBlocks, sampleFriends, sampleUsers, type SampleUser } from '../data/sample';
import { compact, type User } from '../types';
import { NotFound } from './errors';

/**
 * User who acts in requests without `onBehalfOf`. The system user can't be a group member, and requests can't
 * act on this user's behalf.
 */
export const SYSTEM_USER: User = {
	uid: 'app_system',
	name: 'System',
	status: 'available',
	role: 'default',
};

export type NewUser = Pick<User, 'uid' | 'name'> & Partial<User>;
export type UserChange = Partial<Omit<User, 'uid'>>;

/** Stores users, their friends, their auth tokens, and which users they have blocked. */
export class People {
	private readonly byUid = new Map(sampleUsers().map((user) => [user.uid, user]));
	private readonly blocks = new Map(sampleBlocks());
	private readonly friends = new Map(sampleFriends());
	private readonly tokens = new Map<string, string[]>();
	private tokensMade = 0;

	/** @param now the service's clock, in Unix seconds */
	constructor(private readonly now: () => number) {}

	/** Returns all active users. */
	all(): User[] {
		return this.listed().filter(isActive).map(publicUser);
	}

	/** Returns all deactivated users. */
	deactivated(): User[] {
		return this.listed()
			.filter((user) => !isActive(user))
			.map(publicUser);
	}

	has(uid: string): boolean {
		const user = this.byUid.get(uid);
		return user !== undefined && isActive(user);
	}

	/**
	 * Returns a user as the service shows them, including deactivated and deleted users, because groups and
	 * messages can refer to them.
	 *
	 * @throws {NotFound} if the user never existed
	 */
	user(uid: string): User {
		if (uid === SYSTEM_USER.uid) return { ...SYSTEM_USER };
		return publicUser(this.known(uid));
	}

	/** Adds a user. By default, the user is offline and has the role `default`. */
	create(user: NewUser): User {
		const createdAt = this.now();
		this.byUid.set(user.uid, { status: 'offline', role: 'default', ...user, createdAt });
		return this.user(user.uid);
	}

	/**
	 * Changes a user and updates the time of the last change.
	 *
	 * @param change new values by field. Fields set to undefined are removed
	 * @throws {NotFound} if the user never existed
	 */
	update(uid: string, change: UserChange): User {
		Object.assign(this.known(uid), change, { updatedAt: this.now() });
		return this.user(uid);
	}

	/**
	 * Deletes a user. The user's messages and group memberships remain.
	 *
	 * @throws {NotFound} if the user never existed
	 */
	delete(uid: string): void {
		this.known(uid).deleted = true;
	}

	/** @throws {NotFound} if the user never existed */
	deactivate(uid: string, deactivated = true): void {
		const user = this.known(uid);
		user.deactivated = deactivated;
		user.deactivatedAt = deactivated ? (user.deactivatedAt ?? this.now()) : undefined;
	}

	isDeactivated(uid: string): boolean {
		return this.deactivated().some((user) => user.uid === uid);
	}

	createToken(uid: string) {
		const createdAt = this.now();
		const digits = (++this.tokensMade).toString(16).padStart(30, '0');
		const authToken = `${uid}_${createdAt}${digits}`;
		this.tokens.set(uid, [...this.tokensOf(uid), authToken]);
		return { uid, authToken, createdAt };
	}

	/** Returns a user's auth tokens, oldest first. */
	tokensOf(uid: string): string[] {
		return this.tokens.get(uid) ?? [];
	}

	deleteTokens(uid: string): void {
		this.tokens.delete(uid);
	}

	/** @throws {NotFound} if one of the users never existed */
	befriend(uid: string, other: string): void {
		for (const person of [uid, other]) this.user(person);
		const now = this.now();
		this.friends.set(uid, new Map(this.friends.get(uid)).set(other, now));
		this.friends.set(other, new Map(this.friends.get(other)).set(uid, now));
	}

	unfriend(uid: string, other: string): void {
		this.friends.get(uid)?.delete(other);
		this.friends.get(other)?.delete(uid);
	}

	/** Returns a user's active friends, oldest friendship first. */
	friendsOf(uid: string): User[] {
		const uids = [...(this.friends.get(uid)?.keys() ?? [])];
		return uids.filter((friend) => this.has(friend)).map((friend) => this.user(friend));
	}

	areFriends(uid: string, other: string): boolean {
		return this.friends.get(uid)?.has(other) ?? false;
	}

	/** @throws {NotFound} if the user never existed */
	block(uid: string, blocked: string): void {
		for (const person of [uid, blocked]) this.user(person);
		this.blocks.set(uid, new Map(this.blocks.get(uid)).set(blocked, this.now()));
	}

	unblock(uid: string, blocked: string): void {
		this.blocks.get(uid)?.delete(blocked);
	}

	/** Returns the UIDs of blocked users and the time when each user was blocked, oldest first. */
	blockedBy(uid: string): Array<{ uid: string; at: number }> {
		return [...(this.blocks.get(uid) ?? [])].map(([blocked, at]) => ({ uid: blocked, at }));
	}

	hasBlocked(uid: string, other: string): boolean {
		return this.blocks.get(uid)?.has(other) ?? false;
	}

	private listed(): SampleUser[] {
		return [...this.byUid.values()].filter((user) => !user.deleted);
	}

	private known(uid: string): SampleUser {
		const user = this.byUid.get(uid);
		if (!user) throw new NotFound(`There is no user ${uid}`);
		return user;
	}
}

function isActive({ deactivated, deleted }: SampleUser): boolean {
	return !deactivated && !deleted;
}

function publicUser(person: SampleUser): User {
	const user = compact({ ...person });
	delete user.deactivated;
	delete user.deleted;
	return user;
}
