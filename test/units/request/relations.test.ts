import type { Field, Values } from '../../../nodes/CometChat/types';
import { InputError } from '../../../nodes/CometChat/errors/inputError';
import { pollingProperties } from '../../../nodes/CometChat/pollingTrigger/properties';
import { resources } from '../../../nodes/CometChat/resources';
import { addRelationHints, checkRelations } from '../../../nodes/CometChat/request/relations';
import { choicesOf, listPlaces } from '../../fields';

interface Relation {
	/** Operation and field, e.g. "List groups: Has Joined" */
	name: string;
	fields: Field[];
	/** Field that has the relation, with a value that activates it */
	field: [name: string, value: unknown];
	/** Label of the field or choice that has the relation */
	label: string;
	kind: 'needs' | 'excludes';
	other: string;
}

/** Lists the relations that fields and choices declare, including fields in collections. */
function listRelations(name: string, all: Field[]): Relation[] {
	return listPlaces(all).flatMap(({ field }) => {
		const own = { label: field.displayName, value: 'x' as unknown, ...field };
		const choices = choicesOf(field).map((choice) => ({
			...choice,
			label: `${field.displayName}: ${choice.name}`,
		}));
		return [own, ...choices].flatMap(({ label, value, ...relations }) =>
			(['needs', 'excludes'] as const).flatMap((kind) =>
				((relations as Field)[kind] ?? []).map((other): Relation => ({
					...{ name: `${name}: ${label}`, fields: all, label, kind, other },
					field: [field.name, value],
				})),
			),
		);
	});
}

const OPERATIONS: Array<[string, Field[]]> = [
	...resources.flatMap(({ operations }) =>
		operations.map(({ action, fields }): [string, Field[]] => [action, fields]),
	),
	['Poll', pollingProperties],
];

const RELATIONS = OPERATIONS.flatMap(([name, fields]) => listRelations(name, fields));

const labelOf = (name: string, fields: Field[]): string | undefined =>
	listPlaces(fields).find(({ field }) => field.name === name)?.field.displayName;

test('Fields declare their relations', () => {
	expect(RELATIONS.map(({ name, kind, other }) => `${name} ${kind} ${other}`).sort()).toEqual(
		[
			'Create group: Owner excludes onBehalfOf',
			'List groups: Has Joined needs onBehalfOf',
			'List groups: Search In needs searchKey',
			'List groups: Type excludes types',
			'List groups: Updated At Direction needs updatedAt',
			'List messages: Hide Deleted excludes includeDeleted',
			'List messages: Hide Deleted excludes onlyDeleted',
			'List messages: My Mentions Only needs onBehalfOf',
			'List messages: Unread needs onBehalfOf',
			'List users: Only Deactivated excludes withDeactivated',
			'List users: Search In needs searchKey',
			'Poll: Search In needs searchKey',
			'Poll: Type excludes types',
			'Update group: Owner excludes onBehalfOf',
			'Update group: Type: Password needs password',
			'Update group: Type: Private excludes password',
			'Update group: Type: Public excludes password',
			'Update group: Unset: Description excludes description',
			'Update group: Unset: Icon excludes icon',
			'Update group: Unset: Metadata excludes metadata',
			'Update user: Unset: Avatar excludes avatar',
			'Update user: Unset: Link excludes link',
			'Update user: Unset: Metadata excludes email',
			'Update user: Unset: Metadata excludes metadata',
			'Update user: Unset: Metadata excludes phone',
		].sort(),
	);
});

test.each(RELATIONS)(
	'$name $kind $other',
	({ fields, field: [name, value], label, kind, other }) => {
		const check = (values: Values) => () => checkRelations(fields, { filters: values });
		const alone = check({ [name]: value });
		const both = check({ [name]: value, [other]: 'y' });
		const [refused, accepted] = kind === 'needs' ? [alone, both] : [both, alone];
		const otherLabel = labelOf(other, fields);
		expect(otherLabel).toBeDefined();
		expect(refused).toThrow(
			expect.objectContaining(
				kind === 'needs'
					? {
							constructor: InputError,
							message: `'${otherLabel}' is empty, but '${label}' requires it`,
							description: `Fill in '${otherLabel}', or remove '${label}'.`,
						}
					: {
							constructor: InputError,
							message: `'${label}' can't be combined with '${otherLabel}'`,
							description: 'Use only one of them.',
						},
			),
		);
		expect(accepted).not.toThrow();
		for (const empty of ['', null, undefined, [], {}, false]) {
			expect(check({ [name]: empty, [other]: kind === 'needs' ? undefined : 'y' })).not.toThrow();
		}
	},
);

test('Fields have a hint that names the fields they need or exclude', () => {
	const base = { type: 'string' as const, default: '' };
	const a: Field = { ...base, displayName: 'A', name: 'a', needs: ['b'], excludes: ['c', 'd'] };
	const others = ['b', 'c', 'd'].map((name) => ({
		...base,
		displayName: name.toUpperCase(),
		name,
	}));
	const collection: Field = { ...base, displayName: 'All', name: 'all', options: [a, ...others] };
	const [{ options = [] }] = addRelationHints([collection]);
	expect(options.map((option) => ('hint' in option ? option.hint : undefined))).toEqual([
		'Requires B. Not together with C or D',
		...[undefined, 'Not together with A', 'Not together with A'],
	]);
});
