import type { Contract, OperationId, QueryValues } from './contract';
import type { StoredGroup } from './data/groups';
import type { StoredMessage } from './data/messages';
import { refusal, type Answer } from './errors';
import type { FaultEffect } from './faults';
import { type Boundary, type GroupQuery, type SortKey } from './listing';
import type { Store } from './store';
import type { Affix, Cursor, Group, GroupList, GroupType, Pagination } from './types';

export interface Settings {
	/** Whether the `updatedAt` filter lets groups of exactly that second through. */
	boundary: Boundary;
	/** Seconds that the service's clock is ahead. */
	clockSkew: number;
	/** What total_pages means: the number of pages, or current_page, plus 1 while there is more. */
	totalPages: 'count' | 'next';
	/** Whether the cursor is inside `meta` or beside it. */
	cursorPlace: 'meta' | 'beside';
	/** Whether groups are shown without the time of their last change. */
	hideUpdatedAt: boolean;
}

/** Who may come in. */
export interface Access {
	apiKey: string;
	/** A key without fullAccess. */
	authOnlyKey: string;
	appId: string;
}

/** A request, as far as the API looks at it. */
export interface ApiCall {
	method: string;
	/** Path as received, without the query. */
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	hasBody: boolean;
}

export interface Outcome {
	answer: Answer;
	/** Undefined when the path and method are none of the contract's. */
	operationId?: OperationId;
	/** In what the request left the contract. */
	violations: string[];
}

const DEFAULT_PER_PAGE = 100;

/** The chat service's three operations over a store. Knows nothing of HTTP connections. */
export class Api {
	constructor(
		private readonly contract: Contract,
		private readonly store: Store,
		private readonly access: Access,
		private readonly settings: () => Settings,
	) {}

	/** Whether the key of a request is the one that opens everything. */
	isFullAccessKey(key: unknown): boolean {
		return key === this.access.apiKey;
	}

	/**
	 * Answers one request: the app, then the path, the key, the contract, and then what the operation itself refuses.
	 *
	 * @param effect faults that change what a list of groups holds
	 */
	handle(call: ApiCall, effect: FaultEffect = {}): Outcome {
		const path = this.withinApp(call.path);
		if (path === undefined) return { answer: refusal('AUTH_ERR_INVALID_APPID'), violations: [] };

		const route = this.contract.match(call.method, path);
		if (!route) {
			return { answer: refusal('ERR_API_NOT_FOUND'), violations: ['is not in the contract'] };
		}
		const { operationId, params } = route;
		const { errors = {}, query } = this.contract.validateRequest(operationId, { ...call, path });
		if (call.hasBody) errors.body = ['this operation takes no body'];
		const violations = Object.entries(errors).map(
			([field, texts]) => `${field}: ${texts.join(', ')}`,
		);
		const answer =
			this.keyRefusal(call.headers.apikey) ??
			(violations.length > 0 ? refusal('ERR_BAD_REQUEST', '', errors) : undefined) ??
			this.perform(operationId, params, query, actingUser(call.headers.onbehalfof), effect);
		return { answer, operationId, violations };
	}

	/** The path inside the app, from `/v3` on; undefined when the path names another app. */
	private withinApp(path: string): string | undefined {
		const [, appId, rest] = /^\/app\/([^/]*)(.*)$/.exec(path) ?? [];
		if (appId === undefined) return path;
		return appId === this.access.appId ? rest : undefined;
	}

	private keyRefusal(key: string | string[] | undefined): Answer | undefined {
		if (!key) return refusal('AUTH_ERR_EMPTY_APIKEY');
		if (key === this.access.authOnlyKey) return refusal('AUTH_ERR_NO_ACCESS', key);
		return this.isFullAccessKey(key)
			? undefined
			: refusal('AUTH_ERR_APIKEY_NOT_FOUND', String(key));
	}

	private perform(
		operationId: OperationId,
		params: Record<string, string>,
		query: QueryValues,
		uid: string | undefined,
		effect: FaultEffect,
	): Answer {
		if (uid !== undefined && !this.store.hasUser(uid)) return refusal('ERR_UID_NOT_FOUND', uid);
		if (operationId === 'listGroups') return this.listGroups(query, uid, effect);

		const message = this.store.message(params.id);
		if (!message) return refusal('ERR_MESSAGE_ID_NOT_FOUND', params.id);
		if (uid !== undefined && !this.store.canSee(message, uid)) {
			return refusal('ERR_MESSAGE_NO_ACCESS', message.id);
		}
		if (operationId === 'getMessage') return ok({ data: this.store.messageView(message) });
		return this.removeReaction(message, uid ?? '', params.reaction);
	}

	private removeReaction(message: StoredMessage, uid: string, reaction: string): Answer {
		if (!this.store.removeReaction(message.id, uid, reaction)) {
			return refusal('ERR_REACTION_NOT_FOUND', message.id);
		}
		const view = this.store.messageView(message);
		view.data.reactions = this.store.reactions(message.id, uid);
		return ok({ data: view });
	}

	private listGroups(query: QueryValues, uid: string | undefined, effect: FaultEffect): Answer {
		const wanted = groupQuery(query, uid);
		const { boundary } = this.settings();
		const perPage = (query.perPage as number | undefined) ?? DEFAULT_PER_PAGE;
		const page = (query.page as number | undefined) ?? 1;
		const refs = this.store.list(wanted, boundary);
		const shown = effect.repeatPage ? 1 : page;

		const groups: StoredGroup[] = effect.endless
			? endlessPage(page, perPage)
			: Array.from(refs.subarray((shown - 1) * perPage, shown * perPage), (ref) =>
					this.store.at(ref),
				);
		const neverEnds = effect.endless || effect.repeatPage;
		const list = this.envelope(
			groups.map((group) => this.show(group, uid)),
			{ total: refs.length, perPage, page, hasMore: neverEnds || page * perPage < refs.length },
			cursorOf(groups, wanted),
		);
		if (neverEnds) list.meta.pagination.total_pages = page + 1;

		const first = refs.length > 0 ? this.store.at(refs[0]) : undefined;
		if (effect.moveList && first) this.insertInFront(first, wanted, effect.moveList.insert);
		return ok(list);
	}

	private show(group: StoredGroup, uid: string | undefined): Group {
		const view = this.store.groupView(group, uid);
		if (this.settings().hideUpdatedAt) delete view.updatedAt;
		return view;
	}

	private envelope(
		data: Group[],
		{ total, perPage, page, hasMore }: PageFacts,
		cursor: Cursor | undefined,
	): GroupList {
		const { totalPages, cursorPlace } = this.settings();
		const common = { count: data.length, per_page: perPage, current_page: page };
		// Where total_pages only says whether there is more, the service's own example has 0 as total.
		const pagination: Pagination =
			totalPages === 'count'
				? { total, ...common, total_pages: Math.max(1, Math.ceil(total / perPage)) }
				: { total: 0, ...common, total_pages: hasMore ? page + 1 : page };
		if (!cursor) return { data, meta: { pagination } };
		return cursorPlace === 'meta'
			? { data, meta: { pagination, cursor } }
			: { data, meta: { pagination }, cursor };
	}

	/** Adds copies of the first group that come before it: the same keys, and a guid that decides the tie. */
	private insertInFront(
		first: StoredGroup,
		{ sortBy, descending }: GroupQuery,
		count: number,
	): void {
		const last = sortBy === 'guid' && descending;
		const [, movedSoFar = '0', original] = /^(?:-|zz-)moved-(\d+)-(.*)$/.exec(first.guid) ?? [];
		const moved =
			last || movedSoFar === '0' ? Number(movedSoFar) : MOVED_LIMIT - Number(movedSoFar);
		for (let n = moved + 1; n <= moved + count; n++) {
			const mark = last ? `zz-moved-${digits(n)}` : `-moved-${digits(MOVED_LIMIT - n)}`;
			this.store.createGroup({ ...first, guid: `${mark}-${original ?? first.guid}` });
		}
	}
}

interface PageFacts {
	total: number;
	perPage: number;
	page: number;
	hasMore: boolean;
}

const MOVED_LIMIT = 999_999;
const digits = (n: number): string => String(n).padStart(6, '0');

const ok = (body: unknown): Answer => ({ status: 200, body });

/** UIDs are lower-cased by the service. */
function actingUser(header: string | string[] | undefined): string | undefined {
	return header === undefined ? undefined : String(header).toLowerCase();
}

function groupQuery(query: QueryValues, uid: string | undefined): GroupQuery {
	const updatedAt = query.updatedAt as number | undefined;
	const affix = (query.affix as Affix | undefined) ?? 'append';
	const sortBy = query.sortBy as SortKey | undefined;
	const byChange = sortBy === undefined && updatedAt !== undefined;
	return {
		searchKey: query.searchKey as string | undefined,
		searchIn: query.searchIn as string[] | undefined,
		type: query.type as GroupType | undefined,
		types: query.types as string[] | undefined,
		tags: query.tags as string[] | undefined,
		withTags: query.withTags as boolean | undefined,
		updatedAt,
		affix,
		joinedBy: query.hasJoined === true ? uid : undefined,
		sortBy: sortBy ?? (byChange ? 'changedAt' : 'createdAt'),
		// What came before is told from the newest on, so that the oldest of a page is where to go on.
		descending:
			query.sortOrder === undefined ? byChange && affix === 'prepend' : query.sortOrder === 'desc',
	};
}

/** Where a page leaves off: its newest change, or its oldest one when going back in time. */
function cursorOf(groups: StoredGroup[], { updatedAt, affix }: GroupQuery): Cursor | undefined {
	if (groups.length === 0) return updatedAt === undefined ? undefined : { updatedAt, affix };
	let edge = change(groups[0]);
	for (const group of groups) {
		edge = affix === 'append' ? Math.max(edge, change(group)) : Math.min(edge, change(group));
	}
	return { updatedAt: edge, affix };
}

const change = (group: StoredGroup): number => group.updatedAt ?? group.createdAt;

/** A page of groups that no other page has. */
function endlessPage(page: number, perPage: number): StoredGroup[] {
	return Array.from({ length: perPage }, (_, index) => {
		const guid = `endless-${page}-${index + 1}`;
		return {
			guid,
			name: guid,
			type: 'public',
			owner: 'mira',
			tags: [],
			createdAt: page,
			members: [],
		};
	});
}
