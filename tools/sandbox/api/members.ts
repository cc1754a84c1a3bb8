import type { Member, StoredGroup } from '../data/sample';
import { refuse, Refusal, type ApiResponse, type RefusalCode } from '../errors';
import { isBanned, memberOf } from '../store/groups';
import type { JsonObject, Scope, User } from '../types';
import { getActor, groupOf, ok, success, type Call, type Handlers } from './call';
import { cursorOf, paginate, sortByTime } from './pages';

/** Maximum members per request, as stated in the contract. */
const MOST_AT_ONCE = 25;

/** The scope granted by each list in an Add Members request body. */
const SCOPES = {
	admins: 'admin',
	moderators: 'moderator',
	participants: 'participant',
} as const satisfies Record<string, Scope>;

type Role = keyof typeof SCOPES;

/**
 * Request body of Add Members and value of `members` in Create Group, already validated against the contract.
 */
export type NewMembers = Partial<Record<Role, string[]>>;

export const memberHandlers: Handlers = {
	listMembers(call) {
		const { owner, members, banned = [] } = groupOf(call);
		const { settings, views } = call;
		const isFirst = (uid: string) => uid === owner && settings.listOrder === 'newestFirst';
		return listOf(
			call,
			[...members, ...(settings.bannedInMembers ? banned : [])],
			({ uid, joinedAt }) => (isFirst(uid) ? Infinity : joinedAt),
			(member) => views.member(member),
		);
	},

	addMembers(call) {
		const group = groupOf(call);
		const body: NewMembers = call.body;
		requireNumber(body, 1);
		for (const role of roles(body)) requireClearance(group, call.uid, SCOPES[role]);
		const data = addTo(call, group, body);
		const none = Object.fromEntries(Object.keys(SCOPES).map((role) => [role, null]));
		return ok(call.settings.emptyLists === 'null' ? { ...none, ...data } : data);
	},

	removeMember(call) {
		const { group, uid } = otherMember(call, 'ERR_BANNED_GROUPMEMBER');
		call.store.kickMember(group.guid, uid, getActor(call));
		return success(`User ${uid} has been removed from the group ${group.guid}.`);
	},

	changeScope(call) {
		const { scope } = call.body as { scope: Scope };
		requireClearance(groupOf(call), call.uid, scope);
		const { group, uid, member } = otherMember(call, 'ERR_BANNED_GROUPMEMBER', scope);
		if (member.scope === scope) throw new Refusal('ERR_SAME_SCOPE', uid);
		call.store.changeScope(group.guid, uid, scope, getActor(call));
		return ok({ guid: group.guid, uid, scope, joinedAt: member.joinedAt });
	},

	listBanned: (call) =>
		listOf(
			call,
			groupOf(call).banned ?? [],
			({ bannedAt }) => bannedAt,
			(member) => call.views.bannedMember(member),
		),

	banMember(call) {
		const { group, uid } = otherMember(call, 'ERR_ALREADY_BANNED');
		call.store.banMember(group.guid, uid, getActor(call));
		return banResponse(call, group, uid, 'banned');
	},

	unbanMember(call) {
		const group = groupOf(call);
		requireModerator(group, call.uid);
		const uid = userOf(call);
		if (!isBanned(group, uid)) throw new Refusal('ERR_NOT_A_BANNED_USER', uid);
		call.store.unbanMember(group.guid, uid, getActor(call));
		return banResponse(call, group, uid, 'unbanned');
	},
};

/** Returns one page of members, sorted by time. */
function listOf<Each extends Member>(
	call: Call,
	members: Each[],
	timeOf: (member: Each) => number,
	view: (member: Each) => User,
): ApiResponse {
	const { query, settings, store } = call;
	const scopes = query.scopes as string[] | undefined;
	const matching = members.filter(({ uid, scope }) => {
		if (scopes && !scopes.includes(scope)) return false;
		return query.status === undefined || store.people.user(uid).status === query.status;
	});
	const { shown, pagination } = paginate(sortByTime(matching, timeOf, settings), call);
	const data = shown.map(view);
	return ok(data, { meta: { pagination }, ...cursorOf(data) });
}

function banResponse(
	call: Call,
	{ guid }: StoredGroup,
	uid: string,
	action: 'banned' | 'unbanned',
): ApiResponse {
	if (call.settings.banResponse === 'success') {
		return success(`User ${uid} has been ${action} from the group ${guid}.`);
	}
	return ok(call.views.memberNote(call.store.memberNote(guid, getActor(call)), action, uid));
}

function roles(body: NewMembers): Role[] {
	return (Object.keys(SCOPES) as Role[]).filter((role) => (body[role] ?? []).length > 0);
}

/** @throws {Refusal} if the request lists fewer users than `least`, or more users than the service accepts */
export function requireNumber(body: NewMembers, least: number): void {
	const count = roles(body).flatMap((role) => body[role] ?? []).length;
	if (count >= least && count <= MOST_AT_ONCE) return;
	const text = `must be ${least} to ${MOST_AT_ONCE} UIDs in all`;
	throw new Refusal('ERR_BAD_REQUEST', '', { members: [text] });
}

/**
 * Adds members to a group, and changes the scope of users who are already members.
 *
 * @returns the outcome for each user
 */
export function addTo(call: Call, group: StoredGroup, body: NewMembers): JsonObject {
	const { guid } = group;
	const added: Array<Pick<Member, 'uid' | 'scope'>> = [];
	const data: Partial<Record<Role, JsonObject>> = {};
	for (const role of roles(body)) {
		const scope = SCOPES[role];
		for (const uid of (body[role] ?? []).map((name) => name.toLowerCase())) {
			const code = reasonAgainst(call, group, { uid, scope }, added);
			if (!code && memberOf(group, uid)) call.store.changeScope(guid, uid, scope, getActor(call));
			else if (!code) added.push({ uid, scope });
			(data[role] ??= {})[uid] = code
				? { success: false, error: refuse(code, uid).body.error }
				: { success: true, message: `User ${uid} has joined the group.` };
		}
	}
	call.store.addMembers(guid, added, getActor(call));
	return data;
}

/** Returns the error code if a user can't be added or get the scope, or undefined if they can. */
function reasonAgainst(
	{ store, settings }: Call,
	group: StoredGroup,
	{ uid, scope }: Pick<Member, 'uid' | 'scope'>,
	added: Array<Pick<Member, 'uid'>>,
): RefusalCode | undefined {
	if (!store.people.has(uid)) return 'ERR_UID_NOT_FOUND';
	const isAdded = added.some((other) => other.uid === uid);
	const member = memberOf(group, uid);
	if (isAdded || member?.scope === scope) return 'ERR_ALREADY_JOINED';
	if (member) return group.owner === uid ? 'ERR_GROUP_OWNER_DEMOTE_FORBIDDEN' : undefined;
	const count = group.members.length + added.length;
	if (settings.maxMembers > 0 && count >= settings.maxMembers) return 'ERR_NO_VACANCY';
	return undefined;
}

/**
 * Returns the lowercase UID in the path parameter `uid`.
 *
 * @throws {Refusal} if no such user exists
 */
function userOf({ params, store }: Call): string {
	const uid = params.uid.toLowerCase();
	if (!store.people.has(uid)) throw new Refusal('ERR_UID_NOT_FOUND', uid);
	return uid;
}

/**
 * Returns the member whose UID is in the path parameter `uid`, if the acting user is allowed to change this
 * member.
 *
 * @param bannedCode error code to refuse with if the user is banned
 * @param scope the new scope, or undefined if the member is removed or banned
 */
function otherMember(
	call: Call,
	bannedCode: RefusalCode,
	scope?: Scope,
): { group: StoredGroup; uid: string; member: Member } {
	const group = groupOf(call);
	const me = requireModerator(group, call.uid);
	const uid = userOf(call);
	if (uid === call.uid) throw new Refusal('ERR_GROUP_NO_SELF_ACTION', uid);
	if (isBanned(group, uid)) throw new Refusal(bannedCode, uid);
	const member = memberOf(group, uid);
	if (!member) throw new Refusal('ERR_NOT_A_MEMBER', uid);
	if (group.owner === uid && scope !== 'admin') {
		throw new Refusal(scope ? 'ERR_GROUP_OWNER_DEMOTE_FORBIDDEN' : 'ERR_MEMBER_DELETE_FAILED', uid);
	}
	if (me?.scope === 'moderator' && member.scope !== 'participant') {
		throw new Refusal('ERR_GROUP_NO_CLEARANCE', me.uid);
	}
	return { group, uid, member };
}

/** Returns the acting user's membership. Refuses the request unless the user is an admin or moderator. */
function requireModerator(group: StoredGroup, uid: string | undefined): Member | undefined {
	if (uid === undefined) return undefined;
	const me = memberOf(group, uid);
	if (!me) throw new Refusal('ERR_GROUP_NOT_JOINED', uid);
	if (me.scope === 'participant') throw new Refusal('ERR_GROUP_NO_MODERATOR_SCOPE', uid);
	return me;
}

/** Refuses moderators who try to grant a scope above participant. */
function requireClearance(group: StoredGroup, uid: string | undefined, scope: Scope): void {
	const me = requireModerator(group, uid);
	if (me?.scope === 'moderator' && scope !== 'participant') {
		throw new Refusal('ERR_GROUP_NO_SCOPE_CLEARANCE', me.uid);
	}
}
