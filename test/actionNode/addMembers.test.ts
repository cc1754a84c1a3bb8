import type { INodeParameters } from 'n8n-workflow';

import {
	CONTINUE,
	NODE,
	TO_ERROR_OUTPUT,
	errorOf,
	group,
	jsonOf,
	run,
	useSandbox,
	type RunSetup,
} from './harness';
import { adding, json, responding, uidsIn, withRecorder } from './recorder';

const sandbox = useSandbox();

const add = (uids: INodeParameters[string], more: INodeParameters = {}) =>
	group('addMembers', { groupId: 'project-aurora', uids, ...more });

const MEMBER_IS_FAILURE = { options: { alreadyMember: 'failure' } };

test('Add Members returns an item per UID, including UIDs that failed', async () => {
	const uids = ['noor', 'nobody', 'felix', 'mira'];
	const result = await run(sandbox(), add(uids), CONTINUE);
	const item = (uid: string, reason: string | null = null) => ({
		json: {
			...{ guid: 'project-aurora', uid, scope: 'participant' },
			...{ success: reason === null, reason, alreadyMember: false },
		},
		pairedItem: { item: 0 },
	});
	expect(result.items(NODE)).toEqual([
		item('noor'),
		item('nobody', expect.stringMatching(/^The UID nobody does not exist.*\(ERR_UID_NOT_FOUND\)$/)),
		item('felix'),
		{
			json: {
				...{ guid: 'project-aurora', uid: 'mira', scope: 'admin' },
				...{ success: true, reason: null, alreadyMember: true },
			},
			pairedItem: { item: 0 },
		},
	]);
	const members = sandbox().store.groups.get('project-aurora')?.members ?? [];
	expect(members.map(({ uid }) => uid)).toEqual(expect.arrayContaining(['noor', 'felix']));
	expect(sandbox().violations).toEqual([]);
});

test.each<[string, INodeParameters, object]>([
	['a success', {}, { success: true, reason: null }],
	[
		'a failure if the option is set',
		MEMBER_IS_FAILURE,
		{ success: false, reason: 'The user leo has already joined the group (ERR_ALREADY_JOINED)' },
	],
])('Add Members reports an existing member as %s', async (_, options, outcome) => {
	expect(await jsonOf(sandbox(), add(['leo'], options), CONTINUE)).toEqual([
		{ guid: 'project-aurora', uid: 'leo', scope: 'participant', alreadyMember: true, ...outcome },
	]);
});

test('Add Members counts the owner as not added if the option is set', async () => {
	expect(await jsonOf(sandbox(), add(['mira'], MEMBER_IS_FAILURE), CONTINUE)).toEqual([
		{
			...{ guid: 'project-aurora', uid: 'mira', scope: 'admin', success: false },
			...{ alreadyMember: true, reason: expect.stringContaining('OWNER_DEMOTE_FORBIDDEN') },
		},
	]);
});

test('Add Members reports a user who already has the scope as an existing member', async () => {
	const error = { code: 'ERR_SAME_SCOPE', message: 'The user leo has this scope already.' };
	const reply = responding({ participants: { leo: { success: false, error } } });
	await withRecorder(reply, async (recorder) => {
		expect(await jsonOf(recorder, add(['leo']))).toMatchObject([{ alreadyMember: true }]);
	});
});

test('The error of Add Members counts the failed UIDs and lists each reason once', async () => {
	const parameters = add(['noor', 'nobody', 'leo'], MEMBER_IS_FAILURE);
	const { message, description } = await errorOf(sandbox(), parameters);
	expect(message).toBe('2 of 3 users could not be added');
	expect(description).toMatch(
		/^The UID nobody does not exist.*\. The user leo has already joined .*\./,
	);
});

describe('After a refused batch, Add Members', () => {
	const UIDS = Array.from({ length: 60 }, (_, index) => `user-${index}`);

	/** Adds 60 users to a group. The service rejects the second batch of 25 users. */
	const addToRefusing = async (setup: RunSetup) =>
		await withRecorder(
			(response, request, number) =>
				uidsIn(request).includes('user-25')
					? json(response, 400, { error: { code: 'ERR_BAD_REQUEST', message: 'Not these' } })
					: adding()(response, request, number),
			async (recorder) => await run(recorder, add(UIDS), setup),
		);

	test('sends the next batch, and returns an item with a reason for each refused UID', async () => {
		const { items } = await addToRefusing(CONTINUE);
		const returned = items(NODE);
		expect(returned.map(({ json: { uid, success } }) => [uid, success])).toEqual(
			UIDS.map((uid, index) => [uid, index < 25 || index >= 50]),
		);
		for (const { json } of returned.slice(25, 50)) expect(json.reason).toContain('Not these');
		expect(returned.map(({ pairedItem }) => pairedItem)).toEqual(UIDS.map(() => ({ item: 0 })));
	});

	test('returns each refused UID on the error output', async () => {
		const { items } = await addToRefusing({ ...TO_ERROR_OUTPUT, input: [{ keep: 'me' }] });
		expect(items(NODE)).toHaveLength(35);
		expect(items(NODE, 1).map(({ json }) => json)).toEqual(
			UIDS.slice(25, 50).map((uid) => ({
				keep: 'me',
				error: expect.stringMatching(new RegExp(`^${uid}: .*Not these`)),
			})),
		);
	});
});
