import { Refusal } from '../errors';
import { NotFound } from '../store/errors';
import type { QueueName } from '../views';
import { getActor, messageOf, ok, success, type Call, type Handlers } from './call';

const DEFAULT_LIMIT = 50;

export const moderationHandlers: Handlers = {
	listReasons: ({ store }) => ok([...store.moderation.reasons.values()]),

	listFlagged: (call) => queueOf(call, 'flagged'),

	listBlockedMessages: (call) => queueOf(call, 'blocked'),

	listReviewed: (call) => queueOf(call, 'reviewed'),

	reviewFlagged(call) {
		const isApproved = call.body.status === 'approved';
		decide(call, 'flagged', isApproved);
		const message = `Message with ID ${call.params.id} has been ${isApproved ? 'approved' : 'disapproved'} successfully.`;
		// CometChat's documentation contradicts itself about this response, so a setting selects the format
		const answers = {
			top: { status: 200, body: { success: true, message } },
			empty: ok({}),
			data: success(message),
		};
		return answers[call.settings.reviewResponse];
	},

	reviewBlocked(call) {
		decide(call, 'blocked', call.body.status === 'approved');
		return success(`Message with ID ${call.params.id} has been reviewed successfully.`);
	},

	flagMessage(call) {
		const { store, body, settings } = call;
		if (!settings.moderationInPlan) throw new Refusal('ERR_FEATURE_NOT_ACCESSIBLE');
		const message = messageOf(call);
		const reasonId = String(body.reasonId);
		if (!store.moderation.reasons.has(reasonId)) {
			throw new Refusal('ERR_REASON_NOT_FOUND', reasonId);
		}
		const remark = typeof body.remark === 'string' ? { remark: body.remark } : {};
		store.flagMessage(message.id, { uid: getActor(call), reasonId, ...remark });
		return success(`Message with ID ${message.id} has been flagged successfully.`);
	},
};

/** Returns the newest entries of a moderation queue. CometChat doesn't document how to get the other entries. */
function queueOf({ query, views, settings }: Call, name: QueueName) {
	const limit = Number(query.limit ?? DEFAULT_LIMIT);
	const page = views.queue(name).slice(0, limit);
	// The cursor is the number of entries so far. No request can send it, because no parameter is documented
	const cursor = { affix: 'append', id: String(page.length) };
	const next = settings.queueNext === 'always' ? cursor : undefined;
	return ok(page, { meta: { current: { limit, count: page.length }, next } });
}

function decide({ store, params }: Call, queue: 'flagged' | 'blocked', isApproved: boolean): void {
	try {
		store.reviewMessage(queue, params.id, isApproved ? 'approved' : 'disapproved');
	} catch (error) {
		throw error instanceof NotFound ? new Refusal('ERR_MESSAGE_ID_NOT_FOUND', params.id) : error;
	}
}
