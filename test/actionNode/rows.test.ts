import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { group, jsonOf, message, run, user, useSandbox, wire } from './harness';
import { startSandbox, type FaultEffect } from '../../tools/sandbox/server';
import { OPERATIONS, isSentOnce } from './operations';
import { json, withRecorder, type Reply } from './recorder';

const NOW = { now: () => 1_760_000_000 };

const sandbox = useSandbox(NOW);

const select = (parameters: INodeParameters, ...fields: string[]) => ({
	...parameters,
	output: 'fields',
	fields,
});

const always =
	(data: unknown): Reply =>
	(response) =>
		json(response, 200, { data, meta: {} });

describe('Selected Fields', () => {
	test('of an update returns the message, not the system message', async () => {
		const { id, sender, text } = sandbox().store.messages.get('101') ?? {};
		const updateFields = { tags: ['x'] };
		const parameters = message('update', { messageId: '101', onBehalfOf: 'mira', updateFields });
		expect(
			await jsonOf(sandbox(), select(parameters, 'id', 'sender', 'category', 'data.text')),
		).toEqual([{ id, sender, category: 'message', data: { text } }]);
	});

	test('reaches into lists, and returns a selected list only once', async () => {
		const attachments = [{ url: 'https://example.com/a.png', name: 'a.png' }];
		await withRecorder(always({ id: 5, data: { attachments } }), async (recorder) => {
			const parameters = message('get', { messageId: '5' });
			expect(await jsonOf(recorder, select(parameters, 'data.attachments.0.url'))).toEqual([
				{ id: '5', data: { attachments: { 0: { url: attachments[0].url } } } },
			]);
			expect(await jsonOf(recorder, select(parameters, 'attachments.0', 'attachments'))).toEqual([
				{ id: '5', attachments },
			]);
		});
	});
});

describe('Selected Fields of a message', () => {
	test('finds metadata and tags under the names of the fields that set them', async () => {
		const additionalFields = { metadata: '{"user": "tomas"}', tags: ['ticket'] };
		const target = { receiverType: 'group', groupId: 'support', text: 'Ticket', additionalFields };
		const [{ id }] = await jsonOf(sandbox(), message('send', target));
		const get = message('get', { messageId: String(id) });
		expect(await jsonOf(sandbox(), select(get, 'metadata.user'))).toEqual([
			{ id, metadata: { user: 'tomas' } },
		]);
		expect(await jsonOf(sandbox(), select(get, 'metadata', 'tags'))).toEqual([
			{ id, metadata: { user: 'tomas' }, tags: ['ticket'] },
		]);
	});
});

describe('A row', () => {
	test('of a media message with only a URL has the URL as its attachment', async () => {
		const url = 'https://example.com/a.png';
		const get = message('get', { messageId: '5' });
		for (const [data, attachments] of [
			[{ url }, [{ url }]],
			[{ url, attachments: [] }, [{ url }]],
			[{ url, attachments: [{ url: 'x' }] }, [{ url: 'x' }]],
			[{}, null],
		]) {
			await withRecorder(always({ id: 5, type: 'image', data }), async (recorder) => {
				expect(await jsonOf(recorder, get)).toMatchObject([{ attachments }]);
			});
		}
	});

	test('of a deactivated user has the time of the deactivation', async () => {
		sandbox().store.people.deactivate('yuki');
		const deactivatedAt = '2025-10-09T08:53:20Z';
		const listUsers = (filter: string) =>
			user('list', { filters: { [filter]: true, searchKey: 'yuki' } });
		for (const filter of ['onlyDeactivated', 'withDeactivated']) {
			expect(await jsonOf(sandbox(), listUsers(filter))).toMatchObject([{ deactivatedAt }]);
		}
		expect(await jsonOf(sandbox(), select(listUsers('onlyDeactivated'), 'deactivatedAt'))).toEqual([
			{ uid: 'yuki', deactivatedAt },
		]);
		sandbox().store.people.deactivate('yuki', false);
		expect(await jsonOf(sandbox(), listUsers('withDeactivated'))).toMatchObject([
			{ deactivatedAt: null },
		]);
		const [active] = await jsonOf(sandbox(), user('list', { filters: { searchKey: 'yuki' } }));
		expect(active).not.toHaveProperty('deactivatedAt');
	});

	test('of a new or changed group has columns about the user in On Behalf Of', async () => {
		for (const change of [
			group('create', { guid: 'new', name: 'New' }),
			group('update', { groupId: 'new', updateFields: { name: 'Newer' } }),
		]) {
			const parameters = { ...change, output: 'simplified', onBehalfOf: 'mira' };
			expect(await jsonOf(sandbox(), parameters)).toMatchObject([
				{ hasJoined: true, scope: 'admin', joinedAt: expect.any(String) },
			]);
		}
	});

	test.each(['deactivate', 'reactivate'])(
		'of User %s spells an unknown UID as CometChat does',
		async (operation) => {
			await withRecorder(always({ notFound: ['Nobody'] }), async (recorder) => {
				const [row] = await jsonOf(recorder, user(operation, { userId: 'nobody' }));
				expect(row).toMatchObject({ uid: 'Nobody', notFound: true });
			});
		},
	);

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
		for (const [deactivatedUids, uid] of [
			[['leo'], 'leo'],
			[{ leo: {} }, 'leo'],
			[[], 'Leo'],
		]) {
			await withRecorder(always({ deactivatedUids }), async (recorder) => {
				const deactivate = user('deactivate', { userId: 'Leo', output: 'simplified' });
				expect(await jsonOf(recorder, deactivate)).toMatchObject([{ uid }]);
			});
		}
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

describe('In the thread of a message', () => {
	const reply = (messageId: string) =>
		message('reply', { messageId, text: 'Hi', onBehalfOf: 'mira' });

	test.each([[{}], [{ replyReceiver: 'required' }]] as const)(
		'a reply to a reply joins the thread, with the settings %j',
		async (settings) => {
			sandbox().setSettings(settings);
			const [{ id }] = await jsonOf(sandbox(), reply('118'));
			sandbox().log.splice(0);
			const [item] = await jsonOf(sandbox(), reply(String(id)));
			expect(item).toMatchObject({ parentId: '118', text: 'Hi', receiver: 'project-aurora' });
			expect(wire(sandbox()).slice(0, 3)).toEqual([
				`POST /messages/${String(id)}/thread`,
				`GET /messages/${String(id)}`,
				'POST /messages/118/thread',
			]);
		},
	);

	test('a refused reply to a message without a thread is reported as refused', async () => {
		const answer: Reply = (response, { method }) => {
			if (method === 'GET') json(response, 200, { data: { id: '118' } });
			else json(response, 403, { error: { code: 'ERR_MESSAGE_THREAD_NESTING', message: 'No' } });
		};
		await withRecorder(answer, async (recorder) => {
			const { error } = await run(recorder, reply('118'));
			expect(error).toMatchObject({
				description: expect.stringContaining('(ERR_MESSAGE_THREAD_NESTING)'),
			});
			expect(recorder.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
		});
	});

	const listReplies = (more: INodeParameters) => {
		const options = { includeFirst: true };
		return message('listReplies', { messageId: '124', options, ...more });
	};

	test('List Replies starts with the first message if asked to', async () => {
		const others = await jsonOf(sandbox(), listReplies({ options: {}, returnAll: true }));
		const all = await jsonOf(sandbox(), listReplies({ returnAll: true }));
		expect(all.map(({ id }) => id)).toEqual(['124', ...others.map(({ id }) => id)]);
		expect(others.length).toBeGreaterThan(1);
	});

	test('the first message counts toward the limit', async () => {
		const ids = [1, 2].map(async (limit) =>
			(await jsonOf(sandbox(), listReplies({ limit }))).map(({ id }) => id),
		);
		const [one, two] = await Promise.all(ids);
		expect([one, two[0], two.length]).toEqual([['124'], '124', 2]);
	});

	test('a first message that is deleted is listed only with Include Deleted', async () => {
		const first = { id: '124', deletedAt: 1_760_000_000 };
		const meta = { pagination: { total: 2, total_pages: 1 } };
		const answer: Reply = (response, { url }) => {
			const data = url.includes('/thread') ? [{ id: '124' }, { id: '125' }] : first;
			json(response, 200, { data, meta });
		};
		await withRecorder(answer, async (recorder) => {
			const list = async (options: INodeParameters) =>
				(await jsonOf(recorder, listReplies({ options: { includeFirst: true, ...options } }))).map(
					({ id }) => id,
				);
			expect(await list({ includeDeleted: true })).toEqual(['124', '125']);
			expect(await list({})).toEqual(['125']);
		});
	});

	test('pages start with the response that contains the first message', async () => {
		const [first, ...pages] = await jsonOf(sandbox(), listReplies({ output: 'pages' }));
		expect(first).toMatchObject({ data: { id: '124' } });
		expect(pages).toEqual([expect.objectContaining({ data: expect.any(Array) })]);
	});
});

/** Updates and removals. CometChat may carry out the first attempt, although the node learns nothing of it. */
const REPEATED = OPERATIONS.filter(
	(operation) => !operation.wire.startsWith('GET') && !isSentOnce(operation),
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

type Fault = [name: string, effect: FaultEffect, requestOptions: INodeParameters];

const FAULTS: Fault[] = [
	['a cut connection after the work', { cutAfter: true }, {}],
	['half a response, with Retry On Fail', { brokenJson: true }, { maxTries: 1 }],
];

/** Further faults, for Remove Reaction, which users asked for first. */
const FURTHER_FAULTS: Fault[] = [
	['408', { status: { status: 408 } }, {}],
	['502', { status: { status: 502, body: 'Bad gateway' } }, {}],
	['503', { status: { status: 503 } }, {}],
	['504', { status: { status: 504 } }, {}],
	['a cut connection before the work', { cutBefore: true }, {}],
	['a response that takes too long', { latency: { ms: 1_500 } }, { timeout: 500 }],
	['a cut connection, with Retry On Fail', { cutAfter: true }, { maxTries: 1 }],
	['500, with Retry On Fail', { status: { status: 500 } }, {}],
];

/** Leaves out what a repeated change can't return: times, lists, and whether it was the one that worked. */
const withoutDetails = (item: IDataObject) =>
	Object.fromEntries(
		Object.entries(item).filter(([name]) =>
			/^(u|gu)?id$|^(removed|deleted|banned|scope)$/.test(name),
		),
	);

// Concurrent, because each test waits for the node's retries
test.concurrent.each(
	REPEATED.flatMap((operation) => {
		const isRemoval = operation.key === 'message removeReaction';
		const faults = isRemoval ? [...FAULTS, ...FURTHER_FAULTS] : FAULTS;
		return faults.map((fault) => [operation.name, ...fault, operation] as const);
	}),
)(
	'%s succeeds after %s',
	async (_, name, effect, requestOptions, { parameters, wire: request }) => {
		const simplified = { ...parameters, output: 'simplified' };
		const [method] = request.split(' ');
		const own = await startSandbox(NOW);
		try {
			own.setSettings({ reactionsInMessages: true });
			const [expected] = await jsonOf(own, simplified);
			own.reset();
			own.setSettings({ reactionsInMessages: true });
			own.setFaults([{ match: { method, times: 1 }, effect }]);
			const settings = name.endsWith('Retry On Fail')
				? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }
				: {};
			const { error, items } = await run(own, { ...simplified, requestOptions }, { settings });
			expect(error).toBeUndefined();
			const [{ json: item }] = items('CometChat');
			expect(Object.keys(item)).toEqual(Object.keys(expected));
			expect(withoutDetails(item)).toEqual(withoutDetails(expected));
			if (request.includes('/reactions/')) expect(item).toEqual(expected);
		} finally {
			await own.close();
		}
	},
);

describe('Get of a message', () => {
	const read = async (messageId: string) =>
		(await jsonOf(sandbox(), message('get', { messageId })))[0];

	test('says that the message was deleted', async () => {
		await run(sandbox(), message('delete', { messageId: '103' }));
		const deletedAt = new Date(1_760_000_000_000).toISOString().replace('.000Z', 'Z');
		expect(await read('103')).toMatchObject({ text: null, deletedAt });
	});

	test('shows reactions, and the status of moderation', async () => {
		sandbox().setSettings({ reactionsInMessages: true, accessDelay: 3_600 });
		expect((await read('108')).reactions).toContainEqual(
			expect.objectContaining({ reaction: '👍' }),
		);
		const { id } = sandbox().store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'Hi' });
		expect(await read(id)).toMatchObject({ text: 'Hi', moderationStatus: 'pending' });
	});
});
