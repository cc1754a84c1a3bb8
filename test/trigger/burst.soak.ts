import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../tools/sandbox/server';
import { edited, groupEvent, reaction, sent } from './envelopes';
import { activate, deliver, itemsFrom, itemsOf } from './harness';

const textOf = (event: IDataObject) => JSON.stringify(event);

test('a thousand deliveries at once, each of them twice, are all answered and start once', async () => {
	const webhook = await activate({ output: 'raw' });
	const events = Array.from({ length: 250 }, (_, index) => [
		sent(index + 1),
		edited(index + 1, `Text ${index}`),
		reaction('added', { messageId: String(index + 1) }),
		groupEvent('created', `group-${index}`),
	]).flat();
	const answers = await Promise.all(
		[...events, ...events].map(async (event) => await deliver(webhook, event)),
	);
	expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	await webhook.idle();
	expect(itemsOf(webhook).map(textOf).sort()).toEqual(events.map(textOf).sort());
});

test('a thousand reactions at once all come, each with its message or the reason', async () => {
	const sandbox = await startSandbox();
	const { apiKey, baseUrl } = sandbox;
	const credentials = { cometChatApi: { apiKey, region: 'custom', baseUrl } };
	const webhook = await activate({ options: { fetchMessage: true } }, { credentials });
	const [{ id: messageId }] = sandbox.store.messages.all();
	const answers = await Promise.all(
		Array.from({ length: 1_000 }, async (_, id) => {
			return await deliver(webhook, reaction('added', { messageId, uid: `u${id}` }));
		}),
	);
	await webhook.idle();
	await sandbox.close();
	expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	expect(new Set(itemsOf(webhook).map(({ by }) => by)).size).toBe(1_000);
	for (const { messageText, messageError } of itemsOf(webhook)) {
		expect(messageText ?? messageError).toEqual(expect.any(String));
	}
});

test('twenty thousand events are remembered, and no more', async () => {
	const others = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) => sent(from + index, { category: 'action' }));
	const quiet = await activate({
		output: 'raw',
		appEvents: 'always',
		options: { includeActions: false },
	});
	await itemsFrom(quiet, sent(501));
	for (let start = 1_000; start < 21_000; start += 500) {
		await Promise.all(others(start, 500).map(async (event) => await deliver(quiet, event)));
	}
	// What is too much is forgotten with the next delivery, the oldest first
	expect(await itemsFrom(quiet, sent(501))).toHaveLength(2);
	expect(await itemsFrom(quiet, sent(501))).toHaveLength(2);
});
