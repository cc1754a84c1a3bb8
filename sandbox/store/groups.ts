import { sampleGroups, type Member, type StoredGroup } from '../data/sample';
import { NotFound } from './errors';
import type { GeneratedGroups, GroupRow } from './generated';
import { listRefs, type Boundary, type GroupQuery, type GroupRef } from './listing';

/** Lists kept ready; each takes 4 bytes per group. */
const LISTS_KEPT = 16;

class StoredRow implements GroupRow {
	constructor(readonly group: StoredGroup) {}

	get guid() {
		return this.group.guid;
	}
	get name() {
		return this.group.name;
	}
	get type() {
		return this.group.type;
	}
	get tags() {
		return this.group.tags;
	}
	get createdAt() {
		return this.group.createdAt;
	}
	get updatedAt() {
		return this.group.updatedAt;
	}

	hasMember(uid: string): boolean {
		return memberOf(this.group, uid) !== undefined;
	}
}

/** A user's membership of a group; undefined for who has not joined. */
export function memberOf(group: StoredGroup, uid: string): Member | undefined {
	return group.members.find((member) => member.uid === uid);
}

export function isBanned(group: StoredGroup, uid: string): boolean {
	return (group.banned ?? []).some((banned) => banned.uid === uid);
}

/** The groups: stored ones, and generated ones until they are changed. */
export class Groups {
	private rows: StoredRow[] = [];
	private readonly byGuid = new Map<string, StoredRow>();
	/** Numbers of generated groups that are stored now, or deleted. */
	private readonly hidden = new Set<number>();
	private readonly lists = new Map<string, Int32Array>();

	constructor(private readonly generated: GeneratedGroups) {
		sampleGroups().forEach((group) => this.add(group));
	}

	get count(): number {
		return this.rows.length + this.generated.count - this.hidden.size;
	}

	/** A group by its guid, members included. To change it, use `change`. */
	get(guid: string): StoredGroup | undefined {
		const row = this.byGuid.get(guid);
		if (row) return row.group;
		const number = this.generated.indexOf(guid);
		if (number === undefined || this.hidden.has(number)) return undefined;
		return this.generated.group(number);
	}

	/** Every group, stored ones first. Makes an object for each generated one. */
	all(): StoredGroup[] {
		const all = this.rows.map((row) => row.group);
		for (let number = 0; number < this.generated.count; number++) {
			if (!this.hidden.has(number)) all.push(this.generated.group(number));
		}
		return all;
	}

	/** Every group that a query asks for, in order. Kept until the data changes. */
	list(query: GroupQuery, boundary: Boundary): Int32Array {
		const signature = JSON.stringify([query, boundary]);
		let refs = this.lists.get(signature);
		if (refs) {
			this.lists.delete(signature);
		} else {
			refs = listRefs(query, boundary, this.generated, this.hidden, this.rows);
			const [oldest] = this.lists.keys();
			if (this.lists.size >= LISTS_KEPT) this.lists.delete(oldest);
		}
		this.lists.set(signature, refs);
		return refs;
	}

	/** The group that an entry of `list` stands for. */
	at(ref: GroupRef): StoredGroup {
		return ref < 0 ? this.rows[~ref].group : this.generated.group(ref);
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
		const group = this.stored(guid);
		act(group);
		this.lists.clear();
		return group;
	}

	/** @throws {NotFound} when there is no such group */
	delete(guid: string): StoredGroup {
		const group = this.stored(guid);
		this.rows = this.rows.filter((row) => row.group !== group);
		this.byGuid.delete(guid);
		this.lists.clear();
		return group;
	}

	/** A group that can be changed: a generated one becomes a stored one. */
	private stored(guid: string): StoredGroup {
		const row = this.byGuid.get(guid);
		if (row) return row.group;
		const number = this.generated.indexOf(guid);
		if (number === undefined || this.hidden.has(number)) {
			throw new NotFound(`There is no group ${guid}`);
		}
		this.hidden.add(number);
		return this.store(this.generated.group(number));
	}

	private store(group: StoredGroup): StoredGroup {
		const row = new StoredRow(group);
		this.rows.push(row);
		this.byGuid.set(group.guid, row);
		this.lists.clear();
		return group;
	}
}
