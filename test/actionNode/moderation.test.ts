import type { INodeParameters } from 'n8n-workflow';

import {
	AS_TOOL,
	CONTINUE,
	NODE,
	callTool,
	errorOf,
	hintsOf,
	itemsOf,
	jsonOf,
	moderation,
	run,
	user,
	useSandbox,
} from './harness';
import { json, readBody, responding, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({ now: () => 1_760_000_000 });

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
	test('sends the status that each queue and decision require', async () => {
		const cases: Array<[queue: string, decision: string, body: object]> = [
			['flagged', 'approve', { status: 'approved' }],
			['flagged', 'block', { status: 'disapproved' }],
			['blocked', 'approve', { status: 'approved' }],
			['blocked', 'block', { status: 'rejected', reviewed: true }],
		];
		const input = cases.map(([queue, decision]) => ({ queue, decision }));
		const parameters = review({ queue: '={{ $json.queue }}', decision: '={{ $json.decision }}' });
		await withRecorder(responding({}), async (recorder) => {
			expect(await jsonOf(recorder, parameters, { input })).toEqual(
				input.map((each) => ({ id: '107', ...each, success: true })),
			);
			expect(recorder.requests.map((request) => [request.url, readBody(request)])).toEqual(
				cases.map(([queue, , body]) => [`/moderation/${queue}-messages/107`, body]),
			);
		});
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
});

test('Report Message explains an unknown reason, and an app without moderation', async () => {
	const flag = { messageId: '101', reasonId: 'rude', onBehalfOf: 'jonas' };
	const unknown = await errorOf(sandbox(), moderation('flag', flag));
	expect(`${unknown.message}. ${unknown.description}`).toContain(
		"The app has no reason with this ID for reports. Check 'Reason'",
	);
	sandbox().setSettings({ moderationInPlan: false });
	const missing = await errorOf(sandbox(), moderation('flag', flag));
	expect(missing.message).toBe("The app's plan does not include this feature");
	expect(missing.description).toMatch(/^Change the plan in the CometChat dashboard\./);
});

test('Block Users returns an item per user, including users who could not be blocked', async () => {
	const parameters = user('blockUsers', { userId: 'mira', uids: ['leo', 'nobody', 'mira'] });
	const item = (uid: string, code?: string) => ({
		...{ uid, userId: 'mira', success: code === undefined },
		reason: code === undefined ? null : expect.stringContaining(code),
	});
	expect(await jsonOf(sandbox(), parameters, CONTINUE)).toEqual([
		item('leo'),
		item('nobody', 'ERR_UID_NOT_FOUND'),
		item('mira', 'ERR_CANNOT_BLOCK_SELF'),
	]);
	expect(sandbox().store.people.blockedBy('mira')).toMatchObject([{ uid: 'leo' }]);
	const error = await errorOf(sandbox(), parameters);
	expect(error.message).toBe('2 of 3 users could not be blocked');
});
