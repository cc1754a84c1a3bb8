import { sampleUsers, type SampleUser } from '../data/users';
import type { User } from '../types';
import { NotFound } from './errors';

/** Does what is done without `onBehalfOf`. It is no member of anything, and nobody can act for it. */
export const SYSTEM_USER: User = {
	uid: 'app_system',
	name: 'System',
	status: 'available',
	role: 'default',
};

/** The people who use the service, and who of them blocks whom. */
export class People {
	private readonly byUid = new Map(sampleUsers().map((user) => [user.uid, user]));
	private readonly blocks = new Map<string, Set<string>>();

	/** People who can act; a deactivated account is as unknown as one that never was. */
	all(): User[] {
		return [...this.byUid.values()].filter((user) => !user.deactivated).map(publicUser);
	}

	has(uid: string): boolean {
		const user = this.byUid.get(uid);
		return user !== undefined && !user.deactivated;
	}

	/**
	 * A person as the service shows them, deactivated ones and the system included: they have left traces.
	 *
	 * @throws {NotFound} when there never was such a user
	 */
	user(uid: string): User {
		if (uid === SYSTEM_USER.uid) return { ...SYSTEM_USER };
		const user = this.byUid.get(uid);
		if (!user) throw new NotFound(`There is no user ${uid}`);
		return publicUser(user);
	}

	block(uid: string, blocked: string): void {
		for (const person of [uid, blocked]) this.user(person);
		this.blocks.set(uid, new Set(this.blocks.get(uid)).add(blocked));
	}

	unblock(uid: string, blocked: string): void {
		this.blocks.get(uid)?.delete(blocked);
	}

	hasBlocked(uid: string, other: string): boolean {
		return this.blocks.get(uid)?.has(other) ?? false;
	}
}

function publicUser(person: SampleUser): User {
	const user = { ...person };
	delete user.deactivated;
	return user;
}
