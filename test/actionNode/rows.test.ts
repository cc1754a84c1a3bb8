import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { group, itemsOf, jsonOf, message, run, user, useSandbox, wire } from './harness';
import type { FaultEffect } from '../../tools/sandbox/server';
import { OPERATIONS, isSentOnce } from './operations';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox({ now: () => 1_760_000_000 });

const select = (parameters: INodeParameters, ...fields: string[]) => ({
	...parameters,
	output: 'fields',
	fields,
});

/** Responds to each request with the same data. */
const always =
	(data: unknown): Reply =>
	(response) =>
		json(response, 200, { data, meta: {} });

describe('Selected Fields', () => {
	test.each(['update', 'delete'])(
		'of %s returns the message, not the system message',
		async (name) => {
			const { id, sender, text } = sandbox().store.messages.get('101') ?? {};
			const changes: INodeParameters = name === 'update' ? { updateFields: { tags: ['x'] } } : {};
			const parameters = message(name, { messageId: '101', onBehalfOf: 'mira', ...changes });
			const [item] = await jsonOf(
				sandbox(),
				select(parameters, 'id', 'sender', 'category', 'data.text'),
			);
			expect(item).toEqual({
				...{ id, sender, category: 'message' },
				data: { text: name === 'update' ? text : null },
			});
		},
	);

	test.each<[string, INodeParameters, object]>([
		[
			'existed',
			group('create', { guid: 'lunch', name: 'X', options: { ifExists: 'return' } }),
			{ existed: true },
		],
		['deleted', group('delete', { groupId: 'lunch' }), { guid: 'lunch', deleted: true }],
		[
			'banned',
			group('banMember', { groupId: 'watercooler', userId: 'leo' }),
			{ uid: 'leo', banned: true },
		],
		[
			'alreadyMember',
			group('addMembers', { groupId: 'all-hands', uids: ['mira'], scope: 'admin' }),
			{ alreadyMember: true, guid: 'all-hands' },
		],
	])('can return the column %s', async (_, parameters, expected) => {
		const [item] = await jsonOf(sandbox(), select(parameters, ...Object.keys(expected)));
		expect(item).toEqual(expected);
	});

	test('reaches into lists', async () => {
		const file = { url: 'https://example.com/a.png', name: 'a.png' };
		await withRecorder(always({ id: 5, data: { attachments: [file] } }), async (recorder) => {
			const parameters = message('get', { messageId: '5' });
			expect(await jsonOf(recorder, select(parameters, 'id', 'data.attachments.0.url'))).toEqual([
				{ id: '5', data: { attachments: { 0: { url: file.url } } } },
			]);
			expect(await jsonOf(recorder, select(parameters, 'attachments.0', 'attachments'))).toEqual([
				{ attachments: [file] },
			]);
		});
	});
});

describe('A row', () => {
	test('of a message shows files, reactions, its category, and that it was deleted', async () => {
		const attachments = [{ url: 'https://example.com/a.png' }];
		const reactions = [{ reaction: '👍', count: 2, reactedByMe: true }];
		const sent = {
			category: 'message',
			deletedAt: 1_700_000_000,
			data: { attachments, reactions },
		};
		await withRecorder(always({ id: 5, ...sent }), async (recorder) => {
			const [item] = await jsonOf(
				recorder,
				message('get', { messageId: '5', output: 'simplified' }),
			);
			expect(item).toMatchObject({
				...{ id: '5', category: 'message', attachments, reactions },
				deletedAt: '2023-11-14T22:13:20Z',
			});
			expect(Object.keys(item)).toHaveLength(14);
		});
	});

	test('names the group, and the user whose list it is', async () => {
		const simplified = { output: 'simplified' };
		const input = [{ guid: 'watercooler' }, { guid: 'all-hands' }];
		const members = group('listMembers', { groupId: '={{ $json.guid }}', limit: 2, ...simplified });
		const items = await itemsOf(sandbox(), members, { input });
		expect(items.map(({ json: { guid } }) => guid)).toEqual([
			...['watercooler', 'watercooler', 'all-hands', 'all-hands'],
		]);
		const blocked = user('listBlocked', { userId: 'ext_sam-99', ...simplified });
		for (const item of await jsonOf(sandbox(), blocked)) {
			expect(Object.entries(item)[0]).toEqual(['userId', 'ext_sam-99']);
		}
	});

	test.each([
		{ '@private': { email: 'a@b.c', contactNumber: '+1' } },
		{ email: 'a@b.c', contactNumber: '+1' },
		{ '@private': { email: '' }, email: 'a@b.c', contactNumber: '+1' },
	])('of a user has email and phone from %j', async (metadata) => {
		await withRecorder(always({ uid: 'ann', metadata }), async (recorder) => {
			const [item] = await jsonOf(recorder, user('get', { userId: 'ann', output: 'simplified' }));
			expect(item).toMatchObject({ email: 'a@b.c', phone: '+1' });
		});
	});

	test('has the 13 fields of a group for the user in On Behalf Of, and ten without', async () => {
		const get = group('get', { groupId: 'all-hands', output: 'simplified' });
		const [item] = await jsonOf(sandbox(), get);
		expect(Object.keys(item)).toHaveLength(10);
		const [forUser] = await jsonOf(sandbox(), { ...get, onBehalfOf: 'mira' });
		const all = [...Object.keys(item), 'hasJoined', 'scope', 'joinedAt'].sort();
		expect(Object.keys(forUser).sort()).toEqual(all);
		for (const change of [
			group('create', { guid: 'new', name: 'New' }),
			group('update', { groupId: 'new', updateFields: { name: 'Newer' } }),
		]) {
			const parameters = { ...change, output: 'simplified', onBehalfOf: 'mira' };
			const [changed] = await jsonOf(sandbox(), parameters);
			expect(Object.keys(changed)).toEqual(expect.arrayContaining(all));
		}
	});

	test('spells an ID as CometChat does, or else as the user did', async () => {
		const members = { groupId: 'lunch', uids: ['Noor'], output: 'simplified' };
		expect(await jsonOf(sandbox(), group('addMembers', members))).toMatchObject([{ uid: 'noor' }]);
		const removed = group('removeMember', {
			groupId: 'lunch',
			userId: 'Noor',
			output: 'simplified',
		});
		expect(await jsonOf(sandbox(), removed)).toMatchObject([{ uid: 'Noor' }]);
		const entities = { for: { entity: { guid: 'lunch' } }, on: { entity: { uid: 'noor' } } };
		await withRecorder(always({ data: { entities } }), async (recorder) => {
			const ban = group('banMember', { groupId: 'Lunch', userId: 'Noor', output: 'simplified' });
			expect(await jsonOf(recorder, ban)).toEqual([{ guid: 'lunch', uid: 'noor', banned: true }]);
		});
		for (const deactivatedUids of [['leo'], { leo: {} }]) {
			await withRecorder(always({ deactivatedUids }), async (recorder) => {
				const deactivate = user('deactivate', { userId: 'Leo', output: 'simplified' });
				expect(await jsonOf(recorder, deactivate)).toMatchObject([{ uid: 'leo' }]);
			});
		}
	});
});

test.each<[INodeParameters, string[]]>([
	[{}, ['3', '4']],
	[{ types: ['groupMember'] }, ['1', '2', '3', '4']],
	[{ categories: ['message', 'call'] }, ['1', '2', '3', '4']],
])('A list of messages leaves out nothing that the filters %j name', async (filters, ids) => {
	const data = [
		{ id: '1', category: 'action', type: 'groupMember', sentAt: 1 },
		{ id: '2', category: 'call', type: 'audio', sentAt: 2 },
		{ id: '3', category: 'message', type: 'text', sentAt: 3 },
		{ id: '4', category: 'custom', type: 'location', sentAt: 4 },
	];
	const reply: Reply = (response, { url }) =>
		json(response, 200, { data: url.includes('id=') ? [] : data, meta: {} });
	const parameters = message('list', {
		groupId: 'g',
		options: { order: 'oldestFirst' },
		returnAll: true,
		filters,
	});
	await withRecorder(reply, async (recorder) => {
		expect((await jsonOf(recorder, parameters)).map(({ id }) => id)).toEqual(ids);
	});
});

test.each([
	['101', 'mira', { receiverType: 'user', receiver: 'jonas' }],
	['101', 'Jonas', { receiverType: 'user', receiver: 'mira' }],
	['118', 'mira', { receiverType: 'group', receiver: 'project-aurora' }],
])('A reply to %s as %s is sent again with the receiver it asks for', async (id, uid, to) => {
	sandbox().setSettings({ replyReceiver: 'required' });
	const reply = message('reply', { messageId: id, text: 'Hi', onBehalfOf: uid });
	expect(await jsonOf(sandbox(), reply)).toMatchObject([{ parentId: id, ...to }]);
	const sending = `POST /messages/${id}/thread`;
	expect(wire(sandbox())).toEqual([sending, `GET /messages/${id}`, sending]);
});

test('A pasted emoji with a line break removes and adds the same reaction', async () => {
	for (const operation of ['addReaction', 'removeReaction']) {
		const reaction = message(operation, {
			messageId: '101',
			reaction: ' 🎉\n',
			onBehalfOf: 'mira',
		});
		await itemsOf(sandbox(), reaction);
	}
	const path = '/messages/101/reactions/%F0%9F%8E%89';
	expect(wire(sandbox())).toEqual([`POST ${path}`, `DELETE ${path}`]);
});

/**
 * Updates and removals. CometChat may carry out the first attempt, although the node learns nothing of it. The
 * sandbox refuses to delete a deleted message with a code that doesn't say so.
 */
const REPEATED = OPERATIONS.filter(
	(operation) =>
		!operation.wire.startsWith('GET') &&
		!isSentOnce(operation) &&
		operation.key !== 'message delete',
);

test('Remove Reaction succeeds if its repetition finds no reaction, with a status other than 404', async () => {
	const reply: Reply = (response, { method }, number) => {
		if (number === 1) response.destroy();
		else if (method === 'GET') json(response, 200, { data: { id: '101' } });
		else json(response, 400, { error: { code: 'ERR_REACTION_NOT_FOUND', message: 'None' } });
	};
	const { parameters } = REPEATED.find(({ key }) => key === 'message removeReaction') ?? {};
	await withRecorder(reply, async (recorder) => {
		const [item] = await jsonOf(recorder, { ...parameters, output: 'simplified' });
		expect(item).toMatchObject({ id: '101', removed: true });
	});
});

describe.each(REPEATED)('$name', ({ parameters, wire: request }) => {
	const simplified = { ...parameters, output: 'simplified' };
	const [method] = request.split(' ');

	/** Leaves out what a repeated change can't return: times, lists, and whether it was the one that worked */
	const withoutDetails = (item: IDataObject) =>
		Object.fromEntries(
			Object.entries(item).filter(([name]) =>
				/^(u|gu)?id$|^(removed|deleted|banned|scope)$/.test(name),
			),
		);

	const faults: Array<[string, FaultEffect, INodeParameters]> = [
		['a cut connection after the work', { cutAfter: true }, {}],
		['half a response, with Retry On Fail', { brokenJson: true }, { maxTries: 1 }],
	];
	// The operation that users asked for first is tried with all faults
	if (request.includes('/reactions/')) {
		faults.push(
			['408', { status: { status: 408 } }, {}],
			['502', { status: { status: 502, body: 'Bad gateway' } }, {}],
			['503', { status: { status: 503 } }, {}],
			['504', { status: { status: 504 } }, {}],
			['a cut connection before the work', { cutBefore: true }, {}],
			['a response that takes too long', { latency: { ms: 1_500 } }, { timeout: 500 }],
			['a cut connection, with Retry On Fail', { cutAfter: true }, { maxTries: 1 }],
			['500, with Retry On Fail', { status: { status: 500 } }, {}],
		);
	}

	test.each(faults)('succeeds after %s', async (name, effect, requestOptions) => {
		sandbox().setSettings({ reactionsInMessages: true });
		const [expected] = await jsonOf(sandbox(), simplified);
		sandbox().reset();
		sandbox().setSettings({ reactionsInMessages: true });
		sandbox().setFaults([{ match: { method, times: 1 }, effect }]);
		const settings = name.endsWith('Retry On Fail')
			? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }
			: {};
		const { error, items } = await run(sandbox(), { ...simplified, requestOptions }, { settings });
		expect(error).toBeUndefined();
		const [{ json: item }] = items('CometChat');
		expect(Object.keys(item)).toEqual(Object.keys(expected));
		expect(withoutDetails(item)).toEqual(withoutDetails(expected));
		if (request.includes('/reactions/')) expect(item).toEqual(expected);
	});
});
