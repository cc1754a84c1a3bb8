import type { Sandbox } from '../../../tools/sandbox/server';
import type { Delivery } from '../../../tools/sandbox/webhooks';

/** An execution in n8n's database. */
export interface StoredExecution {
	id: string;
	status: string;
	/** The message of a burst that it was started with */
	message: string;
}

/** What the messages of a burst say, for JavaScript and PostgreSQL. */
export const BURST_MESSAGE = 'Message [0-9]+ of [0-9]+';

/** The message of a burst that something tells of. */
export const messageIn = (text: string): string => new RegExp(BURST_MESSAGE).exec(text)?.[0] ?? '';

/** Has messages sent in the chat, and returns what they say: each something else. */
export function sendMessages({ store }: Sandbox, count: number): string[] {
	const texts = Array.from({ length: count }, (_, index) => `Message ${index + 1} of ${count}`);
	for (const text of texts) store.sendMessage({ sender: 'yuki', receiver: 'makers', text });
	return texts;
}

/** The messages of a burst whose deliveries were answered with 200. */
export const answered = (deliveries: Delivery[]): string[] =>
	deliveries
		.filter(({ status }) => status === 200)
		.map(({ body }) => messageIn(JSON.stringify(body)));

/** What is in a list again. */
export const twiceIn = (texts: string[]): string[] =>
	texts.filter((text, index) => texts.indexOf(text) < index);
