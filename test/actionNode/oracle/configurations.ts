import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Settings } from '../../../tools/sandbox/settings';
import { listPlaces } from '../../fields';
import { DECLARED } from '../operations';
import { fieldsOf, type Given } from './expectedList';
import { LISTS, type Field } from './lists';

/** Values of one parameter for several input items. */
interface Drawn {
	/** `typed` uses the first value for all items. The other forms are expressions that read the item. */
	form: 'typed' | 'reference' | 'expression';
	values: unknown[];
}

/** A random configuration of the node. */
export interface Configuration {
	operation: string;
	drawn: Record<string, Drawn>;
	/** Number of input items. */
	count: number;
	/** The service's way to send pages. */
	paging: PagingSettings;
}

/** Settings of the sandbox that decide how pages are requested, and what they say about the rest of the list. */
export type PagingSettings = Pick<
	Settings,
	'threadPages' | 'nextShown' | 'limitShown' | 'emptyPage' | 'maxPerPage'
>;

const pagingSettings: fc.Arbitrary<PagingSettings> = fc.record({
	// The sandbox ignores page numbers in a thread that has cursors
	threadPages: fc.constantFrom('number', 'cursor'),
	nextShown: fc.constantFrom('more', 'always', 'never'),
	limitShown: fc.constantFrom('right', 'missing'),
	emptyPage: fc.constantFrom('list', 'null', 'object'),
	maxPerPage: fc.constantFrom(0, 0, 3),
});

const drawValues = ({ draw }: Field): fc.Arbitrary<Drawn> =>
	fc.record({
		form: fc.constantFrom('typed', 'typed', 'reference', 'expression'),
		// A misspelled expression returns undefined
		values: fc.array(fc.option(draw, { nil: undefined, freq: 150 }), {
			minLength: 3,
			maxLength: 3,
		}),
	});

/** Draws required parameters, about half of the optional ones, and at most two filters. */
function drawOperation(operation: string): fc.Arbitrary<Configuration> {
	const fields = fieldsOf(operation);
	const paths = Object.keys(fields);
	const isFilter = (path: string) => path.startsWith('filters.');
	const filters = paths.filter(isFilter);
	const frequent = filters.filter((path) => fields[path].isFrequent);
	const optional = paths.filter((path) => !isFilter(path) && !fields[path].isRequired);
	const required = paths.filter((path) => fields[path].isRequired);
	return fc
		.tuple(
			fc.subarray(optional),
			fc.subarray(filters, { maxLength: Math.min(2, filters.length) }),
			fc.subarray(frequent, { maxLength: Math.min(1, frequent.length) }),
			fc.integer({ min: 1, max: 3 }),
			pagingSettings,
		)
		.chain(([some, few, more, count, paging]) => {
			const drawn = [...new Set([...required, ...some, ...few, ...more])];
			const values = drawn.map((path) => drawValues(fields[path]));
			return fc.tuple(...values).map((all) => ({
				...{ operation, count, paging },
				drawn: Object.fromEntries(drawn.map((path, index) => [path, all[index]])),
			}));
		});
}

const WEIGHTS: Record<string, number> = {
	'group list': 4,
	'message list': 7,
	'user list': 2,
	'message listReplies': 2,
};

export const configurations: fc.Arbitrary<Configuration> = fc.oneof(
	...Object.keys(LISTS).map((operation) => ({
		...{ weight: WEIGHTS[operation] ?? 1, arbitrary: drawOperation(operation) },
	})),
);

/** Paths of parameters that the editor saves as an object with a mode. */
const LOCATORS = new Set(
	DECLARED.flatMap(({ operation }) => listPlaces(operation.fields))
		.filter(({ field }) => field.type === 'resourceLocator')
		.map(({ path }) => path.join('.')),
);

const SWITCHES = ['simplified', 'raw', 'fields', 'pages', 'group', 'user', 'app', true, false];

/** True if the editor can save a value. Only expressions return other values. */
function isSavable(operation: string, path: string, value: unknown): boolean {
	const characters = String(value).replace(/[\s,]/g, '');
	if (value === undefined || value === null) return false;
	if (['output', 'messagesOf', 'returnAll'].includes(path))
		return SWITCHES.includes(value as string);
	if (['messageId', 'fields'].includes(path)) return characters !== '';
	const isOptional = fieldsOf(operation)[path]?.isRequired !== true;
	if (LOCATORS.has(path)) return characters === '' ? isOptional : value !== 'no id';
	return true;
}

const isTyped = (operation: string, path: string, { form, values: [first] }: Drawn) =>
	form === 'typed' && isSavable(operation, path, first);

/** Returns an input item's parameters, with their expressions resolved. */
export const resolve = ({ operation, drawn, paging }: Configuration, item: number): Given => ({
	...{ operation, maxPerPage: paging.maxPerPage },
	values: Object.fromEntries(
		Object.entries(drawn).map(([path, each]) => [
			path,
			each.values[isTyped(operation, path, each) ? 0 : item],
		]),
	),
	isExpression: (path) => path in drawn && !isTyped(operation, path, drawn[path]),
});

/** Builds the node's parameters, and the input items that the expressions read. */
export function build({ operation: key, drawn, count }: Configuration) {
	const [resource, operation] = key.split(' ');
	// Retries of messages that a user can't see yet would take seconds
	const parameters: INodeParameters = { resource, operation, requestOptions: { maxTries: 1 } };
	const input: IDataObject[] = Array.from({ length: count }, () => ({}));
	for (const [path, each] of Object.entries(drawn)) {
		const name = path.replace('.', '_');
		const expression =
			each.form === 'reference' ? `={{ $json.${name} }}` : `={{ $json["${name}"] }}`;
		const inner = isTyped(key, path, each) ? each.values[0] : expression;
		// n8n checks the pattern of values in the mode 'id', and gives up after 250 ms if the machine is busy
		const value = LOCATORS.has(path) ? { __rl: true, mode: 'list', value: inner } : inner;
		const [outer, nested] = path.split('.');
		if (nested === undefined) parameters[outer] = value as string;
		else parameters[outer] = { ...Object(parameters[outer]), [nested]: value };
		input.forEach((item, index) => {
			if (each.values[index] !== undefined) item[name] = each.values[index];
		});
	}
	return { parameters, input };
}
