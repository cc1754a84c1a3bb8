import { request } from 'undici';
import type { EngineFailure } from './store/events';
import type { StoredMessage } from './store/messages';
import type { Screen, Store } from './store/store';
import { isLoopbackUrl } from './loopback';
import type { Views } from './views';

/** A service that is asked about each message before anybody sees it: CometChat's "custom API". */
export interface Engine {
	/** On this machine only. */
	url: string;
	username?: string;
	password?: string;
	/** What becomes of a message when the engine gives no answer that counts. Default approve. */
	onError?: 'approve' | 'block';
	/** How many earlier messages of the conversation it gets. Default 0. */
	context?: number;
	/** From how sure on a match counts, from 0 to 1. Default 0.5. */
	threshold?: number;
}

/** How long the service waits for an answer. */
const TIMEOUT_MS = 2_000;

interface Verdict {
	isMatchingCondition: boolean;
	confidence: number;
	reason?: string;
}

/** @throws {TypeError} when it is no engine, or not on this machine */
export function parseEngine(value: unknown): Engine | undefined {
	if (value === undefined || value === null) return undefined;
	const engine = value as Engine;
	if (typeof engine !== 'object' || !isLoopbackUrl(String(engine.url))) {
		throw new TypeError('An engine has a "url" on this machine');
	}
	return engine;
}

/** Asks the engine, and says what comes of it. */
export function screenBy(engine: Engine, store: Store, views: Views): Screen {
	const { onError = 'approve', threshold = 0.5 } = engine;
	return async (message) => {
		try {
			const { isMatchingCondition, confidence, reason } = await ask(engine, store, views, message);
			return {
				isBlocked: isMatchingCondition && confidence >= threshold,
				reason: reason ?? 'Met the custom engine',
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

async function ask(
	{ url, username, password, context = 0 }: Engine,
	store: Store,
	views: Views,
	message: StoredMessage,
): Promise<Verdict> {
	const { receiver } = message;
	const before = store.messages
		.all()
		.filter((other) => other.receiver === receiver && Number(other.id) < Number(message.id))
		.slice(context === 0 ? Infinity : -context)
		.map(({ sender, text = '' }) => ({ [sender]: text }));
	// The last one is judged, and named by who gets it, as the vendor's sample has it
	const judged = { [receiver]: { message: views.message(message, { tags: true }) } };
	const login = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
	const { statusCode, body } = await request(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			...(username || password ? { authorization: `Basic ${login}` } : {}),
		},
		body: JSON.stringify({ contextMessages: [...before, judged] }),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	const text = await body.text();
	if (statusCode < 200 || statusCode > 299) {
		const category = statusCode < 500 ? 'http_4xx' : 'http_5xx';
		const errorMessage = `The engine answered ${statusCode}`;
		throw new Unusable({ category, errorMessage, httpStatus: statusCode });
	}
	return verdictIn(text);
}

function verdictIn(text: string): Verdict {
	try {
		const verdict = JSON.parse(text) as Verdict;
		const { isMatchingCondition, confidence } = verdict;
		if (typeof isMatchingCondition === 'boolean' && typeof confidence === 'number') return verdict;
	} catch {
		// Told below
	}
	const errorMessage = 'The engine answered no isMatchingCondition and confidence';
	throw new Unusable({ category: 'invalid_response', errorMessage });
}

function failureOf(error: unknown): EngineFailure {
	if (error instanceof Unusable) return error.failure;
	const isLate = (error as { name?: unknown }).name === 'TimeoutError';
	return isLate
		? { category: 'timeout', errorMessage: 'The engine did not answer within 2 seconds' }
		: { category: 'connection_error', errorMessage: 'The engine could not be reached' };
}
