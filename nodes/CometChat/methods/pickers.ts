import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { MAX_PER_PAGE } from '../helpers/limits';
import { API_CREDENTIAL } from '../transport/attempt';
import { toLowerCaseId } from '../helpers/ids';
import { asObjectOrEmpty } from '../helpers/json';
import { createPageBodyReader } from '../transport/response';
import { mayHaveNextPage } from '../calls/numberedPages';
import { createSendOutsideRun } from '../calls/sendOutsideRun';

/** Time limit for fetching a page, in milliseconds. Short, because a user is waiting for the list. */
const TIME_LIMIT_MS = 20_000;

/** Request and fields that provide the entries of a "From List" picker or a menu. */
interface PickerSource {
	path: string;
	plural: string;
	/** Name of the field that becomes the parameter's value */
	idName: string;
	/** True if CometChat sends the whole list in one response, and can't search it */
	isSinglePage?: boolean;
	/** Query parameters that are the same for each search and each page */
	query?: IDataObject;
	/** Entry at the top of the first page. Left out if the search string excludes the entry. */
	first?: INodeListSearchItems;
}

const USERS: PickerSource = { path: '/users', plural: 'users', idName: 'uid' };

/**
 * Formats an entity as a picker entry, e.g. "Support Team (support-team)". Includes the ID, because names may not be
 * unique. Returns an empty list if the entity has no ID.
 */
function toPickerResults(entity: IDataObject, idName: string): INodeListSearchItems[] {
	const { [idName]: value, name } = entity;
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return [{ name: isNamed ? `${name} (${value})` : String(value), value: String(value) }];
}

/**
 * Checks that the user has selected a credential. Without a credential, n8n's own errors don't say what to do.
 *
 * @throws Error that the picker shows instead of a list
 */
function checkCredentialSelected(context: ILoadOptionsFunctions): void {
	const { type, credentials } = context.getNode();
	const { watch, options } = context.getCurrentNodeParameters() ?? {};
	const isHidden = watch === 'app' && asObjectOrEmpty(options).fetchMessage !== true;
	if (type.endsWith('.cometChatTrigger') && isHidden) {
		throw new Error(
			"Enter IDs with an expression, or turn on 'Fetch Message' to select a credential",
		);
	}
	if (credentials?.[API_CREDENTIAL] === undefined) {
		throw new Error('Select the credential for CometChat API above');
	}
}

const byName = (a: INodeListSearchItems, b: INodeListSearchItems) => a.name.localeCompare(b.name);

/** Fetches a page of entries, sorted by name. For most apps, one page of the maximum size is enough. */
async function fetchPage(
	context: ILoadOptionsFunctions,
	{ path, plural, idName, query, isSinglePage }: PickerSource,
	text = '',
	number = 1,
): Promise<INodeListSearchResult> {
	const searchKey = text === '' ? {} : { searchKey: text };
	const paging = { page: number, perPage: MAX_PER_PAGE };
	const paged = isSinglePage ? {} : { ...query, ...searchKey, ...paging };
	checkCredentialSelected(context);
	const send = await createSendOutsideRun(context);
	const page = await send(
		{ method: 'GET', path, query: paged },
		createPageBodyReader(plural),
		TIME_LIMIT_MS,
	);
	const results = page.data.flatMap((entity) => toPickerResults(entity, idName)).toSorted(byName);
	const place = { number, perPage: MAX_PER_PAGE, before: (number - 1) * MAX_PER_PAGE };
	return mayHaveNextPage(page, place)
		? { results, paginationToken: String(number + 1) }
		: { results };
}

/**
 * Creates the function that n8n calls for a "From List" picker. Entries that start with the search string come first.
 * If CometChat finds nothing, e.g. for a last name, the function itself searches the first thousand entries. It throws
 * the same errors as `checkCredentialSelected` and `SendOutsideRun`.
 */
function createPickerSearch(picker: PickerSource) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const text = filter.trim();
		const key = text.toLowerCase();
		const contains = ({ name }: INodeListSearchItems) => name.toLowerCase().includes(key);
		const begins = ({ name, value }: INodeListSearchItems) =>
			[name, String(value)].some((candidate) => candidate.toLowerCase().startsWith(key));
		let page: INodeListSearchResult = { results: [] };
		if (!picker.isSinglePage) {
			page = await fetchPage(this, picker, text, Number(paginationToken) || 1);
		}
		if (page.results.length === 0 && paginationToken === undefined) {
			const { results } = await fetchPage(this, picker);
			page = { results: results.filter(contains) };
		}
		const first = paginationToken === undefined && picker.first ? [picker.first] : [];
		page.results.sort((a, b) => Number(begins(b)) - Number(begins(a)));
		return { ...page, results: [...first.filter(contains), ...page.results] };
	};
}

const GROUPS: PickerSource = {
	path: '/groups',
	plural: 'groups',
	idName: 'guid',
	query: { sortBy: 'name', sortOrder: 'asc' },
};

export const searchGroups = createPickerSearch(GROUPS);

export const searchUsers = createPickerSearch(USERS);

const BOTS: PickerSource = { path: '/bots', plural: 'bots', idName: 'uid', isSinglePage: true };

/**
 * Lists the app's bots. CometChat sends only their UIDs. Returns an empty list if the request fails, e.g. because the
 * app's plan has no bots.
 */
async function fetchBots(context: ILoadOptionsFunctions): Promise<INodeListSearchItems[]> {
	try {
		return (await fetchPage(context, BOTS)).results;
	} catch {
		return [];
	}
}

/** Lists users from whom to choose a bot. On the first page, existing bots come first. */
export async function searchUsersBotsFirst(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = await searchUsers.call(this, filter, paginationToken);
	if (paginationToken !== undefined) return page;
	const key = filter.trim().toLowerCase();
	const others = new Map(page.results.map((entry) => [String(entry.value), entry]));
	const bots = (await fetchBots(this)).flatMap(({ value }) => {
		const uid = toLowerCaseId(value);
		const { name = uid } = others.get(uid) ?? {};
		if (!others.delete(uid) && !uid.includes(key)) return [];
		return [{ name: `${name}, a bot`, value: uid }];
	});
	return { ...page, results: [...bots, ...others.values()] };
}

/** Lists users. The first entry clears the field, because n8n's picker has no other way to clear a field. */
export const searchActors = createPickerSearch({
	...USERS,
	first: { name: 'The App Itself', value: '' },
});

/** Lists deactivated users, who are missing from the other pickers. */
export const searchDeactivatedUsers = createPickerSearch({
	...USERS,
	query: { onlyDeactivated: true },
});

/** Lists the app's reasons for reporting a message. All reasons fit on a single page. */
export const searchReasons = createPickerSearch({
	path: '/moderation/reasons',
	plural: 'reasons',
	idName: 'id',
	isSinglePage: true,
});

/**
 * Creates a method that lists the first page, of at most a thousand entries, sorted by name. The editor offers the
 * entries in a menu.
 */
const createLoader = (picker: PickerSource) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await fetchPage(this, picker);
		return results;
	};

export const getUsers = createLoader(USERS);

export const getGroups = createLoader(GROUPS);

/** Lists the app's roles. An app has at most 25 roles of its own, so all roles fit on a single page. */
export const getRoles = createLoader({
	path: '/roles',
	plural: 'roles',
	idName: 'role',
	isSinglePage: true,
});
