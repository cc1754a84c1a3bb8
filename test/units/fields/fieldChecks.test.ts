import {
	ENTERED_ID_REGEX_SOURCE,
	requireEmail,
	checkNewId,
	checkNotMessageIdList,
	splitAndCheckIds,
	checkNotBrokenId,
	createNonEmptyObjectCheck,
	omitFalse,
	createUserOrGroupIdCheck,
} from '../../../nodes/CometChat/fields/fieldChecks';
import { InputError } from '../../../nodes/CometChat/errors/describedErrors';
import { checkMaxMembersOfNewGroup } from '../../../nodes/CometChat/resources/group/groupChecks';
import { checkTimeRange } from '../../../nodes/CometChat/resources/message/messageChecks';
import { checkReasonId } from '../../../nodes/CometChat/resources/moderation/moderationChecks';

type AnyCheck = (value: unknown, label: string) => unknown;

const checkPickedId = createUserOrGroupIdCheck('UID', 'User → List');

const MANY = Array.from({ length: 25 }, (_, n) => `user-${n}`);

test.each<[AnyCheck, unknown, unknown]>([
	[checkNewId, 42, '42'],
	[checkNewId, 'u'.repeat(100), 'u'.repeat(100)],
	[checkReasonId, 'r'.repeat(100), 'r'.repeat(100)],
	[splitAndCheckIds, ['A', 'b', 'a'], ['a', 'b']],
	[splitAndCheckIds, ['<@uid:mira>', 'leo, noor'], ['mira', 'leo', 'noor']],
	[splitAndCheckIds, ['mira,', 'leo ,, noor', ','], ['mira', 'leo', 'noor']],
	[checkPickedId, 'Ann_b-9', 'Ann_b-9'],
	[checkPickedId, '<@uid:mira>', 'mira'],
	[checkNotMessageIdList, 'order/7', 'order/7'],
	[checkNotBrokenId, 'order/7', 'order/7'],
	[omitFalse, true, true],
	[omitFalse, false, undefined],
	[createNonEmptyObjectCheck(), { a: undefined }, { a: undefined }],
	[checkMaxMembersOfNewGroup, { admins: MANY }, { admins: MANY }],
	[checkTimeRange, { fromTimestamp: 5, toTimestamp: 6 }, { fromTimestamp: 5, toTimestamp: 6 }],
	[checkTimeRange, { fromTimestamp: 5 }, { fromTimestamp: 5 }],
])('%p changes %j to %j', (check, value, expected) => {
	expect(check(value, 'Label')).toEqual(expected);
});

const refusalOfId = (id: string) =>
	`'Label' can contain only letters, digits, "-" and "_", at most 100 characters, but it is "${id}"`;

const NEW_ID = 'Give another ID, e.g. mira, and a different one for each item.';

const BY_EXPRESSION =
	"The page behind 'Docs' has an expression that gives each address a different UID.";

const SEVERAL = 'Give IDs separated by commas, or as a list, e.g. ["mira", "leo"].';

test.each<[AnyCheck, unknown, string, string?]>([
	...['a b', 'a/b', 'ü', '..', '+4915112345_170', ''].map(
		(id): [AnyCheck, string, string, string] => [checkNewId, id, refusalOfId(id), NEW_ID],
	),
	[checkNewId, 'u'.repeat(101), refusalOfId(`${'u'.repeat(59)}…`).slice(0, -1), NEW_ID],
	[checkNewId, 'ann@example.com', refusalOfId('ann@example.com'), `${NEW_ID} ${BY_EXPRESSION}`],
	[
		splitAndCheckIds,
		'ann@example.com',
		refusalOfId('ann@example.com'),
		'CometChat finds users by UID, not by email. Give UIDs, e.g. ["mira", "leo"].',
	],
	[splitAndCheckIds, ['a', 'b c'], refusalOfId('b c'), SEVERAL],
	[
		checkPickedId,
		'ann@example.com',
		refusalOfId('ann@example.com'),
		`CometChat finds users by UID, not by email. ${BY_EXPRESSION}`,
	],
	[checkPickedId, '', refusalOfId(''), 'Get the UID with User → List.'],
	...['..', 'a/b', 'john.doe'].map((id): [AnyCheck, string, string, string] => [
		checkPickedId,
		id,
		refusalOfId(id),
		'Get the UID with User → List.',
	]),
	...['mira, leo', 'mira\nleo', '["mira","leo"]'].flatMap(
		(ids): Array<[AnyCheck, string, string, string]> => [
			[checkNewId, ids, refusalOfId(ids), 'Give one ID, e.g. mira.'],
			[checkPickedId, ids, refusalOfId(ids), 'Give one ID, e.g. mira.'],
			[
				checkNotMessageIdList,
				ids,
				`'Label' must be one ID, but it is "${ids}"`,
				'Give one ID, e.g. 501.',
			],
		],
	),
	[
		requireEmail,
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
	...[checkNewId, checkPickedId, checkNotBrokenId].flatMap((check) =>
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
		createNonEmptyObjectCheck(", or use 'Unset'"),
		{},
		"'Label' is empty",
		'Enter at least one key, e.g. {"key": "value"}, or use \'Unset\'.',
	],
	[
		checkMaxMembersOfNewGroup,
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
	expect(new RegExp(ENTERED_ID_REGEX_SOURCE).test(typed)).toBe(expected),
);

test('refuses the ID of a reason if it has more than 100 characters', () => {
	expect(() => checkReasonId('r'.repeat(101), 'Reason')).toThrow(
		"'Reason' is longer than 100 characters, the maximum for an ID",
	);
});
