import { ok, type Handlers } from './call';
import { pageOf, pagination, slice } from './pages';

const SEARCHED = ['uid', 'name'] as const;

export const userHandlers: Handlers = {
	listUsers({ query, store, settings }) {
		const start = String(query.searchKey ?? '').toLowerCase();
		const searchIn = (query.searchIn as string[] | undefined) ?? SEARCHED;
		const fields = SEARCHED.filter((field) => searchIn.includes(field));
		const matching = store
			.users()
			.filter((user) => fields.some((field) => user[field].toLowerCase().startsWith(start)))
			.sort((a, b) => (a.uid < b.uid ? -1 : 1));
		const page = pageOf(query, settings);
		const data = slice(matching, page);
		const facts = { total: matching.length, count: data.length };
		return ok(data, { meta: { pagination: pagination(page, facts, settings) } });
	},
};
