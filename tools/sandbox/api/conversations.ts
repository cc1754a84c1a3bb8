import { Refusal, type ApiResponse } from '../errors';
import { conversationFor, otherOf } from '../store/conversations';
import { memberOf } from '../store/groups';
import { isHidden, type StoredMessage } from '../store/messages';
import { getActor, groupOf, ok, success, type Call, type Handlers } from './call';
import { paginate } from './pages';

/** Members above which CometChat counts no unread messages. */
const MAX_COUNTED_MEMBERS = 300;

export const conversationHandlers: Handlers = {
	listConversations(call) {
		const matching = findConversations(call).filter(({ last, unread, id }) => {
			const { conversationType = last.receiverType, unread: onlyUnread, tags } = call.query;
			const own = call.store.conversations.tagsOf(id);
			return (
				conversationType === last.receiverType &&
				(onlyUnread !== true || unread > 0) &&
				(tags === undefined || own.some((tag) => (tags as string[]).includes(tag)))
			);
		});
		const { shown, pagination } = paginate(matching, call);
		return ok(
			shown.map((each) => toConversation(call, each)),
			{ meta: { pagination } },
		);
	},

	markGroupRead(call) {
		const group = groupOf(call);
		if (!memberOf(group, getActor(call))) {
			throw new Refusal('ERR_CONVERSATION_NOT_ACCESSIBLE', group.guid);
		}
		return markRead(call, `group_${group.guid}`);
	},

	markUserRead(call) {
		const uid = call.params.uid.toLowerCase();
		if (!call.store.people.has(uid)) throw new Refusal('ERR_UID_NOT_FOUND', call.params.uid);
		return markRead(call, `${getActor(call)}_user_${uid}`);
	},
};

interface Conversation {
	id: string;
	last: StoredMessage;
	unread: number;
}

/** Returns the acting user's conversations, with the latest message first. */
function findConversations(call: Call): Conversation[] {
	const { store } = call;
	const uid = getActor(call);
	const found = new Map<string, Conversation>();
	for (const message of store.messages.all()) {
		const isShown = message.category !== 'action' && !isHidden(message);
		if (!isShown || !store.canSee(message, uid)) continue;
		const id = conversationFor(message, uid);
		const isUnread = message.deletedAt === undefined && !store.conversations.isRead(message, uid);
		const unread = (found.get(id)?.unread ?? 0) + Number(isUnread);
		found.set(id, { id, last: message, unread });
	}
	return [...found.values()].sort(
		(a, b) => b.last.sentAt - a.last.sentAt || (a.id < b.id ? -1 : 1),
	);
}

function toConversation(call: Call, { id, last, unread }: Conversation): object {
	const { store, views, query, uid = '' } = call;
	const { receiverType, sentAt } = last;
	const other = otherOf(last, uid);
	const group = receiverType === 'group' ? store.groups.existing(other) : undefined;
	const isCounted = (group?.members.length ?? 0) <= MAX_COUNTED_MEMBERS;
	const tags = store.conversations.tagsOf(id);
	return {
		conversationId: id,
		conversationType: receiverType,
		...(isCounted ? { unreadMessageCount: String(unread) } : {}),
		updatedAt: sentAt,
		// As CometChat's documentation says, a deleted message isn't shown
		...(last.deletedAt === undefined ? { lastMessage: views.message(last) } : {}),
		conversationWith: group ? views.group(group, uid) : store.people.user(other),
		...(query.withTags === true && tags.length > 0 ? { tags } : {}),
	};
}

/** Marks the messages of a conversation as read, up to the message in the body. */
function markRead(call: Call, id: string): ApiResponse {
	const { store, body } = call;
	const uid = getActor(call);
	const message = store.messages.get(String(body.messageId));
	if (!message) throw new Refusal('ERR_MESSAGE_ID_NOT_FOUND', String(body.messageId));
	if (!store.canSee(message, uid) || conversationFor(message, uid) !== id) {
		throw new Refusal('ERR_CONVERSATION_NOT_ACCESSIBLE', id);
	}
	store.conversations.markRead(uid, id, Number(message.id));
	return readResponse(call, message);
}

/**
 * Builds the response to marking messages as read. CometChat doesn't document the response, so a setting selects
 * the format. The receipt has the fields of the event `message_read_receipt`.
 */
function readResponse(
	call: Call,
	{ id, receiver, receiverType, sender }: StoredMessage,
): ApiResponse {
	const { store, settings, views } = call;
	const uid = getActor(call);
	const user = store.people.user(uid);
	const timestamp = Math.floor(Date.now() / 1000);
	const responses = {
		success: success('The messages have been marked as read.'),
		receipt: ok({
			...{ receiver, receiverType, type: 'receipts', sender: uid, messageSender: sender },
			body: { action: 'read', messageId: views.id(id), user, timestamp },
		}),
		empty: ok({}),
	};
	return responses[settings.readResponse];
}
