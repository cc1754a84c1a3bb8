import { request } from 'undici';
import { z } from 'zod/v4';
import type { EngineFailure } from './store/events';
import type { StoredMessage } from './store/messages';
import type { Screen, Store } from './store/store';
import { basicAuth, LOOPBACK_URL } from './loopback';
import { parseAs, parseJson } from './parse';
import type { Views } from './views';

/** A custom moderation engine (CometChat's "custom API"), which judges each message before anyone sees it. */
const MODERATION_ENGINE = z.strictObject({
	url: LOOPBACK_URL,
	username: z.string().optional(),
	password: z.string().optional(),
	/** Decision if the engine returns no usable verdict. Defaults to approve. */
	onError: z.enum(['approve', 'block']).optional(),
	/** Number of earlier messages from the conversation to send with each request. Defaults to 0. */
	context: z.int().min(0).optional(),
	/** Minimum confidence of a match that blocks a message, from 0 to 1. Defaults to 0.5. */
	threshold: z.number().optional(),
});

export type ModerationEngine = z.infer<typeof MODERATION_ENGINE>;

/** Maximum time to wait for a verdict. */
const TIMEOUT_MS = 2_000;

const VERDICT = z.object({
	isMatchingCondition: z.boolean(),
	confidence: z.number(),
	reason: z.string().optional().catch(undefined),
});

type Verdict = z.infer<typeof VERDICT>;

/** @throws {TypeError} if the value is neither null nor a moderation engine with a URL on this machine */
export function parseModerationEngine(value: unknown): ModerationEngine | undefined {
	return parseAs(MODERATION_ENGINE.nullable(), value, 'Moderation engine') ?? undefined;
}

/** Creates a function that sends a new message to the moderation engine and returns the verdict. */
export function createScreen(engine: ModerationEngine, store: Store, views: Views): Screen {
	const { onError = 'approve', threshold = 0.5 } = engine;
	return async (message) => {
		try {
			const { isMatchingCondition, confidence, reason } = await requestVerdict(
				engine,
				store,
				views,
				message,
			);
			return {
				isBlocked: isMatchingCondition && confidence >= threshold,
				reason: reason ?? 'Matched by the custom engine',
			};
		} catch (error) {
			const failure = failureOf(error);
			return { isBlocked: onError === 'block', reason: failure.errorMessage, failure };
		}
	};
}

class Unusable extends Error {
	constructor(readonly failure: EngineFailure) {
		super(failure.errorMessage);
	}
}

async function requestVerdict(
	engine: ModerationEngine,
	store: Store,
	views: Views,
	message: StoredMessage,
): Promise<Verdict> {
	const { url, context = 0 } = engine;
	const { receiver } = message;
	const before = store.messages
		.all()
		.filter((other) => other.receiver === receiver && Number(other.id) < Number(message.id))
		.slice(context === 0 ? Infinity : -context)
		.map(({ sender, text = '' }) => ({ [sender]: text }));
	// The last entry is the message to judge. As in CometChat's sample request, its key is the receiver's ID.
	const judged = { [receiver]: { message: views.message(message, { tags: true }) } };
	const { statusCode, body } = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...basicAuth(engine) },
		body: JSON.stringify({ contextMessages: [...before, judged] }),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	const text = await body.text();
	if (statusCode < 200 || statusCode > 299) {
		const category = statusCode < 500 ? 'http_4xx' : 'http_5xx';
		const errorMessage = `The engine answered ${statusCode}`;
		throw new Unusable({ category, errorMessage, httpStatus: statusCode });
	}
	const { success, data } = VERDICT.safeParse(parseJson(text));
	if (success) return data;
	const errorMessage = "The engine's response lacks isMatchingCondition or confidence";
	throw new Unusable({ category: 'invalid_response', errorMessage });
}

function failureOf(error: unknown): EngineFailure {
	if (error instanceof Unusable) return error.failure;
	const isLate = (error as { name?: unknown }).name === 'TimeoutError';
	return isLate
		? { category: 'timeout', errorMessage: 'The engine did not answer within 2 seconds' }
		: { category: 'connection_error', errorMessage: 'The engine could not be reached' };
}
