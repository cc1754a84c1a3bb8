import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { pageOf } from '../transport/response';
import { MAX_PER_PAGE } from '../results/list';
import { hasNextPage } from '../results/numberedPages';
import { createSender } from '../run/sendOnce';

/** Entries that a picker shows before the user scrolls on. */
const PER_PAGE = 50;

/** A person waits for the list. */
const PATIENCE = { timeout: 20_000, maxWaitMs: 5_000 };

/** A list to pick from. */
interface Picker {
	path: string;
	plural: string;
	/** Name of the field that becomes the parameter's value */
	id: string;
	/** What the service finds of a text that is typed: it looks for users only at the beginning of names */
	finds: 'anywhere' | 'beginning' | 'nothing';
	/** What is asked for beside the page */
	query?: IDataObject;
	/** Comes before all others */
	first?: INodeListSearchItems;
}

const USERS: Picker = { path: '/users', plural: 'users', id: 'uid', finds: 'beginning' };

/** "Support Team (support-team)": names need not be unique. */
function entryOf(entity: IDataObject, id: string): INodeListSearchItems[] {
	const { [id]: value, name } = entity;
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return [{ name: isNamed ? `${name} (${value})` : String(value), value: String(value) }];
}

/** One page of a list, as the service finds it. */
async function fetched(
	context: ILoadOptionsFunctions,
	{ path, plural, id, query, finds }: Picker,
	typed: string,
	number: number,
	perPage: number,
): Promise<INodeListSearchResult> {
	const searchKey = typed === '' ? {} : { searchKey: typed };
	const paged = finds === 'nothing' ? {} : { ...query, ...searchKey, page: number, perPage };
	const send = await createSender(context);
	const page = await send({ method: 'GET', path, query: paged }, pageOf(plural), PATIENCE);
	const results = page.data.flatMap((entity) => entryOf(entity, id));
	const place = { number, perPage, before: (number - 1) * perPage };
	return hasNextPage(page, place) ? { results, paginationToken: String(number + 1) } : { results };
}

/**
 * Makes what n8n calls for "From List". It takes what the user typed, and the number of the page as it
 * returned it before. What begins with the text comes first. Where the service finds nothing, the first
 * thousand are looked through for it, e.g. for a family name.
 *
 * The returned function throws as SendOnce does.
 */
function pickerOf(picker: Picker) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const typed = filter.trim();
		const where = (match: 'includes' | 'startsWith') => (text: string) =>
			text.toLowerCase()[match](typed.toLowerCase());
		const holds = ({ name }: INodeListSearchItems) => where('includes')(name);
		const begins = ({ name, value }: INodeListSearchItems) =>
			[name, String(value)].some(where('startsWith'));
		let found = await fetched(this, picker, typed, Number(paginationToken) || 1, PER_PAGE);
		if (picker.finds === 'nothing') found = { results: found.results.filter(holds) };
		if (picker.finds === 'beginning' && found.results.length === 0 && typed !== '') {
			const { results } = await fetched(this, picker, '', 1, MAX_PER_PAGE);
			found = { results: results.filter(holds) };
		}
		const first = paginationToken === undefined && picker.first ? [picker.first] : [];
		const best = found.results.filter(begins);
		const others = found.results.filter((entry) => !begins(entry));
		return { ...found, results: [...first.filter(holds), ...best, ...others] };
	};
}

const GROUPS: Picker = { path: '/groups', plural: 'groups', id: 'guid', finds: 'anywhere' };

export const searchGroups = pickerOf(GROUPS);

export const searchUsers = pickerOf(USERS);

/** With what empties a field again that may be empty: n8n's picker itself cannot. */
export const searchActors = pickerOf({ ...USERS, first: { name: 'The App Itself', value: '' } });

/** The same users as the filter 'Only Deactivated' lists: no other list has them. */
export const searchDeactivatedUsers = pickerOf({ ...USERS, query: { onlyDeactivated: true } });

/** The app's reasons to report a message: all come at once. */
export const searchReasons = pickerOf({
	path: '/moderation/reasons',
	plural: 'reasons',
	id: 'id',
	finds: 'nothing',
});

/** Creates a method that lists the first thousand entries by name, for a field of several values. */
const createLoader = (picker: Picker) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await fetched(this, picker, '', 1, MAX_PER_PAGE);
		return results.toSorted((a, b) => a.name.localeCompare(b.name)) as INodePropertyOptions[];
	};

export const getUsers = createLoader(USERS);

export const getGroups = createLoader(GROUPS);
