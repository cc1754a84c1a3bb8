import { sampleBlocks, sampleUsers, type SampleUser } from '../data/sample';
import type { User } from '../types';
import { NotFound } from './errors';

/** The user who acts without `onBehalfOf`. Never a member, and nobody can act on their behalf. */
export const SYSTEM_USER: User = {
	uid: 'app_system',
	name: 'System',
	status: 'available',
	role: 'default',
};

export type NewUser = Pick<User, 'uid' | 'name'> & Partial<User>;
export type UserChange = Partial<Omit<User, 'uid'>>;

/** Users and their blocks. */
export class People {
	private readonly byUid = new Map(sampleUsers().map((user) => [user.uid, user]));
	private readonly blocks = new Map(sampleBlocks());
	private tokensMade = 0;

	/** @param now clock of the service in Unix seconds */
	constructor(private readonly now: () => number) {}

	/** Active users. */
	all(): User[] {
		return this.listed().filter(isActive).map(publicUser);
	}

	/** Deactivated users. */
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
	 * A user as the service shows them. Finds deactivated and deleted users too, because groups and
	 * messages refer to them.
	 *
	 * @throws {NotFound} if the user never existed
	 */
	user(uid: string): User {
		if (uid === SYSTEM_USER.uid) return { ...SYSTEM_USER };
		return publicUser(this.known(uid));
	}

	/** Adds a user. Default: offline, with the role `default`. */
	create(user: NewUser): User {
		const createdAt = this.now();
		this.byUid.set(user.uid, { status: 'offline', role: 'default', ...user, createdAt });
		return this.user(user.uid);
	}

	/**
	 * Changes a user and the time of the last change.
	 *
	 * @param change a field that is undefined is removed
	 * @throws {NotFound} if the user never existed
	 */
	update(uid: string, change: UserChange): User {
		Object.assign(this.known(uid), change, { updatedAt: this.now() });
		return this.user(uid);
	}

	/**
	 * Removes a user, but not from groups and messages.
	 *
	 * @throws {NotFound} if the user never existed
	 */
	delete(uid: string): void {
		this.known(uid).deleted = true;
	}

	/** @throws {NotFound} if the user never existed */
	deactivate(uid: string, deactivated = true): void {
		this.known(uid).deactivated = deactivated;
	}

	isDeactivated(uid: string): boolean {
		return this.deactivated().some((user) => user.uid === uid);
	}

	createToken(uid: string) {
		const createdAt = this.now();
		const digits = (++this.tokensMade).toString(16).padStart(30, '0');
		return { uid, authToken: `${uid}_${createdAt}${digits}`, createdAt };
	}

	/** @throws {NotFound} if the user never existed */
	block(uid: string, blocked: string): void {
		for (const person of [uid, blocked]) this.user(person);
		this.blocks.set(uid, new Map(this.blocks.get(uid)).set(blocked, this.now()));
	}

	unblock(uid: string, blocked: string): void {
		this.blocks.get(uid)?.delete(blocked);
	}

	/** UIDs of blocked users, in the order of the blocks. */
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
	const user = { ...person };
	delete user.deactivated;
	delete user.deleted;
	return user;
}
