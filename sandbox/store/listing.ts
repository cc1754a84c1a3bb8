import type { GeneratedGroups, GroupRow } from './generated';
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

/** Where a group is: a generated one by its number, a stored one by ~(its place among the stored ones). */
export type GroupRef = number;

/** The last change of a group, in Unix seconds: one that was never changed counts with its creation. */
export const changedAt = (row: Pick<GroupRow, 'createdAt' | 'updatedAt'>): number =>
	row.updatedAt ?? row.createdAt;

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const SORT_KEYS: Record<SortKey, (row: GroupRow) => string | number> = {
	name: (row) => row.name,
	guid: (row) => row.guid,
	createdAt: (row) => row.createdAt,
	changedAt,
};

/** Orders by the key asked for; equal keys by guid, ascending in both directions. */
function comparator(query: GroupQuery): (a: GroupRow, b: GroupRow) => number {
	const key = SORT_KEYS[query.sortBy];
	const sign = query.descending ? -1 : 1;
	return (a, b) => {
		const left = key(a);
		const right = key(b);
		if (left === right) return compareText(a.guid, b.guid);
		return left < right ? -sign : sign;
	};
}

/** Whether a group is among those asked for. Every filter given has to hold. */
function matcher(query: GroupQuery, boundary: Boundary): (row: GroupRow) => boolean {
	const { searchKey, searchIn, type, types, tags, withTags, updatedAt, affix, joinedBy } = query;
	const checks: Array<(row: GroupRow) => boolean> = [];
	if (type !== undefined) checks.push((row) => row.type === type);
	if (types) checks.push((row) => types.includes(row.type));
	if (withTags) checks.push((row) => row.tags.length > 0);
	if (tags) checks.push((row) => row.tags.some((tag) => tags.includes(tag)));
	if (updatedAt !== undefined) {
		const sign = affix === 'prepend' ? -1 : 1;
		const least = boundary === 'inclusive' ? 0 : 1;
		checks.push((row) => (changedAt(row) - updatedAt) * sign >= least);
	}
	if (query.changedOnly) checks.push((row) => row.updatedAt !== undefined);
	if (joinedBy !== undefined) checks.push((row) => row.hasMember(joinedBy));
	if (searchKey !== undefined) {
		const keyword = searchKey.toLowerCase();
		const inName = searchIn?.includes('name') ?? true;
		const inGuid = searchIn?.includes('guid') ?? true;
		checks.push(
			(row) =>
				(inName && row.name.toLowerCase().includes(keyword)) ||
				(inGuid && row.guid.toLowerCase().includes(keyword)),
		);
	}
	return (row) => checks.every((check) => check(row));
}

/**
 * Every group asked for, in order. Takes O(n) for the generated groups, and a logarithmic search per stored one.
 *
 * @param stored the stored groups
 * @param hidden numbers of generated groups that a stored one stands for
 */
export function listRefs(
	query: GroupQuery,
	boundary: Boundary,
	generated: GeneratedGroups,
	hidden: ReadonlySet<number>,
	stored: GroupRow[],
): Int32Array {
	const matches = matcher(query, boundary);
	const order = comparator(query);
	const numbers = sortedNumbers(query, generated, matchingNumbers(generated, hidden, matches));
	const rows = stored
		.map((row, index) => ({ row, ref: ~index }))
		.filter(({ row }) => matches(row))
		.sort((a, b) => order(a.row, b.row));

	const window = generated.row();
	const refs = new Int32Array(numbers.length + rows.length);
	let from = 0;
	let length = 0;
	for (const { row, ref } of rows) {
		const place = firstAfter(numbers, from, (number) => {
			window.index = number;
			return order(row, window) < 0;
		});
		refs.set(numbers.subarray(from, place), length);
		length += place - from;
		refs[length++] = ref;
		from = place;
	}
	refs.set(numbers.subarray(from), length);
	return refs;
}

function matchingNumbers(
	generated: GeneratedGroups,
	hidden: ReadonlySet<number>,
	matches: (row: GroupRow) => boolean,
): Int32Array {
	const numbers = new Int32Array(generated.count);
	const window = generated.row();
	let length = 0;
	for (let number = 0; number < generated.count; number++) {
		window.index = number;
		if (!hidden.has(number) && matches(window)) numbers[length++] = number;
	}
	return numbers.slice(0, length);
}

/** By guid and by creation the generated groups are in order already; the other keys are compared as numbers. */
function sortedNumbers(
	{ sortBy, descending }: GroupQuery,
	generated: GeneratedGroups,
	numbers: Int32Array,
): Int32Array {
	if (sortBy === 'guid' || sortBy === 'createdAt') return descending ? numbers.reverse() : numbers;
	const rank = (n: number): number =>
		sortBy === 'name' ? generated.nameRank(n) : generated.changedAt(n);
	const sign = descending ? -1 : 1;
	// Ties fall back to the number, which orders as the guid does.
	return numbers.sort((a, b) => sign * (rank(a) - rank(b)) || a - b);
}

/** The first place from `from` on whose number satisfies `after`, which holds for all that follow it too. */
function firstAfter(numbers: Int32Array, from: number, after: (number: number) => boolean): number {
	let low = from;
	let high = numbers.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (after(numbers[middle])) high = middle;
		else low = middle + 1;
	}
	return low;
}
