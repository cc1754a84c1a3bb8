import type { INodeParameters } from 'n8n-workflow';

import { NODE, errorOf, jsonOf, run, useSandbox } from './harness';
import { anything, responding, withRecorder } from './recorder';

const sandbox = useSandbox();

describe('Add Members', () => {
	const add = (uids: INodeParameters[string]) => ({
		resource: 'group',
		operation: 'addMembers',
		groupId: 'project-aurora',
		uids,
	});

	const SIXTY = Array.from({ length: 60 }, (_, index) => `user-${index}`);

	test('returns an item for each UID, also for who failed', async () => {
		const result = await run(sandbox(), add(['noor', 'nobody', 'felix', 'mira']), {
			onError: 'continueRegularOutput',
		});
		const item = (uid: string, error?: RegExp) => ({
			json: {
				guid: 'project-aurora',
				uid,
				scope: 'participant',
				success: error === undefined,
				error: error ? expect.stringMatching(error) : null,
				alreadyMember: false,
			},
			pairedItem: { item: 0 },
		});
		expect(result.items(NODE)).toEqual([
			item('noor'),
			item('nobody', /^The UID nobody does not exist \(ERR_UID_NOT_FOUND\)$/),
			item('felix'),
			item('mira', /^The owner mira stays an admin .*\(ERR_GROUP_OWNER_DEMOTE_FORBIDDEN\)$/),
		]);
		const members = sandbox().store.groups.get('project-aurora')?.members ?? [];
		expect(members.map(({ uid }) => uid)).toEqual(expect.arrayContaining(['noor', 'felix']));
		expect(sandbox().violations).toEqual([]);
	});

	test.each<[string, INodeParameters, object]>([
		['a success, and marked', {}, { success: true, error: null, alreadyMember: true }],
		[
			'a failure where one wants that',
			{ options: { alreadyMember: 'failure' } },
			{
				success: false,
				error: 'The user leo has already joined the group (ERR_ALREADY_JOINED)',
				alreadyMember: true,
			},
		],
	])('who is a member already is %s', async (_, options, outcome) => {
		const items = await jsonOf(
			sandbox(),
			{ ...add(['leo']), ...options },
			{ onError: 'continueRegularOutput' },
		);
		expect(items).toEqual([
			{ guid: 'project-aurora', uid: 'leo', scope: 'participant', ...outcome },
		]);
	});

	test('who has the scope already is a member too', async () => {
		const error = { code: 'ERR_SAME_SCOPE', message: 'The user leo has this scope already.' };
		const reply = responding({ participants: { leo: { success: false, error } } });
		await withRecorder(reply, async (recorder) => {
			expect(await jsonOf(recorder, add(['leo']))).toMatchObject([{ alreadyMember: true }]);
		});
	});

	test('ends with an error that counts and names who failed, each once', async () => {
		const error = await errorOf(sandbox(), {
			...add(['noor', 'nobody', 'leo']),
			options: { alreadyMember: 'failure' },
		});
		expect(error.message).toMatch(/^2 of 3 users could not be added/);
		expect(error.description).toMatch(
			/^The UID nobody does not exist .*\. The user leo has already joined .*\./,
		);
	});

	test('sends 25 at a time, with their scope', async () => {
		await withRecorder(anything, async (recorder) => {
			const parameters = { ...add(SIXTY), scope: 'admin' };
			await run(recorder, parameters, { onError: 'continueRegularOutput' });
			expect(recorder.requests.map(({ body }) => JSON.parse(body ?? '') as object)).toEqual([
				{ admins: SIXTY.slice(0, 25) },
				{ admins: SIXTY.slice(25, 50) },
				{ admins: SIXTY.slice(50) },
			]);
		});
	});

	/** Adds everyone, but does something else to the part that starts with the 26th. */
	async function addSixty(
		spoil: Parameters<typeof withRecorder>[0],
		onError: 'continueRegularOutput' | 'continueErrorOutput' | undefined,
	) {
		return await withRecorder(
			(response, request, number) => {
				const { participants } = JSON.parse(request.body ?? '') as { participants: string[] };
				if (participants.includes('user-25')) return spoil(response, request, number);
				const added = participants.map((uid) => [uid, { success: true }]);
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ data: { participants: Object.fromEntries(added) } }));
			},
			async (recorder) => {
				const result = await run(recorder, add(SIXTY), { onError, input: [{ keep: 'me' }] });
				return { ...result, requests: recorder.requests };
			},
		);
	}

	const refuse: Parameters<typeof withRecorder>[0] = (response) => {
		response.writeHead(400, { 'content-type': 'application/json' });
		response.end('{"error":{"code":"ERR_BAD_REQUEST","message":"Not these"}}');
	};

	const cut: typeof refuse = (response) => void response.destroy();

	test.each([
		['is refused', refuse, 'Not these'],
		['may have been carried out', cut, 'CometChat may already have added the members'],
	])(
		'goes on after a part that %s, with an item and a reason for each UID',
		async (_, spoil, reason) => {
			const { items, requests } = await addSixty(spoil, 'continueRegularOutput');
			expect(requests).toHaveLength(3);
			const given = items(NODE);
			expect(given.map(({ json: { uid, success } }) => [uid, success])).toEqual(
				SIXTY.map((uid, index) => [uid, index < 25 || index >= 50]),
			);
			for (const { json } of given.slice(25, 50)) expect(json.error).toContain(reason);
			expect(given.map(({ pairedItem }) => pairedItem)).toEqual(SIXTY.map(() => ({ item: 0 })));
		},
	);

	test('sends each UID of such a part to the error output', async () => {
		const { items } = await addSixty(refuse, 'continueErrorOutput');
		expect(items(NODE)).toHaveLength(35);
		const failed = items(NODE, 1).map(({ json }) => json);
		expect(failed).toEqual(
			SIXTY.slice(25, 50).map((uid) => ({
				keep: 'me',
				error: expect.stringMatching(new RegExp(`^${uid}: .*Not these`)),
			})),
		);
	});

	test('counts in the error of a run that stops who could not be added, and names them', async () => {
		const { error } = await addSixty(refuse, undefined);
		expect(error?.message).toMatch(/^25 of 60 users could not be added/);
		expect(error).toHaveProperty(
			'description',
			expect.stringMatching(/^user-25, .*, and 15 more: .*Not these/),
		);
	});
});
