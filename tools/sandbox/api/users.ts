import { Refusal, type ApiResponse } from '../errors';
import type { Settings } from '../settings';
import type { NewUser, UserChange } from '../store/people';
import type { Store } from '../store/store';
import { isObject, type User } from '../types';
import { ok, success, type Call, type Handlers } from './call';
import { requireMetadataSize } from './content';
import { cursorOf, paginate, sortByTime } from './pages';

/** Roles that exist in the sandbox's app. */
const ROLES = [
	{ role: 'default', name: 'Default', description: 'Every new user', createdAt: 1_704_096_000 },
	{ role: 'support', name: 'Support', description: 'Answers customers', createdAt: 1_704_096_000 },
];

const SEARCHED = ['uid', 'name'] as const;

/** Request bodies of Create User and Update User, already validated against the contract. */
type NewUserBody = NewUser & { withAuthToken?: boolean };
type UserBody = UserChange & { unset?: Array<'avatar' | 'link' | 'metadata'> };

export const userHandlers: Handlers = {
	listUsers(call) {
		const { query, settings } = call;
		const matching = sortByTime(findUsers(call), ({ createdAt = 0 }) => createdAt, settings);
		const { shown, pagination } = paginate(matching, call);
		const data = shown.map((user) =>
			withPrivate({ ...user, tags: query.withTags === true ? user.tags : undefined }, settings),
		);
		return ok(data, { meta: { pagination }, ...cursorOf(data) });
	},

	listRoles(call) {
		const { shown, pagination } = paginate(ROLES, call);
		return ok(shown, { meta: { pagination } });
	},

	getUser: (call) => ok(call.store.people.user(activeUid(call))),

	createUser({ body, store, settings }) {
		const { withAuthToken = false, ...fields } = body as unknown as NewUserBody;
		const uid = fields.uid.toLowerCase();
		if (store.people.has(uid) || store.people.isDeactivated(uid)) {
			throw new Refusal('ERR_UID_ALREADY_EXISTS', fields.uid);
		}
		requireFields(fields, settings);
		const user = store.people.create({ ...fields, uid });
		if (!withAuthToken) return ok(user);
		return ok({ ...user, authToken: store.people.createToken(uid).authToken });
	},

	updateUser(call) {
		const uid = activeUid(call);
		const { unset = [], ...change } = call.body as UserBody;
		requireFields(change, call.settings);
		for (const field of unset) change[field] = undefined;
		return ok(withPrivate(call.store.people.update(uid, change), call.settings));
	},

	deleteUser({ params, body, store }) {
		const uid = params.uid.toLowerCase();
		if (!store.people.has(uid) && !store.people.isDeactivated(uid)) {
			throw new Refusal('ERR_UID_NOT_FOUND', params.uid);
		}
		if (body.permanent === true) {
			store.people.delete(uid);
			return success(`User with UID ${uid} has been deleted successfully.`);
		}
		store.people.deactivate(uid);
		return ok({ deactivatedUids: [uid] });
	},

	deactivateUsers: ({ body, store }) =>
		setDeactivated(store, body.uidsToDeactivate, true, [
			'deactivatedUids',
			'alreadyDeactivatedUids',
		]),

	reactivateUsers: ({ body, store }) =>
		setDeactivated(store, body.uidsToActivate, false, ['reactivatedUids', 'nonDeactivatedUids']),

	blockUsers: (call) =>
		changedBlocks(call, (uid, other) => {
			if (uid === other) return new Refusal('ERR_CANNOT_BLOCK_SELF', other);
			call.store.people.block(uid, other);
			return undefined;
		}),

	unblockUsers: (call) =>
		changedBlocks(call, (uid, other) => {
			call.store.people.unblock(uid, other);
			return undefined;
		}),

	listBlockedUsers(call) {
		const { people } = call.store;
		const { shown, pagination } = paginate(people.blockedBy(activeUid(call)), call);
		const data = shown.map(({ uid, at }) => ({
			...people.user(uid),
			...{ blockedByMe: true, blockedByMeAt: at, blockedAt: at },
			conversationId: `${call.params.uid.toLowerCase()}_user_${uid}`,
		}));
		return ok(data, { meta: { pagination, ...cursorOf(data) } });
	},

	addFriends(call) {
		const { people } = call.store;
		const accepted = outcomesOf(call, call.body.accepted, (uid, other) => {
			if (uid === other) return new Refusal('ERR_CANNOT_FORM_SELF_RELATION', other);
			if (people.areFriends(uid, other)) return new Refusal('ERR_ALREADY_FRIEND', other);
			people.befriend(uid, other);
			return undefined;
		});
		return ok({ accepted });
	},

	removeFriends(call) {
		const { people } = call.store;
		const uid = activeUid(call);
		const uids = uidsIn(call.body.friends);
		const friends = uids.filter((other) => people.areFriends(uid, other));
		const isSkipped = call.settings.absentFriend === 'skip' && friends.length > 0;
		for (const other of isSkipped ? [] : uids) {
			if (!people.has(other)) throw new Refusal('ERR_UID_NOT_FOUND', other);
			if (!friends.includes(other)) throw new Refusal('ERR_NOT_A_FRIEND', other);
		}
		for (const friend of friends) people.unfriend(uid, friend);
		return success('The friends have been removed.');
	},

	listFriends(call) {
		const { people } = call.store;
		const key = String(call.query.searchKey ?? '').toLowerCase();
		const friends = people
			.friendsOf(activeUid(call))
			.filter((friend) => SEARCHED.some((field) => friend[field].toLowerCase().startsWith(key)));
		const { shown, pagination } = paginate(friends, call);
		return ok(shown, { meta: { pagination, ...cursorOf(shown) } });
	},

	deleteAuthTokens(call) {
		const { people } = call.store;
		const sent = call.params.uid.toLowerCase();
		const isAccepted = call.settings.deactivatedTokens === 'delete' && people.isDeactivated(sent);
		const uid = isAccepted ? sent : activeUid(call);
		people.deleteTokens(uid);
		return success(`The auth tokens of the user ${uid} have been deleted.`);
	},

	createAuthToken: (call) => ok(call.store.people.createToken(activeUid(call))),
};

/**
 * Deactivates or reactivates users. The response contains the UIDs as sent, in lists by outcome. Empty lists
 * are missing.
 *
 * @param names the lists of users who changed, and of users who were in this state already
 */
function setDeactivated(
	{ people }: Store,
	uids: unknown,
	deactivated: boolean,
	[changed, unchanged]: [string, string],
): ApiResponse {
	const lists: Record<string, string[]> = {};
	for (const sent of uids as string[]) {
		const uid = sent.toLowerCase();
		const isKnown = people.has(uid) || people.isDeactivated(uid);
		const isChange = people.has(uid) === deactivated;
		const name = isKnown ? (isChange ? changed : unchanged) : 'notFound';
		(lists[name] ??= []).push(sent);
	}
	for (const uid of lists[changed] ?? []) people.deactivate(uid.toLowerCase(), deactivated);
	return ok(lists);
}

/** Blocks or unblocks the users in the request, and returns an outcome for each user. */
const changedBlocks = (call: Call, change: Change): ApiResponse =>
	ok(outcomesOf(call, call.body.blockedUids, change));

/** Changes what the user in the path has to do with another user. Returns a refusal instead of throwing it. */
type Change = (uid: string, other: string) => Refusal | undefined;

/** Changes each listed user, and returns the outcomes by UID. */
function outcomesOf(call: Call, list: unknown, change: Change): Record<string, object> {
	const uid = activeUid(call);
	const outcomes = uidsIn(list).map((other): [string, object] => {
		const isKnown = call.store.people.has(other);
		const refusal = isKnown ? change(uid, other) : new Refusal('ERR_UID_NOT_FOUND', other);
		if (refusal) return [other, { success: false, ...refusal.response.body }];
		return [other, { success: true, message: `The user with UID ${other} was changed.` }];
	});
	return Object.fromEntries(outcomes);
}

/** Returns the users that match the request's filters. */
function findUsers({ query, store }: Call): User[] {
	const start = String(query.searchKey ?? '').toLowerCase();
	const searchIn = (query.searchIn as string[] | undefined) ?? SEARCHED;
	const fields = SEARCHED.filter((field) => searchIn.includes(field));
	const roles = query.roles as string[] | undefined;
	const tags = query.tags as string[] | undefined;
	const only = query.onlyDeactivated === true;
	return [
		...(only ? [] : store.people.all()),
		...(only || query.withDeactivated === true ? store.people.deactivated() : []),
	]
		.filter((user) => fields.some((field) => user[field].toLowerCase().startsWith(start)))
		.filter(({ status }) => query.status === undefined || status === query.status)
		.filter(({ role }) => roles === undefined || roles.includes(role))
		.filter((user) => tags === undefined || user.tags?.some((tag) => tags.includes(tag)));
}

/** Moves private metadata to the top level of `metadata`, if the settings select this position. */
function withPrivate(user: User, { privateMetadata }: Settings): User {
	if (privateMetadata !== 'top' || !isObject(user.metadata)) return user;
	const { '@private': own, ...metadata } = user.metadata;
	return isObject(own) ? { ...user, metadata: { ...metadata, ...own } } : user;
}

/**
 * Returns the lowercase UID in the path parameter `uid`.
 *
 * @throws {Refusal} if no active user has this UID
 */
function activeUid({ params, store }: Call): string {
	const uid = params.uid.toLowerCase();
	if (!store.people.has(uid)) throw new Refusal('ERR_UID_NOT_FOUND', params.uid);
	return uid;
}

function requireFields({ avatar, role, metadata }: UserChange, { unknownRole }: Settings): void {
	if (avatar !== undefined && !/^https?:\/\/\S+$/.test(avatar)) {
		throw new Refusal('ERR_BAD_REQUEST', '', { avatar: ['must be a URL'] });
	}
	if (role !== undefined && !ROLES.some((known) => known.role === role)) {
		throw new Refusal(unknownRole === 'notFound' ? 'ERR_ROLE_NOT_FOUND' : 'ERR_BAD_REQUEST', role);
	}
	requireMetadataSize(metadata);
}

const uidsIn = (list: unknown): string[] => (list as string[]).map((uid) => uid.toLowerCase());
