import type { Envelope } from '../../tools/sandbox/envelope';
import { startSandbox } from '../../tools/sandbox/server';
import { EVENTS } from '../../nodes/CometChat/webhookTrigger/events';
import { activate, itemsOf, LOGIN } from './harness';
import { SAMPLES, TRIGGERS } from './samples';

/** Names of the data fields in the samples, keyed by trigger. */
const FIELDS = new Map<string, Set<string>>();
for (const { trigger, data } of SAMPLES.map(({ value }) => value)) {
	FIELDS.set(trigger, new Set([...(FIELDS.get(trigger) ?? []), ...Object.keys(data)]));
}

test('the contract has a sample of every event', () => {
	const known = EVENTS.map(({ trigger }) => trigger);
	const missing = known.filter((trigger) => !TRIGGERS.includes(trigger));
	expect(missing.map((trigger) => `tools/sandbox/webhooks.yaml has no ${trigger}`)).toEqual([]);
	expect(TRIGGERS.filter((trigger) => !known.includes(trigger))).toEqual([]);
});

function expectKnownFields({ trigger, data }: Envelope): void {
	const unknown = Object.keys(data).filter((name) => !FIELDS.get(trigger)?.has(name));
	expect([trigger, unknown]).toEqual([trigger, []]);
}

test('returns simplified items for actions of users', async () => {
	const webhook = await activate({ appEvents: 'always' });
	const sandbox = await startSandbox({ webhooks: [{ url: webhook.url, ...LOGIN }] });
	const { store, webhooks } = sandbox;
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
	store.updateGroup('news', { name: 'Old news' }, 'noor');
	store.deleteGroup('news');
	await webhooks.idle();
	await webhook.idle();
	for (const { body } of webhooks.deliveries) expectKnownFields(body);
	await sandbox.close();
	expect(itemsOf(webhook)).toMatchObject([
		{ event: 'group_created', guid: 'news', owner: 'mira', by: null },
		{ event: 'group_member_joined', uid: 'noor', guid: 'news' },
		{ event: 'group_member_added', uid: 'leo', by: 'mira' },
		{ event: 'group_member_scope_changed', uid: 'leo', scope: 'moderator', by: 'mira' },
		{ event: 'message_sent', text: 'Hello', sender: 'noor', receiver: 'news' },
		{ event: 'message_reaction_added', reaction: '👍', uid: 'leo' },
		{ event: 'message_edited', text: 'Hello all', by: 'noor' },
		{ event: 'message_reaction_removed', reaction: '👍', uid: 'leo' },
		{ event: 'message_deleted', id: expect.any(String), by: 'mira', receiver: 'news' },
		{ event: 'group_member_kicked', uid: 'leo', by: 'mira' },
		{ event: 'group_member_left', uid: 'noor' },
		{ event: 'group_updated', guid: 'news', name: 'Old news', by: 'noor' },
		{ event: 'group_deleted', guid: 'news', by: null },
	]);
});
