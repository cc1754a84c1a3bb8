import type { INodeParameters } from 'n8n-workflow';

import type { Envelope } from '../../tools/sandbox/envelope';
import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
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

/** Makes changes in the sandbox and returns the items that the trigger outputs. */
async function play(act: (sandbox: Sandbox) => void, parameters: INodeParameters = {}) {
	const webhook = await activate(parameters);
	const sandbox = await startSandbox({ webhooks: [{ url: webhook.url, ...LOGIN }] });
	act(sandbox);
	await sandbox.webhooks.idle();
	await webhook.idle();
	for (const { body } of sandbox.webhooks.deliveries) expectKnownFields(body);
	await sandbox.close();
	return itemsOf(webhook);
}

test('returns simplified items for actions of users', async () => {
	const act = ({ store }: Sandbox) => {
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
	};
	const items = await play(act, { appEvents: 'always' });
	expect(items).toMatchObject([
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

test('starts a new trigger for the app only if members change or a group is deleted', async () => {
	const triggers = new Set<string>();
	const items = await play(({ store }) => {
		store.onEvent(({ trigger }) => triggers.add(trigger));
		store.createGroup({ guid: 'news', owner: 'app_system' });
		store.createGroup({ guid: 'of-mira', owner: 'mira' });
		const { id } = store.sendMessage({
			...{ sender: 'app_system', receiver: 'news', text: 'Hello <@uid:leo>' },
		});
		store.editMessage(id, { text: 'Hello all' });
		store.deleteMessage(id);
		store.addMembers('news', [{ uid: 'leo', scope: 'participant' }]);
		store.changeScope('news', 'leo', 'moderator');
		store.kickMember('news', 'leo');
		store.banMember('news', 'leo');
		store.unbanMember('news', 'leo');
		store.updateGroup('news', { name: 'News' });
		store.updateGroup('news', { owner: 'mira' });
		store.deleteGroup('news');
	});
	// The remaining events can only be caused by users
	expect(triggers.size).toBe(13);
	const members = ['added', 'scope_changed', 'kicked', 'banned', 'unbanned'].map((name) => ({
		event: `group_member_${name}`,
		...{ uid: 'leo', by: 'app_system' },
	}));
	const deleted = { event: 'group_deleted', guid: 'news', by: null };
	expect(items).toMatchObject([...members, deleted]);
});
