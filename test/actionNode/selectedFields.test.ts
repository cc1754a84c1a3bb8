import type { INode, INodeParameters } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { createPathReader } from '../../nodes/CometChat/helpers/json';
import { listPlaces } from '../fields';
import { listFields, OPTIONAL_SUFFIX, readDocumentedColumns } from '../fieldList';
import {
	callTool,
	CONTINUE,
	get,
	hintsOf,
	jsonOf,
	list,
	refusalOf,
	run,
	useSandbox,
} from './harness';
import { DECLARED, OPERATIONS, type OperationCase } from './operations';
import { responding, withRecorder } from './recorder';

const TIME = 1_760_000_000;

const sandbox = useSandbox();

/** Fills the queues that are empty in the sample data. */
beforeEach(() => {
	const { moderation } = sandbox().store;
	const hit = { rule: { id: 'r', name: 'Words', action: 'blockMessage' }, reason: 'No' } as const;
	for (const messageId of ['102', '103']) moderation.block({ ...hit, messageId, createdAt: TIME });
	moderation.decide('blocked', '103', 'approved', TIME);
});

const select = (parameters: INodeParameters, fields: INodeParameters[string]) => ({
	...parameters,
	output: 'fields',
	fields,
});

/** Operations with each set of parameters that changes their columns. */
const CASES = OPERATIONS.flatMap(({ key, name, parameters }) => {
	const queues = key === 'moderation list' ? ['flagged', 'blocked', 'reviewed'] : [undefined];
	return queues.map((queue) => ({
		...{ key, name: queue ? `${name}, ${queue}` : name },
		parameters: queue ? { ...parameters, queue } : parameters,
	}));
});

const documented = readDocumentedColumns('output-and-errors.md');

/** Returns the columns in the docs, which the docs list for all queues together. */
function documentedColumnsOf({ key }: Pick<OperationCase, 'key'>) {
	const [resource] = key.split(' ');
	const { operation } = DECLARED.find((each) => each.key === key) ?? {};
	const heading = resource.charAt(0).toUpperCase() + resource.slice(1);
	const name = `${heading} ${operation?.name}`;
	const optional = documented.get(name + OPTIONAL_SUFFIX) ?? [];
	return { all: [...(documented.get(name) ?? []), ...optional], optional };
}

const ENTITY = {
	...{ uid: 'leo', name: 'Leo', role: 'default', status: 'available', avatar: 'https://a' },
	...{ link: 'https://b', statusMessage: 'Hi', authToken: 'token', lastActiveAt: TIME },
	...{ guid: 'lunch', description: 'Food', type: 'public', membersCount: 3, owner: 'leo' },
	...{ icon: 'https://c', hasJoined: true, scope: 'admin', joinedAt: TIME, bannedAt: TIME },
	...{ createdAt: TIME, updatedAt: TIME, updatedBy: 'leo', deactivatedAt: TIME, blockedAt: TIME },
	...{ tags: ['a'], metadata: { '@private': { email: 'a@b.de', contactNumber: '+49 30' } } },
	...{ id: '101', sentAt: TIME, sender: 'leo', receiver: 'lunch', receiverType: 'group' },
	...{ parentId: '100', category: 'message', deletedAt: TIME, deletedBy: 'leo' },
	...{ deliveredAt: TIME, readAt: TIME, muid: 'order-7', quotedMessageId: '99' },
	...{ conversationId: 'group_lunch', conversationType: 'group', unreadMessageCount: '3' },
	...{ messageId: '101', reaction: '👍', reactedAt: TIME },
	...{ flaggedCount: 2, ruleName: 'Words', condition: { message: 'No' }, action: ['block'] },
};

const people = { entity: ENTITY };

const data = {
	...{ text: 'Hi', metadata: { a: 1 }, reactions: [{ reaction: '👍' }], action: 'joined' },
	...{ attachments: [{ url: 'https://x', name: 'a', mimeType: 'a/b', size: 1 }] },
	...{ moderation: { status: 'approved' }, customData: { a: 1 }, card: { version: '1.0' } },
	entities: { sender: people, receiver: people, on: people, by: people, for: people },
};

const QUOTED = { id: '99', sender: 'mira', data: { text: 'Hello' } };

const MESSAGE = {
	...ENTITY,
	quotedMessage: QUOTED,
	data: {
		...data,
		entities: { ...data.entities, on: { entity: { ...ENTITY, data, quotedMessage: QUOTED } } },
	},
};

const refused = { success: false, error: { code: 'ERR_X', message: 'No' } };

const REFUSED = Object.fromEntries(
	['leo', 'Leo', 'Noor', 'noor', 'carla', 'felix'].map((uid) => [uid, refused]),
);

/** A response that contains every field that any column reads. */
const EVERYTHING = {
	...MESSAGE,
	...{ reactedBy: ENTITY, conversationWith: ENTITY, lastMessage: MESSAGE, message: MESSAGE },
	flaggedBy: [{ reasonName: 'Spam', remark: 'Again', flaggedAt: TIME, name: 'Leo', uid: 'leo' }],
	...{ members: { data: { admins: { leo: refused } } } },
	...{ ...REFUSED, moderators: REFUSED, accepted: REFUSED },
	...{ deactivatedUids: ['leo'], reactivatedUids: ['leo'] },
};

describe.each(CASES)('Fields of $name', (each) => {
	const { key, parameters } = each;

	test('lists the columns of Simplified first, and each documented column once', async () => {
		const names = await listFields('cometChat', parameters);
		expect(names).toEqual([...new Set(names)]);
		const [row] = await jsonOf(sandbox(), parameters);
		const { all, optional } = documentedColumnsOf(each);
		// A row has an optional column only with a value
		const shown = Object.keys(row).filter((name) => row[name] === null || !optional.includes(name));
		expect(names.slice(0, shown.length)).toEqual(shown);
		expect(all).toEqual(expect.arrayContaining(Object.keys(row)));
		if (key === 'moderation list') return;
		expect(names.slice(0, all.length).sort()).toEqual([...all].sort());
	});

	test('lists only names that the items have', async () => {
		const names = await listFields('cometChat', parameters);
		const result = await run(sandbox(), select(parameters, names), CONTINUE);
		expect(hintsOf(result).join()).not.toContain('No item has');
		for (const { json } of result.items('CometChat')) expect(Object.keys(json)).toEqual(names);
	});

	test('lists only columns that can have a value', async () => {
		const names = await listFields('cometChat', parameters);
		const options = { includeDeleted: true, includeActions: true };
		const isMessageList = ['message list', 'message listReplies'].includes(key);
		const all = { ...select(parameters, names), ...(isMessageList ? { options } : {}) };
		await withRecorder(responding(EVERYTHING), async (recorder) => {
			const [item] = await jsonOf(recorder, all, CONTINUE);
			const empty = names.filter((name) => (item[name] ?? undefined) === undefined);
			const explain = (name: string) =>
				`Neither ENTITY nor a sample beside it in test/actionNode/selectedFields.test.ts has ${name}`;
			// Only a refusal gives 'notMember' a value
			const expected = key === 'group removeMember' ? ['notMember'] : [];
			expect(empty.map(explain)).toEqual(expected.map(explain));
		});
	});

	test('always returns the ID', async () => {
		const id = idOf(key);
		const [name] = (await listFields('cometChat', parameters)).filter((each) => each !== id);
		const items = await jsonOf(sandbox(), select(parameters, [name]));
		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect(Object.keys(item)).toEqual([id, name]);
			expect(item[id]).toMatch(/./);
		}
	});
});

/** Names of the columns that identify the rows of a resource. */
const IDS: Record<string, string> = {
	...{ message: 'id', moderation: 'id', group: 'guid', user: 'uid' },
	conversation: 'conversationId',
};

/**
 * Operations whose rows are about something else than their resource, each with the column that identifies a
 * row.
 */
const OTHER_IDS: Record<string, string> = {
	...{ 'conversation markRead': 'receiver' },
	...{ 'message listReactions': 'messageId', 'message downloadFiles': 'messageId' },
	...{ 'group listMembers': 'uid', 'group getMember': 'uid', 'group addMembers': 'uid' },
	...{ 'group removeMember': 'uid', 'group changeScope': 'uid', 'group banMember': 'uid' },
	...{ 'group unbanMember': 'uid', 'group listBanned': 'uid' },
};

const idOf = (key: string) => OTHER_IDS[key] ?? IDS[key.split(' ')[0]];

test.each<[string, INodeParameters]>([
	['an unknown operation', { resource: 'message', operation: 'archive' }],
	['an expression without a result', {}],
])('Fields lists the columns of all operations for %s', async (_name, parameters) => {
	const names = await listFields('cometChat', parameters);
	expect(names).toEqual([...new Set(names)]);
	expect(names).toEqual(
		expect.arrayContaining(['id', 'guid', 'uid', 'metadata', 'decision', 'authToken']),
	);
});

test.each([
	["={{ ['name', 'metadata.team'] }}"],
	['={{ "name, metadata.team" }}'],
	['={{ "name\\nmetadata.team" }}'],
	[['name', 'metadata.team']],
	[['name, metadata.team']],
])('Fields takes names and paths from %j', async (fields) => {
	const [item] = await jsonOf(sandbox(), select(list({ limit: 1 }), fields));
	expect(item).toEqual({
		...{ guid: expect.any(String), name: expect.any(String) },
		metadata: { team: null },
	});
});

test.each([[[]], [['', ' ,']], ['={{ null }}'], ['={{ undefined }}'], ['={{ [] }}']])(
	'Fields without a name are refused: %j',
	async (fields) => {
		const { message } = await refusalOf(sandbox(), select(list(), fields));
		expect(message).toMatch(/^'Fields' is empty/);
	},
);

test('Fields have no effect if an expression chooses another output', async () => {
	const parameters = { ...select(get('101'), ['text']), output: '={{ $json.output }}' };
	const input = [{ output: 'fields' }, { output: 'raw' }];
	const [selected, raw] = await jsonOf(sandbox(), parameters, { input });
	expect(Object.keys(selected)).toEqual(['id', 'text']);
	expect(raw).toHaveProperty('data.text');
	const without = { ...get('101'), output: '={{ "simplified" }}' };
	expect(await jsonOf(sandbox(), without)).toMatchObject([{ id: '101' }]);
});

/** Parameters of Send that together fill all fields that write into the message. */
const SENDINGS: INodeParameters[] = [
	{
		text: 'Yes',
		additionalFields: {
			...{ metadata: '{"order": 7}', muid: 'order-7', tags: ['vip'], quotedMessageId: '109' },
			parentId: '109',
		},
	},
	{ messageType: 'card', text: 'Shipped', card: '{"version": "1.0", "body": [{"type": "text"}]}' },
	{ messageType: 'custom', customType: 'location', customData: '{"city": "Oslo"}' },
	{
		...{ messageType: 'media', mediaType: 'file', caption: 'The list' },
		...{ specifyAttachments: 'json', attachmentsJson: 'https://example.com/a.csv' },
	},
];

test('Fields of Get lists a column for everything that Send writes into a message', async () => {
	const { operation: { fields = [] } = {} } =
		DECLARED.find(({ key }) => key === 'message send') ?? {};
	const properties = new Set(
		listPlaces(fields).flatMap(({ field: { name, routing } }) =>
			name === 'parentId' ? [name] : routing?.send?.type === 'body' ? [routing.send.property] : [],
		),
	);
	const seen = new Set<unknown>();
	const operation = { resource: 'message', operation: 'get' };
	const names = await listFields('cometChat', operation);
	for (const sending of SENDINGS) {
		const to = { ...operation, operation: 'send', groupId: 'all-hands', onBehalfOf: 'leo' };
		const [sent] = await jsonOf(sandbox(), { ...to, ...sending, output: 'raw' });
		const get = { ...operation, messageId: String(sent.id) };
		const [row] = await jsonOf(sandbox(), select(get, names));
		for (const property of properties) {
			const value: unknown = createPathReader(String(property))(sent);
			if (value === undefined) continue;
			expect(Object.values(row)).toContainEqual(value);
			seen.add(property);
		}
	}
	expect([...properties].filter((property) => !seen.has(property))).toEqual([]);
});

test("Selected Fields of an agent's tool include the ID", async () => {
	const parameters = select(get("={{ $fromAI('id') }}"), "={{ $fromAI('fields') }}");
	const calls = ['sender', 'sender, id'].map((fields) => ({ id: '101', fields }));
	expect(await callTool(sandbox(), parameters, calls)).toEqual([
		'[{"id":"101","sender":"mira"}]',
		'[{"sender":"mira","id":"101"}]',
	]);
});

test('A path inside the ID does not replace the ID', async () => {
	const [item] = await jsonOf(sandbox(), select(get('101'), ['id.a', 'sender']));
	expect(item).toMatchObject({ id: '101' });
});

test('Fields never lists columns that only another queue has', async () => {
	const queue = async (name: string) =>
		await listFields('cometChat', { resource: 'moderation', operation: 'list', queue: name });
	expect(await queue('flagged')).not.toContain('decision');
	expect(await queue('reviewed')).toContain('decision');
	expect(await queue('blocked')).not.toContain('reportedBy');
});

const EXAMPLES = join(__dirname, '../../examples');

/** Nodes of all recipes that select fields from the list. */
const SELECTING = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.json'))
	.flatMap((path) => {
		const { nodes }: { nodes: INode[] } = JSON.parse(readFileSync(join(EXAMPLES, path), 'utf8'));
		return nodes
			.filter(({ parameters: { output, fields } }) => output === 'fields' && Array.isArray(fields))
			.map((node) => ({ ...node, path }));
	});

test('Some recipes select fields', () => expect(SELECTING).not.toEqual([]));

test.each(SELECTING)(
	'Recipes select only fields from the list, and paths by expression: $path',
	async ({ type, parameters }) => {
		const names = await listFields(type.replace(/^.+\./, ''), parameters);
		expect(names).toEqual(expect.arrayContaining(parameters.fields as string[]));
	},
);
