import type { IDataObject } from 'n8n-workflow';

import type { ActiveWebhook } from '../../engine/webhook';
import { startSandbox } from '../../sandbox/server';
import { activate, deliver, itemsOf, LOGIN } from './harness';
import { edited, memberEvent, reaction, sent } from './envelopes';

const triggersOf = (webhook: ActiveWebhook) => itemsOf(webhook).map(({ trigger }) => trigger);

const textOf = (event: IDataObject) => JSON.stringify(event);

test('a thousand deliveries at once, each of them twice, are all answered and start once', async () => {
	const webhook = await activate();
	const events = Array.from({ length: 250 }, (_, id) => [
		sent(id),
		edited(id, `Text ${id}`),
		reaction('added', { id }),
		memberEvent('member_joined', `group-${id}`, { noor: {} }),
	]).flat();
	const answers = await Promise.all(
		[...events, ...events].map(async (event) => await deliver(webhook, event)),
	);
	expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	await webhook.idle();
	expect(webhook.executions).toHaveLength(1_000);
	expect(itemsOf(webhook).map(textOf).sort()).toEqual(events.map(textOf).sort());
});

describe('the sandbox delivers', () => {
	const webhookOf = ({ url }: ActiveWebhook, changes = {}) => ({ url, ...LOGIN, ...changes });

	async function withSandbox(
		parameters: Parameters<typeof activate>[0],
		changes: object,
		run: (webhook: ActiveWebhook, sandbox: Awaited<ReturnType<typeof startSandbox>>) => void,
	): Promise<IDataObject[]> {
		const webhook = await activate(parameters);
		const sandbox = await startSandbox({ webhooks: [webhookOf(webhook, changes)] });
		try {
			run(webhook, sandbox);
			await sandbox.webhooks.idle();
			expect(sandbox.webhooks.deliveries.length).toBeGreaterThan(0);
			await webhook.idle();
			return itemsOf(webhook);
		} finally {
			await sandbox.close();
		}
	}

	const SIMPLIFIED = { output: 'simplified' };

	test('what people do in the chat, as simplified items', async () => {
		const items = await withSandbox(SIMPLIFIED, {}, (_webhook, { store }) => {
			store.createGroup({ guid: 'news', name: 'News' }, 'mira');
			store.joinGroup('news', 'noor');
			store.addMembers('news', [{ uid: 'leo', scope: 'participant' }], 'mira');
			store.changeScope('news', 'leo', 'moderator', 'mira');
			const { id } = store.sendMessage({ sender: 'noor', receiver: 'news', text: 'Hello' });
			store.addReaction(id, 'leo', '👍');
			store.editMessage(id, { text: 'Hello all' }, 'noor');
			store.removeReaction(id, 'leo', '👍');
			store.deleteMessage(id, { by: 'mira' });
			store.kickMember('news', 'leo', 'mira');
			store.leaveGroup('news', 'noor');
			store.deleteGroup('news');
		});
		expect(items).toMatchObject([
			{ event: 'group_created', guid: 'news', by: 'mira' },
			{ event: 'group_member_joined', uid: 'noor', guid: 'news', by: 'noor' },
			{ event: 'group_member_added', uid: 'leo', by: 'mira' },
			{ event: 'group_member_scope_changed', uid: 'leo', scope: 'moderator', by: 'mira' },
			{ event: 'message_sent', text: 'Hello', by: 'noor', receiver: 'news' },
			{ event: 'message_reaction_added', reaction: '👍', by: 'leo' },
			{ event: 'message_edited', text: 'Hello all', by: 'noor' },
			{ event: 'message_reaction_removed', reaction: '👍', by: 'leo' },
			{ event: 'message_deleted', deleted: true, by: 'mira', receiver: 'news' },
			{ event: 'group_member_kicked', uid: 'leo', by: 'mira' },
			{ event: 'group_member_left', uid: 'noor', by: 'noor' },
			{ event: 'group_deleted', guid: 'news' },
		]);
	});

	test.each([
		['twice', { copies: 2 }],
		[
			'three times, in the reverse order, and side by side',
			{ copies: 3, reversed: 7, parallel: 9 },
		],
		['late', { delayMs: 100, copies: 2 }],
	])('%s, and each event starts once', async (_how, changes) => {
		const items = await withSandbox({}, changes, (_webhook, { store }) => {
			for (let index = 0; index < 30; index++) {
				const { id } = store.sendMessage({
					sender: 'noor',
					receiver: 'mira',
					receiverType: 'user',
					text: `Text ${index}`,
				});
				store.addReaction(id, 'leo', '👍');
				store.removeReaction(id, 'leo', '👍');
				store.editMessage(id, { text: `Edited ${index}` });
			}
		});
		expect(new Set(items.map(textOf)).size).toBe(120);
		expect(items).toHaveLength(120);
	});

	test('the older kind of webhook, and starts nothing', async () => {
		const items = await withSandbox({}, { kind: 'older' }, (_webhook, { store }) => {
			store.sendMessage({ sender: 'noor', receiver: 'mira', receiverType: 'user', text: 'Hello' });
		});
		expect(items).toEqual([]);
	});

	test('with another password, and starts nothing, however often it is repeated', async () => {
		const changes = { password: 'wrong', retries: true, timeScale: 1_000 };
		const items = await withSandbox({}, changes, (_webhook, { store }) => {
			store.sendMessage({ sender: 'noor', receiver: 'mira', receiverType: 'user', text: 'Hello' });
		});
		expect(items).toEqual([]);
	});

	test('events that are not chosen, which it does not repeat', async () => {
		const webhook = await activate({ events: ['group_created'] });
		const changes = { retries: true, timeScale: 1_000 };
		const sandbox = await startSandbox({ webhooks: [webhookOf(webhook, changes)] });
		sandbox.store.sendMessage({
			sender: 'noor',
			receiver: 'mira',
			receiverType: 'user',
			text: 'Hello',
		});
		await sandbox.webhooks.idle();
		const attempts = sandbox.webhooks.deliveries.map(({ attempt, status }) => [attempt, status]);
		await sandbox.close();
		expect(attempts).toEqual([[1, 200]]);
		expect(triggersOf(webhook)).toEqual([]);
	});
});
