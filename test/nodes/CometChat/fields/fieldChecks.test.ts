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

const MANY = Array.from({ length: 25 }, (_, n) => `user-${n}`);

const ID = 'Label\' can contain only letters, digits, "-" and "_", at most 100 characters';

test.each<[string, (value: unknown, label: string) => unknown, unknown, unknown]>([
	['checkFirstMembers', checkFirstMembers, { admins: MANY }, { admins: MANY }],
	['checkId', checkId, ' Ann_b-9\n', 'Ann_b-9'],
	['checkId', checkId, 42, '42'],
	['checkId', checkId, 'u'.repeat(100), 'u'.repeat(100)],
	['checkIds', checkIds, ['A', ' b ,c', '', 'a'], ['a', 'b', 'c']],
	['checkIds', checkIds, 'a,B', ['a', 'b']],
	['pickedId', createPickedIdCheck('UID', 'User → List'), ' Ann_b-9\n', 'Ann_b-9'],
	['trimmed', trimText, ' a b ', 'a b'],
	['onlyTrue', omitFalse, true, true],
	['onlyTrue', omitFalse, false, undefined],
	['notEmptyObject', checkNotEmptyObject, { a: undefined }, { a: undefined }],
	[
		'passwordForType',
		checkPasswordForType,
		{ type: 'password', password: 'x' },
		{ type: 'password', password: 'x' },
	],
	['passwordForType', checkPasswordForType, { type: 'public' }, { type: 'public' }],
	[
		'fromBeforeTo',
		checkTimeRange,
		{ fromTimestamp: 5, toTimestamp: 5 },
		{ fromTimestamp: 5, toTimestamp: 5 },
	],
	['fromBeforeTo', checkTimeRange, { fromTimestamp: 5 }, { fromTimestamp: 5 }],
])('%s of case %# is right', (_, check, value, expected) => {
	expect(check(value, 'Label')).toEqual(expected);
});

test.each<[string, (value: unknown, label: string) => unknown, unknown, string]>([
	...['a b', 'a/b', 'ü', 'a\r\nx: b', 'a\nb', '', '..', 'u'.repeat(101)].map(
		(id): [string, typeof checkId, string, string] => ['checkId', checkId, id, ID],
	),
	['checkIds', checkIds, ['a', 'b c'], ID],
	...['..', 'a/b', 'john.doe', 'a\nb', ''].map((id): [string, typeof checkId, string, string] => [
		'pickedId',
		createPickedIdCheck('UID', 'User → List'),
		id,
		ID,
	]),
	...['Noor van Dalen', "Tomás O'Neil", 'Müller', 'नूर', 'Sam (Supplier)', 'Brand & Photos'].map(
		(name): [string, typeof checkId, string, string] => [
			'pickedId',
			createPickedIdCheck('UID', 'User → List'),
			name,
			"Label' must be a UID, but this is a name. Get the UID with User → List.",
		],
	),
	[
		'notEmptyObject',
		checkNotEmptyObject,
		{},
		'Label\' has no entry. Enter at least one, e.g. {"key": "value"}.',
	],
	[
		'passwordForType',
		checkPasswordForType,
		{ type: 'password' },
		"Password' is empty. Add 'Password': a group of type Password requires one.",
	],
	[
		'checkFirstMembers',
		checkFirstMembers,
		{ admins: ['a'], participants: MANY },
		"Label' has 26 members, but a new group can have at most 25. Add the others afterwards with Group → Add Members, which takes any number.",
	],
	[
		'fromBeforeTo',
		checkTimeRange,
		{ fromTimestamp: 6, toTimestamp: 5 },
		"Sent After' is later than 'Sent Before'. Enter a 'Sent After' that is before 'Sent Before'.",
	],
])('%s refuses case %#', (_, check, value, text) => {
	const [message, advice] = `'${text}`.split(/\. (?=Enter|Add|Get)/);
	expect(() => check(value, 'Label')).toThrow(
		expect.objectContaining({ constructor: InputError, message, description: advice }),
	);
});

test.each([
	['hasJoined', 'Has Joined'],
	['myMentionsOnly', 'My Mentions Only'],
	['unread', 'Unread'],
])('%s needs a user', (name, label) => {
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
])('the editor takes %j for an ID: %j', (typed, expected) =>
	expect(new RegExp(TYPED_ID_PATTERN).test(typed)).toBe(expected),
);

describe('An email address in place of an ID', () => {
	const adviceOn = (saved: unknown): unknown => {
		try {
			return checkId('ann@example.com', 'User', saved);
		} catch (error) {
			return error instanceof InputError ? error.description : error;
		}
	};

	test.each<[unknown, string]>([
		['={{ $json.contact }}', "$json.contact.replace(/[^\\w-]/g, '_')"],
		[
			{ __rl: true, mode: 'id', value: "={{ $('Form').item.json['E-Mail'] }}" },
			"$('Form').item.json['E-Mail'].replace(/[^\\w-]/g, '_')",
		],
		['={{ $json.a || $json.b }}', "($json.a || $json.b).replace(/[^\\w-]/g, '_')"],
	])("advises to change the user's own expression: %j", (saved, expression) => {
		expect(adviceOn(saved)).toBe(
			`It looks like an email address. {{ ${expression} }} turns it into an ID.`,
		);
	});

	test.each(['ann@example.com', '=user-{{ $json.email }}', undefined, ['={{ $json.email }}']])(
		'without a single expression, shows an ID made from the address: %j',
		(saved) => {
			expect(adviceOn(saved)).toBe(
				'It looks like an email address. As an ID, enter ann_example_com.',
			);
		},
	);
});
