import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { check } from '../../tools/live/check';
import { QUESTIONS, readAnswers } from '../../tools/live/questions';
import { collectDeliveries, startListener } from '../../tools/live/webhooks';
import { ROOT } from '../../tools/scripts/markdown';
import { useSandbox } from '../actionNode/harness';

const sandbox = useSandbox();

const run = async () => {
	const { apiKey, baseUrl } = sandbox();
	return await check({ apiKey, baseUrl }, { signal: new AbortController().signal });
};

const DOCS = readFileSync(join(ROOT, 'docs/status.md'), 'utf8');

/** Describes the number of requests and messages that a check sent, as the docs do. */
function describeLoad(): string {
	const { log } = sandbox();
	const isMessage = /^POST \/v3\/messages(\/\d+\/thread)?$/;
	const messages = log.filter(
		({ method, path, status }) => status === 200 && isMessage.test(`${method} ${path}`),
	);
	return `makes about ${Math.round(log.length / 10) * 10} requests, and sends ${messages.length} messages`;
}

const MAX_MS = 120_000;

test(
	"the answers to open questions follow the service's behavior",
	async () => {
		const { answers: first } = await run();
		const inDocs = /makes about .* messages/.exec(DOCS)?.[0];
		expect({ 'docs/status.md': inDocs }).toEqual({ 'docs/status.md': describeLoad() });
		sandbox().setSettings({
			...{ totalPages: 'next', threadPages: 'cursor', limitShown: 'missing' },
			...{ messageOrder: 'descending', groupMetadata: 'merge', reactionsInMessages: true },
			...{ repeatedMuid: 'refuse', boundary: 'inclusive', unknownRole: 'notFound' },
			...{ replyReceiver: 'required', absentReaction: 'accept', bannedFields: 'ban' },
			...{ privateMetadata: 'top', reviewResponse: 'empty', accessDelay: 0.2 },
			...{ absentFriend: 'skip', readResponse: 'receipt' },
			...{ groupAccess: 'members', filterCommas: 'literal', queueNext: 'always' },
			...{ deactivatedTokens: 'delete', mediaUrl: 'keep', reactionPages: 'single' },
			...{ listMetadata: 'refuse', quotedMessages: 'id', idBoundary: 'inclusive' },
		});
		const window = { requests: 20_000, ms: 60_000, rateHeaders: 'x-rate-limit' } as const;
		sandbox().setFaults([{ effect: { window } }]);
		const { answers: second, operations } = await run();
		// The node accepts these answers, so they aren't reported as differences
		const accepted = ['conversation markRead', 'group getMember', 'user removeFriends'];
		const steps = operations.filter(({ name }) => accepted.includes(name));
		expect(new Set(steps.map(({ name }) => name))).toEqual(new Set(accepted));
		expect(steps.flatMap(({ deviations }) => deviations)).toEqual([]);
		const seen = QUESTIONS.map(({ number, answers }) => {
			const found = [first[number], second[number]];
			const isKnown = found.every((answer) => answer === undefined || answer in answers);
			return [number, ...(isKnown ? found : ['an answer that is not in the list', ...found])];
		});
		expect(seen).toEqual([
			[1, 'number of pages', 'next page'],
			[2, undefined, undefined],
			[3, 'yes', 'no'],
			[4, 'yes', 'no'],
			[5, 'no', 'yes'],
			[6, 'oldest first', 'newest first'],
			[7, 'replaced', 'merged'],
			[8, 'no', 'yes'],
			[9, 'no', 'yes'],
			[11, undefined, undefined],
			[12, undefined, 'x-rate-limit-'],
			[13, 'no', 'yes'],
			[14, 'not at all', 'for a while'],
			[15, undefined, undefined],
			[16, undefined, undefined],
			[17, 'ERR_BAD_REQUEST', 'ERR_ROLE_NOT_FOUND'],
			[18, 'no', 'yes'],
			[19, 'yes', 'no'],
			[20, 'never', 'with banned members'],
			[21, 'under @private', 'beside the other metadata'],
			[22, 'a result', 'nothing'],
			[23, undefined, undefined],
			[25, 'yes', 'no'],
			[26, undefined, undefined],
			[27, 'yes', 'no'],
			[28, 'a confirmation', 'a receipt'],
			[29, undefined, undefined],
			[30, undefined, undefined],
			[31, undefined, undefined],
			[32, undefined, undefined],
			[33, undefined, undefined],
			[34, undefined, undefined],
			[35, 'no', 'yes'],
			[36, 'no', 'yes'],
			[37, 'yes', 'no'],
			[38, undefined, undefined],
			[39, 'the list is lost', 'the list is kept'],
			[40, undefined, undefined],
			[41, undefined, undefined],
			[42, 'no', 'no'],
			[43, 'yes', 'only the ID'],
			[44, 'yes', 'yes'],
			[45, 'yes', 'at this ID'],
			[46, 'no', 'no'],
			[47, 'no', 'no'],
		]);
	},
	MAX_MS,
);

describe('Questions 15 and 16', () => {
	const answersOf = (deliveries?: unknown[]) => {
		const answers = readAnswers({ exchanges: [], deliveries });
		return [answers[15], answers[16]];
	};

	test.each([
		[{}, {}, ['a note about the change', 'no']],
		[
			{ changeEvents: 'message' } as const,
			{ retries: true, timeScale: 1000 },
			['the changed message', 'yes, unchanged'],
		],
	])(
		'follow events with the settings %j and the webhook %j',
		async (settings, webhook, expected) => {
			const { store, webhooks } = sandbox();
			const { signal } = new AbortController();
			const listener = await startListener(0, 100);
			sandbox().setSettings(settings);
			webhooks.set([{ url: listener.address, ...webhook }]);
			listener.refuseOnce('webhook', 'lunch', 'group_member_banned');
			const { id } = store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'n8n-check' });
			store.editMessage(id, { text: 'n8n-check, edited' }, 'leo');
			store.joinGroup('lunch', 'noor');
			store.banMember('lunch', 'noor');
			const deliveries = await collectDeliveries(listener, 'lunch', signal).finally(listener.close);
			expect(answersOf(deliveries)).toEqual(expected);
		},
	);

	test('stay open without such events, and notice a changed repetition', () => {
		const banned = { trigger: 'group_member_banned', data: { at: 1 } };
		expect(answersOf()).toEqual([undefined, undefined]);
		expect(answersOf([{ trigger: 'message_sent' }])).toEqual([undefined, undefined]);
		expect(answersOf([banned, { ...banned, data: { at: 2 } }])).toEqual([
			undefined,
			'yes, changed',
		]);
	});
});
