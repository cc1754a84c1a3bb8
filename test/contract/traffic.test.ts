import type { INodeParameters } from 'n8n-workflow';

import type { Field } from '../../nodes/CometChat/types';
import { run, useSandbox } from '../actionNode/harness';
import {
	OPERATIONS,
	fieldsOf,
	removeContradictions,
	type PlacedValue,
} from '../actionNode/operations';
import { choicesOf, listPlaces } from '../fields';

const sandbox = useSandbox();

type Value = INodeParameters[string];

/** Number of requests per operation. Each request uses different field values. */
const ROUNDS = 4;

/** Fixed values for fields with these names. */
const BY_NAME: Record<string, Value> = {
	groupId: 'all-hands',
	userId: 'leo',
	onBehalfOf: 'mira',
	owner: 'mira',
	avatar: 'https://assets.example.com/a.png',
	role: 'support',
	roles: ['support'],
	sender: 'mira',
	uids: ['leo', 'priya'],
	admins: ['leo'],
	moderators: ['noor'],
	participants: ['yuki', 'nobody'],
	mentionedUids: ['leo', 'priya'],
	email: 'ann@example.com',
	messageId: '101',
	size: '7',
	url: 'https://assets.example.com/a?b=c&d',
	card: '{"version": "1.0", "body": [{"type": "text", "content": "Hi"}]}',
	attachmentsJson: '[{"url": "https://assets.example.com/a.png"}]',
	timeout: 60_000,
	hosts: ['files.example.com'],
};

/** Returns a sample value for a field. Most fields get a different value in each round. */
function valueFor(field: Field, round: number): Value {
	const { name, type, typeOptions, options = [] } = field;
	if (name in BY_NAME) return BY_NAME[name];
	const isRole = typeOptions?.loadOptionsMethod === 'getRoles';
	const choices = isRole ? ['default', 'support'] : choicesOf(field).map(({ value }) => value);
	const several = typeOptions?.multipleValues === true;
	const text = ['word', 'R&D/ü 100%', '大阪 "x"', '?a=b#c'][round];
	const values: Record<string, () => Value> = {
		boolean: () => round % 2 === 0,
		number: () => (typeOptions?.minValue ?? 1) + round,
		json: () => '{"deep": [1, null]}',
		// A time range must end after it starts
		dateTime: () =>
			(name === 'toTimestamp'
				? ['2026-08-01', 1_754_300_001]
				: ['2025-08-01T00:00:00Z', 1_754_300_000])[round % 2],
		options: () => choices[round % choices.length],
		multiOptions: () => choices.slice(0, round + 1),
		collection: () =>
			filled(
				options.filter((option) => 'type' in option),
				round,
			),
		fixedCollection: () =>
			Object.fromEntries(
				options.flatMap((option) =>
					'values' in option ? [[option.name, [filled(option.values, round)]]] : [],
				),
			),
		string: () => (several ? [text, 'two words'] : text),
	};
	return values[type]?.();
}

const filled = (fields: Field[], round: number): INodeParameters =>
	Object.fromEntries(fields.map((field) => [field.name, valueFor(field, round)]));

/** Returns the names of the query parameters that the fields send. */
const queryOf = (fields: Field[]): string[] =>
	listPlaces(fields).flatMap(({ field: { routing: { send } = {} } }) =>
		send?.type === 'query' && send.property ? [send.property] : [],
	);

const UNFILLED = ['resource', 'operation', 'output', 'fields', 'returnAll', 'limit'];

describe('Requests with all fields, and their responses, match the contract', () => {
	test.each(OPERATIONS)('$name', async (operation) => {
		const fields = fieldsOf(operation).filter(({ name }) => !UNFILLED.includes(name));
		const asked = new Set<string>();
		// Of two fields that exclude each other, both are sent in turn
		const rounds = Array.from({ length: ROUNDS }, (_, round) =>
			[false, true].map((isLater) => ({ round, isLater })),
		);
		for (const { round, isLater } of rounds.flat()) {
			const collections = fields.filter(({ type }) => type === 'collection');
			const parameters: INodeParameters = {
				...filled(fields, round),
				...operation.parameters,
				...filled(collections, round),
			};
			// CometChat only lets group members list replies
			if (operation.key === 'message listReplies') parameters.onBehalfOf = 'noor';
			const placed = listPlaces(fields).map(({ field, parents: [outer] }): PlacedValue => {
				const container = Object(outer ? parameters[outer.name] : parameters);
				const value: unknown = container[field.name];
				return { field, value, remove: () => void (container[field.name] = undefined) };
			});
			if (!removeContradictions(placed, isLater) && isLater) continue;
			const { error } = await run(sandbox(), parameters, { onError: 'continueRegularOutput' });
			if (error) throw error;
			expect(sandbox().violations).toEqual([]);
			expect(sandbox().log.length).toBeGreaterThan(0);
			expect(sandbox().log.flatMap(({ notes = [] }) => notes)).toEqual([]);
			for (const { query } of sandbox().log) for (const name of Object.keys(query)) asked.add(name);
			sandbox().reset();
		}
		expect([...asked]).toEqual(expect.arrayContaining(queryOf(fields)));
	});
});
