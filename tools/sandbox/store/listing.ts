import type { StoredGroup } from '../data/sample';
import type { GroupType, Affix } from '../types';

export type Boundary = 'exclusive' | 'inclusive';
export type SortKey = 'name' | 'guid' | 'createdAt' | 'changedAt';

/** Which groups are asked for, and in which order; which page of them is not part of it. */
export interface GroupQuery {
	searchKey?: string;
	searchIn?: string[];
	type?: GroupType;
	types?: string[];
	tags?: string[];
	withTags?: boolean;
	/** Unix seconds. */
	updatedAt?: number;
	/** Whether groups that never changed are left out, instead of counting with their creation. */
	changedOnly?: boolean;
	affix: Affix;
	/** UID whose groups are asked for. */
	joinedBy?: string;
	sortBy: SortKey;
	descending: boolean;
}

/** The last change of a group, in Unix seconds: one that was never changed counts with its creation. */
export const changedAt = ({ createdAt, updatedAt }: StoredGroup): number => updatedAt ?? createdAt;

/** Whether a group is among those asked for. Every filter given has to hold. */
export function isWanted(group: StoredGroup, query: GroupQuery, boundary: Boundary): boolean {
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

/** What a group is sorted by, and its guid. */
export type Place = [key: string | number, guid: string];

export function placeOf(group: StoredGroup, { sortBy }: GroupQuery): Place {
	return [sortBy === 'changedAt' ? changedAt(group) : group[sortBy], group.guid];
}

/** Orders by the key asked for; equal keys by guid, ascending in both directions. */
export function comparator({ descending }: GroupQuery) {
	const compare = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b));
	return ([a, guid]: Place, [b, other]: Place): number =>
		(descending ? compare(b, a) : compare(a, b)) || compare(guid, other);
}
