import { sampleMessages, type Member, type StoredGroup } from '../data/sample';
import type { Report, Scope } from '../types';
import { Bots } from './bots';
import { Conversations } from './conversations';
import { NotFound } from './errors';
import type { EngineFailure, EventListener, EventMembers, StoreEvent } from './events';
import { Groups, isBanned, memberOf } from './groups';
import {
	isHidden,
	mentionsIn,
	Messages,
	type MessageContent,
	type NewMessage,
	type StoredMessage,
} from './messages';
import { Moderation, type Hit, type Reviewed } from './moderation';
import { People, SYSTEM_USER } from './people';

export type NewGroup = Partial<Omit<StoredGroup, 'members'>> & {
	guid: string;
	members?: Member[];
};
/** Changes to a group. Fields set to undefined are removed. */
export type GroupChange = Partial<Omit<StoredGroup, 'guid' | 'createdAt' | 'members' | 'banned'>>;
export type MessageChange = Pick<MessageContent, 'text' | 'metadata'> & { tags?: string[] };

/** Returns a moderation engine's verdict about a message. The promise never rejects. */
export type Screen = (message: StoredMessage) => Promise<{
	isBlocked: boolean;
	reason: string;
	/** Only present if the engine returned no usable verdict and its `onError` setting decided instead. */
	failure?: EngineFailure;
}>;

const eventMembers = (...uids: string[]): EventMembers =>
	Object.fromEntries(uids.map((uid) => [uid, {}]));

/**
 * Returns the members listed in a ban or unban event. If a user acts, the service lists the acting user
 * instead of the affected user.
 */
const banEventMembers = (uid: string, by: string): EventMembers =>
	eventMembers(by === SYSTEM_USER.uid ? uid : by);

/**
 * Stores the service's data. Changes last until `reset`. The store checks that referenced entities exist, but
 * doesn't check permissions.
 */
export class Store {
	private readonly listeners = new Set<EventListener>();
	/** Assigned by `reset`, which the constructor calls. */
	groups!: Groups;
	people!: People;
	messages!: Messages;
	moderation!: Moderation;
	bots!: Bots;
	conversations!: Conversations;

	/** Judges new messages, if a moderation engine is set. */
	screen: Screen | undefined;

	/**
	 * @param generatedGroups number of generated groups in addition to the sample data
	 * @param now the service's clock, in Unix seconds
	 * @param isRecent true to date the last sample message an hour ago instead of in August 2025
	 */
	constructor(
		private readonly generatedGroups: number,
		private readonly now: () => number,
		private readonly isRecent = false,
	) {
		this.reset();
	}

	/** Restores the sample data. */
	reset(): void {
		this.people = new People(this.now);
		const uids = this.people.all().map(({ uid }) => uid);
		this.groups = new Groups(this.generatedGroups, uids);
		const lastSentAt = this.isRecent ? this.now() - 3600 : undefined;
		this.messages = new Messages(sampleMessages(lastSentAt));
		this.moderation = new Moderation(lastSentAt);
		this.bots = new Bots(this.now);
		this.conversations = new Conversations();
		this.screen = undefined;
	}

	/** Registers a listener that is called for each event. */
	onEvent(listener: EventListener): void {
		this.listeners.add(listener);
	}

	/**
	 * Adds a group. By default, the group is public, is owned by the first user, and uses its GUID as its name.
	 * The owner is the only member, unless the system user owns the group.
	 *
	 * @throws if the GUID is already in use
	 */
	createGroup(fields: NewGroup, by = SYSTEM_USER.uid): StoredGroup {
		const guid = fields.guid.toLowerCase();
		const owner = fields.owner ?? this.people.all()[0]?.uid ?? SYSTEM_USER.uid;
		const createdAt = fields.createdAt ?? this.now();
		const ownMember: Member = { uid: owner, scope: 'admin', joinedAt: createdAt };
		const group = this.groups.add({
			name: guid,
			type: 'public',
			tags: [],
			members: owner === SYSTEM_USER.uid ? [] : [ownMember],
			...fields,
			guid,
			owner,
			createdAt,
		});
		const members = eventMembers(...group.members.map(({ uid }) => uid));
		const viewer = by === SYSTEM_USER.uid ? undefined : by;
		this.emit({ trigger: 'group_created', group, members, viewer });
		return group;
	}

	/**
	 * Changes a group and updates the time of its last change. A new owner becomes an admin.
	 *
	 * @param change new values by field. Fields set to undefined are removed
	 * @throws {NotFound} if no such group exists
	 */
	updateGroup(guid: string, change: GroupChange, by = SYSTEM_USER.uid): StoredGroup {
		const oldOwner = this.groups.get(guid)?.owner;
		const group = this.groups.change(guid, (stored) => {
			Object.assign(stored, { updatedAt: this.now(), updatedBy: by }, change);
			if (change.owner !== undefined && change.owner !== oldOwner) this.makeAdmin(stored);
		});
		// According to public test code, an ownership transfer triggers this event instead of the update event
		const isTransfer = oldOwner !== undefined && group.owner !== oldOwner;
		this.emit(
			isTransfer
				? { trigger: 'group_owner_transferred', group, oldOwner }
				: { trigger: 'group_updated', group },
		);
		return group;
	}

	/**
	 * Deletes a group and its messages.
	 *
	 * @throws {NotFound} if no such group exists
	 */
	deleteGroup(guid: string): void {
		const group = this.groups.delete(guid);
		this.messages.remove(
			({ receiverType, receiver }) => receiverType === 'group' && receiver === guid,
		);
		this.emit({ trigger: 'group_deleted', group });
	}

	/**
	 * Adds a user who joins the group by themselves. Joining doesn't update the time of the group's last change.
	 * Existing members stay unchanged.
	 *
	 * @throws {NotFound} if no such group or user exists
	 */
	joinGroup(guid: string, uid: string, scope: Scope = 'participant'): StoredGroup {
		const { group, added } = this.add(guid, [{ uid, scope }]);
		if (added.length > 0) {
			this.emit({ trigger: 'group_member_joined', group, members: eventMembers(uid) });
		}
		return group;
	}

	/**
	 * Removes a member who leaves the group by themselves. Leaving doesn't update the time of the group's last
	 * change.
	 *
	 * @throws {NotFound} if no such group exists
	 */
	leaveGroup(guid: string, uid: string): StoredGroup {
		const { group, isGone } = this.removeMember(guid, uid);
		if (isGone) this.emit({ trigger: 'group_member_left', group, members: eventMembers(uid) });
		return group;
	}

	/**
	 * Adds members and lifts their bans. Existing members stay unchanged.
	 *
	 * @throws {NotFound} if no such group or user exists
	 */
	addMembers(
		guid: string,
		newcomers: Array<Pick<Member, 'uid' | 'scope'>>,
		by = SYSTEM_USER.uid,
	): StoredGroup {
		const { group, added } = this.add(guid, newcomers);
		const members = eventMembers(...added.map(({ uid }) => uid));
		if (added.length > 0) this.emit({ trigger: 'group_member_added', group, members, by });
		return group;
	}

	/** @throws {NotFound} if no such group exists */
	kickMember(guid: string, uid: string, by = SYSTEM_USER.uid): StoredGroup {
		const { group, isGone } = this.removeMember(guid, uid);
		if (isGone)
			this.emit({ trigger: 'group_member_kicked', group, members: eventMembers(uid), by });
		return group;
	}

	/**
	 * Removes a user from a group and bans them.
	 *
	 * @throws {NotFound} if no such group or user exists
	 */
	banMember(guid: string, uid: string, by = SYSTEM_USER.uid): StoredGroup {
		this.knownUser(uid);
		const before = this.groups.get(guid);
		const { scope = 'participant', joinedAt = this.now() } =
			(before && memberOf(before, uid)) ?? {};
		const { group } = this.removeMember(guid, uid);
		const ban = { uid, scope, joinedAt, bannedAt: this.now() };
		if (!isBanned(group, uid)) (group.banned ??= []).push(ban);
		const members = banEventMembers(uid, by);
		this.emit({ trigger: 'group_member_banned', group, members, by });
		return group;
	}

	/** @throws {NotFound} if no such group exists, or the user isn't banned from it */
	unbanMember(guid: string, uid: string, by = SYSTEM_USER.uid): StoredGroup {
		const group = this.groups.change(guid, (stored) => {
			if (!isBanned(stored, uid)) throw new NotFound(`${uid} is not banned from ${guid}`);
			stored.banned = stored.banned?.filter((banned) => banned.uid !== uid);
		});
		const members = banEventMembers(uid, by);
		this.emit({ trigger: 'group_member_unbanned', group, members, by });
		return group;
	}

	/** @throws {NotFound} if no such group or member exists */
	changeScope(guid: string, uid: string, scope: Scope, by = SYSTEM_USER.uid): StoredGroup {
		let oldScope: Scope | undefined;
		const group = this.groups.change(guid, (stored) => {
			const member = memberOf(stored, uid);
			if (!member) throw new NotFound(`${uid} is not a member of ${guid}`);
			oldScope = member.scope;
			member.scope = scope;
		});
		const members = { [uid]: { scope, oldScope } };
		this.emit({ trigger: 'group_member_scope_changed', group, members, by });
		return group;
	}

	/** Creates an action message about a member without storing the message. */
	memberNote(guid: string, by: string): StoredMessage {
		const fields = { sender: by, receiver: guid, category: 'action', type: 'groupMember' } as const;
		return this.messages.create(fields, this.now());
	}

	/**
	 * Sends a message. By default, sends a text message to a group at the current time.
	 *
	 * @throws {NotFound} if no such sender or receiver exists
	 */
	sendMessage(fields: NewMessage): StoredMessage {
		const { sender, receiver, receiverType = 'group' } = fields;
		this.people.user(sender);
		if (receiverType === 'user') this.people.user(receiver);
		else if (!this.groups.get(receiver)) throw new NotFound(`There is no group ${receiver}`);
		const message = this.messages.add(fields, this.now());
		const hit = this.moderation.hitOf(message);
		if (hit?.rule.action === 'blockMessage') this.blockMessage(message, hit);
		else if (this.screen) this.askEngine(message, this.screen, hit);
		else this.deliver(message, hit);
		return message;
	}

	/** Emits the events for a message that isn't blocked, and adds a report if a rule flagged the message. */
	private deliver(message: StoredMessage, hit?: Hit): void {
		this.emit({ trigger: 'message_sent', message });
		if (this.mentioned(message).length > 0) this.emit({ trigger: 'user_mentioned', message });
		if (hit) {
			const report = { uid: SYSTEM_USER.uid, reasonId: hit.rule.id, remark: hit.reason };
			this.moderation.report(message.id, { ...report, flaggedAt: this.now() });
		}
	}

	private blockMessage(message: StoredMessage, hit: Hit): void {
		const { id, name } = hit.rule;
		message.moderation = { status: 'disapproved', rule: { id, name } };
		this.moderation.block({ ...hit, messageId: message.id, createdAt: this.now() });
		this.emit({ trigger: 'moderation_engine_blocked', message, hit });
	}

	private askEngine(message: StoredMessage, screen: Screen, flagged?: Hit): void {
		message.moderation = { status: 'pending' };
		void screen(message).then(({ isBlocked, reason, failure }) => {
			const rule = { id: 'custom-engine', name: 'Custom engine', action: 'blockMessage' } as const;
			message.moderation = { status: isBlocked ? 'disapproved' : 'approved' };
			if (failure) this.emit({ trigger: 'moderation_engine_failed', message, failure });
			if (isBlocked) return this.blockMessage(message, { rule, reason });
			this.emit({ trigger: 'moderation_engine_approved', message });
			this.deliver(message, flagged);
		});
	}

	/** @throws {NotFound} if no such message or user exists */
	flagMessage(id: string, report: Omit<Report, 'flaggedAt'>): void {
		this.knownUser(report.uid);
		this.moderation.report(this.messages.existing(id).id, { ...report, flaggedAt: this.now() });
	}

	/**
	 * Approves or disapproves a message in a moderation queue. Approving a blocked message delivers the message.
	 *
	 * @throws {NotFound} if the message isn't in the queue
	 */
	reviewMessage(queue: 'flagged' | 'blocked', id: string, status: Reviewed['status']): void {
		this.moderation.decide(queue, id, status, this.now());
		const message = this.messages.existing(id);
		const wasBlocked = isHidden(message);
		message.moderation = { ...message.moderation, status };
		if (status !== 'approved' || !wasBlocked) return;
		this.emit({ trigger: 'moderation_manual_approved', message, reviewed: true });
		this.deliver(message);
	}

	/**
	 * Changes a message's content.
	 *
	 * @returns the action message about the edit
	 * @throws {NotFound} if no such message exists
	 */
	editMessage(id: string, change: MessageChange, by = SYSTEM_USER.uid): StoredMessage {
		const message = this.messages.existing(id);
		const now = this.now();
		Object.assign(message, change, { editedAt: now, editedBy: by, updatedAt: now });
		const note = this.note(message, 'edited', by);
		this.emit({ trigger: 'message_edited', note });
		return note;
	}

	/**
	 * Marks a message as deleted, or removes the message permanently.
	 *
	 * @returns the action message about the deletion
	 * @throws {NotFound} if no such message exists
	 */
	deleteMessage(
		id: string,
		{ permanent = false, by = SYSTEM_USER.uid }: { permanent?: boolean; by?: string } = {},
	): StoredMessage {
		const message = this.messages.existing(id);
		const now = this.now();
		Object.assign(message, { deletedAt: now, deletedBy: by, updatedAt: now });
		if (permanent) this.messages.remove((other) => other === message);
		const note = this.note(message, 'deleted', by);
		this.emit({ trigger: 'message_deleted', note });
		return note;
	}

	/**
	 * Adds a reaction, unless the user has already added the same reaction.
	 *
	 * @throws {NotFound} if no such message or user exists
	 */
	addReaction(messageId: string, uid: string, reaction: string): void {
		this.knownUser(uid);
		const { entry, isNew } = this.messages.react(messageId, uid, reaction, this.now());
		if (!isNew) return;
		this.emit({ trigger: 'message_reaction_added', reaction: { ...entry, messageId } });
	}

	/**
	 * Removes a reaction.
	 *
	 * @returns false if the user hadn't added the reaction
	 */
	removeReaction(messageId: string, uid: string, reaction: string): boolean {
		const entry = this.messages.existing(messageId).reactions.remove(reaction, uid);
		if (!entry) return false;
		this.emit({ trigger: 'message_reaction_removed', reaction: { ...entry, messageId } });
		return true;
	}

	/** True if a user can see a message. Only the sender can see pending and blocked messages. */
	canSee(message: StoredMessage, uid: string): boolean {
		if (message.sender === uid) return true;
		if (isHidden(message)) return false;
		if (message.receiver === uid) return true;
		if (message.receiverType === 'user') return false;
		const group = this.groups.get(message.receiver);
		return group !== undefined && memberOf(group, uid) !== undefined;
	}

	/** Returns the UIDs of mentioned users who exist. */
	mentioned({ text }: StoredMessage): string[] {
		return mentionsIn(text).filter((uid) => this.people.has(uid));
	}

	private emit(event: StoreEvent): void {
		for (const listener of this.listeners) listener(event);
	}

	private note(on: StoredMessage, kind: 'edited' | 'deleted', by: string): StoredMessage {
		const { receiver, receiverType } = on;
		return this.messages.add(
			{
				sender: by,
				receiver,
				receiverType,
				category: 'action',
				type: 'message',
				action: { kind, on: { ...on } },
			},
			this.now(),
		);
	}

	private add(
		guid: string,
		newcomers: Array<Pick<Member, 'uid' | 'scope'>>,
	): { group: StoredGroup; added: Member[] } {
		for (const { uid } of newcomers) this.knownUser(uid);
		let added: Member[] = [];
		const group = this.groups.change(guid, (stored) => {
			added = newcomers
				.filter(({ uid }) => !memberOf(stored, uid))
				.map((newcomer) => ({ ...newcomer, joinedAt: this.now() }));
			stored.members.push(...added);
			stored.banned = stored.banned?.filter(({ uid }) => !memberOf(stored, uid));
		});
		return { group, added };
	}

	private removeMember(guid: string, uid: string): { group: StoredGroup; isGone: boolean } {
		let isGone = false;
		const group = this.groups.change(guid, (stored) => {
			isGone = memberOf(stored, uid) !== undefined;
			stored.members = stored.members.filter((member) => member.uid !== uid);
		});
		return { group, isGone };
	}

	private makeAdmin(group: StoredGroup): void {
		if (!this.people.has(group.owner)) return;
		const member = memberOf(group, group.owner);
		if (member) member.scope = 'admin';
		else group.members.push({ uid: group.owner, scope: 'admin', joinedAt: this.now() });
	}

	private knownUser(uid: string): void {
		if (!this.people.has(uid)) throw new NotFound(`There is no user ${uid}`);
	}
}
