import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { perform, sentTo } from '../../perform';
import type { Reply, Service } from '../../service';
import { json, startService } from '../../service';

let service: Service;

async function serving(...replies: Reply[]): Promise<void> {
	service = await startService(...replies);
}

afterEach(async () => await service.close());

const run = async (operation: string, parameters: INodeParameters = {}) =>
	await perform(service, 'message', operation, parameters);

const message = {
	id: '5',
	conversationId: 'ann_user_bob',
	sender: 'ann',
	receiverType: 'user',
	receiver: 'bob',
	category: 'message',
	type: 'text',
	data: {
		text: 'Hi',
		metadata: { a: 1 },
		reactions: [
			{ reaction: '👍', count: 2, reactedByMe: true },
			{ reaction: 'party' },
			{ count: 7 },
			'x',
		],
	},
	sentAt: 1_700_000_000,
	updatedAt: 1_700_000_001,
};

const simplified = {
	id: '5',
	text: 'Hi',
	reactions: '👍 2, party 1',
	sender: 'ann',
	receiver: 'bob',
	receiverType: 'user',
	type: 'text',
	conversationId: 'ann_user_bob',
	sentAt: 1_700_000_000,
	updatedAt: 1_700_000_001,
};

const one = json(200, { data: message });

/** The service's note about a message: a message of its own. */
const noteAbout = (entity: IDataObject) =>
	json(200, { data: { id: '6', category: 'action', data: { entities: { on: { entity } } } } });

describe('Get', () => {
	test('returns a message by its ID', async () => {
		await serving(one);
		expect(await run('get', { messageId: '5/6', onBehalfOf: ' ann ' })).toEqual([message]);
		expect(service.received[0]).toMatchObject({
			method: 'GET',
			url: '/v3/messages/5%2F6',
			headers: { onbehalfof: 'ann' },
		});
	});

	test('takes an ID without the white space around it, as number or text', async () => {
		await serving(one);
		await run('get', { messageId: ' 501\n' });
		await run('get', { messageId: 501 });
		expect(sentTo(service)).toEqual([{ line: 'GET /messages/501' }, { line: 'GET /messages/501' }]);
	});

	test('returns the shape that Output asks for', async () => {
		await serving(one);
		expect(await run('get', { messageId: '5', output: 'simplified' })).toEqual([simplified]);
		const fields = { output: 'fields', fields: ['data.text', 'toString'] };
		expect(await run('get', { messageId: '5', ...fields })).toEqual([{ data: { text: 'Hi' } }]);
	});

	test('simplified has no column for what is missing or no text', async () => {
		await serving(
			json(200, { data: { id: 5, data: 'x' } }),
			json(200, { data: { data: { reactions: [] } } }),
		);
		const parameters = { messageId: '5', output: 'simplified' };
		expect(await run('get', parameters)).toEqual([{ id: 5 }]);
		expect(await run('get', parameters)).toEqual([{ reactions: '' }]);
	});

	test.each<[INodeParameters, string]>([
		[{ messageId: ' ' }, "'Message ID' is empty"],
		[{ messageId: '..' }, `'Message ID' must not be ".."`],
		[{ messageId: '5', output: 'pages' }, "'Output' must be one of"],
		[{ messageId: '5', onBehalfOf: 'a b' }, "'On Behalf Of' can have only letters"],
	])('refuses %j', async (parameters, words) => {
		await serving(one);
		await expect(run('get', parameters)).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});
});

describe('Send', () => {
	const toTeam = { groupId: 'team', text: 'Hi' };

	test('sends a text to a group unless told otherwise', async () => {
		await serving(one);
		expect(await run('send', toTeam)).toEqual([message]);
		expect(sentTo(service)).toEqual([
			{
				line: 'POST /messages',
				body: {
					receiver: 'team',
					receiverType: 'group',
					category: 'message',
					type: 'text',
					data: { text: 'Hi' },
				},
			},
		]);
	});

	test('sends to a user in the name of another, with metadata, tags and an ID of its own', async () => {
		await serving(one);
		await run('send', {
			receiverType: 'user',
			userId: { __rl: true, mode: 'id', value: 'bob' },
			groupId: 'left over',
			text: ' Hi\n',
			onBehalfOf: 'ann',
			additionalFields: { metadata: '{"a": 1}', tags: 'x, y', muid: ' m1 ' },
		});
		expect(sentTo(service)).toEqual([
			{
				line: 'POST /messages',
				user: 'ann',
				body: {
					receiver: 'bob',
					receiverType: 'user',
					category: 'message',
					type: 'text',
					data: { text: ' Hi\n', metadata: { a: 1 } },
					tags: ['x', 'y'],
					muid: ' m1 ',
				},
			},
		]);
	});

	test('sends files by their URL, with a caption if there is one', async () => {
		await serving(one);
		const file = { url: 'https://example.com/a.png', name: 'a.png', size: 20 };
		const media = {
			groupId: 'team',
			messageType: 'media',
			mediaType: 'file',
			attachments: { attachment: [file, { url: 'https://example.com/b.png', mimeType: '' }] },
		};
		await run('send', media);
		await run('send', { ...media, caption: 'Two' });
		const attachments = [{ ...file, size: '20' }, { url: 'https://example.com/b.png' }];
		const [bare, captioned] = sentTo(service);
		expect(bare.body).toEqual({
			receiver: 'team',
			receiverType: 'group',
			category: 'message',
			type: 'file',
			data: { attachments },
		});
		expect(captioned.body.data).toEqual({ attachments, text: 'Two' });
	});

	test('sends data of its own', async () => {
		await serving(one);
		await run('send', {
			groupId: 'team',
			messageType: 'custom',
			customType: 'location',
			customData: '{"lat": 1}',
			text: 'left over',
		});
		expect(sentTo(service)[0].body).toEqual({
			receiver: 'team',
			receiverType: 'group',
			category: 'custom',
			type: 'location',
			data: { customData: { lat: 1 } },
		});
	});

	test.each<[INodeParameters, string]>([
		[{ text: 'Hi' }, "'Group' is empty"],
		[{ receiverType: 'user', text: 'Hi' }, "'User' is empty"],
		[{ groupId: 'team' }, "'Text' is empty"],
		[{ groupId: 'team', messageType: 'media' }, "'Attachments' is empty"],
		[
			{ groupId: 'team', messageType: 'media', attachments: { attachment: [{ name: 'a' }] } },
			"'URL' is empty",
		],
		[{ groupId: 'team', messageType: 'custom', customData: '{"a": 1}' }, "'Custom Type' is empty"],
		[{ groupId: 'team', messageType: 'custom', customType: 'a' }, "'Custom Data' has no entry"],
		[{ groupId: 'team', text: 'x'.repeat(65_537) }, "'Text' is longer than 65536 characters"],
	])('refuses %j', async (parameters, words) => {
		await serving(one);
		await expect(run('send', parameters)).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});
});

describe('List', () => {
	/** Ten messages, newest last, in pages that end before or begin after an ID. */
	const paged: Reply = (response, request) => {
		const query = new URL(String(request.url), 'http://service').searchParams;
		const id = Number(query.get('id') ?? NaN);
		const isForward = query.get('affix') === 'append';
		const all = Array.from({ length: 10 }, (_, i) => i + 1).filter(
			(n) => Number.isNaN(id) || (isForward ? n > id : n < id),
		);
		const limit = Number(query.get('limit'));
		const page = isForward ? all.slice(0, limit) : all.slice(-limit);
		json(200, { data: page.map((n) => ({ id: String(n) })), meta: {} })(response, request);
	};

	const ids = (items: IDataObject[]) => items.map(({ id }) => Number(id));

	beforeEach(async () => await serving(paged));

	test('returns the newest messages of a group first', async () => {
		expect(ids(await run('list', { groupId: 'team', limit: 3 }))).toEqual([10, 9, 8]);
		expect(sentTo(service)).toEqual([{ line: 'GET /groups/team/messages?affix=prepend&limit=3' }]);
	});

	test('returns the oldest messages of the whole app first, over pages', async () => {
		const parameters = {
			messagesOf: 'app',
			order: 'oldestFirst',
			limit: 5,
			options: { perPage: 2 },
			filters: { sender: 'ann', receiverType: 'user', hideDeleted: true },
		};
		expect(ids(await run('list', parameters))).toEqual([1, 2, 3, 4, 5]);
		const filters = 'hideDeleted=true&receiverType=user&sender=ann';
		const lines = sentTo(service).map(({ line }) => line);
		expect(lines).toHaveLength(3);
		const queries = lines.map((line) => new URL(line.replace('GET ', 'http://x')).searchParams);
		expect(queries.map((query) => query.get('id'))).toEqual([null, '2', '4']);
		for (const query of queries) {
			expect(query.get('affix')).toBe('append');
			expect(query.get('limit')).toBe('2');
			for (const [name, value] of new URLSearchParams(filters)) {
				expect(query.get(name)).toBe(value);
			}
		}
	});

	test('sends no filter of the whole app for a group', async () => {
		const filters = {
			conversationId: 'x',
			onlyDeleted: true,
			receiverType: 'user',
			hasLinks: true,
		};
		await run('list', { groupId: 'team', limit: 1, filters });
		expect(sentTo(service)).toEqual([
			{ line: 'GET /groups/team/messages?hasLinks=true&affix=prepend&limit=1' },
		]);
	});

	test('asks for two messages at least when more than one is wanted', async () => {
		await run('list', { groupId: 'team', limit: 2, options: { perPage: 1 } });
		expect(sentTo(service)[0].line).toContain('limit=2');
		await run('list', { groupId: 'team', limit: 1 });
		expect(sentTo(service)[1].line).toContain('limit=1');
	});

	test('returns pages as they came', async () => {
		const parameters = { groupId: 'team', limit: 4, options: { perPage: 2 }, output: 'pages' };
		expect(await run('list', parameters)).toEqual([
			{ data: [{ id: '9' }, { id: '10' }], meta: {} },
			{ data: [{ id: '7' }, { id: '8' }], meta: {} },
		]);
	});

	test('returns the shape that Output asks for', async () => {
		const parameters = { groupId: 'team', limit: 1, output: 'fields', fields: ['id'] };
		expect(await run('list', parameters)).toEqual([{ id: '10' }]);
	});

	test('needs a group unless it is of the whole app', async () => {
		await expect(run('list')).rejects.toThrow("'Group' is empty");
		expect(await run('list', { messagesOf: 'app', limit: 1 })).toHaveLength(1);
		expect(sentTo(service)).toEqual([{ line: 'GET /messages?affix=prepend&limit=1' }]);
	});
});

describe('Update', () => {
	test('sends what to change, and returns the note of the service', async () => {
		await serving(noteAbout({ id: '5', data: { text: 'New' } }));
		const parameters = {
			messageId: '5',
			updateFields: { text: 'New', metadata: { a: 1 }, tags: ['x'] },
		};
		expect(await run('update', parameters)).toMatchObject([{ id: '6', category: 'action' }]);
		expect(sentTo(service)).toEqual([
			{
				line: 'PUT /messages/5',
				body: { data: { text: 'New', metadata: { a: 1 } }, tags: ['x'] },
			},
		]);
	});

	test('simplified is the message that was changed', async () => {
		await serving(noteAbout({ id: '5', data: { text: 'New' } }), one);
		const parameters = { messageId: '5', updateFields: { text: 'New' }, output: 'simplified' };
		expect(await run('update', parameters)).toEqual([{ id: '5', text: 'New' }]);
		expect(await run('update', parameters)).toEqual([simplified]);
	});

	test.each<[INodeParameters, string]>([
		[{}, "'Update Fields' is empty"],
		[{ updateFields: { text: ' ' } }, "'Text' is empty"],
		[{ updateFields: { metadata: '[]' } }, "'Metadata' must be a JSON object"],
	])('refuses %j', async (parameters, words) => {
		await serving(one);
		await expect(run('update', { messageId: '5', ...parameters })).rejects.toThrow(words);
		expect(service.received).toEqual([]);
	});
});

describe('Delete', () => {
	test('keeps the message, marked as deleted, unless told otherwise', async () => {
		await serving(one);
		await run('delete', { messageId: '5' });
		await run('delete', { messageId: '5', permanent: true });
		expect(sentTo(service)).toEqual([
			{ line: 'DELETE /messages/5', body: { permanent: false } },
			{ line: 'DELETE /messages/5', body: { permanent: true } },
		]);
	});

	test('simplified is the message that was deleted, or at least its ID', async () => {
		await serving(
			noteAbout({ id: '5', deletedAt: 7, deletedBy: 'ann', sender: 'bob' }),
			json(200, { data: { success: true, message: 'Gone.' } }),
		);
		const parameters = { messageId: '5', output: 'simplified' };
		expect(await run('delete', parameters)).toEqual([
			{ id: '5', deleted: true, deletedAt: 7, deletedBy: 'ann', sender: 'bob' },
		]);
		expect(await run('delete', parameters)).toEqual([{ id: '5', deleted: true }]);
	});
});

describe('reactions', () => {
	const reaction = { messageId: '5', reaction: '#️⃣', onBehalfOf: ' ann ' };

	test.each([
		['addReaction', 'POST'],
		['removeReaction', 'DELETE'],
	])(
		'%s names the message, the reaction and its user, and returns the message',
		async (name, method) => {
			await serving(one);
			expect(await run(name, reaction)).toEqual([message]);
			expect(service.received[0]).toMatchObject({
				method,
				url: '/v3/messages/5/reactions/%23%EF%B8%8F%E2%83%A3',
				headers: { onbehalfof: 'ann' },
				body: '',
			});
			await expect(run(name, { ...reaction, onBehalfOf: '' })).rejects.toThrow(
				"'On Behalf Of' is empty",
			);
			await expect(run(name, { ...reaction, reaction: ' ' })).rejects.toThrow(
				"'Reaction' is empty",
			);
			await expect(run(name, { ...reaction, reaction: '.' })).rejects.toThrow(
				"'Reaction' must not be",
			);
			expect(service.received).toHaveLength(1);
		},
	);

	test('of a message are listed, all or one kind, as far as the service leads', async () => {
		const reactions = [1, 2, 3].map((n) => ({
			id: `r${n}`,
			messageId: '5',
			reaction: '👍',
			uid: 'ann',
			reactedBy: { uid: 'ann', name: 'Ann' },
			reactedAt: n,
		}));
		const next = { affix: 'append', id: 'r2' };
		await serving(
			json(200, { data: reactions.slice(0, 2), meta: { next } }),
			json(200, { data: reactions.slice(2), meta: {} }),
			json(200, { data: reactions.slice(0, 1), meta: {} }),
		);
		expect(await run('listReactions', { messageId: '5', returnAll: true })).toEqual(reactions);
		const one = { messageId: '5', reaction: '👍', output: 'simplified' };
		expect(await run('listReactions', one)).toEqual([
			{ id: 'r1', messageId: '5', reaction: '👍', uid: 'ann', name: 'Ann', reactedAt: 1 },
		]);
		expect(sentTo(service)).toEqual([
			{ line: 'GET /messages/5/reactions' },
			{ line: 'GET /messages/5/reactions?affix=append&id=r2' },
			{ line: 'GET /messages/5/reactions/👍' },
		]);
	});

	test('are listed up to Limit, also as pages', async () => {
		const page = { data: [{ id: 'a' }, { id: 'b' }], meta: { next: { affix: 'append', id: 'b' } } };
		await serving(json(200, page));
		expect(await run('listReactions', { messageId: '5', limit: 1 })).toEqual([{ id: 'a' }]);
		expect(await run('listReactions', { messageId: '5', limit: 2, output: 'pages' })).toEqual([
			page,
		]);
	});
});
