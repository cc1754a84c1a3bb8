import { Refusal, type ApiResponse } from '../errors';
import type { StoredReaction } from '../store/reactions';
import { getActor, messageOf, ok, requireUsable, type Call, type Handlers } from './call';

export const reactionHandlers: Handlers = {
	addReaction(call) {
		const message = messageOf(call);
		requireUsable(message);
		call.store.addReaction(message.id, getActor(call), call.params.reaction);
		return changedMessage(call);
	},

	removeReaction(call) {
		const { id } = messageOf(call);
		const isDone = call.store.removeReaction(id, getActor(call), call.params.reaction);
		if (!isDone && call.settings.absentReaction === 'refuse') {
			throw new Refusal('ERR_REACTION_NOT_FOUND', id);
		}
		return changedMessage(call);
	},

	listReactions: (call) => listOf(call, messageOf(call).reactions.all()),

	listReactionsOf: (call) => listOf(call, messageOf(call).reactions.all(call.params.reaction)),
};

function changedMessage(call: Call): ApiResponse {
	const parts = { tags: true, reactions: true, me: call.uid };
	return ok(call.views.message(messageOf(call), parts));
}

/**
 * Returns one page of reactions. `meta.next` contains a cursor, although the contract has no cursor
 * parameter.
 */
function listOf(
	{ query, settings, views, params }: Call,
	reactions: StoredReaction[],
): ApiResponse {
	const limit = Number(query.limit ?? settings.reactionsPerPage);
	const from = Number(query.id ?? 0);
	const forwards = query.affix !== 'prepend';
	const rest = reactions.filter(({ id }) => {
		if (query.id === undefined) return true;
		return forwards ? Number(id) > from : Number(id) < from;
	});
	const page = forwards ? rest.slice(0, limit) : rest.slice(-limit);
	const last = forwards ? page.at(-1) : page.at(0);
	const isShown =
		settings.nextShown === 'always' || (settings.nextShown === 'more' && rest.length > limit);
	const next =
		last && isShown ? { affix: forwards ? 'append' : 'prepend', id: views.id(last.id) } : undefined;
	return ok(
		page.map((reaction) => views.reaction(params.id, reaction)),
		{ meta: { current: { limit, count: page.length }, ...(next ? { next } : {}) } },
	);
}
