import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CONTINUE, errorOf, group, itemsOf, jsonOf, message, moderation, user } from './harness';
import { json, readBody, responding, withRecorder, type Reply } from './recorder';

const RETRYING = { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } };

/** Request options without the node's own retries. */
const ONE_ATTEMPT = { requestOptions: { maxTries: 1 } };

const refusing =
	(status: number, code: string): Reply =>
	(response) =>
		json(response, status, { error: { code, message: 'No' } });

const cut: Reply = (response) => void response.destroy();

/** Gives each change the next reply. The last reply repeats. Answers reads separately. */
function inTurn(replies: Reply[], read: Reply = refusing(500, 'ERR_EXCEPTION')): Reply {
	let count = 0;
	return (response, request, number) => {
		if (request.method === 'GET') read(response, request, number);
		else replies[Math.min(count++, replies.length - 1)](response, request, number);
	};
}

const ON_101 = { messageId: '101' };
const LEO = { userId: 'leo' };
const MEMBER = { groupId: 'lunch', ...LEO };
const REACTION = { ...ON_101, reaction: '👍', onBehalfOf: 'mira' };

/** Repeatable changes, CometChat's answer once the change is made, and the columns of a successful item. */
const REPEATED: Array<[INodeParameters, Reply, IDataObject]> = [
	[
		message('delete', ON_101),
		refusing(403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED'),
		{ id: '101', deleted: true },
	],
	[message('delete', ON_101), refusing(404, 'ERR_MESSAGE_ID_NOT_FOUND'), { deleted: true }],
	[
		message('removeReaction', REACTION),
		refusing(404, 'ERR_REACTION_NOT_FOUND'),
		{ id: '101', uid: 'mira', removed: true },
	],
	[group('delete', { groupId: 'lunch' }), refusing(404, 'ERR_GUID_NOT_FOUND'), { deleted: true }],
	[group('removeMember', MEMBER), refusing(404, 'ERR_NOT_A_MEMBER'), { deleted: true }],
	[group('removeMember', MEMBER), refusing(403, 'ERR_BANNED_GROUPMEMBER'), { deleted: true }],
	[group('removeMember', MEMBER), refusing(404, 'ERR_UID_NOT_FOUND'), { deleted: true }],
	[group('unbanMember', MEMBER), refusing(404, 'ERR_NOT_A_BANNED_USER'), { banned: false }],
	[
		group('changeScope', { ...MEMBER, scope: 'admin' }),
		refusing(403, 'ERR_SAME_SCOPE'),
		{ uid: 'leo', scope: 'admin' },
	],
	[user('delete', LEO), refusing(404, 'ERR_UID_NOT_FOUND'), { uid: 'leo', deleted: true }],
	[
		user('deactivate', LEO),
		(response) => json(response, 200, { data: { alreadyDeactivatedUids: ['leo'] } }),
		{ uid: 'leo', deactivated: true, alreadyDeactivated: false, notFound: false },
	],
	[
		user('deactivate', LEO),
		refusing(404, 'ERR_UID_NOT_FOUND'),
		{ uid: 'leo', deactivated: true, alreadyDeactivated: false },
	],
	[
		user('reactivate', LEO),
		(response) => json(response, 200, { data: { nonDeactivatedUids: ['leo'] } }),
		{ uid: 'leo', reactivated: true, alreadyActive: false, notFound: false },
	],
];

/** Ways in which a change is sent again: the replies, of which the last repeats, and the parameters. */
const listWays = (
	done: Reply,
): Array<[way: string, replies: Reply[], options: INodeParameters]> => [
	['by the node itself', [cut, done], {}],
	['by Retry On Fail', [cut, done], ONE_ATTEMPT],
	['after a redirect', [(response) => json(response, 303, {}), done], {}],
	['after a refusal', [cut, refusing(400, 'ERR_BAD_REQUEST'), done], ONE_ATTEMPT],
];

// Concurrent, because each test waits for the node's retries
test.concurrent.each(
	REPEATED.flatMap(([parameters, done, columns]) =>
		listWays(done).map((way) => [parameters, ...way, columns] as const),
	),
)('%j, sent again after a doubt, succeeds %s', async (parameters, _, replies, options, columns) => {
	await withRecorder(inTurn(replies), async (recorder) => {
		const items = await jsonOf(recorder, { ...parameters, ...options }, RETRYING);
		expect(items).toEqual([expect.objectContaining(columns)]);
	});
});

test.each([
	[message('delete', { ...ON_101, onBehalfOf: 'mira' }), 'ERR_UID_NOT_FOUND'],
	[message('delete', ON_101), 'ERR_MESSAGE_NOT_A_SENDER'],
	[message('delete', ON_101), 'ERR_API_NOT_FOUND'],
	[group('changeScope', { ...MEMBER, scope: 'admin' }), 'ERR_NOT_A_MEMBER'],
])(
	'A refusal after a doubt is reported as a change that may have worked: %j, %s',
	async (parameters, code) => {
		await withRecorder(inTurn([cut, refusing(404, code)]), async (recorder) => {
			const { description } = await errorOf(recorder, parameters, RETRYING);
			expect(description).toContain('CometChat may have made the change anyway.');
			expect(description).toContain(`(${code})`);
		});
	},
);

test.each(['simplified', 'raw'])(
	"Output %s says that a refused entry's earlier attempt may have worked",
	async (output) => {
		const refused = { success: false, error: { code: 'ERR_UID_NOT_FOUND', message: 'No' } };
		const reply: Reply = (response) =>
			json(response, 200, { data: { leo: refused, noor: { success: true } } });
		const parameters = user('unblockUsers', { userId: 'mira', uids: ['leo', 'noor'], output });
		await withRecorder(inTurn([cut, reply]), async (recorder) => {
			const [leo, noor] = await jsonOf(recorder, parameters, CONTINUE);
			expect(leo.reason).toContain('CometChat may have made the change anyway.');
			expect(noor.reason ?? null).toBeNull();
		});
	},
);

test('A refused Delete fails without a doubt', async () => {
	const reply = inTurn([refusing(403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED')]);
	await withRecorder(reply, async (recorder) => {
		const { message: text, description } = await errorOf(recorder, message('delete', ON_101));
		expect(text).toBe('CometChat does not allow this action on this message');
		expect(description).not.toContain('anyway');
	});
});

describe('Delete Message after a doubt and a refusal', () => {
	const readAs = (fields: object) =>
		inTurn([cut, refusing(403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED')], responding(fields));

	test('returns the deleted message', async () => {
		await withRecorder(readAs({ deletedAt: 1_760_000_000, sender: 'mira' }), async (recorder) => {
			expect(await jsonOf(recorder, message('delete', ON_101))).toMatchObject([
				{ id: '101', deleted: true, deletedAt: '2025-10-09T08:53:20Z', sender: 'mira' },
			]);
		});
	});

	test('fails if the message still exists', async () => {
		await withRecorder(readAs({ sender: 'mira' }), async (recorder) => {
			const { description } = await errorOf(recorder, message('delete', ON_101));
			expect(description).toContain('(ERR_MESSAGE_ACTION_NOT_ALLOWED)');
		});
	});
});

test.each([301, 302, 303])(
	'A message answered with status %i is never sent again',
	async (status) => {
		const reply: Reply = (response) => json(response, status, {}, { location: '/elsewhere' });
		await withRecorder(reply, async (recorder) => {
			const parameters = message('send', { groupId: 'lunch', text: 'Hello' });
			const error = await errorOf(recorder, parameters, RETRYING);
			expect(error.message).toBe('CometChat may already have sent the message');
			expect(recorder.requests).toHaveLength(1);
		});
	},
);

test.each([307, 308])('A message answered with status %i was not sent', async (status) => {
	const reply: Reply = (response) => json(response, status, {}, { location: '/elsewhere' });
	await withRecorder(reply, async (recorder) => {
		const parameters = message('send', { groupId: 'lunch', text: 'Hello' });
		const error = await errorOf(recorder, parameters, RETRYING);
		expect(error.message).toMatch(/^The request was redirected/);
		expect(recorder.requests).toHaveLength(3);
	});
});

/** Values with keys that every JavaScript object inherits. */
const ODD = JSON.parse(
	'{"toString": "a", "valueOf": 1, "constructor": null, "hasOwnProperty": [], "__proto__": {"toString": 1}}',
) as IDataObject;

describe("CometChat's errors with odd details", () => {
	const details = { metadata: [ODD], text: ODD, toString: 'a', list: [[{}], null] };
	const failWith =
		(status: number): Reply =>
		(response, { url }) => {
			if (!url.endsWith('/99')) return json(response, 200, { data: { id: url.split('/').pop() } });
			json(response, status, { error: { code: 'ERR_BAD_REQUEST', message: ODD, details } });
		};

	test('become an error item, beside the other items', async () => {
		await withRecorder(failWith(400), async (recorder) => {
			const input = ['98', '99', '100'].map((id) => ({ id }));
			const parameters = message('get', { messageId: '={{ $json.id }}' });
			const items = await itemsOf(recorder, parameters, { input, ...CONTINUE });
			expect(items.map(({ json: { id, error } }) => [id, typeof error])).toEqual([
				['98', 'undefined'],
				[undefined, 'string'],
				['100', 'undefined'],
			]);
			expect(items[1].json.error).toContain('toString: a');
		});
	});

	test('do not lead to a second message', async () => {
		const reply: Reply = (response) =>
			json(response, 500, { error: { code: ODD, message: ODD, details }, success: ODD });
		await withRecorder(reply, async (recorder) => {
			const parameters = message('send', { groupId: 'lunch', text: 'Hello' });
			const error = await errorOf(recorder, parameters, RETRYING);
			expect(error.message).toBe('CometChat may already have sent the message');
			expect(recorder.requests).toHaveLength(1);
		});
	});
});

test.each(['constructor', 'toString', '__proto__', ODD])(
	'A reviewed message with the status %j has no decision',
	async (status) => {
		const data = [{ message: { id: '5', data: { moderation: { status } } }, createdAt: ODD }];
		await withRecorder(
			(response) => json(response, 200, { data }),
			async (recorder) => {
				const [item] = await jsonOf(recorder, moderation('list', { queue: 'reviewed' }));
				expect(item).toMatchObject({ id: '5', decision: null, decidedAt: null });
			},
		);
	},
);

test('A selected field named __proto__ becomes a field of the item', async () => {
	const sent = '{"data": {"id": "101", "__proto__": {"a": 1}, "constructor": {"b": 2}}}';
	const reply: Reply = (response) => void response.end(sent);
	await withRecorder(reply, async (recorder) => {
		const fields = ['id', '__proto__.a', 'constructor.b', 'toString.c'];
		const [item] = await jsonOf(recorder, message('get', { ...ON_101, output: 'fields', fields }));
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
		expect(JSON.stringify(item)).toBe(
			'{"id":"101","__proto__":{"a":1},"constructor":{"b":2},"toString":{"c":null}}',
		);
	});
});

describe('Metadata', () => {
	const METADATA =
		'{"constructor": {"a": 1}, "__proto__": 2, "toString": [3], "x": {"__proto__": 4}}';
	const canonical = JSON.stringify(JSON.parse(METADATA));

	test('keeps all its keys when it is sent', async () => {
		await withRecorder(responding({}), async (recorder) => {
			const additionalFields = { metadata: METADATA };
			await itemsOf(recorder, user('create', { uid: 'ann', name: 'Ann', additionalFields }));
			const [{ body, headers }] = recorder.requests;
			expect(body).toBe(`{"uid":"ann","name":"Ann","metadata":${canonical}}`);
			expect(headers['content-type']).toBe('application/json');
		});
	});

	test('keeps all its keys when another key is updated', async () => {
		await withRecorder(responding({ metadata: JSON.parse(METADATA) }), async (recorder) => {
			const updateFields = { metadata: '{"plan": "pro"}' };
			await itemsOf(recorder, user('update', { userId: 'ann', updateFields }));
			const { metadata } = readBody(recorder.requests[1]);
			expect(JSON.stringify(metadata)).toBe(canonical.replace(/\}$/, ',"plan":"pro"}'));
		});
	});
});

const reply = (text: string) =>
	message('reply', { messageId: '118', text, onBehalfOf: 'mira', ...ONE_ATTEMPT });

test.each([
	{
		code: 'ERR_BAD_REQUEST',
		message: 'The word receiver is not allowed',
		details: { text: ['receiver'] },
	},
	{ code: 'ERR_BLOCKED_BY_EXTENSION', message: 'The receiver field is required.' },
	{ code: 'ERR_BAD_REQUEST', message: 'x', details: ['receiver'] },
])('A reply whose refusal only mentions a receiver is sent once: %j', async (error) => {
	await withRecorder(
		(response) => json(response, 400, { error }),
		async (recorder) => {
			await errorOf(recorder, reply('To the receiver'));
			expect(recorder.requests).toHaveLength(1);
		},
	);
});

test.each(['ERR_EMPTY_RECEIVER', 'ERR_MESSAGE_THREAD_NESTING'])(
	'A reply that may have been sent is not sent again: %s with status 500',
	async (code) => {
		const answer: Reply = (response) => json(response, 500, { error: { code, message: 'x' } });
		await withRecorder(answer, async (recorder) => {
			const error = await errorOf(recorder, reply('Hello'), RETRYING);
			expect(error.message).toBe('CometChat may already have sent the reply');
			expect(recorder.requests).toHaveLength(1);
		});
	},
);

test.each([
	{ code: 'ERR_EMPTY_RECEIVER', message: 'x' },
	{ code: 'ERR_BAD_REQUEST', message: 'x', details: { receiverType: ['required'] } },
])('A reply whose refusal asks for a receiver is sent with it: %j', async (error) => {
	const asked: Reply = (response, request, number) => {
		const isAsked = request.method === 'POST' && readBody(request).receiver === undefined;
		if (isAsked) json(response, 400, { error });
		else responding({ receiver: 'lunch', receiverType: 'group' })(response, request, number);
	};
	await withRecorder(asked, async (recorder) => {
		expect(await itemsOf(recorder, reply('Hello'))).toHaveLength(1);
		expect(recorder.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
		expect(readBody(recorder.requests[2])).toMatchObject({
			receiver: 'lunch',
			receiverType: 'group',
		});
	});
});
