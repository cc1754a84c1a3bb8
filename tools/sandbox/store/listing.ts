import type { StoredGroup } from '../data/sample';
import type { GroupType, Affix } from '../types';

export type Boundary = 'exclusive' | 'inclusive';
export type SortKey = 'name' | 'guid' | 'createdAt' | 'changedAt';

/** Filters and sort order for a list of groups, without paging. */
export interface GroupQuery {
	searchKey?: string;
	searchIn?: string[];
	type?: GroupType;
	types?: string[];
	tags?: string[];
	withTags?: boolean;
	/**
	 * Time in Unix seconds. Matches groups that changed after this time, or before this time if `affix` is
	 * `prepend`.
	 */
	updatedAt?: number;
	/** True to exclude groups that were never changed. By default, a group's creation counts as a change. */
	changedOnly?: boolean;
	affix: Affix;
	/** UID of a user who must be a member of the group. */
	joinedBy?: string;
	sortBy: SortKey;
	descending: boolean;
}

/**
 * Returns the time of a group's last change in Unix seconds, or of its creation if the group was never
 * changed.
 */
export const changedAt = ({ createdAt, updatedAt }: StoredGroup): number => updatedAt ?? createdAt;

/** True if a group matches all filters. */
export function matchesQuery(group: StoredGroup, query: GroupQuery, boundary: Boundary): boolean {
	const { searchKey, searchIn = ['name', 'guid'], type, types, tags, withTags } = query;
	const { updatedAt, changedOnly, affix, joinedBy } = query;
	if (type !== undefined && group.type !== type) return false;
	if (types && !types.includes(group.type)) return false;
	if (withTags && group.tags.length === 0) return false;
	if (tags && !group.tags.some((tag) => tags.includes(tag))) return false;
	if (changedOnly && group.updatedAt === undefined) return false;
	if (updatedAt !== undefined) {
		const ahead = (changedAt(group) - updatedAt) * (affix === 'prepend' ? -1 : 1);
		if (ahead < (boundary === 'inclusive' ? 0 : 1)) return false;
	}
	if (joinedBy !== undefined && !group.members.some(({ uid }) => uid === joinedBy)) return false;
	if (searchKey === undefined) return true;
	const keyword = searchKey.toLowerCase();
	return (['name', 'guid'] as const).some(
		(name) => searchIn.includes(name) && group[name].toLowerCase().includes(keyword),
	);
}

/** A group's sort key and GUID. */
export type Place = [key: string | number, guid: string];

export function placeOf(group: StoredGroup, { sortBy }: GroupQuery): Place {
	return [sortBy === 'changedAt' ? changedAt(group) : group[sortBy], group.guid];
}

/**
 * Returns a function that compares groups by sort key. Groups with equal keys are always sorted by ascending
 * GUID.
 */
export function comparator({ descending }: GroupQuery) {
	const compare = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b));
	return ([a, guid]: Place, [b, other]: Place): number =>
		(descending ? compare(b, a) : compare(a, b)) || compare(guid, other);
}
