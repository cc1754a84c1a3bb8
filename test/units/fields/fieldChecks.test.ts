import {
	TYPED_ID_PATTERN,
	checkEmail,
	checkId,
	checkMessageId,
	checkIds,
	checkIdText,
	createNotEmptyCheck,
	omitFalse,
	createPickedIdCheck,
} from '../../../nodes/CometChat/fields/fieldChecks';
import { InputError } from '../../../nodes/CometChat/errors/inputError';
import { checkFirstMembers } from '../../../nodes/CometChat/resources/group/groupChecks';
import { checkTimeRange } from '../../../nodes/CometChat/resources/message/messageChecks';

type AnyCheck = (value: unknown, label: string) => unknown;

const checkPickedId = createPickedIdCheck('UID', 'User → List');

const MANY = Array.from({ length: 25 }, (_, n) => `user-${n}`);

test.each<[AnyCheck, unknown, unknown]>([
	[checkId, 42, '42'],
	[checkId, 'u'.repeat(100), 'u'.repeat(100)],
	[checkIds, ['A', 'b', 'a'], ['a', 'b']],
	[checkIds, ['<@uid:mira>', 'leo, noor'], ['mira', 'leo', 'noor']],
	[checkIds, ['mira,', 'leo ,, noor', ','], ['mira', 'leo', 'noor']],
	[checkPickedId, 'Ann_b-9', 'Ann_b-9'],
	[checkPickedId, '<@uid:mira>', 'mira'],
	[checkMessageId, 'order/7', 'order/7'],
	[checkIdText, 'order/7', 'order/7'],
	[omitFalse, true, true],
	[omitFalse, false, undefined],
	[createNotEmptyCheck(), { a: undefined }, { a: undefined }],
	[checkFirstMembers, { admins: MANY }, { admins: MANY }],
	[checkTimeRange, { fromTimestamp: 5, toTimestamp: 6 }, { fromTimestamp: 5, toTimestamp: 6 }],
	[checkTimeRange, { fromTimestamp: 5 }, { fromTimestamp: 5 }],
])('%p changes %j to %j', (check, value, expected) => {
	expect(check(value, 'Label')).toEqual(expected);
});

const refusalOfId = (id: string) =>
	`'Label' can contain only letters, digits, "-" and "_", at most 100 characters, but it is "${id}"`;

const SEVERAL = 'Give IDs separated by commas, or as a list, e.g. ["mira", "leo"].';

test.each<[AnyCheck, unknown, string, string?]>([
	...['a b', 'a/b', 'ü', '', '..', '<@all:mira>'].map((id): [AnyCheck, string, string] => [
		checkId,
		id,
		refusalOfId(id),
	]),
	[checkId, 'u'.repeat(101), refusalOfId(`${'u'.repeat(59)}…`).slice(0, -1)],
	[checkIds, ['a', 'b c'], refusalOfId('b c'), SEVERAL],
	[
		checkId,
		'ann@example.com',
		refusalOfId('ann@example.com'),
		'It looks like an email address. For the ID, use ann_example_com.',
	],
	...['..', 'a/b', 'john.doe', ''].map((id): [AnyCheck, string, string] => [
		checkPickedId,
		id,
		refusalOfId(id),
	]),
	...['mira, leo', 'mira\nleo', '["mira","leo"]'].flatMap(
		(ids): Array<[AnyCheck, string, string, string]> => [
			[checkId, ids, refusalOfId(ids), 'Give one ID, e.g. mira.'],
			[checkPickedId, ids, refusalOfId(ids), 'Give one ID, e.g. mira.'],
			[checkMessageId, ids, `'Label' must be one ID, but it is "${ids}"`, 'Give one ID, e.g. 501.'],
		],
	),
	[
		checkEmail,
		'ann',
		`'Label' must be an email address, but it is "ann"`,
		'Give one address, e.g. mira@example.com.',
	],
	...['Noor van Dalen', "Tomás O'Neil", 'Müller', 'नूर', 'Sam (Supplier)', 'Brand & Photos'].map(
		(name): [AnyCheck, string, string, string] => [
			checkPickedId,
			name,
			`'Label' must be a UID, but "${name}" is a name`,
			'Get the UID with User → List.',
		],
	),
	...[checkId, checkPickedId, checkIdText].flatMap((check) =>
		['undefined', 'null', 'NaN', '[object Object]'].map(
			(id): [AnyCheck, string, string, string] => [
				check,
				id,
				`'Label' is "${id}", which is not an ID`,
				'Check the expression.',
			],
		),
	),
	[
		createNotEmptyCheck(", or use 'Unset'"),
		{},
		"'Label' is empty",
		'Enter at least one key, e.g. {"key": "value"}, or use \'Unset\'.',
	],
	[
		checkFirstMembers,
		{ admins: ['a'], participants: MANY },
		"'Label' has 26 members, but a new group can have at most 25",
		'Add the others afterwards with Group → Add Members, which takes any number.',
	],
	[
		checkTimeRange,
		{ fromTimestamp: 5, toTimestamp: 5 },
		"'Sent Before' must be later than 'Sent After'",
		"Enter a later 'Sent Before', or remove one of the two.",
	],
])('%p rejects %j: %s', (...[check, value, message, description]) => {
	expect(() => check(value, 'Label')).toThrow(
		expect.objectContaining({ constructor: InputError, message, description }),
	);
});

test.each([
	['', true],
	[' a-Z_9\n', true],
	['u'.repeat(100), true],
	['a b', false],
	['u'.repeat(101), false],
])("matches the ID %j with the editor's pattern: %j", (typed, expected) =>
	expect(new RegExp(TYPED_ID_PATTERN).test(typed)).toBe(expected),
);
