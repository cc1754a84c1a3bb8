import { realClock } from './clock';
import type { HttpContext } from './webhookResponse';

/** A webhook call that this process has handed to n8n within the last minute. */
export interface RecentWebhookCall<T> {
	value: T;
	startedAt: number;
	/** Resolves when n8n has responded: to true if the status is below 400, otherwise to false */
	acceptance: Promise<boolean>;
	/** Set once n8n has responded. `isReceived` is true if the caller was still connected. */
	responded?: { at: number; isReceived: boolean };
}

/** Time in milliseconds after which this process forgets a call. */
const MEMORY_MS = 60_000;

/** Webhook calls that this process has handed to n8n within the last minute. */
export class RecentWebhookCalls<T> {
	private readonly calls = new Map<string, RecentWebhookCall<T>>();

	find(key: string): RecentWebhookCall<T> | undefined {
		const oldest = realClock.now() - MEMORY_MS;
		// The oldest calls come first
		for (const [old, { startedAt }] of this.calls) {
			if (startedAt >= oldest) break;
			this.calls.delete(old);
		}
		// Check the time again, so that the result doesn't depend on the order of the calls
		const call = this.calls.get(key);
		return call && call.startedAt >= oldest ? call : undefined;
	}

	/** Adds a call, and forgets the call if n8n responds with status 400 or higher. */
	addAndForgetOnErrorResponse(key: string, context: HttpContext, value: T): RecentWebhookCall<T> {
		const response = context.getResponseObject();
		const call: RecentWebhookCall<T> = {
			value,
			startedAt: realClock.now(),
			acceptance: new Promise((resolve) => {
				// Unlike 'finish', 'prefinish' is emitted even if the caller has disconnected
				response.once('prefinish', () => {
					call.responded = { at: realClock.now(), isReceived: !response.closed };
					const isAccepted = response.statusCode < 400;
					if (!isAccepted && this.calls.get(key) === call) this.calls.delete(key);
					resolve(isAccepted);
				});
			}),
		};
		this.calls.delete(key);
		this.calls.set(key, call);
		return call;
	}
}
