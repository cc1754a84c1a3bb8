import { sampleGroups, type Member, type StoredGroup } from './data/groups';
import { sampleMessages, type StoredMessage } from './data/messages';
import { sampleUsers, type SampleUser } from './data/users';
import { GeneratedGroups, type GroupRow } from './generated';
import { listRefs, type Boundary, type GroupQuery, type GroupRef } from './listing';
import type { Entity, Group, Message, Reaction, Scope, User } from './types';

/** Lists kept ready; each takes 4 bytes per group. */
const LISTS_KEPT = 16;

export type NewGroup = Partial<Omit<StoredGroup, 'members'>> & {
	guid: string;
	members?: Member[];
};
export type GroupChange = Partial<
	Pick<StoredGroup, 'name' | 'description' | 'icon' | 'type' | 'owner' | 'tags' | 'updatedAt'>
>;

class StoredRow implements GroupRow {
	constructor(readonly group: StoredGroup) {}

	get guid() {
		return this.group.guid;
	}
	get name() {
		return this.group.name;
	}
	get type() {
		return this.group.type;
	}
	get tags() {
		return this.group.tags;
	}
	get createdAt() {
		return this.group.createdAt;
	}
	get updatedAt() {
		return this.group.updatedAt;
	}

	hasMember(uid: string): boolean {
		return this.group.members.some((member) => member.uid === uid);
	}
}

export class NotFound extends Error {}

/** The service's data: groups, people, messages and reactions. What is changed stays changed until `reset`. */
export class Store {
	private rows: StoredRow[] = [];
	private byGuid = new Map<string, StoredRow>();
	private hidden = new Set<number>();
	private people = new Map<string, SampleUser>();
	private messagesById = new Map<string, StoredMessage>();
	private generated: GeneratedGroups;
	private lists = new Map<string, Int32Array>();

	/**
	 * @param generatedGroups groups beside the sample data
	 * @param now the service's clock, in Unix seconds
	 */
	constructor(
		generatedGroups: number,
		private readonly now: () => number,
	) {
		const uids = sampleUsers()
			.filter((user) => !user.deactivated)
			.map((user) => user.uid);
		this.generated = new GeneratedGroups(generatedGroups, uids);
		this.reset();
	}

	/** Puts the data back to the sample state. */
	reset(): void {
		this.rows = [];
		this.byGuid.clear();
		this.hidden.clear();
		this.lists.clear();
		sampleGroups().forEach((group) => this.addRow(group));
		this.people = new Map(sampleUsers().map((user) => [user.uid, user]));
		this.messagesById = new Map(sampleMessages().map((message) => [message.id, message]));
	}

	/** How many groups there are. */
	get groupCount(): number {
		return this.rows.length + this.generated.count - this.hidden.size;
	}

	/** A group by its guid, members included. */
	group(guid: string): StoredGroup | undefined {
		const row = this.byGuid.get(guid);
		if (row) return row.group;
		const number = this.generated.indexOf(guid);
		if (number === undefined || this.hidden.has(number)) return undefined;
		return this.generated.group(number);
	}

	/** Every group, sample data first. Makes an object for each: with a million groups, use `group` and `groupCount`. */
	groups(): StoredGroup[] {
		const all = this.rows.map((row) => row.group);
		for (let number = 0; number < this.generated.count; number++) {
			if (!this.hidden.has(number)) all.push(this.generated.group(number));
		}
		return all;
	}

	messages(): StoredMessage[] {
		return [...this.messagesById.values()];
	}

	message(id: string): StoredMessage | undefined {
		return this.messagesById.get(id);
	}

	/** People who can act; a deactivated account is as unknown as one that never was. */
	users(): User[] {
		return [...this.people.values()].filter((user) => !user.deactivated).map(publicUser);
	}

	hasUser(uid: string): boolean {
		const user = this.people.get(uid);
		return user !== undefined && !user.deactivated;
	}

	/** Every group that a query asks for, in order. Kept until the data changes. */
	list(query: GroupQuery, boundary: Boundary): Int32Array {
		const signature = JSON.stringify([query, boundary]);
		let refs = this.lists.get(signature);
		if (refs) {
			this.lists.delete(signature);
		} else {
			refs = listRefs(query, boundary, this.generated, this.hidden, this.rows);
			const [oldest] = this.lists.keys();
			if (this.lists.size >= LISTS_KEPT) this.lists.delete(oldest);
		}
		this.lists.set(signature, refs);
		return refs;
	}

	/** The group that an entry of `list` stands for. */
	at(ref: GroupRef): StoredGroup {
		return ref < 0 ? this.rows[~ref].group : this.generated.group(ref);
	}

	/**
	 * Adds a group. Left-out fields: the guid as name, public, the first user as owner, no tags, created now.
	 *
	 * @throws when the guid is taken
	 */
	createGroup(fields: NewGroup): StoredGroup {
		const guid = fields.guid.toLowerCase();
		if (this.group(guid)) throw new Error(`The group ${guid} exists already`);
		const owner = fields.owner ?? this.users()[0].uid;
		const createdAt = fields.createdAt ?? this.now();
		const group: StoredGroup = {
			name: guid,
			type: 'public',
			tags: [],
			members: [{ uid: owner, scope: 'admin', joinedAt: createdAt }],
			...fields,
			guid,
			owner,
			createdAt,
		};
		this.addRow(group);
		return group;
	}

	/**
	 * Changes a group, and with it the time of its last change.
	 *
	 * @throws {NotFound} when there is no such group
	 */
	updateGroup(guid: string, change: GroupChange): StoredGroup {
		const group = this.stored(guid);
		Object.assign(group, { updatedAt: this.now() }, change);
		this.lists.clear();
		return group;
	}

	/**
	 * Makes a user a member. The time of the group's last change stays: joining is not a change of the group.
	 *
	 * @throws {NotFound} when there is no such group or user
	 */
	joinGroup(guid: string, uid: string, scope: Scope = 'participant'): StoredGroup {
		if (!this.hasUser(uid)) throw new NotFound(`There is no user ${uid}`);
		const group = this.stored(guid);
		if (!group.members.some((member) => member.uid === uid)) {
			group.members.push({ uid, scope, joinedAt: this.now() });
			this.lists.clear();
		}
		return group;
	}

	/**
	 * Takes a user out of a group. As with joining, the time of the group's last change stays.
	 *
	 * @throws {NotFound} when there is no such group
	 */
	leaveGroup(guid: string, uid: string): StoredGroup {
		const group = this.stored(guid);
		group.members = group.members.filter((member) => member.uid !== uid);
		this.lists.clear();
		return group;
	}

	/** @throws {NotFound} when there is no such group */
	deleteGroup(guid: string): void {
		const group = this.stored(guid);
		this.rows = this.rows.filter((row) => row.group !== group);
		this.byGuid.delete(group.guid);
		this.lists.clear();
	}

	/** @throws {NotFound} when there is no such message or user */
	addReaction(messageId: string, uid: string, reaction: string): void {
		if (!this.hasUser(uid)) throw new NotFound(`There is no user ${uid}`);
		const { reactions } = this.existingMessage(messageId);
		const uids = reactions.get(reaction) ?? [];
		if (!uids.includes(uid)) uids.push(uid);
		reactions.set(reaction, uids);
	}

	/** Takes a reaction away. False when the user had not made it. */
	removeReaction(messageId: string, uid: string, reaction: string): boolean {
		const { reactions } = this.existingMessage(messageId);
		const uids = reactions.get(reaction);
		if (!uids?.includes(uid)) return false;
		const left = uids.filter((other) => other !== uid);
		if (left.length > 0) reactions.set(reaction, left);
		else reactions.delete(reaction);
		return true;
	}

	/**
	 * The reactions of a message, as one user sees them.
	 *
	 * @throws {NotFound} when there is no such message
	 */
	reactions(messageId: string, uid?: string): Reaction[] {
		return [...this.existingMessage(messageId).reactions].map(([reaction, uids]) => ({
			reaction,
			count: uids.length,
			...(uid !== undefined && uids.includes(uid) ? { reactedByMe: true } : {}),
		}));
	}

	/** Whether a user is part of the conversation that a message belongs to. */
	canSee(message: StoredMessage, uid: string): boolean {
		if (message.sender === uid || message.receiver === uid) return true;
		if (message.receiverType === 'user') return false;
		return this.group(message.receiver)?.members.some((member) => member.uid === uid) ?? false;
	}

	/** A group as the service shows it: to a user, with that user's place in it. */
	groupView(group: StoredGroup, uid?: string): Group {
		const { guid, name, description, icon, type, owner, tags, createdAt, updatedAt } = group;
		const me = uid === undefined ? undefined : group.members.find((member) => member.uid === uid);
		return {
			guid,
			name,
			...(description === undefined ? {} : { description }),
			...(icon === undefined ? {} : { icon }),
			type,
			...(me ? { scope: me.scope } : {}),
			membersCount: group.members.length,
			...(me ? { joinedAt: me.joinedAt } : {}),
			conversationId: `group_${guid}`,
			...(uid === undefined ? {} : { hasJoined: me !== undefined }),
			createdAt,
			...(updatedAt === undefined ? {} : { updatedAt }),
			owner,
			...(tags.length > 0 ? { tags } : {}),
		};
	}

	/** A message as the service shows it, without its reactions. */
	messageView(message: StoredMessage): Message {
		const { id, sender, receiverType, receiver, text, metadata, sentAt, updatedAt } = message;
		const conversationId =
			receiverType === 'group' ? `group_${receiver}` : `${sender}_user_${receiver}`;
		return {
			id,
			conversationId,
			sender,
			receiverType,
			receiver,
			category: 'message',
			type: 'text',
			data: {
				text,
				...(metadata ? { metadata } : {}),
				entities: {
					sender: this.userEntity(sender),
					receiver:
						receiverType === 'group'
							? this.groupEntity(receiver)
							: this.userEntity(receiver, conversationId),
				},
			},
			sentAt,
			updatedAt,
		};
	}

	private userEntity(uid: string, conversationId?: string): Entity {
		const user = this.people.get(uid);
		if (!user) throw new NotFound(`There is no user ${uid}`);
		return {
			entity: { ...publicUser(user), ...(conversationId ? { conversationId } : {}) },
			entityType: 'user',
		};
	}

	private groupEntity(guid: string): Entity {
		const { name, type, icon, owner, conversationId } = this.groupView(this.stored(guid));
		return {
			entity: { guid, name, type, ...(icon ? { icon } : {}), owner, conversationId },
			entityType: 'group',
		};
	}

	private existingMessage(id: string): StoredMessage {
		const message = this.messagesById.get(id);
		if (!message) throw new NotFound(`There is no message ${id}`);
		return message;
	}

	/** A group that can be changed: a generated one becomes a stored one. */
	private stored(guid: string): StoredGroup {
		const row = this.byGuid.get(guid);
		if (row) return row.group;
		const number = this.generated.indexOf(guid);
		if (number === undefined || this.hidden.has(number)) {
			throw new NotFound(`There is no group ${guid}`);
		}
		this.hidden.add(number);
		return this.addRow(this.generated.group(number));
	}

	private addRow(group: StoredGroup): StoredGroup {
		const row = new StoredRow(group);
		this.rows.push(row);
		this.byGuid.set(group.guid, row);
		this.lists.clear();
		return group;
	}
}

/** A person as the service shows them. */
function publicUser(person: SampleUser): User {
	const user = { ...person };
	delete user.deactivated;
	return user;
}
