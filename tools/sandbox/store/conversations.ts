import { conversationOf, type StoredMessage } from './messages';

/** ID of a conversation from a user's perspective. */
export const conversationFor = (message: StoredMessage, uid: string): string =>
	message.receiverType === 'group'
		? conversationOf(message)
		: `${uid}_user_${otherOf(message, uid)}`;

/** Returns the group, or the other user. */
export const otherOf = ({ sender, receiver, receiverType }: StoredMessage, uid: string): string =>
	receiverType === 'user' && receiver === uid ? sender : receiver;

/** Stores which messages each user has read, and the tags of conversations. */
export class Conversations {
	/** ID of the newest message that was read, by UID and conversation */
	private readonly read = new Map<string, number>();

	/** Tags by conversation ID, equal for all users */
	private readonly tags = new Map([
		['group_project-aurora', ['urgent', 'release']],
		['mira_user_leo', ['urgent']],
	]);

	markRead(uid: string, conversationId: string, messageId: number): void {
		const key = `${uid} ${conversationId}`;
		this.read.set(key, Math.max(messageId, this.read.get(key) ?? 0));
	}

	/** True if a user sent a message or has marked it as read. */
	isRead(message: StoredMessage, uid: string): boolean {
		const key = `${uid} ${conversationFor(message, uid)}`;
		return message.sender === uid || Number(message.id) <= (this.read.get(key) ?? 0);
	}

	tagsOf(conversationId: string): string[] {
		return this.tags.get(conversationId) ?? [];
	}
}
