import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AS_TOOL, NODE, callTool, errorOf, itemsOf, jsonOf, run, useSandbox } from './harness';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({ now: () => 1_760_000_000 });

const moderation = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'moderation',
	operation,
	...more,
});

const user = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'user',
	operation,
	...more,
});

const WORDS = { id: 'words', name: 'Words', words: ['lamp oil'], action: 'blockMessage' } as const;

/** A message that a rule has blocked. */
function blockedMessage(): string {
	const { store } = sandbox();
	store.moderation.rules = [{ ...WORDS, words: [...WORDS.words] }];
	return store.sendMessage({ sender: 'leo', receiver: 'all-hands', text: 'Buy LAMP OIL' }).id;
}

describe('List', () => {
	test('shows who reported a message last, why and when, and how many did', async () => {
		sandbox().store.flagMessage('107', { uid: 'mira', reasonId: 'harassment', remark: 'Rude' });
		const [first, second] = await jsonOf(sandbox(), moderation('list'));
		expect(first).toEqual({
			id: '107',
			text: expect.any(String),
			sender: 'ext_sam-99',
			senderName: 'Sam (Supplier)',
			receiver: 'tomas',
			receiverName: 'Tomás Ferreo',
			flaggedCount: 2,
			flaggedBy: 'mira',
			flaggedByName: expect.any(String),
			reason: 'Harassment',
			remark: 'Rude',
			flaggedAt: expect.stringMatching(/^20\d\d-[-\d]{5}T[:\d]{8}Z$/),
			sentAt: '2025-08-01T14:20:00Z',
			receiverType: 'user',
		});
		expect(Object.keys(first).slice(0, 6)).toEqual([
			...['id', 'sentAt', 'senderName', 'text', 'sender', 'reason'],
		]);
		expect(second).toMatchObject({ id: '128', flaggedCount: 1, flaggedBy: 'noor' });
	});

	test('shows the rule that blocked a message, and what was decided when', async () => {
		const id = blockedMessage();
		const message = {
			...{ id, sentAt: '2025-10-09T08:53:20Z', text: 'Buy LAMP OIL' },
			...{ sender: 'leo', senderName: 'Leo Brandt' },
			...{ receiver: 'all-hands', receiverName: 'All Hands', receiverType: 'group' },
		};
		const rule = {
			ruleName: 'Words',
			reason: 'Contains "lamp oil"',
			actions: ['blockMessage'],
		};
		expect(await jsonOf(sandbox(), moderation('list', { queue: 'blocked' }))).toEqual([
			{ ...message, ...rule, blockedAt: '2025-10-09T08:53:20Z' },
		]);
		const review = { queue: 'blocked', messageId: id, decision: 'approve' };
		await itemsOf(sandbox(), moderation('review', review));
		await itemsOf(sandbox(), moderation('review', { messageId: '107', decision: 'block' }));
		const decidedAt = '2025-10-09T08:53:20Z';
		expect(await jsonOf(sandbox(), moderation('list', { queue: 'reviewed' }))).toEqual([
			expect.objectContaining({ id: '107', decision: 'block', decidedAt }),
			{ ...message, ...rule, decision: 'approve', decidedAt },
		]);
	});

	test('shows the time of a decision where CometChat sends only a text with decimals', async () => {
		const entry = { message: { id: '5' }, blockedAt: '1795436655.123' };
		const reply: Reply = (response) => json(response, 200, { data: [entry], meta: {} });
		await withRecorder(reply, async (recorder) => {
			expect(await jsonOf(recorder, moderation('list', { queue: 'reviewed' }))).toMatchObject([
				{ decidedAt: '2026-11-23T12:24:15Z', decision: null },
			]);
			expect(await jsonOf(recorder, moderation('list', { queue: 'blocked' }))).toMatchObject([
				{ blockedAt: '2026-11-23T12:24:15Z' },
			]);
		});
	});

	test('shows the reasons of several conditions as a list', async () => {
		const entry = { message: { id: '5' }, condition: { message: ['Words', 'Links'] } };
		const reply: Reply = (response) => json(response, 200, { data: [entry], meta: {} });
		await withRecorder(reply, async (recorder) => {
			expect(await jsonOf(recorder, moderation('list', { queue: 'blocked' }))).toMatchObject([
				{ reason: ['Words', 'Links'] },
			]);
		});
	});

	test.each([
		['a response that is full', 'none', 100, 1],
		['a queue with a cursor', 'cursor', 132, 0],
	] as const)('tells of what may be missing: %s', async (_, queuePages, count, hints) => {
		const { store, setSettings } = sandbox();
		setSettings({ queuePages });
		for (let index = 0; index < 130; index++) {
			const { id } = store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'x' });
			store.flagMessage(id, { uid: 'mira', reasonId: 'spam' });
		}
		const result = await run(sandbox(), moderation('list', { returnAll: true }));
		expect(result.items(NODE)).toHaveLength(count);
		const [{ hints: shown = [] }] = result.run.data.resultData.runData[NODE];
		expect(shown).toHaveLength(hints);
		if (hints > 0) {
			expect(shown[0].message).toMatch(
				/^CometChat sent 100 messages of the queue, and does not say/,
			);
		}
		const few = await run(sandbox(), moderation('list', { limit: 5 }));
		expect(few.items(NODE)).toHaveLength(5);
		expect(few.run.data.resultData.runData[NODE][0].hints ?? []).toEqual([]);
	});

	test('says to the model of an agent that the queue may be longer', async () => {
		const { store } = sandbox();
		for (let index = 0; index < 130; index++) {
			const { id } = store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'x' });
			store.flagMessage(id, { uid: 'mira', reasonId: 'spam' });
		}
		const parameters = moderation('list', { returnAll: true, output: 'fields', fields: ['id'] });
		const hint =
			'CometChat sent 100 messages of the queue, and does not say how to get more. There may be more: review some, and list again.';
		const asTool = await jsonOf(sandbox(), parameters, { settings: AS_TOOL });
		expect(asTool).toHaveLength(101);
		expect(asTool.at(-1)).toEqual({ hint });
		const [text] = await callTool(sandbox(), parameters, [{}]);
		expect(text).toMatch(/,\{"hint":"CometChat sent 100 messages of the queue, [^"]+"\}\]$/);
		expect(await jsonOf(sandbox(), parameters)).toHaveLength(100);
	});

	test('ends where the cursor leads to the same again', async () => {
		const data = [{ id: '1', flaggedCount: 1, flaggedBy: [] }];
		const reply: Reply = (response) =>
			json(response, 200, { data, meta: { next: { affix: 'append', id: 1 } } });
		await withRecorder(reply, async (recorder) => {
			expect(await jsonOf(recorder, moderation('list', { returnAll: true }))).toHaveLength(1);
			expect(recorder.requests).toHaveLength(2);
		});
	});
});

describe('Review', () => {
	test.each([
		['flagged', 'approve', { status: 'approved' }],
		['flagged', 'block', { status: 'disapproved' }],
		['blocked', 'approve', { status: 'approved' }],
		['blocked', 'block', { status: 'rejected', reviewed: true }],
	])('in the queue %s: %s', async (queue, decision, body) => {
		const reply: Reply = (response) => json(response, 200, { data: { success: true } });
		await withRecorder(reply, async (recorder) => {
			const parameters = moderation('review', { queue, messageId: '5', decision });
			const items = await jsonOf(recorder, parameters);
			expect(items).toEqual([{ id: '5', queue, decision, success: true }]);
			const [{ method, url, body: sent = '' }] = recorder.requests;
			expect([method, url]).toEqual(['PATCH', `/moderation/${queue}-messages/5`]);
			expect(JSON.parse(sent)).toEqual(body);
		});
	});

	test('takes the queue and the decision from expressions', async () => {
		const parameters = moderation('review', {
			queue: '={{ $json.queue }}',
			messageId: '={{ $json.id }}',
			decision: '={{ $json.decision }}',
		});
		const input = [
			{ queue: 'flagged', id: '107', decision: 'block' },
			{ queue: 'blocked', id: blockedMessage(), decision: 'block' },
		];
		expect(await itemsOf(sandbox(), parameters, { input })).toHaveLength(2);
		expect(sandbox().violations).toEqual([]);
		expect(sandbox().store.messages.get('107')?.moderation?.status).toBe('disapproved');
	});

	test.each(['data', 'top', 'empty'] as const)(
		'reads the response wherever it says so: %s',
		async (reviewResponse) => {
			sandbox().setSettings({ reviewResponse });
			expect(
				await jsonOf(sandbox(), moderation('review', { messageId: '107', decision: 'approve' })),
			).toEqual([{ id: '107', queue: 'flagged', decision: 'approve', success: true }]);
			const list = await jsonOf(sandbox(), moderation('list'));
			expect(list.map(({ id }) => id)).toEqual(['128']);
		},
	);

	test.each(['={{ $json.nothing }}', '={{ "" }}'])(
		'sends nothing for a decision that is empty: %s',
		async (decision) => {
			const parameters = moderation('review', { messageId: '107', decision });
			const { message, description } = await errorOf(sandbox(), parameters);
			expect(message).toBe("'Decision' is empty: its expression returned no value");
			expect(description).toBe('Check the expression.');
			expect(sandbox().log).toEqual([]);
		},
	);

	test.each([{}, { decision: '' }])('does not start without a decision: %j', async (more) => {
		const parameters = moderation('review', { messageId: '107', ...more });
		await expect(run(sandbox(), parameters)).rejects.toThrow('Parameter "Decision" is required');
		expect(sandbox().log).toEqual([]);
	});

	test('does not advise to remove a field that always has a value', async () => {
		const parameters = moderation('review', {
			...{ queue: '={{ $json.nothing }}', messageId: '107', decision: 'block' },
		});
		const { message, description } = await errorOf(sandbox(), parameters);
		expect(message).toBe("'Queue' is empty: its expression returned no value");
		expect(description).toBe('Check the expression.');
	});

	test('says that somebody was quicker', async () => {
		const parameters = moderation('review', { messageId: '107', decision: 'approve' });
		await itemsOf(sandbox(), parameters);
		const { message, description } = await errorOf(sandbox(), parameters);
		expect(message).toBe('The message is not in this queue');
		expect(description).toMatch(/^Check 'Message ID' and 'Queue'\. Someone may have reviewed it/);
	});

	test('approving lets a blocked message through to its receivers', async () => {
		const id = blockedMessage();
		const read = {
			...{ resource: 'message', operation: 'get', messageId: id, onBehalfOf: 'mira' },
			requestOptions: { maxTries: 1 },
		};
		expect((await errorOf(sandbox(), read)).message).toBe(
			'The user does not have access to this message',
		);
		const review = { queue: 'blocked', messageId: id, decision: 'approve' };
		await itemsOf(sandbox(), moderation('review', review));
		expect(await jsonOf(sandbox(), read)).toMatchObject([{ text: 'Buy LAMP OIL' }]);
	});
});

describe('Report Message', () => {
	const flag = (more: INodeParameters = {}) =>
		moderation('flag', {
			...{
				messageId: '101',
				reasonId: 'spam',
				onBehalfOf: 'jonas',
				requestOptions: { maxTries: 1 },
			},
			...more,
		});

	test('reports a message in the name of a user', async () => {
		expect(await jsonOf(sandbox(), flag({ remark: 'Again' }))).toEqual([
			{ id: '101', reasonId: 'spam', success: true },
		]);
		const [report] = sandbox().store.moderation.reportsOf('101');
		expect(report).toMatchObject({ uid: 'jonas', reasonId: 'spam', remark: 'Again' });
	});

	test.each([
		[
			'a reason that is gone',
			{ reasonId: 'rude' },
			'The app does not have this reason',
			"Check 'Reason'",
		],
		[
			'a user who may not see it',
			{ onBehalfOf: 'noor' },
			'The user does not have access to this message',
			'',
		],
		['a user who is none', { onBehalfOf: 'nobody' }, 'No active user has this UID', ''],
	])('is refused in words: %s', async (_, more, message, advice) => {
		const error = await errorOf(sandbox(), flag(more));
		expect(error.message).toBe(message);
		expect(error.description).toContain(advice);
	});

	test.each([
		['a message ID that no path can carry', { messageId: '..' }, `'Message ID' must not be ".."`],
		[
			'a reason that an expression does not give',
			{ reasonId: { __rl: true, mode: 'id', value: '={{ $json.nothing }}' } },
			"'Reason' is empty: its expression returned no value",
		],
		[
			'nobody to report it',
			{ onBehalfOf: { __rl: true, mode: 'id', value: '={{ $json.nobody }}' } },
			"'Reported By' is empty: its expression returned no value",
		],
	])('sends nothing for %s', async (_, more: INodeParameters, message) => {
		expect((await errorOf(sandbox(), flag(more))).message).toBe(message);
		expect(sandbox().log).toEqual([]);
	});

	test('names the plan where the app has no moderation', async () => {
		sandbox().setSettings({ moderationInPlan: false });
		const { message, description } = await errorOf(sandbox(), flag());
		expect(message).toBe("The app's plan does not include this feature");
		expect(description).toMatch(/^Change the plan in the CometChat dashboard\./);
	});
});

describe('Blocked users', () => {
	const blockedBy = (uid: string) =>
		sandbox()
			.store.people.blockedBy(uid)
			.map((entry) => entry.uid);

	test('are one item each, with what became of them', async () => {
		const uids = ['leo', 'nobody', 'mira'];
		const parameters = user('blockUsers', { userId: 'mira', uids });
		const items = await jsonOf(sandbox(), parameters, { onError: 'continueRegularOutput' });
		const item = (uid: string, error: unknown): IDataObject => ({
			...{ uid, userId: 'mira', success: error === null, error: error as string },
		});
		expect(items).toEqual([
			item('leo', null),
			item('nobody', expect.stringContaining('ERR_UID_NOT_FOUND')),
			item('mira', expect.stringContaining('ERR_CANNOT_BLOCK_SELF')),
		]);
		expect(blockedBy('mira')).toEqual(['leo']);
		const error = await errorOf(sandbox(), parameters);
		expect(error.message).toBe('2 of 3 users could not be blocked');
	});

	test('are listed, and unblocked again', async () => {
		const userId = 'ext_sam-99';
		expect(await jsonOf(sandbox(), user('listBlocked', { userId }))).toMatchObject([
			{ uid: 'carla', blockedAt: expect.anything() },
			{ uid: 'noor' },
		]);
		await itemsOf(sandbox(), user('unblockUsers', { userId, uids: 'carla' }));
		expect(blockedBy(userId)).toEqual(['noor']);
		expect(sandbox().violations).toEqual([]);
	});
});

test.each<[string, IDataObject, string | undefined]>([
	['the sender of a reported message', { id: '107', sender: 'leo' }, 'sender'],
	['who receives a private message', { receiver: 'leo', receiverType: 'user' }, 'receiver'],
	['a group that is gone', { receiver: 'leo', receiverType: 'group' }, undefined],
	['something else', { name: 'leo' }, undefined],
])('A group that is %s is called a user if it is known to be one', async (_, input, field) => {
	const parameters = {
		...{ resource: 'group', operation: 'banMember' },
		userId: 'mira',
		groupId: 'leo',
	};
	const { message, description } = await errorOf(sandbox(), parameters, { input: [input] });
	expect(message).toBe('No group has this ID (GUID)');
	const hint = field ? ` (it is a user's ID: ${field} in the input item)` : '';
	expect(description).toMatch(
		new RegExp(`^Check 'Group'${hint.replace(/[()]/g, '\\$&')}\\. CometChat replied: `),
	);
});
