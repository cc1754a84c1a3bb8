import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { HttpContext } from '../../../nodes/CometChat/helpers/webhookResponse';

export function createContext(): HttpContext {
	const response = new ServerResponse(new IncomingMessage(new Socket()));
	return { getRequestObject: () => ({ method: 'POST' }), getResponseObject: () => response };
}

/** Mocks `performance.now`, which measures durations. */
export function setClock(ms: number): void {
	jest.spyOn(performance, 'now').mockReturnValue(1_000_000 + ms);
}
