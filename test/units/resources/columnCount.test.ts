import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createBotMessageEntity } from '../../../nodes/CometChat/botTrigger/message';
import { createResultConverter } from '../../../nodes/CometChat/output/shape';
import { POLLED_EVENTS } from '../../../nodes/CometChat/pollingTrigger/polledEvents';
import { resources } from '../../../nodes/CometChat/resources';
import { getRowType } from '../../../nodes/CometChat/output/columns';
import { botProperties } from '../../../nodes/CometChat/botTrigger/properties';
import type { OutputRowType, Operation, ParameterValues } from '../../../nodes/CometChat/types';
import {
	createItemJsonList,
	listSimplifiedColumnNames,
} from '../../../nodes/CometChat/webhookTrigger/eventItems';
import { EVENTS, type EventDefinition } from '../../../nodes/CometChat/webhookTrigger/events';
import { parameterFieldsToRead } from '../../../nodes/CometChat/webhookTrigger/properties';
import { choicesOf, isLeaf, listPlaces, setAtPath, type Place } from '../../fields';

const ROOT = join(__dirname, '../../..');

/** Maximum columns of Simplified, in addition to those that a setting asks for. */
const MAX_COLUMNS = 10;

/** Maximum columns of reports and events, which also say who did something, when, or in which conversation. */
const MAX_WITH_ACTOR = 12;

const listColumns = (entity: OutputRowType, values: ParameterValues) =>
	Object.keys(createResultConverter({ output: 'simplified', ...values }, entity)({ received: {} }));

/**
 * Columns that settings add to an operation's own. The test finds the settings in the operation's fields, so
 * that a new setting can't add columns unnoticed.
 */
const ADDED: Record<string, Record<string, string[]>> = {
	'message list': {
		'filters.withTags': ['tags'],
		'filters.onlyDeleted': ['deletedAt'],
		'filters.categories': ['action', 'uid', 'name'],
		'filters.types': ['action', 'uid', 'name'],
		'options.includeDeleted': ['deletedAt'],
		'options.includeActions': ['action', 'uid', 'name'],
	},
	'message listReplies': {
		'options.includeDeleted': ['deletedAt'],
		'options.includeActions': ['action', 'uid', 'name'],
	},
	'group list': { onBehalfOf: ['hasJoined', 'scope', 'joinedAt'] },
	'group get': { onBehalfOf: ['hasJoined', 'scope', 'joinedAt'] },
	'group update': { onBehalfOf: ['hasJoined', 'scope', 'joinedAt'] },
	'group create': {
		onBehalfOf: ['hasJoined', 'scope', 'joinedAt'],
		'additionalFields.admins': ['membersNotAdded'],
		'additionalFields.moderators': ['membersNotAdded'],
		'additionalFields.participants': ['membersNotAdded'],
	},
	'conversation list': { 'filters.withTags': ['tags'] },
	'user list': {
		'filters.withTags': ['tags'],
		'filters.withDeactivated': ['deactivatedAt'],
		'filters.onlyDeactivated': ['deactivatedAt'],
	},
	'user create': { 'additionalFields.withAuthToken': ['authToken'] },
};

/** Returns values that a user may choose in a field. */
function listValues({ field }: Place): unknown[] {
	const { type, typeOptions } = field;
	const choices = choicesOf(field).map(({ value }) => value);
	if (type === 'boolean') return [true, false];
	if (type === 'options') return choices;
	if (type === 'multiOptions' || typeOptions?.multipleValues) return [[...choices, 'x'], []];
	return type === 'number' ? [1] : ['x'];
}

/** Returns the columns that each of an operation's settings adds, by the setting's path. */
function findAddedColumns({ fields }: Operation, entity: OutputRowType): Record<string, string[]> {
	const own = listColumns(entity, {});
	const places = listPlaces(fields).filter((place) => isLeaf(place) && place.path[0] !== 'output');
	const added = places.map((place) => {
		const columns = listValues(place).flatMap((value) => {
			const values: ParameterValues = {};
			setAtPath(values, place.path, value);
			return listColumns(entity, values);
		});
		const names = new Set(columns.filter((name) => !own.includes(name)));
		return { path: place.path.join('.'), names: [...names] };
	});
	return Object.fromEntries(
		added.filter(({ names }) => names.length > 0).map(({ path, names }) => [path, names]),
	);
}

const OPERATIONS = resources.flatMap(({ value: resource, operations }) =>
	operations.map((operation) => ({ key: `${resource} ${operation.value}`, operation })),
);

/** Operations whose output isn't made of an entity's columns. */
const isCustom = ({ hasOwnRunner }: Operation) => hasOwnRunner === true;

const CASES = OPERATIONS.filter(({ operation }) => !isCustom(operation)).map(
	({ key, operation }): [string, OutputRowType, Operation] => [
		key,
		getRowType(operation),
		operation,
	],
);

function findEntity(key: string): OutputRowType {
	const [, entity] = CASES.find(([name]) => name === key) ?? [];
	if (!entity) throw new Error(`No operation is called ${key}`);
	return entity;
}

describe('Simplified', () => {
	test.each(CASES.filter(([key]) => key !== 'moderation list'))(
		'has at most ten columns, and those that a setting asks for: %s',
		(key, entity, operation) => {
			expect(listColumns(entity, {}).length).toBeLessThanOrEqual(MAX_COLUMNS);
			expect(findAddedColumns(operation, entity)).toEqual(ADDED[key] ?? {});
		},
	);

	test.each(OPERATIONS.filter(({ operation }) => isCustom(operation)))(
		'has at most ten fields, whatever the settings: $key',
		({ key }) => {
			const file = `nodes/CometChat/__schema__/v1.0.0/${key.replace(' ', '/')}.json`;
			const { properties } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
			expect(Object.keys(properties)).toEqual(['data']);
			const names = Object.keys(properties.data.properties);
			expect(names).toContain('respondedAt');
			expect(names.length).toBeLessThanOrEqual(MAX_COLUMNS);
		},
	);

	test.each([
		['flagged', MAX_WITH_ACTOR],
		['blocked', MAX_COLUMNS],
		['reviewed', MAX_COLUMNS],
	])('for the queue of %s messages has at most %i columns', (queue, max) => {
		const entity = findEntity('moderation list');
		expect(listColumns(entity, { queue }).length).toBeLessThanOrEqual(max);
	});

	test('of a report begins with what a moderator decides on', () => {
		const first = ['id', 'text', 'reason', 'remark', 'senderName', 'reportedByName', 'receiver'];
		for (const entity of [findEntity('moderation list'), POLLED_EVENTS.messageFlagged.entity]) {
			const columns = listColumns(entity, { queue: 'flagged' });
			expect(columns.slice(0, first.length)).toEqual(first);
			expect(columns).toEqual(expect.arrayContaining(['reportCount', 'reportedAt']));
		}
	});

	test('of an event about a reaction begins with the person, and has each fact once', () => {
		const [added, removed] = ['added', 'removed'].map((change) => {
			const [type] = EVENTS.filter(({ trigger }) => trigger === `message_reaction_${change}`);
			return listSimplifiedColumnNames(type);
		});
		expect(added).toEqual(['event', 'at', 'name', 'uid', 'reaction', 'messageId']);
		expect(removed).toEqual([...added, 'reactedAt']);
	});

	test.each(EVENTS.map((type) => [type.trigger, type] as const))(
		'of the CometChat Trigger has at most twelve columns with who and when: %s',
		(_, type) => {
			expect(listSimplifiedColumnNames(type).length).toBeLessThanOrEqual(MAX_WITH_ACTOR);
		},
	);

	/** Lists the columns of an event with the given settings. */
	const listEventColumns = (type: EventDefinition, includeActions: boolean, message?: object) =>
		Object.keys(
			createItemJsonList(
				{ trigger: type.trigger, data: {}, envelope: {} },
				{ type, entities: [{ entity: { id: '1' }, by: {} }] },
				message,
				{ output: 'simplified', fields: [], includeActions },
			)[0],
		);

	test("of the CometChat Trigger adds a fetched message's ten columns, without its ID", () => {
		const [type] = EVENTS.filter(({ trigger }) => trigger === 'message_reaction_added');
		const own = listEventColumns(type, false);
		expect(own).toEqual(listSimplifiedColumnNames(type));
		const added = listEventColumns(type, false, { message: {} }).slice(own.length);
		expect(added).toContain('messageText');
		expect(added).toContain('messageError');
		expect(added.length).toBeLessThanOrEqual(MAX_COLUMNS);
	});

	test('of the CometChat Trigger adds three columns with Include Actions, only to messages that may be actions', () => {
		const added = EVENTS.map((type) => {
			const own = listEventColumns(type, false);
			return [
				type.trigger,
				listEventColumns(type, true).filter((name) => !own.includes(name)),
			] as const;
		});
		expect(added.filter(([, columns]) => columns.length > 0)).toEqual([
			['message_sent', ['action', 'uid', 'name']],
		]);
	});

	test('of the CometChat Trigger and the Bot Trigger changes with no other setting', () => {
		const fields = [...parameterFieldsToRead, ...botProperties];
		const switches = listPlaces(fields).filter(({ field }) => field.type === 'boolean');
		// "takeOver" is about the bot's setup
		expect(switches.map(({ field }) => field.name).sort()).toEqual([
			...['fetchMessage', 'includeActions', 'includeActions', 'takeOver'],
		]);
	});

	test.each(Object.entries(POLLED_EVENTS))(
		'of the CometChat Polling Trigger has at most twelve columns: %s',
		(_, { entity }) => {
			expect(listColumns(entity, {}).length).toBeLessThanOrEqual(MAX_WITH_ACTOR);
		},
	);

	test('of the CometChat Bot Trigger has twelve columns, and three more with Include Actions', () => {
		const columns = (includeActions: boolean) =>
			Object.keys(createBotMessageEntity({ botId: 'bot', includeActions }).columns);
		expect(columns(false)).toHaveLength(MAX_WITH_ACTOR);
		expect(columns(true)).toEqual([...columns(false), 'action', 'uid', 'name']);
	});
});

/** Entities in states that change what a row means. */
const DEACTIVATED = { uid: 'leo', deactivatedAt: 1_760_000_000 };
const DELETED = { id: '1', deletedAt: 1_760_000_000 };
const DATE = '2025-10-09T08:53:20Z';

const moderated = (status: string) => ({ id: '1', data: { moderation: { status } } });

describe('A column in rows with a value for it', () => {
	test.each<[string, object, object]>([
		['message get', DELETED, { deletedAt: DATE }],
		['message get', moderated('approved'), { moderationStatus: 'approved' }],
		['message get', moderated('disapproved'), { moderationStatus: 'disapproved' }],
		[
			'message get',
			{ id: '1', data: { reactions: [{ reaction: '👍', count: 2 }] } },
			{ reactions: [{ reaction: '👍', count: 2 }] },
		],
		['message list', moderated('pending'), { moderationStatus: 'pending' }],
		['message listReplies', moderated('disapproved'), { moderationStatus: 'disapproved' }],
		['conversation list', { conversationId: 'a', lastMessage: DELETED }, { deletedAt: DATE }],
		['moderation list', { message: DELETED }, { deletedAt: DATE }],
		['user get', DEACTIVATED, { deactivatedAt: DATE }],
		['user list', DEACTIVATED, { deactivatedAt: DATE }],
		['user listBlocked', DEACTIVATED, { deactivatedAt: DATE }],
		['user listFriends', DEACTIVATED, { deactivatedAt: DATE }],
		['group listMembers', DEACTIVATED, { deactivatedAt: DATE }],
		['group listMembers', { uid: 'leo', isBanned: true }, { banned: true }],
		['group listMembers', { uid: 'leo', bannedAt: 1_760_000_000 }, { banned: true }],
		['group listBanned', DEACTIVATED, { deactivatedAt: DATE }],
		['group getMember', { user: DEACTIVATED, group: {} }, { deactivatedAt: DATE }],
	])('is in a row of %s that has a value for it: %j', (key, sent, optional) => {
		const shape = createResultConverter({ output: 'simplified' }, findEntity(key));
		const row = shape({ received: sent as IDataObject });
		expect(row).toMatchObject(optional);
		const own = Object.keys(shape({ received: {} }));
		expect(Object.keys(row)).toEqual([...own, ...Object.keys(optional)]);
	});

	test('is in a report about a message with files', () => {
		const shape = createResultConverter(
			{ output: 'simplified', queue: 'flagged' },
			POLLED_EVENTS.messageFlagged.entity,
		);
		const attachments = [{ url: 'https://example.com/a.png' }];
		expect(shape({ received: { id: '1', data: { attachments } } })).toMatchObject({ attachments });
		expect(shape({ received: { id: '1', data: {} } })).not.toHaveProperty('attachments');
	});

	test.each<[string, object]>([
		['message get', { id: '1', data: { reactions: [] } }],
		['message list', moderated('approved')],
		['message list', moderated('unmoderated')],
		['group listMembers', { uid: 'leo', isBanned: false }],
	])('is missing in other rows of %s: %j', (key, sent) => {
		const shape = createResultConverter({ output: 'simplified' }, findEntity(key));
		const own = Object.keys(shape({ received: {} }));
		expect(Object.keys(shape({ received: sent as IDataObject }))).toEqual(own);
	});

	test('has the same value in every message, if Fields selects the column', () => {
		const shape = createResultConverter(
			{ output: 'fields', fields: ['moderationStatus', 'deletedAt'] },
			findEntity('message list'),
		);
		expect(shape({ received: moderated('approved') })).toEqual({
			id: '1',
			moderationStatus: 'approved',
			deletedAt: null,
		});
	});
});

/** Columns that Simplified had before it was limited to the most useful ones. */
const STILL_SELECTABLE: Array<[key: string, names: string[]]> = [
	[
		'message get',
		[
			'category',
			'conversationId',
			'tags',
			'receiverName',
			'deliveredAt',
			'readAt',
			'moderationStatus',
		],
	],
	[
		'message list',
		['category', 'reactions', 'deletedAt', 'conversationId', 'tags', 'moderationStatus'],
	],
	['message removeReaction', ['sentAt', 'type', 'parentId', 'attachments', 'conversationId']],
	['message delete', ['conversationId']],
	['user get', ['link', 'statusMessage']],
	['group create', ['conversationId']],
	[
		'moderation list',
		['reportedAt', 'sentAt', 'type', 'reportCount', 'parentId', 'receiverName', 'actions'],
	],
];

test.each(STILL_SELECTABLE)('Selected Fields returns further columns of %s', (key, names) => {
	const entity = findEntity(key);
	const known = { ...entity.selectedOnlyColumns, ...entity.columns };
	expect(names.filter((name) => !(name in known))).toEqual([]);
});
