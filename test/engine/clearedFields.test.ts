import type { INodeParameters } from 'n8n-workflow';

import { errorOf, itemsOf, jsonOf, run, useSandbox } from './harness';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

const updateGroup = (updateFields: INodeParameters, more: INodeParameters = {}) => ({
	resource: 'group',
	operation: 'update',
	groupId: 'all-hands',
	updateFields,
	...more,
});

const updateMessage = (updateFields: INodeParameters) => ({
	resource: 'message',
	operation: 'update',
	messageId: '101',
	updateFields,
});

const CLEARED: Array<[string, INodeParameters, object]> = [
	['a description', updateGroup({ description: '' }), { unset: ['description'] }],
	[
		'a description, by an expression',
		updateGroup({ description: '={{ "" }}' }),
		{ unset: ['description'] },
	],
	['an icon', updateGroup({ icon: ' ' }), { unset: ['icon'] }],
	['metadata', updateGroup({ metadata: '' }), { unset: ['metadata'] }],
	['all tags', updateGroup({ tags: [] }), { tags: [] }],
	['all tags, by an expression', updateGroup({ tags: '={{ [] }}' }), { tags: [] }],
	['the tags of a message', updateMessage({ tags: [] }), { tags: [] }],
	[
		'a description beside other changes',
		updateGroup({ description: '', name: 'Everyone', unset: ['icon', 'description'] }),
		{ name: 'Everyone', unset: ['description', 'icon'] },
	],
];

describe('A field that was emptied in an Update is sent as cleared', () => {
	test.each(CLEARED)('%s', async (_, parameters, body) => {
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, parameters);
			const sent = JSON.parse(recorder.requests[0].body ?? '') as { unset?: string[] };
			sent.unset?.sort();
			expect(sent).toEqual(body);
		});
	});

	test('and is gone for good', async () => {
		const { store } = sandbox();
		store.updateGroup('all-hands', { description: 'Old', tags: ['old'], icon: 'https://e.com/i' });
		const parameters = updateGroup({ description: '', tags: [] }, { output: 'raw' });
		const [group] = await jsonOf(sandbox(), parameters);
		expect(group).not.toHaveProperty('description');
		expect(group).toMatchObject({ icon: 'https://e.com/i' });
		expect(store.group('all-hands')?.tags ?? []).toEqual([]);
		expect(sandbox().violations).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['Name', updateGroup({ name: '' })],
		['Name', updateGroup({ name: '={{ " " }}' })],
		['Text', updateMessage({ text: '' })],
		['Text', updateMessage({ text: '={{ $json.nothing }}' })],
	])('but %s, which cannot be, is refused before anything is sent', async (label, parameters) => {
		const { message } = await errorOf(sandbox(), parameters);
		expect(message).toMatch(new RegExp(`^'${label}' is empty`));
		expect(sandbox().log).toEqual([]);
	});
});

describe('Add Members', () => {
	const add = (uids: INodeParameters[string]) => ({
		resource: 'group',
		operation: 'addMembers',
		groupId: 'project-aurora',
		uids,
	});

	const SIXTY = Array.from({ length: 60 }, (_, index) => `user-${index}`);

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
			const given = items('CometChat');
			expect(given.map(({ json: { uid, success } }) => [uid, success])).toEqual(
				SIXTY.map((uid, index) => [uid, index < 25 || index >= 50]),
			);
			for (const { json } of given.slice(25, 50)) expect(json.error).toContain(reason);
			expect(given.map(({ pairedItem }) => pairedItem)).toEqual(SIXTY.map(() => ({ item: 0 })));
		},
	);

	test('sends each UID of such a part to the error output', async () => {
		const { items } = await addSixty(refuse, 'continueErrorOutput');
		expect(items('CometChat')).toHaveLength(35);
		const failed = items('CometChat', 1).map(({ json }) => json);
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
		expect(error).toHaveProperty('description', expect.stringMatching(/^user-25: .*Not these/));
	});

	test('takes UIDs in capitals for the same as in small letters', async () => {
		await withRecorder(anything, async (recorder) => {
			await run(recorder, add(['Felix', 'felix', 'NOOR']), { onError: 'continueRegularOutput' });
			expect(recorder.requests.map(({ body }) => JSON.parse(body ?? '') as object)).toEqual([
				{ participants: ['felix', 'noor'] },
			]);
		});
		const items = await jsonOf(sandbox(), add(['Felix', 'felix']));
		expect(items).toMatchObject([{ success: true }]);
	});
});
