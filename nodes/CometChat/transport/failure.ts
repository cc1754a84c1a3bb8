import type { RestResponse } from './types';

/** A request that got no response. `code` is that of Node.js or axios. */
export class ConnectionError extends Error {
	constructor(
		readonly code: string,
		message: string,
		/** Whether it was thrown while the connection was made, so that nothing was sent */
		readonly whileConnecting = false,
	) {
		super(message);
	}
}

/** A response with a status other than success. */
export class StatusError extends Error {
	constructor(readonly response: RestResponse) {
		super(`status ${response.statusCode}`);
	}
}

/** What is known about a request that ended without a usable response. */
export interface Failure {
	error: unknown;
	/** How often it was sent */
	attempts: number;
	/** How long was waited between the attempts, in milliseconds */
	waitedMs: number;
	/** How long the next attempt would have had to wait, in milliseconds, when 'Max Wait' forbade it */
	requiredMs?: number;
	/** Whether the service may have carried out the request, which changes something */
	outcomeUnknown: boolean;
}

/** A request that ended without a usable response, after all attempts. */
export class SendError extends Error {
	constructor(readonly failure: Failure) {
		super('The request got no usable response');
	}
}
