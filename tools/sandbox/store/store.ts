import { sampleMessages, type Member, type StoredGroup } from '../data/sample';
import type { Report, Scope } from '../types';
import { NotFound } from './errors';
import type { EngineFailure, EventListener, MembersTold, StoreEvent } from './events';
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
/** A field that is undefined is removed. */
export type GroupChange = Partial<Omit<StoredGroup, 'guid' | 'createdAt' | 'members' | 'banned'>>;
export type MessageChange = Pick<MessageContent, 'text' | 'metadata'> & { tags?: string[] };

/** What an engine says of a message. Never rejects. */
export type Screen = (message: StoredMessage) => Promise<{
	isBlocked: boolean;
	reason: string;
	/** Where it gave no answer that counts, and the setting decided instead. */
	failure?: EngineFailure;
}>;

const told = (...uids: string[]): MembersTold => Object.fromEntries(uids.map((uid) => [uid, {}]));

/** Who is told of when a member is banned or may come back: on behalf of a user, this user instead. */
const toldOfBan = (uid: string, by: string): MembersTold => told(by === SYSTEM_USER.uid ? uid : by);

/**
 * The service's data: groups, people, messages and reactions. What is changed stays changed until `reset`. Who may do what is
 * not its business; it only refuses what names a thing that does not exist.
 */
export class Store {
	private readonly listeners = new Set<EventListener>();
	/** Made anew by `reset` */
	groups!: Groups;
	people!: People;
	messages!: Messages;
	moderation!: Moderation;

	/** Looks at each message before anybody sees it, where an engine is set up. */
	screen: Screen | undefined;

	/**
	 * @param generatedGroups groups beside the sample data
	 * @param now the service's clock, in Unix seconds
	 * @param isRecent whether the last message was sent an hour ago, and not in August 2025
	 */
	constructor(
		private readonly generatedGroups: number,
		private readonly now: () => number,
		private readonly isRecent = false,
	) {
		this.reset();
	}

	/** Puts the data back to the sample state. */
	reset(): void {
		this.people = new People(this.now);
		const uids = this.people.all().map(({ uid }) => uid);
		this.groups = new Groups(this.generatedGroups, uids);
		this.messages = new Messages(sampleMessages(this.isRecent ? this.now() - 3600 : undefined));
		this.moderation = new Moderation();
		this.screen = undefined;
	}

	/** Tells of everything that happens from now on. @returns a function that ends this */
	onEvent(listener: EventListener): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/**
	 * Adds a group. Left-out fields: the guid as name, public, the first user as owner, no tags, created now, the owner as its
	 * only member (none when the system owns it).
	 *
	 * @throws when the guid is taken
	 */
	createGroup(fields: NewGroup, by = SYSTEM_USER.uid): StoredGroup {
		const guid = fields.guid.toLowerCase();
		const owner = fields.owner ?? this.people.all()[0].uid;
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
		const members = told(...group.members.map(({ uid }) => uid));
		this.emit({ trigger: 'group_created', group, members, by });
		return group;
	}

	/**
	 * Changes a group, and with it the time of its last change. A new owner becomes an admin.
	 *
	 * @param change a field that is undefined is taken away
	 * @throws {NotFound} when there is no such group
	 */
	updateGroup(guid: string, change: GroupChange, by = SYSTEM_USER.uid): StoredGroup {
		const oldOwner = this.groups.get(guid)?.owner;
		const group = this.groups.change(guid, (stored) => {
			Object.assign(stored, { updatedAt: this.now(), updatedBy: by }, change);
			if (change.owner !== undefined && change.owner !== oldOwner) this.makeAdmin(stored);
		});
		// A new owner is told in place of the change, as public code that tests CometChat has met it
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
	 * @throws {NotFound} when there is no such group
	 */
	deleteGroup(guid: string): void {
		const group = this.groups.delete(guid);
		this.messages.remove(
			({ receiverType, receiver }) => receiverType === 'group' && receiver === guid,
		);
		this.emit({ trigger: 'group_deleted', group });
	}

	/**
	 * A user joins. The time of the group's last change stays: joining is not a change of the group. Nothing happens to who is
	 * a member.
	 *
	 * @throws {NotFound} when there is no such group or user
	 */
	joinGroup(guid: string, uid: string, scope: Scope = 'participant'): StoredGroup {
		const { group, added } = this.add(guid, [{ uid, scope }]);
		if (added.length > 0) {
			this.emit({ trigger: 'group_member_joined', group, members: told(uid) });
		}
		return group;
	}

	/**
	 * A user leaves. As with joining, the time of the group's last change stays.
	 *
	 * @throws {NotFound} when there is no such group
	 */
	leaveGroup(guid: string, uid: string): StoredGroup {
		const { group, isGone } = this.takeOut(guid, uid);
		if (isGone) this.emit({ trigger: 'group_member_left', group, members: told(uid) });
		return group;
	}

	/**
	 * Makes users members, all at once, also who was banned. Who is a member stays as they are.
	 *
	 * @throws {NotFound} when there is no such group or user
	 */
	addMembers(
		guid: string,
		newcomers: Array<Pick<Member, 'uid' | 'scope'>>,
		by = SYSTEM_USER.uid,
	): StoredGroup {
		const { group, added } = this.add(guid, newcomers);
		const members = told(...added.map(({ uid }) => uid));
		if (added.length > 0) this.emit({ trigger: 'group_member_added', group, members, by });
		return group;
	}

	/** @throws {NotFound} when there is no such group */
	kickMember(guid: string, uid: string, by = SYSTEM_USER.uid): StoredGroup {
		const { group, isGone } = this.takeOut(guid, uid);
		if (isGone) this.emit({ trigger: 'group_member_kicked', group, members: told(uid), by });
		return group;
	}

	/**
	 * Takes a user out of a group, and keeps them out. As CometChat does it, the event lists the user who did it instead.
	 *
	 * @throws {NotFound} when there is no such group or user
	 */
	banMember(guid: string, uid: string, by = SYSTEM_USER.uid): StoredGroup {
		this.knownUser(uid);
		const before = this.groups.get(guid);
		const { scope = 'participant', joinedAt = this.now() } =
			(before && memberOf(before, uid)) ?? {};
		const { group } = this.takeOut(guid, uid);
		if (!isBanned(group, uid)) (group.banned ??= []).push({ uid, scope, joinedAt });
		const members = toldOfBan(uid, by);
		this.emit({ trigger: 'group_member_banned', group, members, by });
		return group;
	}

	/** @throws {NotFound} when there is no such group, or the user is not banned from it */
	unbanMember(guid: string, uid: string, by = SYSTEM_USER.uid): StoredGroup {
		const group = this.groups.change(guid, (stored) => {
			if (!isBanned(stored, uid)) throw new NotFound(`${uid} is not banned from ${guid}`);
			stored.banned = stored.banned?.filter((banned) => banned.uid !== uid);
		});
		const members = toldOfBan(uid, by);
		this.emit({ trigger: 'group_member_unbanned', group, members, by });
		return group;
	}

	/** @throws {NotFound} when there is no such group or member */
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

	/** A note that something was done with a member of a group. It is in no list of messages. */
	memberNote(guid: string, by: string): StoredMessage {
		const fields = { sender: by, receiver: guid, category: 'action', type: 'groupMember' } as const;
		return this.messages.made(fields, this.now());
	}

	/**
	 * Adds a message. Left-out fields: to a group, a text, sent now.
	 *
	 * @throws {NotFound} when there is no such sender or receiver
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

	/** People get a message. A rule may have flagged it. */
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
			if (failure) this.emit({ trigger: 'moderation_engine_failed', message, failure });
			if (isBlocked) return this.blockMessage(message, { rule, reason });
			message.moderation = { status: 'approved' };
			this.emit({ trigger: 'moderation_engine_approved', message });
			this.deliver(message, flagged);
		});
	}

	/** @throws {NotFound} when there is no such message or user */
	flagMessage(id: string, report: Omit<Report, 'flaggedAt'>): void {
		this.knownUser(report.uid);
		this.moderation.report(this.messages.existing(id).id, { ...report, flaggedAt: this.now() });
	}

	/**
	 * A moderator decides about a message of a queue. One that was blocked is delivered when it is approved.
	 *
	 * @throws {NotFound} when it is not in the queue
	 */
	reviewMessage(queue: 'flagged' | 'blocked', id: string, status: Reviewed['status']): void {
		this.moderation.decide(queue, id, status, this.now());
		const message = this.messages.existing(id);
		const wasBlocked = isHidden(message);
		message.moderation = { ...message.moderation, status };
		if (status !== 'approved' || !wasBlocked) return;
		this.emit({ trigger: 'moderation_manual_approved', message });
		this.deliver(message);
	}

	/**
	 * Changes what a message says.
	 *
	 * @returns the service's note about it, a message of the category action
	 * @throws {NotFound} when there is no such message
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
	 * Marks a message as deleted, or removes it for good.
	 *
	 * @returns the service's note about it, a message of the category action
	 * @throws {NotFound} when there is no such message
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

	/** Nothing happens when the user has made this reaction before. @throws {NotFound} when there is no such message or user */
	addReaction(messageId: string, uid: string, reaction: string): void {
		this.knownUser(uid);
		const { entry, isNew } = this.messages.react(messageId, uid, reaction, this.now());
		if (!isNew) return;
		const message = this.messages.existing(messageId);
		this.emit({ trigger: 'message_reaction_added', message, reaction: entry });
	}

	/** Takes a reaction away. False when the user had not made it. */
	removeReaction(messageId: string, uid: string, reaction: string): boolean {
		const message = this.messages.existing(messageId);
		const entry = message.reactions.remove(reaction, uid);
		if (!entry) return false;
		this.emit({ trigger: 'message_reaction_removed', message, reaction: entry });
		return true;
	}

	/** Whether a user is part of the conversation that a message belongs to. */
	canSee(message: StoredMessage, uid: string): boolean {
		if (message.sender === uid) return true;
		if (isHidden(message)) return false;
		if (message.receiver === uid) return true;
		if (message.receiverType === 'user') return false;
		const group = this.groups.get(message.receiver);
		return group !== undefined && memberOf(group, uid) !== undefined;
	}

	/** Seconds since a message came in. */
	ageOf({ arrivedAt }: StoredMessage): number {
		return (performance.now() - arrivedAt) / 1000;
	}

	/** UIDs that a message mentions; who does not exist is not mentioned. */
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

	private takeOut(guid: string, uid: string): { group: StoredGroup; isGone: boolean } {
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
