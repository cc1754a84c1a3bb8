import type { Member, StoredGroup } from '../data/sample';
import type { GroupType } from '../types';

/**
 * Generates groups from their numbers on demand, so that even a million groups don't need memory or startup
 * time.
 */

const NAMES = ['Archive', 'Circle', 'Forum', 'Guild', 'Room', 'Studio', 'Team', 'Workshop'];
const TYPES: GroupType[] = ['public', 'public', 'private', 'public', 'protected', 'password'];
const TAGS: string[][] = [['generated'], [], ['generated', 'even-more'], [], ['load']];
const FIRST_CREATED = 1_600_000_000;
const CREATED_EVERY = 97;
const CHANGED_EVERY = 5;
const DAY = 86_400;
const DIGITS = 7;
/**
 * Maximum number of generated groups. More groups would need longer numbers, which would break the sort order
 * of GUIDs.
 */
export const MAX_GENERATED = 10 ** DIGITS;

/** Returns the list's entry number `n`, and continues at the start after the end. */
function pick<T>(list: T[], n: number): T {
	const entry = list[n % list.length];
	if (entry === undefined) throw new Error('The list is empty');
	return entry;
}

/** @param uids UIDs of users who can be members */
export function generatedGroup(n: number, uids: string[]): StoredGroup {
	const padded = String(n).padStart(DIGITS, '0');
	const createdAt = FIRST_CREATED + n * CREATED_EVERY;
	const people = new Set([n, n * 3 + 1, n * 7 + 5].map((number) => pick(uids, number)));
	const members = [...people].map((uid, index): Member => ({
		uid,
		scope: index === 0 ? 'admin' : 'participant',
		joinedAt: createdAt + index,
	}));
	return {
		guid: `generated-${padded}`,
		name: `${pick(NAMES, n)} ${padded}`,
		description: `Generated group number ${n}`,
		type: pick(TYPES, n),
		owner: pick(uids, n),
		tags: [...pick(TAGS, n)],
		createdAt,
		...(n % CHANGED_EVERY === 0 ? { updatedAt: createdAt + DAY * (1 + (n % 30)) } : {}),
		members,
	};
}

/** Returns a generated group's number, or undefined if the GUID doesn't belong to a generated group. */
export function numberOf(guid: string): number | undefined {
	const digits = /^generated-(\d{7})$/.exec(guid)?.[1];
	return digits === undefined ? undefined : Number(digits);
}
