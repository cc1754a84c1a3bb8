import { Refusal, type ApiResponse } from '../errors';
import { isBanned } from '../store/groups';
import { SYSTEM_USER } from '../store/people';
import type { MessageContent, StoredMessage } from '../store/messages';
import type { MessageChange } from '../store/store';
import {
	getActor,
	groupOf,
	messageOf,
	ok,
	requireMember,
	requireUsable,
	success,
	type Call,
	type Handlers,
} from './call';
import { requireContent } from './content';
import { listOf, threadOf, userMessagesOf } from './messageList';

/** Request body of Send Message, already validated against the contract. */
interface NewMessageBody {
	receiver?: string;
	receiverType?: string;
	category?: 'message' | 'custom' | 'card';
	type?: string;
	data?: MessageContent;
	tags?: string[];
	muid?: string;
	quotedMessageId?: string;
}

/** Request body of Update Message, already validated against the contract. */
interface MessageBody {
	data?: MessageContent;
	tags?: string[];
}

export const messageHandlers: Handlers = {
	sendMessage: (call) => send(call, call.body),

	sendReply(call) {
		const parent = messageOf(call);
		requireUsable(parent);
		if (parent.parentId !== undefined) throw new Refusal('ERR_MESSAGE_THREAD_NESTING', parent.id);
		const { receiverType, receiver, sender } = parent;
		const other = receiverType === 'user' && receiver === call.uid ? sender : receiver;
		if (call.settings.replyReceiver === 'required') requireReceiver(call.body);
		return send(call, { receiverType, receiver: other, ...call.body }, parent.id);
	},

	listReplies: (call) => threadOf(call, messageOf(call)),

	listMessages: (call) => listOf(call),

	listGroupMessages(call) {
		const group = groupOf(call);
		requireMember(group, call.uid);
		return listOf(
			call,
			({ receiverType, receiver }) => receiverType === 'group' && receiver === group.guid,
		);
	},

	listUserMessages(call) {
		const uid = call.params.uid.toLowerCase();
		if (!call.store.people.has(uid)) throw new Refusal('ERR_UID_NOT_FOUND', uid);
		return userMessagesOf(call, uid);
	},

	getMessage(call) {
		const { reactionsInMessages: reactions } = call.settings;
		return ok(call.views.message(messageOf(call), { tags: true, reactions, me: call.uid }));
	},

	updateMessage(call) {
		const message = ownMessage(call);
		requireUsable(message);
		const { data = {}, tags } = call.body as MessageBody;
		requireContent(message.category, message.type, { ...message, ...data });
		const change: MessageChange = { ...data, ...(tags ? { tags } : {}) };
		return ok(call.views.message(call.store.editMessage(message.id, change, getActor(call))));
	},

	deleteMessage(call) {
		const message = ownMessage(call);
		const { permanent = call.settings.permanentDefault } = call.body as { permanent?: boolean };
		// A message that's already deleted can only be deleted permanently
		if (message.deletedAt !== undefined && !permanent) {
			throw new Refusal('ERR_MESSAGE_ACTION_NOT_ALLOWED', message.id);
		}
		const note = call.store.deleteMessage(message.id, { permanent, by: getActor(call) });
		return permanent ? deletedForGood(call, note, message.id) : ok(call.views.message(note));
	},
};

function send(
	call: Call,
	{ data: sent = {}, tags, muid, quotedMessageId, category = 'message', ...body }: NewMessageBody,
	parentId?: string,
): ApiResponse {
	const { store, settings, views, uid } = call;
	const sender = getActor(call);
	const { receiver, receiverType } = receiverOf(call, body);
	const type = typeOf(category, body.type);
	const data = settings.mediaUrl === 'keep' ? sent : { ...sent, url: undefined };
	requireContent(category, type, data);
	if (
		muid !== undefined &&
		settings.repeatedMuid === 'refuse' &&
		store.messages.hasMuid(sender, muid)
	) {
		throw new Refusal('ERR_MUID_ALREADY_EXISTS', muid);
	}
	if (quotedMessageId !== undefined && !store.messages.get(quotedMessageId)) {
		throw new Refusal('ERR_MESSAGE_ID_NOT_FOUND', quotedMessageId);
	}
	const fields = {
		sender,
		receiver,
		receiverType,
		category,
		type,
		tags,
		parentId,
		quotedMessageId,
	};
	const message = store.sendMessage({ ...fields, ...data, ...(muid ? { muid } : {}) });
	return ok(views.message(message, { tags: true, me: uid }));
}

/** @throws {Refusal} that names the missing fields */
function requireReceiver(body: NewMessageBody): void {
	const details: Record<string, string[]> = {};
	for (const name of ['receiver', 'receiverType'] as const) {
		if (!body[name]) details[name] = [`The ${name} field is required.`];
	}
	if (Object.keys(details).length > 0) throw new Refusal('ERR_BAD_REQUEST', '', details);
}

function deletedForGood({ settings, views }: Call, note: StoredMessage, id: string): ApiResponse {
	return settings.permanentResponse === 'action'
		? ok(views.message(note))
		: success(`Message with id ${id} deleted successfully.`);
}

/**
 * Returns the message whose ID is in the path parameter `id`. Refuses all users except the message's sender.
 */
function ownMessage(call: Call): StoredMessage {
	const message = messageOf(call);
	if (message.category === 'action') {
		throw new Refusal('ERR_MESSAGE_ACTION_NOT_ALLOWED', message.id);
	}
	if (call.uid !== undefined && message.sender !== call.uid) {
		throw new Refusal('ERR_MESSAGE_NOT_A_SENDER', call.uid);
	}
	return message;
}

function typeOf(category: string, type: string | undefined): string {
	if (category === 'custom' && !type) throw new Refusal('ERR_INVALID_MESSAGE_DATA');
	return type ?? 'text';
}

/**
 * Returns a new message's receiver.
 *
 * @throws {Refusal} if the acting user can't send to this receiver
 */
function receiverOf(
	call: Call,
	{ receiver: named, receiverType }: Pick<NewMessageBody, 'receiver' | 'receiverType'>,
): Pick<StoredMessage, 'receiver' | 'receiverType'> {
	if (!named) throw new Refusal('ERR_EMPTY_RECEIVER');
	const receiver = named.toLowerCase();
	if (receiverType === 'user') {
		requireReachable(call, receiver);
		return { receiver, receiverType };
	}
	if (receiverType === 'group') {
		const group = groupOf({ ...call, params: { ...call.params, guid: receiver } });
		const { uid = SYSTEM_USER.uid } = call;
		if (isBanned(group, uid)) throw new Refusal('ERR_BANNED_GROUPMEMBER', uid);
		requireMember(group, call.uid);
		return { receiver, receiverType };
	}
	throw new Refusal('ERR_INVALID_RECEIVER_TYPE');
}

function requireReachable({ store, uid }: Call, receiver: string): void {
	if (!store.people.has(receiver)) throw new Refusal('ERR_UID_NOT_FOUND', receiver);
	if (uid === undefined) return;
	if (store.people.hasBlocked(uid, receiver)) throw new Refusal('ERR_BLOCKED_RECEIVER', receiver);
	if (store.people.hasBlocked(receiver, uid)) throw new Refusal('ERR_BLOCKED_SENDER', receiver);
}
