import { sampleGroups, type Member, type StoredGroup } from '../data/sample';
import { NotFound } from './errors';
import { generatedGroup, MAX_GENERATED, numberOf } from './generated';
import {
	comparator,
	isWanted,
	placeOf,
	type Boundary,
	type GroupQuery,
	type Place,
} from './listing';

/** Lists kept ready. */
const LISTS_KEPT = 16;

/** A user's membership of a group; undefined for who has not joined. */
export function memberOf(group: StoredGroup, uid: string): Member | undefined {
	return group.members.find((member) => member.uid === uid);
}

export function isBanned(group: StoredGroup, uid: string): boolean {
	return (group.banned ?? []).some((banned) => banned.uid === uid);
}

/** The groups: stored ones, and generated ones until they are changed. */
export class Groups {
	/** By guid; of a generated group that was deleted nothing but the guid */
	private readonly stored = new Map<string, StoredGroup | undefined>();
	private readonly lists = new Map<string, string[]>();

	/**
	 * @param generated how many there are beside the stored ones
	 * @param uids the people who can be members of these
	 */
	constructor(
		private readonly generated: number,
		private readonly uids: string[],
	) {
		if (!Number.isInteger(generated) || generated < 0 || generated > MAX_GENERATED) {
			throw new RangeError(`groups has to be a whole number from 0 to ${MAX_GENERATED}`);
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

	/** A group by its guid, members included. To change it, use `change`. */
	get(guid: string): StoredGroup | undefined {
		if (this.stored.has(guid)) return this.stored.get(guid);
		const number = numberOf(guid) ?? Infinity;
		return number < this.generated ? generatedGroup(number, this.uids) : undefined;
	}

	/** @throws {NotFound} when there is no such group */
	existing(guid: string): StoredGroup {
		const group = this.get(guid);
		if (!group) throw new NotFound(`There is no group ${guid}`);
		return group;
	}

	/** Every group, stored ones first. Makes an object for each generated one. */
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

	/** The guids of all groups that a query asks for, in order. Kept until the data changes. */
	list(query: GroupQuery, boundary: Boundary): string[] {
		const signature = JSON.stringify([query, boundary]);
		let guids = this.lists.get(signature);
		if (!guids) {
			const places: Place[] = [];
			for (const group of this.each()) {
				if (isWanted(group, query, boundary)) places.push(placeOf(group, query));
			}
			guids = places.sort(comparator(query)).map(([, guid]) => guid);
			const [oldest] = this.lists.keys();
			if (this.lists.size >= LISTS_KEPT) this.lists.delete(oldest);
			this.lists.set(signature, guids);
		}
		return guids;
	}

	/** @throws when the guid is taken */
	add(group: StoredGroup): StoredGroup {
		if (this.get(group.guid)) throw new Error(`The group ${group.guid} exists already`);
		return this.store(group);
	}

	/**
	 * Changes a group in place.
	 *
	 * @throws {NotFound} when there is no such group
	 */
	change(guid: string, act: (group: StoredGroup) => void): StoredGroup {
		const group = this.existing(guid);
		act(group);
		return this.store(group);
	}

	/** @throws {NotFound} when there is no such group */
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
