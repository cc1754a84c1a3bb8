import type { Member, StoredGroup } from '../data/sample';
import type { GroupType } from '../types';

/**
 * Groups that exist only as numbers. Every field of the n-th one is a function of n, so that a million of them cost no memory
 * and no time at start.
 */

const NAMES = ['Archive', 'Circle', 'Forum', 'Guild', 'Room', 'Studio', 'Team', 'Workshop'];
const TYPES: GroupType[] = ['public', 'public', 'private', 'public', 'protected', 'password'];
const TAGS: string[][] = [['generated'], [], ['generated', 'even-more'], [], ['load']];
const FIRST_CREATED = 1_600_000_000;
const CREATED_EVERY = 97;
const CHANGED_EVERY = 5;
const DAY = 86_400;
const DIGITS = 7;
/** The most groups for which names and guids keep their order. */
const MAX_GENERATED = 10 ** DIGITS;

const padded = (n: number): string => String(n).padStart(DIGITS, '0');

const guidOf = (n: number): string => `generated-${padded(n)}`;
const nameOf = (n: number): string => `${NAMES[n % NAMES.length]} ${padded(n)}`;
const typeOf = (n: number): GroupType => TYPES[n % TYPES.length];
const tagsOf = (n: number): string[] => TAGS[n % TAGS.length];
const createdOf = (n: number): number => FIRST_CREATED + n * CREATED_EVERY;
const updatedOf = (n: number): number | undefined =>
	n % CHANGED_EVERY === 0 ? createdOf(n) + DAY * (1 + (n % 30)) : undefined;

function memberIndexes(n: number, people: number): number[] {
	return [...new Set([n % people, (n * 3 + 1) % people, (n * 7 + 5) % people])];
}

/** What filters and orders look at: a stored group, or a window that slides over the generated ones. */
export interface GroupRow {
	readonly guid: string;
	readonly name: string;
	readonly type: GroupType;
	readonly tags: string[];
	readonly createdAt: number;
	readonly updatedAt?: number;
	hasMember(uid: string): boolean;
}

/** The generated groups. `uids` are the people who can be members. */
export class GeneratedGroups {
	constructor(
		readonly count: number,
		private readonly uids: string[],
	) {
		if (!Number.isInteger(count) || count < 0 || count > MAX_GENERATED) {
			throw new RangeError(`groups has to be a whole number from 0 to ${MAX_GENERATED}`);
		}
	}

	/** A row of which `index` can be set, so that a million rows can be looked at without making a million objects. */
	row(): GroupRow & { index: number } {
		const { uids } = this;
		return {
			index: 0,
			get guid() {
				return guidOf(this.index);
			},
			get name() {
				return nameOf(this.index);
			},
			get type() {
				return typeOf(this.index);
			},
			get tags() {
				return tagsOf(this.index);
			},
			get createdAt() {
				return createdOf(this.index);
			},
			get updatedAt() {
				return updatedOf(this.index);
			},
			hasMember(uid) {
				return memberIndexes(this.index, uids.length).includes(uids.indexOf(uid));
			},
		};
	}

	/** The n-th group in full. */
	group(n: number): StoredGroup {
		const createdAt = createdOf(n);
		const updatedAt = updatedOf(n);
		const members = memberIndexes(n, this.uids.length).map((person, index): Member => ({
			uid: this.uids[person],
			scope: index === 0 ? 'admin' : 'participant',
			joinedAt: createdAt + index,
		}));
		return {
			guid: guidOf(n),
			name: nameOf(n),
			description: `Generated group number ${n}`,
			type: typeOf(n),
			owner: members[0].uid,
			tags: [...tagsOf(n)],
			createdAt,
			...(updatedAt === undefined ? {} : { updatedAt }),
			members,
		};
	}

	/** The number of a generated group, or undefined for any other guid. */
	indexOf(guid: string): number | undefined {
		const digits = /^generated-(\d{7})$/.exec(guid)?.[1];
		const index = digits === undefined ? NaN : Number(digits);
		return index < this.count ? index : undefined;
	}

	/** A number that orders the groups as their names do: names differ first by word, then by number. */
	nameRank(n: number): number {
		return (n % NAMES.length) * MAX_GENERATED + n;
	}

	/** The last change, in Unix seconds. */
	changedAt(n: number): number {
		return updatedOf(n) ?? createdOf(n);
	}
}
