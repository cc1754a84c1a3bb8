import type { Member, StoredGroup } from '../data/groups';
import { refusal, Refusal, type RefusalCode } from '../errors';
import { memberOf } from '../store/groups';
import type { JsonObject, Scope } from '../types';
import { actor, groupOf, ok, success, type Call, type Handlers } from './call';
import { pageOf, pagination, slice } from './pages';

/** Source of the limit: the contract. */
const MOST_AT_ONCE = 25;

/** The lists in the body of Add Members, and the scope that each grants. */
const SCOPES = {
	admins: 'admin',
	moderators: 'moderator',
	participants: 'participant',
} as const satisfies Record<string, Scope>;

type Role = keyof typeof SCOPES;

export const memberHandlers: Handlers = {
	listMembers(call) {
		const { query, settings, views } = call;
		const scopes = query.scopes as string[] | undefined;
		const matching = groupOf(call)
			.members.map((member) => views.member(member))
			.filter(({ scope, status }) => {
				if (scopes && !scopes.includes(scope)) return false;
				return query.status === undefined || status === query.status;
			})
			.sort((a, b) => a.joinedAt - b.joinedAt || (a.uid < b.uid ? -1 : 1));
		const page = pageOf(query, settings);
		const data = slice(matching, page);
		const facts = { total: matching.length, count: data.length };
		return ok(data, { meta: { pagination: pagination(page, facts, settings) } });
	},

	addMembers(call) {
		const group = groupOf(call);
		const body = call.body as Partial<Record<Role, string[]>>;
		const asked = roles(body).flatMap((role) =>
			(body[role] ?? []).map((uid) => ({ role, uid: uid.toLowerCase() })),
		);
		if (asked.length === 0 || asked.length > MOST_AT_ONCE) {
			const text = `must be 1 to ${MOST_AT_ONCE} UIDs in all`;
			throw new Refusal('ERR_BAD_REQUEST', '', { members: [text] });
		}
		for (const role of roles(body)) requireClearance(group, call.uid, SCOPES[role]);

		const added: Array<Pick<Member, 'uid' | 'scope'>> = [];
		const data: Partial<Record<Role, JsonObject>> = {};
		for (const { role, uid } of asked) {
			const code = reasonAgainst(call, group, uid, added);
			if (!code) added.push({ uid, scope: SCOPES[role] });
			(data[role] ??= {})[uid] = code ? memberError(call, code, uid) : joined(uid);
		}
		call.store.addMembers(group.guid, added, actor(call));
		const none = Object.fromEntries(Object.keys(SCOPES).map((role) => [role, null]));
		return ok(call.settings.emptyLists === 'null' ? { ...none, ...data } : data);
	},

	removeMember(call) {
		const group = groupOf(call);
		const me = requireModerator(group, call.uid);
		const uid = call.params.uid.toLowerCase();
		if (!call.store.hasUser(uid)) throw new Refusal('ERR_UID_NOT_FOUND', uid);
		if (uid === call.uid) throw new Refusal('ERR_GROUP_NO_SELF_ACTION', uid);
		const member = memberOf(group, uid);
		if (!member) throw new Refusal('ERR_NOT_A_MEMBER', uid);
		if (group.owner === uid) throw new Refusal('ERR_MEMBER_DELETE_FAILED', uid);
		if (me?.scope === 'moderator' && member.scope !== 'participant') {
			throw new Refusal('ERR_GROUP_NO_CLEARANCE', me.uid);
		}
		call.store.kickMember(group.guid, uid, actor(call));
		return success(`User ${uid} has been removed from the group ${group.guid}.`);
	},
};

function roles(body: Partial<Record<Role, string[]>>): Role[] {
	return (Object.keys(SCOPES) as Role[]).filter((role) => (body[role] ?? []).length > 0);
}

const joined = (uid: string) => ({ success: true, message: `User ${uid} has joined the group.` });

/** Why a user cannot become a member. */
function reasonAgainst(
	{ store, settings }: Call,
	group: StoredGroup,
	uid: string,
	added: Array<Pick<Member, 'uid'>>,
): RefusalCode | undefined {
	if (!store.hasUser(uid)) return 'ERR_UID_NOT_FOUND';
	if (memberOf(group, uid) || added.some((other) => other.uid === uid)) return 'ERR_ALREADY_JOINED';
	if (group.banned?.includes(uid)) return 'ERR_BANNED_GROUPMEMBER';
	const count = group.members.length + added.length;
	if (settings.maxMembers > 0 && count >= settings.maxMembers) return 'ERR_NO_VACANCY';
	return undefined;
}

function memberError({ settings }: Call, code: RefusalCode, uid: string): unknown {
	const { message } = refusal(code, uid).body.error;
	if (settings.memberError === 'text') return message;
	return settings.memberError === 'nested'
		? { success: false, error: { code, message } }
		: { code, message };
}

/** The membership of who acts, who has to be an admin or moderator. */
function requireModerator(group: StoredGroup, uid: string | undefined): Member | undefined {
	if (uid === undefined) return undefined;
	const me = memberOf(group, uid);
	if (!me) throw new Refusal('ERR_GROUP_NOT_JOINED', uid);
	if (me.scope === 'participant') throw new Refusal('ERR_GROUP_NO_MODERATOR_SCOPE', uid);
	return me;
}

/** A moderator can make others participants only. */
function requireClearance(group: StoredGroup, uid: string | undefined, scope: Scope): void {
	const me = requireModerator(group, uid);
	if (me?.scope === 'moderator' && scope !== 'participant') {
		throw new Refusal('ERR_GROUP_NO_SCOPE_CLEARANCE', me.uid);
	}
}
