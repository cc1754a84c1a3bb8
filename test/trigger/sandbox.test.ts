import type { IDataObject } from 'n8n-workflow';

import type { ActiveWebhook } from '../../engine/webhook';
import type { Sandbox } from '../../sandbox/server';
import { startSandbox } from '../../sandbox/server';
import { activate, itemsOf, LOGIN } from './harness';

/** Starts the sandbox with a webhook for the trigger, lets something happen, and gives what came of it. */
async function played(
	parameters: Parameters<typeof activate>[0],
	changes: object,
	play: (sandbox: Sandbox) => void,
): Promise<{ items: IDataObject[]; attempts: Array<[number, number]> }> {
	const webhook: ActiveWebhook = await activate(parameters);
	const sandbox = await startSandbox({ webhooks: [{ url: webhook.url, ...LOGIN, ...changes }] });
	try {
		play(sandbox);
		await sandbox.webhooks.idle();
		await webhook.idle();
		const { deliveries } = sandbox.webhooks;
		const attempts = deliveries.map(({ attempt, status }): [number, number] => [attempt, status]);
		return { items: itemsOf(webhook), attempts };
	} finally {
		await sandbox.close();
	}
}

const hello = { sender: 'noor', receiver: 'mira', receiverType: 'user', text: 'Hello' } as const;

const sendHello = ({ store }: Sandbox) => void store.sendMessage(hello);

test('what people do in the chat comes as simplified items', async () => {
	const { items } = await played({}, {}, ({ store }) => {
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

test('deliveries that come three times, out of order and side by side start once each', async () => {
	const changes = { copies: 3, reversed: 7, parallel: 9 };
	const { items } = await played({}, changes, ({ store }) => {
		for (let index = 0; index < 10; index++) {
			const { id } = store.sendMessage({ ...hello, text: `Text ${index}` });
			store.editMessage(id, { text: `Edited ${index}` }, 'noor');
		}
	});
	const told = items.map(({ event, text }) => `${String(event)}: ${String(text)}`);
	const numbers = Array.from({ length: 10 }, (_, index) => index);
	expect(told.sort()).toEqual([
		...numbers.map((index) => `message_edited: Edited ${index}`),
		...numbers.map((index) => `message_sent: Text ${index}`),
	]);
});

test('the older kind of webhook starts nothing', async () => {
	const { items, attempts } = await played({}, { kind: 'older' }, sendHello);
	expect(items).toEqual([]);
	expect(attempts).toEqual([[1, 400]]);
});

test('another password starts nothing, however often it comes', async () => {
	const changes = { password: 'wrong', retries: true, timeScale: 1_000 };
	const { items, attempts } = await played({}, changes, sendHello);
	expect(items).toEqual([]);
	expect(attempts).toEqual([1, 2, 3].map((attempt) => [attempt, 401]));
});

test('events that are not chosen are not sent again', async () => {
	const changes = { retries: true, timeScale: 1_000 };
	const { items, attempts } = await played({ events: ['group_created'] }, changes, sendHello);
	expect(items).toEqual([]);
	expect(attempts).toEqual([[1, 200]]);
});
