import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A field as shown in the documentation, including the collection that contains the field. */
export interface FieldRow {
	name: string;
	label: string;
	collection?: string;
	isRequired: boolean;
	/** Condition under which the editor shows the field, e.g. "Message Type: Text" */
	condition: string;
	text: string;
	/** Sentence about the field's default, e.g. "Default: 50." */
	defaultText: string;
}

/** Maximum number of choices listed for a field. */
const MAX_CHOICES = 8;

/** Sentence that n8n's linter requires in every field with a list of choices. */
const CHOOSE_FROM_LIST =
	/Choose from the list, or specify (?:an ID|IDs) using an <a [^>]+>expression<\/a>/;

/** Common prefix of filter descriptions, which the collection's title replaces. */
const FILTER_PREFIX = /: List only (?:messages|groups|users|members) /;

const isField = (option: object): option is INodeProperties => 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

const choicesOf = ({ options = [] }: INodeProperties) => options.filter(isChoice);

export function toSentence(text = ''): string {
	const plain = text
		.replace(CHOOSE_FROM_LIST, '')
		.replace(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g, '[$2]($1)')
		// n8n's linter requires "Whether" in the descriptions of boolean fields
		.replace(/^Whether to (\w)/, (_, letter: string) => letter.toUpperCase());
	return /[.!?]$/.test(plain) || plain === '' ? plain : `${plain}.`;
}

/** Options without which nothing is limited, so that their default only suggests a value. */
const NO_LIMIT_UNLESS_ADDED = ['maxAge', 'perPage'];

/** Options that people add to turn something off. */
const ON_UNLESS_ADDED = ['updateMessage'];

/** Formats a field's default. Filters have no default, because they apply only after a user adds them. */
function defaultOf(field: INodeProperties, collection = ''): string {
	const { name, type, default: value } = field;
	const isAdded = collection !== '' && !/Options$/.test(collection);
	if (isAdded || NO_LIMIT_UNLESS_ADDED.includes(name)) return '';
	// An option that turns something on does nothing until it is added
	if (collection !== '' && value === true && !ON_UNLESS_ADDED.includes(name))
		return 'Off unless you add it.';
	const choice = choicesOf(field).find((each) => each.value === value)?.name;
	const isOn = value === true ? 'on' : 'off';
	const shown = typeof value === 'number' ? String(value) : type === 'boolean' ? isOn : choice;
	return shown === undefined ? '' : `Default: ${shown}.`;
}

/** Explains a field's purpose and its choices. */
function explain(field: INodeProperties): string {
	const choices = choicesOf(field);
	const names = choices.map(({ name, description }) =>
		description ? `${name} (${description})` : name,
	);
	const list = choices.length > MAX_CHOICES ? '' : names.join(', ');
	return [toSentence(field.description), toSentence(field.hint), toSentence(list)]
		.filter(Boolean)
		.join(' ');
}

/** Formats the conditions under which the editor shows a field, e.g. "Message Type: Text". */
function conditionOf({ displayOptions }: INodeProperties, fields: INodeProperties[]): string {
	const conditions = Object.entries(displayOptions ?? {}).flatMap(([kind, values]) =>
		Object.entries(Object(values) as Record<string, unknown[]>).map(([path, shown]) => {
			const field = fields.find(({ name }) => name === path.replace(/^\//, ''));
			const choices = field ? choicesOf(field) : [];
			const names = choices.filter(({ value }) => shown.includes(value)).map(({ name }) => name);
			if (field === undefined || names.length === 0) return '';
			return `${kind === 'hide' ? 'not ' : ''}${field.displayName}: ${names.join(', ')}`;
		}),
	);
	return conditions.filter(Boolean).join('; ');
}

function innerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) =>
		'values' in option ? option.values : isField(option) ? [option] : [],
	);
}

const isVisible = ({ type }: INodeProperties) => type !== 'notice' && type !== 'hidden';

/** Converts fields to rows. A collection becomes several rows, one per nested field. */
export function toRows(fields: INodeProperties[]): FieldRow[] {
	const rowOf = (field: INodeProperties, collection?: INodeProperties): FieldRow => ({
		name: field.name,
		label: field.displayName,
		collection: collection?.displayName,
		// A required field in a collection is required only if the user adds the field
		isRequired: field.required === true && collection?.type !== 'collection',
		condition: conditionOf(field, fields),
		text: explain(field),
		defaultText: defaultOf(field, collection?.displayName),
	});
	return fields.filter(isVisible).flatMap((field) => {
		const inner = innerFields(field).filter(isVisible);
		return inner.length === 0 ? [rowOf(field)] : inner.map((entry) => rowOf(entry, field));
	});
}

/** Returns a key that is the same for all fields with the same label and explanation. */
export const getMeaning = ({ label, text }: FieldRow): string => JSON.stringify([label, text]);

const star = ({ isRequired }: FieldRow) => (isRequired ? ' \\*' : '');

function lineOf(row: FieldRow): string {
	const place = row.condition === '' ? '' : ` _(${row.condition})_`;
	const text = [row.text, row.defaultText].filter(Boolean).join(' ');
	return `- **${row.label}**${star(row)}${place}: ${text}`;
}

/** Groups rows by collection, in order of first appearance. */
const groupByCollection = (rows: FieldRow[]) => [
	...Map.groupBy(rows, ({ collection }) => collection),
];

/** Formats fields and their explanations as a list. Nested fields are listed under their collection's name. */
export function listFields(rows: FieldRow[]): string {
	return groupByCollection(rows)
		.flatMap(([collection, own]) => {
			const lines = own.map(lineOf);
			if (collection === undefined) return lines;
			const isFilters = collection === 'Filters';
			const inner = isFilters ? lines.map((line) => line.replace(FILTER_PREFIX, ': ')) : lines;
			const title = `- **${collection}**${isFilters ? ': list only …' : ''}`;
			return [title, ...inner.map((line) => `  ${line}`)];
		})
		.join('\n');
}

/** Lists field names in a single line, each once, e.g. "Group \*, Limit; Filters: Tags, Type". */
export const listNames = (rows: FieldRow[]): string =>
	groupByCollection(rows)
		.map(([collection, own]) => {
			const names = [...new Set(own.map((row) => `${row.label}${star(row)}`))].join(', ');
			return collection === undefined ? names : `${collection}: ${names}`;
		})
		.join('; ');
