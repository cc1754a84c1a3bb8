import type { IWebhookFunctions } from 'n8n-workflow';

import { RequestLimiter } from '../transport/limiter';
import { DeliveryMemory } from './deliveryMemory';

/** What a process keeps of a node from one delivery to the next. */
export interface NodeState {
	memory: DeliveryMemory;
	/** Shared by the deliveries under way, so that few requests are in flight at once */
	limiter: RequestLimiter;
	/** Deliveries that use the limiter just now */
	fetching: number;
}

/** Milliseconds without a delivery after which the state of a node is dropped. */
const IDLE = 3_600_000;

/** In the order in which the nodes were used last. */
const states = new Map<string, { state: NodeState; usedAt: number }>();

/**
 * The state of the node in this process. n8n loads the workflow anew for each delivery, so nothing
 * else lasts.
 */
export function stateOf(context: IWebhookFunctions): NodeState {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const now = Date.now();
	const state = states.get(key)?.state ?? {
		memory: new DeliveryMemory(),
		limiter: new RequestLimiter(),
		fetching: 0,
	};
	states.delete(key);
	states.set(key, { state, usedAt: now });
	for (const [other, { usedAt }] of states) {
		if (now - usedAt < IDLE) break;
		states.delete(other);
	}
	return state;
}
