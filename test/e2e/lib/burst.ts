import type { Sandbox } from '../../../tools/sandbox/server';
import type { Delivery } from '../../../tools/sandbox/webhooks';

/** Number of events to deliver when a process is killed. Enough for some to be in progress at each kill. */
export const EVENTS = 300;

/** Maximum number of deliveries in progress at the same time. */
export const PARALLEL = 10;

/** An execution in n8n's database. */
export interface StoredExecution {
	id: string;
	status: string;
	/** Text of the chat message that started the execution */
	message: string;
}

/** Pattern that matches the text of a burst message. Valid in both JavaScript and PostgreSQL. */
export const BURST_MESSAGE = 'Message [0-9]+ of [0-9]+';

/** Extracts a burst message's text from a longer string, or returns an empty string. */
export const findBurstMessage = (text: string): string =>
	new RegExp(BURST_MESSAGE).exec(text)?.[0] ?? '';

/** Sends `count` numbered chat messages and returns their texts. */
export function sendBurst({ store }: Sandbox, count: number): string[] {
	const texts = Array.from({ length: count }, (_, index) => `Message ${index + 1} of ${count}`);
	for (const text of texts) store.sendMessage({ sender: 'yuki', receiver: 'makers', text });
	return texts;
}

/** Returns the texts of the messages that n8n accepted with status 200. */
export const listAcceptedMessages = (deliveries: Delivery[]): string[] =>
	deliveries
		.filter(({ status }) => status === 200)
		.map(({ body }) => findBurstMessage(JSON.stringify(body)));

/** Returns each repeated string in a list, excluding its first occurrence. */
export const findDuplicates = (texts: string[]): string[] =>
	texts.filter((text, index) => texts.indexOf(text) < index);
