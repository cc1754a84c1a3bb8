import { Refusal, type ApiResponse } from '../errors';
import type { StoredReaction } from '../store/reactions';
import { pageAt } from '../store/pages';
import { getActor, messageOf, ok, requireUsable, type Call, type Handlers } from './call';
import { currentOf, isNextShown } from './pages';

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
	{ query: sent, settings, views, params }: Call,
	reactions: StoredReaction[],
): ApiResponse {
	const query = settings.reactionPages === 'single' ? {} : sent;
	const limit = Number(query.limit ?? settings.reactionsPerPage);
	const affix = query.affix === 'prepend' ? 'prepend' : 'append';
	const id = query.id === undefined ? undefined : String(query.id);
	const { page, hasMore } = pageAt(reactions, { affix, id, limit });
	const last = page.at(affix === 'append' ? -1 : 0);
	const isShown = last && isNextShown(settings, hasMore);
	return ok(
		page.map((reaction) => views.reaction(params.id, reaction)),
		{
			meta: {
				current: currentOf(settings, limit, page.length),
				next: isShown ? { affix, id: views.id(last.id) } : undefined,
			},
		},
	);
}
