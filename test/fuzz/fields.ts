import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Field } from '../../nodes/CometChat/types';
import { fieldsOf, removeContradictions, type OperationCase } from '../actionNode/operations';
import { choicesOf, isLeaf, listPlaces, setAtPath } from '../fields';
import { hostile } from './hostile';

/** A field and its path in the parameters, e.g. "filters.tags" for a field in a collection. */
export interface Place {
	path: string;
	field: Field;
}

/** Fields that select the operation, so their values stay fixed. */
const NOT_VARIED = ['resource', 'operation'];

/** Fixed values for the time limits, so that time limits neither slow down nor fail a run. */
const LIMITS: Record<string, number> = { maxWait: 5, timeout: 60_000 };

/** Fields that are never set, because the node rejects them in combination with some other fields. */
const NOT_TOGETHER = [
	...['group create additionalFields.owner', 'group update updateFields.owner'],
	'user update updateFields.unset',
];

/** Lists an operation's fields, including fields in collections. */
const placesOf = (operation: OperationCase): Place[] =>
	listPlaces(fieldsOf(operation).filter(({ name }) => !NOT_VARIED.includes(name)))
		.filter(isLeaf)
		.map(({ field, path }) => ({ path: path.join('.'), field }))
		.filter(({ path }) => !NOT_TOGETHER.includes(`${operation.key} ${path}`));

/** Builds an operation's parameters from the values that `read` returns for each field. */
function parametersWith(
	operation: OperationCase,
	read: (place: Place) => INodeParameters[string] | undefined,
): INodeParameters {
	const { resource, operation: name } = operation.parameters;
	const parameters: INodeParameters = { resource, operation: name };
	for (const place of placesOf(operation)) {
		const value = read(place);
		if (value !== undefined) setAtPath(parameters, place.path.split('.'), value);
	}
	return parameters;
}

const IDS = ['groupId', 'userId', 'onBehalfOf', 'guid', 'uid', 'owner', 'sender'];

const LISTS_OF_IDS = ['mentionedUids', 'uids', 'admins', 'moderators', 'participants'];

const id = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);

// Excludes strings that start with an equals sign, because n8n would evaluate them as expressions
const word = fc.stringMatching(/^[\p{L}\p{N}&+#?/%][\p{L}\p{N}&=+#?/%]{0,8}( [a-z]{1,3})?$/u);

const url = word.map((path) => `https://files.example.com/${path}`);

/** Draws random values that the field accepts, in an item without files. */
function drawPlain(field: Field) {
	const { name, type, typeOptions } = field;
	const fixed = choicesOf(field)
		.map(({ value }) => String(value))
		.filter((value) => !(name === 'specifyAttachments' && value === 'binary'));
	// A list that the node loads from the app takes any text
	const choice = fixed.length > 0 ? fc.constantFrom(...fixed) : word;
	if (name in LIMITS) return fc.constant(LIMITS[name]);
	if (name === 'messageId') return fc.integer({ min: 1, max: 10 ** 9 }).map(String);
	if (LISTS_OF_IDS.includes(name)) return fc.uniqueArray(id, { minLength: 1, maxLength: 5 });
	if (IDS.includes(name)) return id;
	if (name === 'url') return url;
	if (name === 'hosts') return fc.uniqueArray(fc.domain(), { minLength: 1, maxLength: 3 });
	if (name === 'attachmentsJson')
		return fc.uniqueArray(url, { minLength: 1 }).map((urls) => JSON.stringify(urls));
	if (name === 'card')
		return fc.array(word, { minLength: 1, maxLength: 3 }).map((texts) => {
			const body = texts.map((text, index) => ({
				type: 'text',
				id: `text_${index}`,
				content: text,
			}));
			return JSON.stringify({ version: '1.0', body, fallbackText: texts[0] });
		});
	if (name === 'email') return id.map((user) => `${user}@example.com`);
	if (type === 'boolean') return fc.constant(true);
	if (type === 'options') return choice;
	if (type === 'multiOptions') return fc.uniqueArray(choice, { minLength: 1 });
	if (type === 'number') return fc.integer({ min: typeOptions?.minValue ?? 1, max: 60 });
	if (type === 'dateTime') {
		// A time range's end must be later than its start
		const min = name === 'toTimestamp' ? 1_800_000_000 : 1_600_000_000;
		return fc.integer({ min, max: min + 100_000_000 });
	}
	if (type === 'json') {
		return fc
			.dictionary(
				fc.stringMatching(/^[a-z]{1,5}$/),
				fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
				{ minKeys: 1 },
			)
			.map((value) => JSON.stringify(value));
	}
	const several = typeOptions?.multipleValues;
	return several ? fc.uniqueArray(word, { minLength: 1, maxLength: 4 }) : word;
}

const ALSO_NEEDED = [
	...['onBehalfOf', 'attachmentsJson'],
	...['updateFields.name', 'updateFields.password', 'updateFields.tags'],
];

/** True if leaving this field empty may keep the node from sending a request. */
const isNeeded = ({ path, field }: Place) =>
	field.required === true || field.whenEmpty === 'refuse' || ALSO_NEEDED.includes(path);

/** True if the values of other fields hide an optional field. The node rejects hidden fields. */
function isHidden({ field: { required, displayOptions } }: Place, values: IDataObject): boolean {
	const conditions = Object.entries(displayOptions?.show ?? {});
	const isBroken = conditions.some(([path, allowed = []]) => {
		const chosen = values[path.replace(/^\//, '')];
		// A condition such as "starts with =" shows the field for an expression, which is never drawn
		if (allowed.some((condition) => typeof condition === 'object')) return true;
		return chosen !== undefined && !allowed.includes(chosen as never);
	});
	return isBroken && required !== true;
}

type Filled = fc.Arbitrary<IDataObject>;

function valuesOf(operation: OperationCase, isAlwaysSet: (place: Place) => boolean): Filled {
	const places = placesOf(operation);
	const values = places.map((place) => {
		const value: fc.Arbitrary<unknown> = drawPlain(place.field);
		return isAlwaysSet(place) ? value : fc.option(value, { nil: undefined });
	});
	return fc
		.tuple(...values)
		.map((all) => {
			const values = Object.fromEntries(places.map(({ path }, index) => [path, all[index]]));
			const shown = places.filter((place) => !isHidden(place, values as IDataObject));
			// A parameter can have two properties, of which the other choices show one
			const drawn = Object.fromEntries(
				shown.map((place) => [place.path, all[places.indexOf(place)]]),
			);
			removeContradictions(
				shown.map(({ path, field }) => ({
					field,
					value: drawn[path],
					remove: () => void (drawn[path] = undefined),
				})),
			);
			return drawn;
		})
		.map((all): IDataObject => JSON.parse(JSON.stringify(all)));
}

/** Draws valid values for all required fields and for a random subset of the optional fields. */
export const plainValues = (operation: OperationCase): Filled => valuesOf(operation, isNeeded);

/** Draws hostile values for one to three fields, and valid values for all other fields. */
export function hostileValues(operation: OperationCase): Filled {
	const varied = placesOf(operation).filter(({ field }) => !(field.name in LIMITS));
	const paths = varied.map(({ path }) => path);
	const changes = fc.dictionary(fc.constantFrom(...paths), hostile, { minKeys: 1, maxKeys: 3 });
	return fc
		.tuple(
			valuesOf(operation, () => true),
			changes,
		)
		.map(([values, changed]): IDataObject => {
			const omitted = Object.fromEntries(placesOf(operation).map(({ path }) => [path, null]));
			return { ...omitted, ...values, ...(changed as IDataObject) };
		});
}

/** Builds parameters that consist of expressions, which read the values from the input item. */
export const fromItem = (operation: OperationCase): INodeParameters =>
	parametersWith(operation, ({ path }) => `={{ $json[${JSON.stringify(path)}] }}`);

/** Builds parameters that contain the given values, as if a user had typed them. */
export const asTyped = (operation: OperationCase, values: IDataObject): INodeParameters =>
	parametersWith(operation, ({ path }) => values[path] as INodeParameters[string] | undefined);
