import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { pageReader } from '../transport/response';
import { MAX_PER_PAGE } from '../results/list';
import { hasNextPage } from '../results/numberedPages';
import { createSender } from '../run/sendOnce';

/** Limits in milliseconds for a user who waits for the list. */
const PATIENCE = { timeout: 20_000, maxWaitMs: 5_000 };

/** Source of the entries of a "From List" field. */
interface Picker {
	path: string;
	plural: string;
	/** Name of the field that becomes the parameter's value */
	id: string;
	/** Part of a name that CometChat's search matches. It matches only the beginning of users' names. */
	searchMatches: 'anywhere' | 'beginning' | 'nothing';
	/** Query parameters beside the page */
	query?: IDataObject;
	/** Entry above all other entries */
	first?: INodeListSearchItems;
}

const USERS: Picker = { path: '/users', plural: 'users', id: 'uid', searchMatches: 'beginning' };

/** An entry such as "Support Team (support-team)": names need not be unique. */
function entryOf(entity: IDataObject, id: string): INodeListSearchItems[] {
	const { [id]: value, name } = entity;
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return [{ name: isNamed ? `${name} (${value})` : String(value), value: String(value) }];
}

const byName = (a: INodeListSearchItems, b: INodeListSearchItems) => a.name.localeCompare(b.name);

/** Fetches a page of entries, sorted by name. A page is as large as possible, so that most apps have one. */
async function fetchPage(
	context: ILoadOptionsFunctions,
	{ path, plural, id, query, searchMatches }: Picker,
	text = '',
	number = 1,
): Promise<INodeListSearchResult> {
	const searchKey = text === '' ? {} : { searchKey: text };
	const paging = { page: number, perPage: MAX_PER_PAGE };
	const paged = searchMatches === 'nothing' ? {} : { ...query, ...searchKey, ...paging };
	const send = await createSender(context);
	const page = await send({ method: 'GET', path, query: paged }, pageReader(plural), PATIENCE);
	const results = page.data.flatMap((entity) => entryOf(entity, id)).toSorted(byName);
	const place = { number, perPage: MAX_PER_PAGE, before: (number - 1) * MAX_PER_PAGE };
	return hasNextPage(page, place) ? { results, paginationToken: String(number + 1) } : { results };
}

/**
 * Creates the function that n8n calls for "From List". It takes the text that the user typed, and the
 * page number that it returned before. Entries that begin with the text come first. If CometChat finds
 * nothing, the first thousand entries are searched for the text, e.g. for a family name.
 *
 * The created function throws as `SendOnce` does.
 */
function pickerOf(picker: Picker) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const text = filter.trim();
		const matches = (candidate: string, how: 'includes' | 'startsWith') =>
			candidate.toLowerCase()[how](text.toLowerCase());
		const contains = ({ name }: INodeListSearchItems) => matches(name, 'includes');
		const begins = ({ name, value }: INodeListSearchItems) =>
			[name, String(value)].some((candidate) => matches(candidate, 'startsWith'));
		let page = await fetchPage(this, picker, text, Number(paginationToken) || 1);
		if (picker.searchMatches === 'nothing') page = { results: page.results.filter(contains) };
		if (picker.searchMatches === 'beginning' && page.results.length === 0 && text !== '') {
			const { results } = await fetchPage(this, picker);
			page = { results: results.filter(contains) };
		}
		const first = paginationToken === undefined && picker.first ? [picker.first] : [];
		const best = page.results.filter(begins);
		const others = page.results.filter((entry) => !begins(entry));
		return { ...page, results: [...first.filter(contains), ...best, ...others] };
	};
}

const GROUPS: Picker = {
	path: '/groups',
	plural: 'groups',
	id: 'guid',
	searchMatches: 'anywhere',
	query: { sortBy: 'name', sortOrder: 'asc' },
};

export const searchGroups = pickerOf(GROUPS);

export const searchUsers = pickerOf(USERS);

/** Users, and an entry that empties an optional field: n8n's picker itself cannot empty a field. */
export const searchActors = pickerOf({ ...USERS, first: { name: 'The App Itself', value: '' } });

/** Deactivated users, whom no other list contains. */
export const searchDeactivatedUsers = pickerOf({ ...USERS, query: { onlyDeactivated: true } });

/** The app's reasons to report a message, in a single page. */
export const searchReasons = pickerOf({
	path: '/moderation/reasons',
	plural: 'reasons',
	id: 'id',
	searchMatches: 'nothing',
});

/** Creates a method that lists the first thousand entries by name, for a field of several values. */
const createLoader = (picker: Picker) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await fetchPage(this, picker);
		return results as INodePropertyOptions[];
	};

export const getUsers = createLoader(USERS);

export const getGroups = createLoader(GROUPS);
