/**
 * Writes every file that follows from the nodes' descriptions: docs/operations.md, the fields in
 * docs/events.md, the columns in docs/output-and-errors.md, the table of operations in the README,
 * the search words in the codex file, and the output schemas. With `--check`, reports stale files
 * and wrong links, anchors and commands in the pages instead. Reads the built node.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { codexText } from './codex';
import type { Entity, Operation } from '../../nodes/CometChat/description/types';
import { group } from '../../nodes/CometChat/resources/group/entity';
import { report } from '../../nodes/CometChat/resources/moderation/entity';
import { resources } from '../../nodes/CometChat/resources';
import { requestOptions } from '../../nodes/CometChat/fields/requestOptions';
import { triggerProperties } from '../../nodes/CometChat/polling/properties';
import { EVENTS, labelOf } from '../../nodes/CometChat/trigger/events';
import { columnsOfEvent } from '../../nodes/CometChat/trigger/items';
import { webhookProperties } from '../../nodes/CometChat/trigger/properties';
import { ROOT, between, formatted, table } from './markdown';
import { findWrongReferences } from './pages';
import { SCHEMAS, schemaFiles } from './schemas';

const GENERATED =
	'<!-- Written by "npm run docs" from the descriptions of the nodes: change those instead. -->';

/** Operations that come first, because the package was made for them. */
const FIRST = ['group list', 'message get', 'message removeReaction'];

/** Fields of all operations, explained once. */
const OF_EVERY_OPERATION = ['output', 'fields', 'requestOptions'];

/** Fields of the triggers, by node name. */
const TRIGGERS: Record<string, INodeProperties[]> = {
	'CometChat Trigger': webhookProperties,
	'CometChat Polling Trigger': triggerProperties,
};

const isField = (option: object): option is INodeProperties => 'type' in option;
const isOption = (option: object): option is INodePropertyOptions => 'value' in option;
const isOwn = ({ name }: INodeProperties) => !OF_EVERY_OPERATION.includes(name);

/** All operations, in the order of the pages. */
const all = resources.flatMap(({ name, value, operations }) =>
	operations
		.toSorted((a, b) => rankOf(`${value} ${a.value}`) - rankOf(`${value} ${b.value}`))
		.map((operation) => ({ name, operation })),
);

function rankOf(operation: string): number {
	const rank = FIRST.indexOf(operation);
	return rank < 0 ? FIRST.length : rank;
}

/** Maximum values of a field without a table of its own. */
const LONG_LIST = 8;

const choicesOf = ({ options = [] }: INodeProperties) => options.filter(isOption);
const isLong = (field: INodeProperties) => choicesOf(field).length > LONG_LIST;

function valuesTable(field: INodeProperties): string {
	const rows = choicesOf(field).map(({ name, value, description }) => [
		`${name} (\`${String(value)}\`)`,
		sentence(description),
	]);
	return table([field.displayName, 'What it is'], rows);
}

const sentence = (text = '') => {
	// n8n requires this sentence in every field with several values
	const own = text.replace(
		/Choose from the list, or specify IDs using an <a [^>]+>expression<\/a>\.? ?/,
		'',
	);
	const linked = own.replace(/<a href="([^"]+)">([^<]+)<\/a>/g, '[$2]($1)');
	return /[.!?]$/.test(linked) || linked === '' ? linked : `${linked}.`;
};

/** Description of a field with its values and its default. */
function explained(field: INodeProperties, hasDefault = true): string {
	const { type, description, hint, default: value } = field;
	const choices = choicesOf(field);
	const names = choices.map(({ name, description: more }) =>
		more ? `**${name}** (${more})` : `**${name}**`,
	);
	const chosen = choices.find((choice) => choice.value === value)?.name;
	const shownDefault = type === 'number' ? String(value) : type === 'options' ? chosen : undefined;
	return [
		sentence(description),
		sentence(hint),
		names.length > 0 && !isLong(field) ? `${names.join(', ')}.` : '',
		shownDefault !== undefined && hasDefault ? `Default: ${shownDefault}.` : '',
	]
		.filter(Boolean)
		.join(' ');
}

/** Condition that shows a field, e.g. "Message Type: Text". */
function conditionOf({ displayOptions }: INodeProperties, fields: INodeProperties[]): string {
	return Object.entries(displayOptions?.show ?? {})
		.map(([path, values = []]) => {
			const field = fields.find(({ name }) => name === path.replace(/^\//, ''));
			const choices = field ? choicesOf(field) : [];
			const names = choices.filter(({ value }) => values.some((shown) => shown === value));
			if (names.length === 0) return '';
			return ` _(${field?.displayName}: ${names.map(({ name }) => name).join(', ')})_`;
		})
		.join('');
}

function innerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) =>
		'values' in option ? option.values : isField(option) ? [option] : [],
	);
}

/** A table row per field. A collection has a row per inner field. */
function rowsOf(fields: INodeProperties[]): string[][] {
	const row = (field: INodeProperties, collection?: INodeProperties) => {
		const required = field.required ? ' \\*' : '';
		const prefix = collection ? `${collection.displayName} → ` : '';
		const label = `${prefix}${field.displayName}${required}${conditionOf(field, fields)}`;
		// Fields of a collection have no default until a user adds them
		return [label, explained(field, collection === undefined)];
	};
	return fields.filter(isOwn).flatMap((field) => {
		const inner = innerFields(field);
		if (inner.length === 0) return [row(field)];
		return inner.filter(isOwn).map((entry) => row(entry, field));
	});
}

/** Columns of a simplified item. */
function columnsOf({ columns }: Entity): string {
	return Object.keys(columns)
		.map((name) => `\`${name}\``)
		.join(', ');
}

function entityOf({ response }: Operation): Entity {
	if ('one' in response) return response.one;
	return 'many' in response ? response.many : response.each;
}

/** A table of the operation's own fields, and the names of its shared fields. */
function fieldsText({ fields }: Operation, shared: Map<string, string>): string[] {
	const isShared = ([label, text]: string[]) => shared.get(label.replace(/ \\\*/, '')) === text;
	const rows = rowsOf(fields);
	const own = rows.filter((row) => !isShared(row));
	const others = rows.filter(isShared).map(([label]) => label);
	return [
		...(own.length > 0 ? [table(['Field', 'What it does'], own)] : []),
		...(others.length > 0 ? [`${own.length > 0 ? 'Also' : 'Fields'}: ${others.join(', ')}.`] : []),
	];
}

function operationText(name: string, operation: Operation, shared: Map<string, string>): string[] {
	const { method, url } = operation.routing?.request ?? {};
	return [
		`## ${name} ${operation.name}`,
		`${sentence(operation.description)} (\`${method} ${String(url)}\`)`,
		...fieldsText(operation, shared),
		...(operation.runs ? ['[Approvals](approvals.md) explains what it returns.'] : []),
	];
}

function operationsTable(): string {
	const rows = resources.map(({ name: resource }) => [
		resource,
		all
			.filter(({ name }) => name === resource)
			.map(({ operation }) => operation.name)
			.join(', '),
	]);
	return [
		`The **CometChat** node has ${all.length} operations. [Operations](docs/operations.md) has every field.`,
		table(['Resource', 'Operations'], rows),
	].join('\n\n');
}

/** Minimum number of operations that share a field for it to be explained once. */
const SHARED_BY = 3;

/** Rows of shared fields: label and description. */
function sharedRows(): Map<string, string> {
	const counts = new Map<string, number>();
	const key = ([label, text]: string[]) => JSON.stringify([label.replace(/ \\\*/, ''), text]);
	for (const { operation } of all) {
		for (const row of rowsOf(operation.fields)) {
			counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
		}
	}
	const often = [...counts].filter(([, count]) => count >= SHARED_BY);
	return new Map(often.map(([row]): [string, string] => JSON.parse(row)));
}

function operationsPage(): string {
	const often = sharedRows();
	return [
		'# Operations',
		GENERATED,
		'The fields of the **CometChat** node. Fields with a \\* are required. A field that you leave out or empty sends nothing.',
		'<img src="images/node-panel.png" width="385" alt="The actions of the node in the editor">',
		'Every operation also has these under **Settings**. **On Behalf Of** is under **Settings** if few need it.',
		table(
			['Field', 'What it does'],
			[
				[
					'Output, Fields',
					'How much of each result to return: see [Output](output-and-errors.md).',
				],
				...innerFields(requestOptions).map((field) => [
					`Request Options → ${field.displayName}`,
					explained(field),
				]),
			],
		),
		'These are the same in several operations, which only name them. Columns of **Simplified**: see [Columns](output-and-errors.md#columns).',
		table(['Field', 'What it does'], [...often]),
		...all.flatMap(({ name, operation }) => operationText(name, operation, often)),
	].join('\n\n');
}

function triggerFields(): string {
	return Object.entries(TRIGGERS)
		.flatMap(([name, properties]) => {
			const fields = properties.filter(({ type }) => type !== 'notice' && type !== 'hidden');
			return [
				`### ${name}`,
				table(['Field', 'What it does'], rowsOf(fields)),
				...fields
					.flatMap((field) => [field, ...innerFields(field)])
					.filter(isLong)
					.map(valuesTable),
			];
		})
		.join('\n\n');
}

/** Keys that distinguish two events of a type. */
function keysTable(): string {
	const rows = EVENTS.flatMap(({ key, ...event }) =>
		key ? [[labelOf(event), key.map((path) => `\`${path}\``).join(', ')]] : [],
	);
	return [
		'### Events and their keys',
		'All others are told apart by their whole content.',
		table(['Event', 'Told apart by'], rows),
	].join('\n\n');
}

/** Columns of all operations and events. */
function columnsTables(): string {
	const ofOperations = all.flatMap(({ name, operation }) =>
		operation.runs ? [] : [[`${name} → ${operation.name}`, columnsOf(entityOf(operation))]],
	);
	const events = new Map<string, string[]>();
	for (const event of EVENTS) {
		const columns = columnsOfEvent(event)
			.map((name) => `\`${name}\``)
			.join(', ');
		events.set(columns, [...(events.get(columns) ?? []), labelOf(event)]);
	}
	const ofEvents = [...events].map(([columns, labels]) => [labels.join(', '), columns]);
	const ofPolled = [
		['Message Reported', columnsOf(report)],
		['Group Created, Group Joined, Group Updated', columnsOf(group)],
	];
	return [
		GENERATED,
		table(['Operation', 'Columns'], ofOperations),
		table(['Event of CometChat Trigger', 'Columns'], ofEvents),
		table(['Event of CometChat Polling Trigger', 'Columns'], ofPolled),
	].join('\n\n');
}

function complain(sentence: string): void {
	console.error(sentence);
	process.exitCode = 1;
}

async function main(): Promise<void> {
	const codex = 'nodes/CometChat/CometChat.node.json';
	const documents = {
		[codex]: codexText(join(ROOT, codex), resources),
		'docs/operations.md': operationsPage(),
		'docs/events.md': between(
			'docs/events.md',
			'fields',
			[GENERATED, triggerFields(), keysTable()].join('\n\n'),
		),
		'docs/output-and-errors.md': between('docs/output-and-errors.md', 'columns', columnsTables()),
		'README.md': between('README.md', 'operations', `${GENERATED}\n\n${operationsTable()}`),
		...(await schemaFiles()),
	};
	const isCheck = process.argv.includes('--check');
	if (isCheck) findWrongReferences().forEach(complain);
	for (const path of globSync(`${SCHEMAS}/**/*.json`, { cwd: ROOT })) {
		if (path in documents) continue;
		if (!isCheck) rmSync(join(ROOT, path));
		else complain(`${path} belongs to no operation: run "npm run docs"`);
	}
	for (const [path, text] of Object.entries(documents)) {
		const file = join(ROOT, path);
		const page = await formatted(path, text);
		if (!isCheck) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, page);
		} else if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
			complain(`${path} is stale: run "npm run docs"`);
		}
	}
}

void main();
