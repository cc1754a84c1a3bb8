import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ActiveWebhook } from '../../tools/n8nEngine/webhook';
import { envelope, message, note, user } from './envelopes';
import { activate, deliver } from './harness';

export const groups = (...groupIds: string[]): INodeParameters => ({ watch: 'groups', groupIds });

export const users = (...userIds: string[]): INodeParameters => ({ watch: 'users', userIds });

export const mention = (...mentioned: string[]): IDataObject => ({
	data: { text: 'Hi', mentions: Object.fromEntries(mentioned.map((uid) => [uid, user(uid)])) },
});

const TEXTS = ['noor', 'Theo', 'mira', 'group_x', 'x_user_noor', 'support', 'group_support'];

const anyone = fc.constantFrom(...TEXTS);

const privateMessage = fc
	.record({
		sender: anyone,
		receiver: anyone,
		trigger: fc.constantFrom(
			...['message_sent', 'user_mentioned', 'message_edited', 'message_deleted', 'message_pinned'],
			...['moderation_engine_blocked', 'something_new'],
		),
		hasType: fc.boolean(),
		hasConversation: fc.boolean(),
		isNote: fc.boolean(),
		mentioned: fc.array(anyone, { maxLength: 2 }),
		isInText: fc.boolean(),
	})
	.map(({ sender, receiver, trigger, mentioned, ...has }) => {
		const place = {
			receiver,
			receiverType: has.hasType ? 'user' : undefined,
			conversationId: has.hasConversation ? [sender, receiver].sort().join('_user_') : undefined,
		};
		const text = has.isInText ? mentioned.map((uid) => `<@uid:${uid}>`).join(' ') : 'Hi';
		const content = {
			data: { text, ...(has.isInText ? {} : (mention(...mentioned).data as object)) },
		};
		const written = message(501, { sender, ...place, ...content });
		const isNote = has.isNote && /edited|deleted/.test(trigger);
		const told = isNote ? note(9, 'edited', sender, written, place) : written;
		return {
			delivery: envelope(trigger, { message: told }),
			people: [sender, receiver, ...mentioned],
		};
	});

/** Activates a trigger that hears all messages, also from the app. */
const activateWith = async (parameters: INodeParameters) =>
	await activate({ output: 'raw', appEvents: 'always', ...parameters });

/** Tests random private messages against triggers that watch other people or groups. */
export function testPrivateMessages(numRuns: number): void {
	test('No private message between two other people starts a workflow that watches groups, or users whom it does not mention', async () => {
		const ofGroups: ActiveWebhook = await activateWith(groups(...TEXTS));
		const ofUsers = new Map<string, ActiveWebhook>();
		for (const uid of TEXTS) ofUsers.set(uid, await activateWith(users(uid)));
		await fc.assert(
			fc.asyncProperty(privateMessage, fc.nat(), async ({ delivery, people }, number) => {
				const envelopeOfOne = { ...delivery, webhook: String(number) };
				await deliver(ofGroups, envelopeOfOne);
				await ofGroups.idle();
				expect(ofGroups.executions).toEqual([]);
				const others = TEXTS.filter(
					(uid) => !people.some((person) => person.toLowerCase() === uid.toLowerCase()),
				);
				for (const uid of others) {
					const webhook = ofUsers.get(uid);
					if (webhook === undefined) continue;
					await deliver(webhook, envelopeOfOne);
					await webhook.idle();
					expect(webhook.executions).toEqual([]);
				}
			}),
			{ numRuns },
		);
	});
}
