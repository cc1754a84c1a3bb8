import type { IWebhookFunctions } from 'n8n-workflow';

import type { Delivery } from './delivery';
import { identityOf } from './identity';
import { stateOf } from './nodeState';

function unixSeconds(): number {
	return Math.floor(Date.now() / 1000);
}

/**
 * Puts what the process remembers into the static data of the workflow, which n8n saves when the
 * delivery has been handled.
 */
export function saveMemory(context: IWebhookFunctions): void {
	const staticData = context.getWorkflowStaticData('node');
	staticData.deliveries = stateOf(context).memory.write(unixSeconds());
}

/**
 * Whether a delivery comes for the first time; it is remembered from then on.
 *
 * Within one process of n8n that is exact, also for deliveries that arrive at the same moment: they
 * are looked up in the memory of the process. The memory is saved in the static data of the workflow,
 * so it outlives a restart and reaches other processes. n8n loads the static data with each delivery
 * and saves it afterwards, so with several webhook processes the last one to save wins: what it
 * overwrote is saved again with the next delivery to the other process. Until then, or when both
 * processes get the same delivery at the same moment, an event can start the workflow twice. No
 * event is lost.
 */
export async function isFirst(context: IWebhookFunctions, delivery: Delivery): Promise<boolean> {
	const { key, lifetime } = await identityOf(delivery);
	// Nothing below waits, so no other delivery comes in between
	const { memory } = stateOf(context);
	const now = unixSeconds();
	memory.read(context.getWorkflowStaticData('node').deliveries, now);
	if (memory.has(key, now)) return false;
	memory.add(key, now + lifetime, now);
	saveMemory(context);
	return true;
}
