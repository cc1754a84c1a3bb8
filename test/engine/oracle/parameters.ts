import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** Values of one parameter for several input items, and how the node's parameter contains them. */
interface Drawn {
	/** `typed` uses the first value for all items, and the others are expressions that read the item. */
	form: 'typed' | 'reference' | 'expression';
	values: unknown[];
}

/** A random configuration of the node, with input items for its expressions. */
export interface Configuration {
	operation: string;
	drawn: Record<string, Drawn>;
	count: number;
}

type Value = fc.Arbitrary<unknown>;

/** Draws mostly from the first values, and sometimes an ordinary mistake. */
const mostly = (good: Value, ...mistakes: unknown[]): Value =>
	fc.oneof(
		{ weight: 40, arbitrary: good },
		{ weight: 2, arbitrary: fc.constantFrom('', ' ', null) },
		...(mistakes.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...mistakes) }] : []),
	);

const oneOf = (...values: unknown[]) => fc.constantFrom(...values);

/** Draws a choice, sometimes as a person would spell it. */
const choice = (...values: string[]) =>
	mostly(
		fc.oneof(
			{ weight: 6, arbitrary: oneOf(...values) },
			oneOf(...values.map((value) => ` ${value.toUpperCase()}`)),
		),
		'other',
	);

/** Draws a list in one of the forms that the node accepts. */
const list = (...values: string[]) =>
	mostly(
		fc
			.tuple(
				fc.subarray(values, { minLength: 1, maxLength: Math.min(3, values.length) }),
				fc.nat(3),
			)
			.map(
				([some, form]) =>
					[some, JSON.stringify(some), some.join(', '), `${some.join('\n')}\n`][form],
			),
		['a, b'],
		[' ', ''],
	);

const on = mostly(
	fc.oneof({ weight: 8, arbitrary: oneOf(true) }, oneOf('TRUE', 'yes', 1, false, 'no', '0')),
	'maybe',
);

const number = (max: number, ...mistakes: unknown[]) =>
	mostly(
		fc
			.tuple(fc.integer({ min: 1, max }), fc.boolean())
			.map(([n, isText]) => (isText ? String(n) : n)),
		...mistakes,
	);

const uid = (...more: string[]) =>
	mostly(oneOf('mira', 'leo', 'Noor', ' JONAS ', ...more), 'no one', 'nobody');
const guid = mostly(
	oneOf('lunch', 'makers', 'All-Hands', ' project-aurora', 'incidents', 'ideas'),
	'No such group',
	'nothing',
);
const id = (...ids: unknown[]) => mostly(oneOf(...ids), '99999');
const time = mostly(
	oneOf(
		'2025-08-01',
		'2025-08-02',
		1_754_060_000,
		'1754084000',
		'2025-08-01T20:00:00Z',
		'2025-08-02 09:00',
	),
	'yesterday',
);
const groupTime = mostly(
	oneOf('2025-06-02', '2024-09-02T10:00:00Z', 1_754_299_980, '1735034400'),
	'soon',
);

const paging = { 'options.page': number(5, 99, 0), 'options.perPage': number(15, 1001, 0, 1000) };
const messageOptions = {
	'options.includeActions': on,
	'options.includeDeleted': on,
	// CometChat may start a page with the item that a cursor points to, so the node requests at least two
	'options.perPage': mostly(fc.integer({ min: 2, max: 15 }), 0, '7'),
};

const FIELDS = {
	group: [
		'guid',
		'name',
		'tags',
		'icon',
		'hasJoined',
		'joinedAt',
		'createdAt',
		'updatedAt',
		'metadata.team',
		'nme',
	],
	person: [
		'uid',
		'name',
		'guid',
		'userId',
		'scope',
		'email',
		'tags',
		'metadata.team',
		'createdAt',
		'blockedAt',
		'nme',
	],
	message: [
		'id',
		'text',
		'sender',
		'sentAt',
		'updatedAt',
		'action',
		'deletedAt',
		'data.attachments.0.url',
		'data.entities.sender.entity.name',
		'tags',
		'reactions',
		'parentId',
	],
	queue: [
		'id',
		'reason',
		'decision',
		'decidedAt',
		'blockedAt',
		'ruleName',
		'message.id',
		'flaggedBy.0.uid',
		'text',
		'condition.message',
	],
};

interface Drawing {
	always?: Record<string, Value>;
	/** Drawn half of the time. */
	often?: Record<string, Value>;
	/** At most two of these are drawn. */
	filters?: Record<string, Value>;
	fields: string[];
}

const DRAWINGS: Record<string, Drawing> = {
	'group list': {
		often: {
			onBehalfOf: uid(),
			...paging,
			'sort.sortBy': choice('createdAt', 'guid', 'name'),
			'sort.sortOrder': choice('asc', 'desc'),
		},
		filters: {
			hasJoined: on,
			searchKey: mostly(oneOf('Office', ' team', 'a', 'makers', 'zzz')),
			searchIn: list('guid', 'name'),
			tags: list('engineering', 'social', 'sales', 'two words'),
			type: choice('public', 'private', 'password', 'protected'),
			types: list('public', 'private', 'Password'),
			updatedAt: groupTime,
			affix: choice('append', 'prepend'),
			withTags: on,
		},
		fields: FIELDS.group,
	},
	'group listMembers': {
		always: { groupId: guid },
		often: paging,
		filters: {
			scopes: list('admin', 'moderator', 'Participant'),
			status: choice('available', 'offline'),
		},
		fields: FIELDS.person,
	},
	'group listBanned': { always: { groupId: guid }, often: paging, fields: FIELDS.person },
	'user list': {
		often: paging,
		filters: {
			searchKey: mostly(oneOf('Mira', ' le', 'n', 'zzz')),
			searchIn: list('name', 'uid'),
			onlyDeactivated: on,
			withDeactivated: on,
			roles: list('default', 'support'),
			status: choice('available', 'offline'),
			tags: list('vip', 'two words', 'none'),
			withTags: on,
		},
		fields: FIELDS.person,
	},
	'user listBlocked': {
		always: { userId: uid('ext_sam-99', 'EXT_SAM-99') },
		often: paging,
		fields: FIELDS.person,
	},
	'message list': {
		always: {
			messagesOf: mostly(oneOf('group', 'group', 'user', 'app', 'App')),
			groupId: guid,
			userId: uid('ext_sam-99'),
		},
		often: { order: choice('newestFirst', 'oldestFirst'), onBehalfOf: uid(), ...messageOptions },
		filters: {
			attachmentTypes: list('image', 'file'),
			categories: list('message', 'custom', 'action', 'call'),
			conversationId: mostly(oneOf('group_makers', 'jonas_user_mira', 'mira_user_jonas')),
			hasAttachments: on,
			hasLinks: on,
			hasMentions: on,
			hasReactions: on,
			hideDeleted: on,
			hideReplies: on,
			mentionedUids: list('leo', 'priya', 'yuki'),
			myMentionsOnly: on,
			onlyDeleted: on,
			receiverType: choice('group', 'user'),
			sender: uid('felix'),
			fromTimestamp: time,
			toTimestamp: time,
			tags: list('release', 'vip', 'tests', 'orders'),
			searchKey: mostly(oneOf('lantern', 'the', ' A ', 'zzz')),
			types: list('text', 'image', 'audio', 'message'),
			unread: on,
			withTags: on,
		},
		fields: FIELDS.message,
	},
	'message listReplies': {
		always: { messageId: id('124', 124, ' 118 ', '101') },
		often: { onBehalfOf: uid(), ...messageOptions },
		fields: FIELDS.message,
	},
	'message listReactions': {
		always: { messageId: id('108', 109, '117', '114') },
		often: { onBehalfOf: uid(), reaction: mostly(oneOf('👍', '🎉\n', '❤️', 'shipped')) },
		fields: ['messageId', 'reaction', 'uid', 'name', 'reactedAt', 'reactedBy.role', 'id', 'nme'],
	},
	'moderation list': {
		often: { queue: choice('flagged', 'blocked', 'reviewed') },
		fields: FIELDS.queue,
	},
};

const WEIGHTS: Record<string, number> = { 'group list': 4, 'message list': 6, 'user list': 2 };

/** Replaces a few values with undefined, as a misspelled expression does. */
const sometimesMissing = (value: Value): Value => fc.option(value, { nil: undefined, freq: 150 });

const drawValues = (value: Value): fc.Arbitrary<Drawn> =>
	fc.record({
		form: fc.constantFrom('typed', 'typed', 'reference', 'expression'),
		values: fc.array(sometimesMissing(value), { minLength: 3, maxLength: 3 }),
	});

const drawAll = (values: Record<string, Value>, isAlways = false) =>
	fc.record(
		Object.fromEntries(Object.entries(values).map(([path, value]) => [path, drawValues(value)])),
		isAlways ? {} : { requiredKeys: [] },
	) as fc.Arbitrary<Record<string, Drawn>>;

function drawOperation(operation: string): fc.Arbitrary<Configuration> {
	const { always = {}, often = {}, filters = {}, fields } = DRAWINGS[operation];
	const shared = {
		returnAll: on,
		limit: number(12, 0, 2.5, 1500),
		output: choice('simplified', 'raw', 'fields', 'pages'),
	};
	return fc
		.tuple(
			drawAll({ ...always, fields: list(...fields) }, true),
			drawAll({ ...often, ...shared }),
			fc
				.subarray(Object.keys(filters), { maxLength: Math.min(2, Object.keys(filters).length) })
				.chain((names) =>
					drawAll(
						Object.fromEntries(names.map((name) => [`filters.${name}`, filters[name]])),
						true,
					),
				),
			fc.integer({ min: 1, max: 3 }),
		)
		.map(([first, second, third, count]) => ({
			operation,
			drawn: { ...first, ...second, ...third },
			count,
		}));
}

export const configurations: fc.Arbitrary<Configuration> = fc.oneof(
	...Object.keys(DRAWINGS).map((operation) => ({
		weight: WEIGHTS[operation] ?? 1,
		arbitrary: drawOperation(operation),
	})),
);

/** Parameters that the editor saves as an object with a mode. */
const LOCATORS = ['groupId', 'userId', 'onBehalfOf', 'filters.sender'];

const isId = (value: unknown) => /^\s*[\w-]+\s*$/.test(String(value ?? ''));
const isFilled = (value: unknown) =>
	String(value ?? '')
		.replaceAll(',', '')
		.trim() !== '';

/** Values that the editor saves without a warning. Only expressions return other values. */
const SAVED: Record<string, (value: unknown) => boolean> = {
	output: (value) => ['simplified', 'raw', 'fields', 'pages'].includes(String(value)),
	messagesOf: (value) => ['group', 'user', 'app'].includes(String(value)),
	returnAll: (value) => typeof value === 'boolean',
	groupId: isId,
	userId: isId,
	onBehalfOf: (value) => isId(value) || !isFilled(value),
	'filters.sender': (value) => isId(value) || !isFilled(value),
	messageId: isFilled,
	fields: isFilled,
};

const isConstant = (path: string, { form, values: [first] }: Drawn) =>
	form === 'typed' && ![undefined, null].includes(first as null) && (SAVED[path]?.(first) ?? true);

/** Returns true if an expression sets the parameter. */
export const isExpression =
	({ drawn }: Configuration) =>
	(path: string) =>
		path in drawn && !isConstant(path, drawn[path]);

/** Returns the values of an input item's parameters, with their expressions resolved. */
export const valuesOf = ({ drawn }: Configuration, item: number): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(drawn).map(([path, each]) => [
			path,
			each.values[isConstant(path, each) ? 0 : item],
		]),
	);

/** Builds the node's parameters, and the input items that the expressions read. */
export function build(configuration: Configuration): {
	parameters: INodeParameters;
	input: IDataObject[];
} {
	const { operation: key, drawn, count } = configuration;
	const [resource, operation] = key.split(' ');
	// Retries of messages that a user can't see yet would take seconds
	const parameters: INodeParameters = { resource, operation, requestOptions: { maxTries: 1 } };
	const input: IDataObject[] = Array.from({ length: count }, () => ({}));
	for (const [path, each] of Object.entries(drawn)) {
		const name = path.replace('.', '_');
		const expression =
			each.form === 'expression' ? `={{ $json["${name}"] }}` : `={{ $json.${name} }}`;
		const inner = isConstant(path, each) ? each.values[0] : expression;
		const value = LOCATORS.includes(path) ? { __rl: true, mode: 'id', value: inner } : inner;
		const [outer, nested] = path.split('.');
		if (nested === undefined) parameters[outer] = value as string;
		else parameters[outer] = { ...Object(parameters[outer]), [nested]: value };
		input.forEach((item, index) => {
			if (each.values[index] !== undefined) item[name] = each.values[index] as string;
		});
	}
	return { parameters, input };
}
