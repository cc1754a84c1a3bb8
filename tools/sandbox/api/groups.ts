import type { StoredGroup } from '../data/sample';
import { Refusal } from '../errors';
import type { Settings } from '../settings';
import { changedAt, type GroupQuery, type SortKey } from '../store/listing';
import { memberOf } from '../store/groups';
import { SYSTEM_USER } from '../store/people';
import type { GroupChange, NewGroup, Store } from '../store/store';
import { isObject, type Affix, type GroupType } from '../types';
import { getActor, groupOf, ok, requireMember, success, type Call, type Handlers } from './call';
import { requireMetadataSize } from './content';
import { addTo, requireNumber, type NewMembers } from './members';
import { paginate } from './pages';

/** Request bodies of Create Group and Update Group, already validated against the contract. */
type NewGroupBody = Omit<NewGroup, 'members'> & { members?: NewMembers };
type GroupBody = GroupChange & { unset?: Array<'icon' | 'description' | 'metadata'> };

export const groupHandlers: Handlers = {
	listGroups,

	getGroup(call) {
		const { uid, views, settings } = call;
		const group = groupOf(call);
		if (settings.groupAccess === 'members') requireMember(group, uid);
		return ok(views.group(group, uid));
	},

	createGroup(call) {
		const { store, uid } = call;
		const body = call.body as unknown as NewGroupBody;
		const { owner = getActor(call), members = {}, ...fields } = body;
		requireNumber(members, 0);
		if (store.groups.get(fields.guid.toLowerCase())) {
			throw new Refusal('ERR_GUID_ALREADY_EXISTS', fields.guid);
		}
		if (owner !== SYSTEM_USER.uid) requireUser(store, owner);
		if (fields.type === 'password') requirePassword(fields.password);
		requireMetadataSize(fields.metadata);
		const group = store.createGroup({ ...fields, owner: owner.toLowerCase() }, getActor(call));
		const data = addTo(call, group, members);
		const created = call.views.group(group, uid);
		return ok(call.body.members ? { ...created, members: { data } } : created);
	},

	updateGroup(call) {
		const { store, settings, uid } = call;
		const group = groupOf(call);
		requireAdmin(group, uid);
		const { unset = [], ...change } = call.body as GroupBody;
		// Only the app can transfer ownership, so a new owner set by a user is ignored
		if (uid !== undefined) delete change.owner;
		if (change.owner !== undefined) {
			requireUser(store, change.owner);
			change.owner = change.owner.toLowerCase();
		}
		if ((change.type ?? group.type) === 'password') {
			requirePassword(change.password ?? group.password);
		} else if (group.password !== undefined) {
			change.password = undefined;
		}
		const { metadata } = change;
		if (settings.groupMetadata === 'merge' && isObject(group.metadata) && isObject(metadata)) {
			change.metadata = { ...group.metadata, ...metadata };
		}
		if (settings.listMetadata === 'refuse' && Array.isArray(group.metadata) && isObject(metadata)) {
			throw new Refusal('ERR_BAD_REQUEST', '', { metadata: ['must be a list'] });
		}
		requireMetadataSize(change.metadata);
		for (const field of unset) change[field] = undefined;
		if (Object.keys(change).length === 0) return ok(call.views.group(group, uid));
		return ok(call.views.group(store.updateGroup(group.guid, change, getActor(call)), uid));
	},

	deleteGroup(call) {
		const group = groupOf(call);
		requireAdmin(group, call.uid);
		call.store.deleteGroup(group.guid);
		return success(`Group with guid ${group.guid} deleted successfully.`);
	},
};

function requireUser(store: Store, uid: string): void {
	if (!store.people.has(uid.toLowerCase())) throw new Refusal('ERR_UID_NOT_FOUND', uid);
}

function requirePassword(password: string | undefined): void {
	if (!password) throw new Refusal('ERR_EMPTY_GROUP_PASS');
}

function requireAdmin(group: StoredGroup, uid: string | undefined): void {
	if (uid === undefined) return;
	const member = memberOf(group, uid);
	if (!member) throw new Refusal('ERR_GROUP_NOT_JOINED', uid);
	if (member.scope !== 'admin') throw new Refusal('ERR_GROUP_NO_ADMIN_SCOPE', uid);
}

function listGroups(call: Call) {
	const { store, settings, uid, views } = call;
	const groupsQuery = readGroupQuery(call);
	const guids = store.groups.list(groupsQuery, settings.boundary);
	const { shown, pagination } = paginate(guids, call);
	const groups = shown.map((guid) => store.groups.existing(guid));
	const data = groups.map((group) => views.group(group, uid));
	const cursor = cursorOf(groups, groupsQuery, settings);
	return settings.cursorPlace === 'meta'
		? ok(data, { meta: { pagination, cursor } })
		: ok(data, { meta: { pagination }, cursor });
}

function readGroupQuery({ query, uid, settings }: Call): GroupQuery {
	const updatedAt = query.updatedAt as number | undefined;
	const affix = (query.affix as Affix | undefined) ?? 'append';
	const sortBy = query.sortBy as SortKey | undefined;
	const byChange = sortBy === undefined && updatedAt !== undefined;
	const isNewestFirst = sortBy === undefined && settings.listOrder === 'newestFirst';
	// True if the order is descending unless the request has a `sortOrder`
	const byDefault = byChange ? affix === 'prepend' : isNewestFirst;
	return {
		searchKey: query.searchKey as string | undefined,
		searchIn: query.searchIn as string[] | undefined,
		type: query.type as GroupType | undefined,
		types: query.types as string[] | undefined,
		tags: query.tags as string[] | undefined,
		withTags: query.withTags as boolean | undefined,
		updatedAt,
		changedOnly: settings.updatedAtOnlyAfterChange && updatedAt !== undefined,
		affix,
		joinedBy: query.hasJoined === true ? uid : undefined,
		sortBy: sortBy ?? (byChange ? 'changedAt' : 'createdAt'),
		descending: query.sortOrder === undefined ? byDefault : query.sortOrder === 'desc',
	};
}

/**
 * Returns a page's cursor, which is the time of the newest change, or of the oldest change when paging back
 * in time.
 */
function cursorOf(
	groups: StoredGroup[],
	{ updatedAt, affix }: GroupQuery,
	{ updatedAtOnlyAfterChange }: Settings,
) {
	let edge: number | undefined;
	for (const group of groups) {
		const change = updatedAtOnlyAfterChange ? group.updatedAt : changedAt(group);
		if (change === undefined) continue;
		if (edge === undefined || (affix === 'append' ? change > edge : change < edge)) edge = change;
	}
	edge ??= updatedAt;
	return edge === undefined ? undefined : { updatedAt: edge, affix };
}
