import { startSandbox } from '../../tools/sandbox/server';
import { reaction, sent } from './envelopes';
import { activate, deliver, itemsFrom, itemsOf } from './harness';

test('a thousand simultaneous reactions start the workflow, each with its message or an error', async () => {
	const sandbox = await startSandbox();
	const { apiKey, baseUrl } = sandbox;
	const credentials = { cometChatApi: { apiKey, region: 'custom', baseUrl } };
	const webhook = await activate({ options: { fetchMessage: true } }, { credentials });
	const { id: messageId } = sandbox.store.sendMessage({
		...{ sender: 'mira', receiver: 'lunch', text: 'Hello' },
	});
	const answers = await Promise.all(
		Array.from({ length: 1_000 }, async (_, id) => {
			return await deliver(webhook, reaction('added', { messageId, uid: `u${id}` }));
		}),
	);
	await webhook.idle();
	await sandbox.close();
	expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	expect(new Set(itemsOf(webhook).map(({ uid }) => uid)).size).toBe(1_000);
	for (const { messageText, messageError } of itemsOf(webhook)) {
		expect(messageText ?? messageError).toEqual(expect.any(String));
	}
});

test('remembers twenty thousand events', async () => {
	const others = (from: number) =>
		Array.from({ length: 500 }, (_, index) => sent(from + index, { category: 'action' }));
	const quiet = await activate({ output: 'raw' });
	await itemsFrom(quiet, sent(501));
	for (let start = 1_000; start < 21_000; start += 500) {
		await Promise.all(others(start).map(async (event) => await deliver(quiet, event)));
	}
	// Now at the limit, so the next delivery evicts the oldest event
	expect(await itemsFrom(quiet, sent(501))).toHaveLength(2);
	expect(await itemsFrom(quiet, sent(501))).toHaveLength(2);
});
