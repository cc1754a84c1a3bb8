import {
	TYPED_ID_PATTERN,
	checkId,
	checkIds,
	checkNotEmptyObject,
	omitFalse,
	createPickedIdCheck,
	trimText,
	checkFiltersHaveUser,
} from '../../../../nodes/CometChat/fields/fieldChecks';
import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import {
	checkFirstMembers,
	checkPasswordForType,
} from '../../../../nodes/CometChat/resources/group/groupChecks';
import { checkTimeRange } from '../../../../nodes/CometChat/resources/message/messageChecks';

type AnyCheck = (value: unknown, label: string) => unknown;

const checkPickedId = createPickedIdCheck('UID', 'User → List');

const MANY = Array.from({ length: 25 }, (_, n) => `user-${n}`);

test.each<[AnyCheck, unknown, unknown]>([
	[checkId, ' Ann_b-9\n', 'Ann_b-9'],
	[checkId, 42, '42'],
	[checkId, 'u'.repeat(100), 'u'.repeat(100)],
	[checkIds, ['A', ' b ,c', '', 'a'], ['a', 'b', 'c']],
	[checkIds, 'a,B', ['a', 'b']],
	[checkPickedId, ' Ann_b-9\n', 'Ann_b-9'],
	[trimText, ' a b ', 'a b'],
	[omitFalse, true, true],
	[omitFalse, false, undefined],
	[checkNotEmptyObject, { a: undefined }, { a: undefined }],
])('%p changes %j to %j', (check, value, expected) => {
	expect(check(value, 'Label')).toEqual(expected);
});

test.each<[AnyCheck, object]>([
	[checkFirstMembers, { admins: MANY }],
	[checkPasswordForType, { type: 'password', password: 'x' }],
	[checkPasswordForType, { type: 'public' }],
	[checkTimeRange, { fromTimestamp: 5, toTimestamp: 5 }],
	[checkTimeRange, { fromTimestamp: 5 }],
])('%p accepts %j', (check, value) => {
	expect(check(value, 'Label')).toEqual(value);
});

const ID = '\'Label\' can contain only letters, digits, "-" and "_", at most 100 characters';

test.each<[AnyCheck, unknown, string, string?]>([
	...['a b', 'a/b', 'ü', 'a\r\nx: b', 'a\nb', '', '..', 'u'.repeat(101)].map(
		(id): [AnyCheck, string, string] => [checkId, id, ID],
	),
	[checkIds, ['a', 'b c'], ID],
	...['..', 'a/b', 'john.doe', 'a\nb', ''].map((id): [AnyCheck, string, string] => [
		checkPickedId,
		id,
		ID,
	]),
	...['Noor van Dalen', "Tomás O'Neil", 'Müller', 'नूर', 'Sam (Supplier)', 'Brand & Photos'].map(
		(name): [AnyCheck, string, string, string] => [
			checkPickedId,
			name,
			"'Label' must be a UID, but this is a name",
			'Get the UID with User → List.',
		],
	),
	[checkNotEmptyObject, {}, "'Label' is empty", 'Enter at least one key, e.g. {"key": "value"}.'],
	[
		checkPasswordForType,
		{ type: 'password' },
		"'Password' is empty",
		"Add 'Password': a group of type Password requires one.",
	],
	[
		checkFirstMembers,
		{ admins: ['a'], participants: MANY },
		"'Label' has 26 members, but a new group can have at most 25",
		'Add the others afterwards with Group → Add Members, which takes any number.',
	],
	[
		checkTimeRange,
		{ fromTimestamp: 6, toTimestamp: 5 },
		"'Sent After' is later than 'Sent Before'",
		"Enter a 'Sent After' that is before 'Sent Before'.",
	],
])('%p rejects %j: %s', (...[check, value, message, description]) => {
	expect(() => check(value, 'Label')).toThrow(
		expect.objectContaining({ constructor: InputError, message, description }),
	);
});

test.each([
	['hasJoined', 'Has Joined'],
	['myMentionsOnly', 'My Mentions Only'],
	['unread', 'Unread'],
])('requires a user for the filter %s', (name, label) => {
	const filters = { [name]: true };
	expect(() => checkFiltersHaveUser({ filters })).toThrow(
		expect.objectContaining({
			message: `'On Behalf Of' is empty, but '${label}' requires it`,
			description: `Enter the UID of the user that '${label}' is about, or remove '${label}'.`,
		}),
	);
	for (const values of [{ filters, onBehalfOf: 'ann' }, { filters: { [name]: false } }, {}])
		checkFiltersHaveUser(values);
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

describe('An email address entered as an ID', () => {
	const expectAdvice = (saved: unknown, advice: string) =>
		expect(() => checkId('ann@example.com', 'User', saved)).toThrow(
			expect.objectContaining({ description: `It looks like an email address. ${advice}` }),
		);

	test.each<[unknown, string]>([
		['={{ $json.contact }}', "$json.contact.replace(/[^\\w-]/g, '_')"],
		[
			{ __rl: true, mode: 'id', value: "={{ $('Form').item.json['Mail Address'] }}" },
			"$('Form').item.json['Mail Address'].replace(/[^\\w-]/g, '_')",
		],
		['={{ $json.a || $json.b }}', "($json.a || $json.b).replace(/[^\\w-]/g, '_')"],
	])("is rejected with a change to the user's own expression: %j", (saved, expression) => {
		expectAdvice(saved, `{{ ${expression} }} turns it into an ID.`);
	});

	test.each(['ann@example.com', '=user-{{ $json.email }}', undefined, ['={{ $json.email }}']])(
		'is rejected with an ID made from the address, unless it is a single expression: %j',
		(saved) => expectAdvice(saved, 'For the ID, use ann_example_com.'),
	);
});
