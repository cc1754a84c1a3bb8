import { botMessageEntity, getColumns } from '../../../nodes/CometChat/botTrigger/message';
import { createShape } from '../../../nodes/CometChat/output/shape';
import { POLLED_ENTITIES } from '../../../nodes/CometChat/pollingTrigger/pollParameters';
import { resources } from '../../../nodes/CometChat/resources';
import { getEntity } from '../../../nodes/CometChat/output/columns';
import type { Confirmation, Values } from '../../../nodes/CometChat/types';
import { createItems, getEventColumns } from '../../../nodes/CometChat/webhookTrigger/items';
import { EVENTS } from '../../../nodes/CometChat/webhookTrigger/events';

/** Maximum columns of Simplified, in addition to those that a setting asks for. */
const MAX_COLUMNS = 10;

/** Maximum columns of reports and of triggers, which also say who did something, and when. */
const MAX_WITH_ACTOR = 12;

const listColumns = (entity: Confirmation, values: Values) =>
	Object.keys(createShape({ output: 'simplified', ...values }, entity)({ sent: {} }));

/** Settings that ask for columns, each with the columns that it adds to an operation's own. */
const SETTINGS: Record<string, Array<[values: Values, added: string[]]>> = {
	'message list': [
		[{ filters: { withTags: true } }, ['tags']],
		[{ options: { includeDeleted: true } }, ['deletedAt']],
		[{ filters: { onlyDeleted: true } }, ['deletedAt']],
		[{ options: { includeActions: true } }, ['action', 'uid', 'name']],
		[{ filters: { categories: ['action'] } }, ['action', 'uid', 'name']],
	],
	'message listReplies': [
		[{ options: { includeDeleted: true } }, ['deletedAt']],
		[{ options: { includeActions: true } }, ['action', 'uid', 'name']],
	],
	'group list': [[{ onBehalfOf: 'mira' }, ['hasJoined', 'scope', 'joinedAt']]],
	'group get': [[{ onBehalfOf: 'mira' }, ['hasJoined', 'scope', 'joinedAt']]],
	'group update': [[{ onBehalfOf: 'mira' }, ['hasJoined', 'scope', 'joinedAt']]],
	'group create': [
		[{ onBehalfOf: 'mira' }, ['hasJoined', 'scope', 'joinedAt']],
		[{ additionalFields: { admins: ['mira'] } }, ['membersNotAdded']],
	],
	'conversation list': [[{ filters: { withTags: true } }, ['tags']]],
	'user list': [
		[{ filters: { withTags: true } }, ['tags']],
		[{ filters: { withDeactivated: true } }, ['deactivatedAt']],
		[{ filters: { onlyDeactivated: true } }, ['deactivatedAt']],
	],
	'user create': [[{ additionalFields: { withAuthToken: true } }, ['authToken']]],
};

const QUEUES = ['flagged', 'blocked', 'reviewed'];

const CASES = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ customRunner }) => customRunner === undefined)
		.map((operation): [string, Confirmation] => [
			`${resource} ${operation.value}`,
			getEntity(operation),
		]),
);

function findEntity(key: string): Confirmation {
	const entity = Object.fromEntries(CASES)[key];
	if (!entity) throw new Error(`No operation is called ${key}`);
	return entity;
}

describe('Simplified', () => {
	test.each(CASES.filter(([key]) => key !== 'moderation list'))(
		'has at most ten columns, and those that a setting asks for: %s',
		(key, entity) => {
			const own = listColumns(entity, {});
			expect(own.length).toBeLessThanOrEqual(MAX_COLUMNS);
			const settings = SETTINGS[key] ?? [];
			for (const [values, added] of settings) {
				const columns = listColumns(entity, values).sort();
				expect([values, columns]).toEqual([values, [...own, ...added].sort()]);
			}
		},
	);

	test.each(QUEUES)('has at most twelve columns for the queue of %s messages', (queue) => {
		const entity = findEntity('moderation list');
		const max = queue === 'flagged' ? MAX_WITH_ACTOR : MAX_COLUMNS;
		expect(listColumns(entity, { queue }).length).toBeLessThanOrEqual(max);
	});

	test.each(EVENTS.map((type) => [type.trigger, type] as const))(
		'of the CometChat Trigger has at most twelve columns with who and when: %s',
		(_, type) => {
			expect(getEventColumns(type).length).toBeLessThanOrEqual(MAX_WITH_ACTOR);
		},
	);

	test("of the CometChat Trigger adds a fetched message's ten columns, without its ID", () => {
		const [type] = EVENTS.filter(({ trigger }) => trigger === 'message_reaction_added');
		const [item] = createItems(
			{ trigger: type.trigger, data: {}, envelope: {} },
			{ type, subjects: [{ subject: { id: '1' }, by: {} }] },
			{ message: {} },
			{ output: 'simplified', fields: [], includeActions: false },
		);
		const added = Object.keys(item).filter((name) => !getEventColumns(type).includes(name));
		expect(added).toContain('messageText');
		expect(added).toContain('messageError');
		expect(added.length).toBeLessThanOrEqual(MAX_COLUMNS);
	});

	test.each(Object.entries(POLLED_ENTITIES))(
		'of the CometChat Polling Trigger has at most twelve columns: %s',
		(_, entity) => {
			expect(listColumns(entity, {}).length).toBeLessThanOrEqual(MAX_WITH_ACTOR);
		},
	);

	test('of the CometChat Bot Trigger has ten columns, and three more with Include Actions', () => {
		expect(listColumns(botMessageEntity, {})).toHaveLength(MAX_COLUMNS);
		const columns = Object.keys(getColumns({ includeActions: true }));
		expect(columns).toEqual([...Object.keys(botMessageEntity.columns), 'action', 'uid', 'name']);
	});
});

/** Columns that Simplified had before it was limited to the most useful ones. */
const STILL_SELECTABLE: Array<[key: string, names: string[]]> = [
	['message get', ['category', 'reactions', 'deletedAt', 'conversationId', 'tags', 'receiverName']],
	['message list', ['category', 'reactions', 'deletedAt', 'conversationId', 'tags']],
	['message removeReaction', ['sentAt', 'type', 'parentId', 'attachments', 'conversationId']],
	['message delete', ['conversationId']],
	['user get', ['link', 'statusMessage']],
	['group create', ['conversationId']],
	['moderation list', ['sentAt', 'type', 'reportCount', 'parentId', 'receiverName', 'actions']],
];

test.each(STILL_SELECTABLE)('Selected Fields returns further columns of %s', (key, names) => {
	const entity = findEntity(key);
	const known = { ...entity.furtherColumns, ...entity.columns };
	expect(names.filter((name) => !(name in known))).toEqual([]);
});
