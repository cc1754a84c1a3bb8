import { sampleGroups, type Member, type StoredGroup } from '../data/sample';
import { NotFound } from './errors';
import { generatedGroup, MAX_GENERATED, numberOf } from './generated';
import {
	comparator,
	matchesQuery,
	placeOf,
	type Boundary,
	type GroupQuery,
	type Place,
} from './listing';

/** Maximum number of cached group lists. */
const LISTS_KEPT = 16;

/** Returns a user's membership in a group, or undefined if the user isn't a member. */
export function memberOf(group: StoredGroup, uid: string): Member | undefined {
	return group.members.find((member) => member.uid === uid);
}

export function isBanned(group: StoredGroup, uid: string): boolean {
	return (group.banned ?? []).some((banned) => banned.uid === uid);
}

/** Manages stored groups and generated groups. A generated group is stored when it first changes. */
export class Groups {
	/** Stored groups by GUID. The value is undefined for a deleted generated group. */
	private readonly stored = new Map<string, StoredGroup | undefined>();
	private readonly lists = new Map<string, string[]>();

	/**
	 * @param generated number of generated groups
	 * @param uids UIDs of users who can be members of generated groups
	 */
	constructor(
		private readonly generated: number,
		private readonly uids: string[],
	) {
		if (!Number.isInteger(generated) || generated < 0 || generated > MAX_GENERATED) {
			throw new RangeError(`groups must be a whole number from 0 to ${MAX_GENERATED}`);
		}
		sampleGroups().forEach((group) => this.add(group));
	}

	get count(): number {
		const numbers = [...this.stored].map(([guid, group]): number => {
			const isGenerated = (numberOf(guid) ?? Infinity) < this.generated;
			return Number(group !== undefined) - Number(isGenerated);
		});
		return numbers.reduce((sum, number) => sum + number, this.generated);
	}

	/** Returns a group with all its members. To modify the group, use `change`. */
	get(guid: string): StoredGroup | undefined {
		if (this.stored.has(guid)) return this.stored.get(guid);
		const number = numberOf(guid) ?? Infinity;
		return number < this.generated ? generatedGroup(number, this.uids) : undefined;
	}

	/** @throws {NotFound} if no such group exists */
	existing(guid: string): StoredGroup {
		const group = this.get(guid);
		if (!group) throw new NotFound(`There is no group ${guid}`);
		return group;
	}

	/** Returns all groups, stored groups first. Creates an object for each generated group. */
	all(): StoredGroup[] {
		return [...this.each()];
	}

	private *each(): Generator<StoredGroup> {
		for (const group of this.stored.values()) if (group) yield group;
		for (let number = 0; number < this.generated; number++) {
			const group = generatedGroup(number, this.uids);
			if (!this.stored.has(group.guid)) yield group;
		}
	}

	/** Returns the sorted GUIDs of all groups that match a query. Lists are cached until a group changes. */
	list(query: GroupQuery, boundary: Boundary): string[] {
		const signature = JSON.stringify([query, boundary]);
		let guids = this.lists.get(signature);
		if (!guids) {
			const places: Place[] = [];
			for (const group of this.each()) {
				if (matchesQuery(group, query, boundary)) places.push(placeOf(group, query));
			}
			guids = places.sort(comparator(query)).map(([, guid]) => guid);
			const [oldest = ''] = this.lists.keys();
			if (this.lists.size >= LISTS_KEPT) this.lists.delete(oldest);
			this.lists.set(signature, guids);
		}
		return guids;
	}

	/** @throws if the GUID is already in use */
	add(group: StoredGroup): StoredGroup {
		if (this.get(group.guid)) throw new Error(`The group ${group.guid} already exists`);
		return this.store(group);
	}

	/**
	 * Changes a group in place.
	 *
	 * @throws {NotFound} if no such group exists
	 */
	change(guid: string, act: (group: StoredGroup) => void): StoredGroup {
		const group = this.existing(guid);
		act(group);
		return this.store(group);
	}

	/** @throws {NotFound} if no such group exists */
	delete(guid: string): StoredGroup {
		const group = this.store(this.existing(guid));
		this.stored.delete(guid);
		if (numberOf(guid) !== undefined) this.stored.set(guid, undefined);
		return group;
	}

	private store(group: StoredGroup): StoredGroup {
		this.stored.set(group.guid, group);
		this.lists.clear();
		return group;
	}
}
