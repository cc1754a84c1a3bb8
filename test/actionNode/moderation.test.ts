import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	AS_TOOL,
	CONTINUE,
	NODE,
	callTool,
	errorOf,
	group,
	hintsOf,
	itemsOf,
	jsonOf,
	message,
	moderation,
	run,
	user,
	useSandbox,
} from './harness';
import { json, readBody, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({ now: () => 1_760_000_000 });

/** Current time on the sandbox's clock. */
const NOW = '2025-10-09T08:53:20Z';

/** Adds a moderation rule, sends a message that the rule blocks, and returns the message ID. */
function sendBlocked(): string {
	const { store } = sandbox();
	store.moderation.rules = [
		{ id: 'words', name: 'Words', words: ['lamp oil'], action: 'blockMessage' },
	];
	return store.sendMessage({ sender: 'leo', receiver: 'all-hands', text: 'Buy LAMP OIL' }).id;
}

/** Sends 130 messages, and reports each message on behalf of a user. */
function sendReported(): void {
	const { store } = sandbox();
	for (let index = 0; index < 130; index++) {
		const { id } = store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'x' });
		store.flagMessage(id, { uid: 'mira', reasonId: 'spam' });
	}
}

const review = (more: INodeParameters) => moderation('review', { messageId: '107', ...more });

describe('List Messages to Moderate', () => {
	test('returns the last report and the number of reports', async () => {
		sandbox().store.flagMessage('107', { uid: 'mira', reasonId: 'harassment', remark: 'Rude' });
		const [first, second] = await jsonOf(sandbox(), moderation('list'));
		expect(first).toEqual({
			id: '107',
			text: expect.any(String),
			sender: 'ext_sam-99',
			senderName: 'Sam (Supplier)',
			receiver: 'tomas',
			receiverName: 'Tomás Ferreo',
			reportCount: 2,
			reportedBy: 'mira',
			reportedByName: expect.any(String),
			reason: 'Harassment',
			remark: 'Rude',
			reportedAt: expect.stringMatching(/^20\d\d-[-\d]{5}T[:\d]{8}Z$/),
			sentAt: '2025-08-01T14:20:00Z',
			receiverType: 'user',
			conversationId: expect.any(String),
			...{ type: 'text', attachments: null, parentId: null },
		});
		expect(Object.keys(first).slice(0, 6)).toEqual([
			...['id', 'sentAt', 'senderName', 'text', 'sender', 'type'],
		]);
		expect(second).toMatchObject({ id: '128', reportCount: 1, reportedBy: 'noor' });
	});

	test('returns the rule that blocked a message, and the decision', async () => {
		const id = sendBlocked();
		const blocked = {
			...{ id, sentAt: NOW, text: 'Buy LAMP OIL', sender: 'leo', senderName: 'Leo Brandt' },
			...{ receiver: 'all-hands', receiverName: 'All Hands', receiverType: 'group' },
			...{ conversationId: 'group_all-hands', type: 'text', attachments: null, parentId: null },
			...{ ruleName: 'Words', reason: 'Contains "lamp oil"', actions: ['blockMessage'] },
		};
		expect(await jsonOf(sandbox(), moderation('list', { queue: 'blocked' }))).toEqual([
			{ ...blocked, blockedAt: NOW },
		]);
		await itemsOf(sandbox(), review({ queue: 'blocked', messageId: id, decision: 'approve' }));
		await itemsOf(sandbox(), review({ decision: 'block' }));
		expect(await jsonOf(sandbox(), moderation('list', { queue: 'reviewed' }))).toEqual([
			expect.objectContaining({ id: '107', decision: 'block', decidedAt: NOW }),
			{ ...blocked, decision: 'approve', decidedAt: NOW },
		]);
	});

	test.each([
		[
			'reviewed',
			{ blockedAt: '1795436655.123' },
			{ decidedAt: '2026-11-23T12:24:15Z', decision: null },
		],
		['blocked', { blockedAt: '1795436655.123' }, { blockedAt: '2026-11-23T12:24:15Z' }],
		['blocked', { condition: { message: ['Words', 'Links'] } }, { reason: ['Words', 'Links'] }],
	])('in the queue %s reads %j', async (queue, fields, item) => {
		const entry = { message: { id: '5' }, ...fields };
		const reply: Reply = (response) => json(response, 200, { data: [entry], meta: {} });
		await withRecorder(reply, async (recorder) => {
			expect(await jsonOf(recorder, moderation('list', { queue }))).toMatchObject([item]);
		});
	});

	const HINT =
		'CometChat sent 100 messages from the queue and does not say how to get more, so there may be more. Review some of these, then list the queue again.';

	test('hints at missing messages if a response is full', async () => {
		sendReported();
		const result = await run(sandbox(), moderation('list', { returnAll: true }));
		expect(result.items(NODE)).toHaveLength(100);
		expect(hintsOf(result)).toEqual([HINT]);
		const limited = await run(sandbox(), moderation('list', { limit: 5 }));
		expect(limited.items(NODE)).toHaveLength(5);
		expect(hintsOf(limited)).toEqual([]);
	});

	test("returns the hint as an item to an agent's model", async () => {
		sendReported();
		const parameters = moderation('list', { returnAll: true, output: 'fields', fields: ['id'] });
		const asTool = await jsonOf(sandbox(), parameters, { settings: AS_TOOL });
		expect(asTool).toHaveLength(101);
		expect(asTool.at(-1)).toEqual({ hint: HINT });
		const [output] = await callTool(sandbox(), parameters, [{}]);
		expect(output.endsWith(`,{"hint":"${HINT}"}]`)).toBe(true);
	});
});

describe('Review Message', () => {
	test.each([
		['flagged', 'approve', { status: 'approved' }],
		['flagged', 'block', { status: 'disapproved' }],
		['blocked', 'approve', { status: 'approved' }],
		['blocked', 'block', { status: 'rejected', reviewed: true }],
	])('in the queue %s, with the decision %s, sends %j', async (queue, decision, body) => {
		const reply: Reply = (response) => json(response, 200, { data: { success: true } });
		await withRecorder(reply, async (recorder) => {
			const items = await jsonOf(recorder, review({ queue, decision }));
			expect(items).toEqual([{ id: '107', queue, decision, success: true }]);
			const [request] = recorder.requests;
			expect(request).toMatchObject({
				method: 'PATCH',
				url: `/moderation/${queue}-messages/107`,
			});
			expect(readBody(request)).toEqual(body);
		});
	});

	test('reads queue and decision from expressions', async () => {
		const parameters = moderation('review', {
			queue: '={{ $json.queue }}',
			messageId: '={{ $json.id }}',
			decision: '={{ $json.decision }}',
		});
		const input = [
			{ queue: 'flagged', id: '107', decision: 'block' },
			{ queue: 'blocked', id: sendBlocked(), decision: 'block' },
		];
		expect(await itemsOf(sandbox(), parameters, { input })).toHaveLength(2);
		expect(sandbox().violations).toEqual([]);
		expect(sandbox().store.messages.get('107')?.moderation?.status).toBe('disapproved');
	});

	test.each(['data', 'top', 'empty'] as const)(
		'removes the message from the queue if the response is: %s',
		async (reviewResponse) => {
			sandbox().setSettings({ reviewResponse });
			expect(await jsonOf(sandbox(), review({ decision: 'approve' }))).toEqual([
				{ id: '107', queue: 'flagged', decision: 'approve', success: true },
			]);
			const list = await jsonOf(sandbox(), moderation('list'));
			expect(list.map(({ id }) => id)).toEqual(['128']);
		},
	);

	test.each([{}, { decision: '' }])('does not start without a decision: %j', async (more) => {
		const running = run(sandbox(), review(more));
		// Older versions of n8n don't name the parameter
		await expect(running).rejects.toThrow(/Parameter "Decision" is required|has issues/);
		expect(sandbox().log).toEqual([]);
	});

	test('fails if the message has already been reviewed', async () => {
		await itemsOf(sandbox(), review({ decision: 'approve' }));
		const error = await errorOf(sandbox(), review({ decision: 'approve' }));
		expect(error.message).toBe('The message is not in this queue');
		expect(error.description).toMatch(
			/^Check 'Message ID' and 'Queue'\. Someone may have reviewed it/,
		);
	});

	test('makes an approved message visible to its recipients', async () => {
		const messageId = sendBlocked();
		const requestOptions = { maxTries: 1 };
		const read = message('get', { messageId, onBehalfOf: 'mira', requestOptions });
		expect((await errorOf(sandbox(), read)).message).toBe(
			'The user does not have access to this message',
		);
		await itemsOf(sandbox(), review({ queue: 'blocked', messageId, decision: 'approve' }));
		expect(await jsonOf(sandbox(), read)).toMatchObject([{ text: 'Buy LAMP OIL' }]);
	});
});

describe('Report Message', () => {
	const flag = (more: INodeParameters = {}) =>
		moderation('flag', {
			...{ messageId: '101', reasonId: 'spam', onBehalfOf: 'jonas' },
			...{ requestOptions: { maxTries: 1 }, ...more },
		});

	test('reports a message on behalf of a user', async () => {
		expect(await jsonOf(sandbox(), flag({ remark: 'Again' }))).toEqual([
			{ id: '101', reasonId: 'spam', success: true },
		]);
		const [report] = sandbox().store.moderation.reportsOf('101');
		expect(report).toMatchObject({ uid: 'jonas', reasonId: 'spam', remark: 'Again' });
	});

	test.each([
		[{ reasonId: 'rude' }, "The app has no reason with this ID for reports. Check 'Reason'"],
		[{ onBehalfOf: 'noor' }, 'The user does not have access to this message. '],
		[{ onBehalfOf: 'nobody' }, 'No active user has this UID. '],
	])('fails with %j', async (more, words) => {
		const error = await errorOf(sandbox(), flag(more));
		expect(`${error.message}. ${error.description}`).toContain(words);
	});

	test('suggests another plan if the app has no moderation', async () => {
		sandbox().setSettings({ moderationInPlan: false });
		const error = await errorOf(sandbox(), flag());
		expect(error.message).toBe("The app's plan does not include this feature");
		expect(error.description).toMatch(/^Change the plan in the CometChat dashboard\./);
	});
});

const uidsBlockedBy = (uid: string) =>
	sandbox()
		.store.people.blockedBy(uid)
		.map((entry) => entry.uid);

test('Block Users returns an item per user, including users who could not be blocked', async () => {
	const parameters = user('blockUsers', { userId: 'mira', uids: ['leo', 'nobody', 'mira'] });
	const item = (uid: string, code?: string) => ({
		...{ uid, userId: 'mira', success: code === undefined },
		error: code === undefined ? null : expect.stringContaining(code),
	});
	expect(await jsonOf(sandbox(), parameters, CONTINUE)).toEqual([
		item('leo'),
		item('nobody', 'ERR_UID_NOT_FOUND'),
		item('mira', 'ERR_CANNOT_BLOCK_SELF'),
	]);
	expect(uidsBlockedBy('mira')).toEqual(['leo']);
	const error = await errorOf(sandbox(), parameters);
	expect(error.message).toBe('2 of 3 users could not be blocked');
});

test('Unblock Users removes users from the list of blocked users', async () => {
	const userId = 'ext_sam-99';
	expect(await jsonOf(sandbox(), user('listBlocked', { userId }))).toMatchObject([
		{ uid: 'carla', blockedAt: expect.anything() },
		{ uid: 'noor' },
	]);
	await itemsOf(sandbox(), user('unblockUsers', { userId, uids: 'carla' }));
	expect(uidsBlockedBy(userId)).toEqual(['noor']);
	expect(sandbox().violations).toEqual([]);
});

test.each<[IDataObject, string]>([
	[{ id: '107', sender: 'leo' }, " This is a user's ID, from the field sender of the input item."],
	[
		{ receiver: 'leo', receiverType: 'user' },
		" This is a user's ID, from the field receiver of the input item.",
	],
	[{ receiver: 'leo', receiverType: 'group' }, ''],
	[{ name: 'leo' }, ''],
])("The error for a missing group mentions if the ID is a user's: %j", async (input, hint) => {
	const parameters = group('banMember', { userId: 'mira', groupId: 'leo' });
	const error = await errorOf(sandbox(), parameters, { input: [input] });
	expect(error.message).toBe('No group has this ID (GUID)');
	const advice = `Check 'Group'.${hint} CometChat replied: `;
	expect(error.description?.slice(0, advice.length)).toBe(advice);
});
