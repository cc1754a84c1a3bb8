import {
	NodeHelpers,
	type ICredentialType,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CometChatApi } from '../credentials/CometChatApi.credentials';
import { CometChatWebhookApi } from '../credentials/CometChatWebhookApi.credentials';
import { CometChat } from '../nodes/CometChat/CometChat.node';
import { CometChatBotTrigger } from '../nodes/CometChat/CometChatBotTrigger.node';
import { CometChatMemory } from '../nodes/CometChat/CometChatMemory.node';
import { CometChatPollingTrigger } from '../nodes/CometChat/CometChatPollingTrigger.node';
import { CometChatTrigger } from '../nodes/CometChat/CometChatTrigger.node';
import { getRowType } from '../nodes/CometChat/output/columns';
import type { Field } from '../nodes/CometChat/types';
import { botProperties } from '../nodes/CometChat/botTrigger/properties';
import { memoryProperties } from '../nodes/CometChat/memory/properties';
import { pollingProperties } from '../nodes/CometChat/pollingTrigger/properties';
import { EVENTS } from '../nodes/CometChat/webhookTrigger/events';
import { parameterFieldsToRead } from '../nodes/CometChat/webhookTrigger/properties';
import { ALL, urlsOf } from './actionNode/operations';
import { FURTHER, OPTIONAL_COLUMNS, readersOf } from './actionNode/oracle/columns';
import { LISTS, type ListCall } from './actionNode/oracle/lists';
import { choicesOf, listPlaces } from './fields';

const ROOT = join(__dirname, '..');
const FOLDER = join(ROOT, 'dist/nodes/CometChat');

const valuesOf = (property: Field) => choicesOf(property).map(({ value }) => value);

const nodes: Array<[string, INodeType]> = [
	['CometChat', new CometChat()],
	['CometChatBotTrigger', new CometChatBotTrigger()],
	['CometChatMemory', new CometChatMemory()],
	['CometChatPollingTrigger', new CometChatPollingTrigger()],
	['CometChatTrigger', new CometChatTrigger()],
];

const credentials: ICredentialType[] = [new CometChatApi(), new CometChatWebhookApi()];

const { description } = new CometChat();

type Shown = Pick<ICredentialType, 'displayName' | 'icon'>;

/** Lists the fields that the editor shows for these parameters. Missing parameters have their default values. */
function listShown(values: INodeParameters): INodeProperties[] {
	const node = { typeVersion: 1 };
	const resolved =
		NodeHelpers.getNodeParameters(description.properties, values, true, false, node, description) ??
		{};
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(resolved, property, node, description),
	);
}

const listShownNames = (values: INodeParameters) => listShown(values).map(({ name }) => name);

/** All of the node's operations, each with the parameters that select the operation. */
const operations = ALL.map(({ key, file, operation }) => {
	const [resource] = key.split(' ');
	return { key, file, operation, chosen: { resource, operation: operation.value } };
});

/** Lists an operation's fields, including fields that are hidden by the values of other fields. */
const fieldsOf = ({ resource, operation }: { resource: string; operation: string }) =>
	description.properties.filter(({ name, displayOptions: { show = {} } = {} }) => {
		if (['resource', 'operation'].includes(name)) return false;
		// The second of two properties for a field with an alternative
		if (JSON.stringify(show).includes('"startsWith":"="')) return false;
		const isIn = (value: string, name: string) => show[name]?.includes(value) ?? true;
		return isIn(resource, 'resource') && isIn(operation, 'operation');
	});

/** Maximum length of a line that lists a field's choices. Otherwise, each choice has its own line. */
const MAX_LINE = 120;

/** Lists what workflows store of each field, one line each: its path, type, default, and choices or modes. */
function listStored(properties: Field[]): string[] {
	return listPlaces(properties).flatMap(({ field, parents }) => {
		const path = [...parents, field].map(({ name }) => name).join('.');
		const line = `${path} ${field.type} ${JSON.stringify(field.default)}`;
		const modes = (field.modes ?? []).map(({ name }) => name);
		const values = [...valuesOf(field), ...modes].map(String);
		if (values.length === 0) return [line];
		const withChoices = `${line}: ${values.join(' | ')}`;
		if (withChoices.length <= MAX_LINE) return [withChoices];
		return [line, ...values.map((value) => `${path} = ${value}`)];
	});
}

test('Tags say that they replace tags in every operation that changes existing entities', () => {
	const changing = operations.filter(
		({ operation: { routing, response } }) =>
			routing?.request?.method === 'PUT' || ('one' in response && response.one.columns.existed),
	);
	const tags = changing.flatMap(({ key, chosen }) =>
		listPlaces(fieldsOf(chosen))
			.filter(({ field }) => field.name === 'tags')
			.map(({ field }) => [key, /\breplace all\b/.test(field.description ?? '')]),
	);
	expect(Object.fromEntries(tags)).toEqual({
		'group create': true,
		'group update': true,
		'message update': true,
		'user create': true,
		'user update': true,
	});
});

describe('What workflows store is unchanged', () => {
	const stored = operations.map(({ chosen }) => listStored(fieldsOf(chosen)));
	const inAll = stored.reduce((lines, others) => lines.filter((line) => others.includes(line)));

	test('in all operations', () => {
		expect(inAll.join('\n')).toMatchSnapshot();
	});

	test.each(operations)('in $key', ({ operation, chosen }) => {
		const { method, url } = operation.routing?.request ?? {};
		const own = listStored(fieldsOf(chosen)).filter((line) => !inAll.includes(line));
		expect(own).not.toEqual([]);
		const { columns, columnsShownIfFilled = {}, selectedOnlyColumns = {} } = getRowType(operation);
		const columnLines = Object.entries({ columns, columnsShownIfFilled, selectedOnlyColumns })
			.map(([kind, named]) => `${kind}: ${Object.keys(named).join(', ')}`)
			.filter((line) => !line.endsWith(': '));
		expect([`${method} ${url}`, ...columnLines, ...own].join('\n')).toMatchSnapshot();
	});

	test.each(nodes)('in %s beside its operations', (_name, { description: node }) => {
		const { name, version, credentials: used = [], webhooks = [], properties } = node;
		const own = properties.filter(({ name, displayOptions }) => {
			return name !== 'resource' && displayOptions?.show?.resource === undefined;
		});
		expect(
			[
				`${name}, version ${JSON.stringify(version)}`,
				...used.map((credential) => `credential: ${credential.name}`),
				...webhooks.map(({ httpMethod, path }) => `webhook: ${httpMethod} ${path}`),
				...listStored(own),
			].join('\n'),
		).toMatchSnapshot();
	});

	test.each(credentials)('in the credential $displayName', ({ name, properties }) => {
		expect([name, ...listStored(properties)].join('\n')).toMatchSnapshot();
	});

	test('in the keys of events', () => {
		const keys = EVENTS.map(({ trigger, key }) => `${trigger}: ${JSON.stringify(key)}`);
		expect(keys.join('\n')).toMatchSnapshot();
	});
});

/**
 * Formats a field as JSON, without the display conditions for resource and operation. The conditions of a field
 * with an alternative are tested in receiver.test.ts.
 */
function withoutUses({ displayOptions: { show = {}, hide } = {}, ...field }: Field) {
	if (field.alternative !== undefined) return JSON.stringify(field);
	const isUse = ([name]: [string, unknown]) => ['resource', 'operation'].includes(name);
	const conditions = Object.entries(show).filter((entry) => !isUse(entry));
	return JSON.stringify([field, conditions, hide]);
}

test('The credential shows App ID, or Base URL for a custom base URL', () => {
	const { properties } = new CometChatApi();
	const shownFor = (region: string) =>
		properties
			.filter((property) => NodeHelpers.displayParameter({ region }, property, null, null))
			.map(({ name }) => name)
			.filter((name) => ['appId', 'baseUrl'].includes(name));
	expect([shownFor('us'), shownFor('custom')]).toEqual([['appId'], ['baseUrl']]);
});

describe('An operation', () => {
	test.each(operations)('$key shows its fields in order', ({ operation, chosen }) => {
		expect(fieldsOf(chosen).map(withoutUses)).toEqual(operation.fields.map(withoutUses));
	});

	test('shares equal fields with other operations to keep the description small', () => {
		expect(JSON.stringify(description).length).toBeLessThanOrEqual(120_000);
		// A new operation may raise this number, after it shares what it can
		expect(description.properties.length).toBeLessThanOrEqual(130);
	});

	test('labels a field as the other operations of its resource do', () => {
		const labels = new Map<string, Set<string>>();
		for (const { chosen } of operations) {
			for (const { field } of listPlaces(fieldsOf(chosen))) {
				const key = `${chosen.resource} ${field.name}`;
				labels.set(key, (labels.get(key) ?? new Set()).add(field.displayName));
			}
		}
		const several = [...labels].filter(([, { size }]) => size > 1);
		expect(Object.fromEntries(several.map(([key, each]) => [key, [...each].sort()]))).toEqual({
			'group scope': ['Add As', 'New Scope'],
			'message onBehalfOf': ['On Behalf Of', 'Reacted By', 'Send As'],
			'message receiverType': ['Receiver Type', 'Send To'],
		});
	});

	test('has its own file, which its resource imports', () => {
		const files = globSync('nodes/CometChat/**/*.operation.ts', { cwd: ROOT });
		expect(operations.map(({ file }) => file).sort()).toEqual(files.sort());
	});

	test.each(operations)('$key contains no code', ({ file }) => {
		expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(
			/=>|function|\b(?:if|for|return)\b \(/,
		);
	});

	/** Order of the fields that several operations have. An operation's own fields come first. */
	const ORDER = [
		['onBehalfOf'],
		['returnAll', 'limit'],
		['filters'],
		['options', 'additionalFields', 'updateFields'],
		['sort'],
		['output', 'fields'],
		['requestOptions'],
	];

	test.each(operations)(
		'$key shows its fields in the order of all operations, and only Request Options under Settings',
		({ operation, chosen }) => {
			const shown = listShown(chosen).slice(2);
			const names = shown.map(({ name }) => name);
			expect(names).toEqual([...new Set(names)]);
			const ranks = names.map((name) => ORDER.findIndex((group) => group.includes(name)));
			expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
			const settings = shown.filter(({ isNodeSetting }) => isNodeSetting);
			expect(settings.map(({ name }) => name)).toEqual(['requestOptions']);
			expect(names.includes('output')).toBe(!operation.hasOwnRunner);
		},
	);

	test.each(operations)(
		'$key describes a change that is sent only once, and names the fields of what runs in order unless it only reads',
		({ file, operation, chosen }) => {
			const { changeWords, routing, sequentialBy } = operation;
			const { method = 'GET' } = routing?.request ?? {};
			expect({
				file,
				change: changeWords !== undefined,
				sequentialBy: sequentialBy !== undefined,
			}).toEqual({
				file,
				change: ['POST', 'PATCH'].includes(method),
				sequentialBy: method !== 'GET',
			});
			if (Array.isArray(sequentialBy)) {
				expect(listShownNames(chosen)).toEqual(expect.arrayContaining(sequentialBy));
			}
		},
	);

	// n8n's Slack node shows 7 fields for Send, 6 for Get Many, and 9 for Send and Wait
	test.each(operations)('$key shows at most 10 fields at first sight', ({ chosen }) => {
		const shown = listShown(chosen).filter(({ isNodeSetting }) => !isNodeSetting);
		expect(shown.slice(0, 2).map(({ name }) => name)).toEqual(['resource', 'operation']);
		expect(shown.length).toBeLessThanOrEqual(10);
	});

	test.each(operations.filter(({ operation }) => !operation.hasOwnRunner))(
		'$key offers its outputs, and a limit if it lists entities',
		({ operation, chosen }) => {
			const shown = listShown(chosen);
			const names = shown.map(({ name }) => name);
			expect(names).not.toContain('fields');
			expect(listShownNames({ ...chosen, output: 'fields' })).toContain('fields');
			const isList = 'many' in operation.response;
			const output = shown.find(({ name }) => name === 'output');
			expect(output && valuesOf(output)).toEqual([
				...['simplified', 'raw', 'fields'],
				...(isList ? ['pages'] : []),
			]);
			expect([names.includes('returnAll'), names.includes('limit')]).toEqual([isList, isList]);
			expect(listShownNames({ ...chosen, returnAll: true })).not.toContain('limit');
		},
	);

	test.each(operations.filter(({ key }) => key in LISTS))(
		'$key has the filters of its list in the oracle',
		({ key, operation }) => {
			const named = listPlaces(operation.fields)
				.filter(({ parents: [outer] }) => outer?.name === 'filters')
				.map(({ path }) => path.join('.'));
			const known = Object.keys(LISTS[key].fields).filter((path) => path.startsWith('filters.'));
			const file = 'test/actionNode/oracle/lists.ts';
			expect([
				...named
					.filter((path) => !known.includes(path))
					.map((path) => `${file} has no ${path} of ${key}`),
				...known
					.filter((path) => !named.includes(path))
					.map((path) => `${file} has ${path}, which ${key} lacks`),
			]).toEqual([]);
		},
	);

	test.each(operations.filter(({ key }) => key in LISTS))(
		'$key has the columns of its list in the oracle',
		({ key, operation: { response } }) => {
			const entity = 'many' in response ? response.many : undefined;
			const columns = {
				...entity?.columns,
				...entity?.columnsShownIfFilled,
				...entity?.selectedOnlyColumns,
			};
			// Only the list of moderation has queues, each with columns of its own
			const shown = ['flagged', 'blocked', 'reviewed'].map((queue) =>
				LISTS[key].columns({ values: { queue } } as unknown as ListCall),
			);
			const known = shown.flatMap((each) =>
				[each, OPTIONAL_COLUMNS.get(each), FURTHER.get(each)].flatMap((text) =>
					text === undefined ? [] : [...readersOf(text).keys()],
				),
			);
			expect([...new Set(known)].sort()).toEqual(Object.keys(columns).sort());
		},
	);

	test('has a list in the oracle if it lists entities', () => {
		const lists = operations.filter(({ operation }) => 'many' in operation.response);
		expect(Object.keys(LISTS).sort()).toEqual(lists.map(({ key }) => key).sort());
	});

	test.each(operations)(
		'$key fills its path from required fields only',
		({ operation, chosen }) => {
			const [url, ...others] = urlsOf(operation);
			for (const each of [url, ...others]) expect(each).toMatch(/^(?:\/(?:[\w-]+|\{\w+\}))+$/);
			const required = listShown(chosen).filter((property) => property.required);
			const names = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			expect(required.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
		},
	);
});

test.each<[string, Field[]]>([
	...operations.map(({ key, operation }): [string, Field[]] => [key, operation.fields]),
	['CometChatBotTrigger', botProperties],
	['CometChatMemory', memoryProperties],
	['CometChatPollingTrigger', pollingProperties],
	['CometChatTrigger', parameterFieldsToRead],
])('%s checks IDs that are typed or made by an expression', (_name, fields) => {
	const ids = listPlaces(fields)
		.map(({ field }) => field)
		.filter(({ type, name }) => type === 'resourceLocator' || /Ids?$|^uid|^guid|^muid/.test(name));
	const unchecked = ids.filter(({ check }) => check === undefined);
	expect(unchecked.map(({ name }) => name)).toEqual([]);
});

/** Maximum characters in an option's description. n8n's menu shows two lines of about 60 characters. */
const MAX_OPTION_TEXT = 105;

/** Maximum characters in a field's description. n8n shows it in a small tooltip. */
const MAX_DESCRIPTION = 160;

/** Maximum characters in a hint. n8n shows it in one line below the field. */
const MAX_HINT = 100;

/** Returns a text as users see it, without its HTML tags. */
const toVisibleText = (text: string) => text.replace(/<[^>]+>/g, '');

/** Lists the rules in n8n's style guide that a field's label or description breaks. */
function findBrokenRules(field: INodeProperties): string[] {
	const { displayName, name, type, description: about = '', placeholder = '', typeOptions } = field;
	const { hint = '' } = field;
	const optionTexts = choicesOf(field).flatMap((option) => option.description ?? []);
	const texts = [about, ...optionTexts];
	const isOneSentence = (text: string) => !/(?<!e\.g)[.!?]\s+\S/.test(text);
	const choices = valuesOf(field);
	const isChoice = ['options', 'multiOptions'].includes(type);
	const chosen = [field.default].flat();
	const labels = (field.options ?? []).flatMap((option) =>
		'type' in option ? option.displayName : [],
	);
	const rules: Array<[boolean, string]> = [
		[/^[A-Z]/.test(displayName), 'has a label in Title Case'],
		[/^[A-Z]/.test(about), 'has a description'],
		[
			choicesOf(field).every((option) => option.name !== '') &&
				optionTexts.every((text) => /^[A-Z]/.test(text)),
			'names and describes its options',
		],
		[texts.every((text) => text.endsWith('.') !== isOneSentence(text)), 'ends texts as n8n does'],
		[!/\p{Extended_Pictographic}/u.test(JSON.stringify(field)) || name === 'reaction', 'no emoji'],
		[
			optionTexts.every(({ length }) => length <= MAX_OPTION_TEXT),
			'fits the descriptions of its options',
		],
		[toVisibleText(about).length <= MAX_DESCRIPTION, 'fits its description'],
		[field.hint !== '' && toVisibleText(hint).length <= MAX_HINT, 'has and fits its hint'],
		[type !== 'boolean' || about.startsWith('Whether '), 'says "Whether"'],
		[type !== 'string' || placeholder.startsWith('e.g. '), 'shows an example'],
		[
			!['filters', 'options'].includes(name) || labels.join() === [...labels].sort().join(),
			'sorts its fields by label',
		],
		[!/collection/i.test(type) || /^(Add|Change) [A-Z]/.test(placeholder), 'names what it adds'],
		[
			!typeOptions?.multipleValues || /^Add [A-Z]/.test(typeOptions.multipleValueButtonText ?? ''),
			'names what one value is',
		],
		[
			!isChoice ||
				typeOptions?.loadOptionsMethod !== undefined ||
				(field.required && field.default === '') ||
				chosen.every((value) => choices.some((choice) => choice === value)),
			'default',
		],
	];
	return rules.flatMap(([isKept, rule]) => (isKept ? [] : [`${displayName} (${name}): ${rule}`]));
}

/** Lists the names of the methods that load a field's choices. */
const listLoaders = ({ typeOptions, modes = [] }: INodeProperties): string[] =>
	[
		typeOptions?.loadOptionsMethod ?? [],
		modes.map((mode) => mode.typeOptions?.searchListMethod ?? []),
	].flat(2);

/** Fields that take no expression, by node. */
const WITHOUT_EXPRESSION: Record<string, string[]> = {
	CometChat: ['resource', 'operation'],
	CometChatPollingTrigger: ['event', 'watch'],
	CometChatTrigger: ['watch'],
};

describe.each(nodes)('%s', (name, node) => {
	test("follows n8n's style guide", () => {
		const fields = listPlaces(node.description.properties)
			.map(({ field }) => field)
			.filter(({ type }) => type !== 'notice' && type !== 'hidden');
		expect(fields.length).toBeGreaterThan(3);
		expect(fields.flatMap(findBrokenRules)).toEqual([]);
	});

	test('is called on the canvas what the node panel calls it', () => {
		expect(node.description.defaults.name).toBe(node.description.displayName);
	});

	test('names the field in the message for an invalid ID', () => {
		expect(JSON.stringify(node.description.properties)).not.toContain('{label}');
	});

	test('has the methods that load the choices of its fields, and no others', () => {
		const { loadOptions, listSearch } = node.methods ?? {};
		const places = listPlaces(node.description.properties);
		const loaders = new Set(places.flatMap(({ field }) => listLoaders(field)));
		expect(Object.keys({ ...loadOptions, ...listSearch }).sort()).toEqual([...loaders].sort());
	});

	test('takes no expression in fields whose choice the editor has to know', () => {
		const fields = listPlaces(node.description.properties).map(({ field }) => field);
		const names = fields.filter((field) => field.noDataExpression).map((field) => field.name);
		expect([...new Set(names)]).toEqual(WITHOUT_EXPRESSION[name] ?? []);
	});

	test('shows fields after those on which they depend', () => {
		const { properties } = node.description;
		const early = properties.flatMap(({ name, displayOptions: { show, hide } = {} }, index) => {
			const before = properties.slice(0, index).map((property) => property.name);
			return (
				Object.keys({ ...show, ...hide })
					.map((path) => path.replace(/^\//, ''))
					// Options come last, even if a field depends on one of them
					.filter((needed) => !/^@|\./.test(needed) && !before.includes(needed))
					.map((needed) => `${name} is above ${needed}`)
			);
		});
		expect(early).toEqual([]);
	});

	test('has English texts, without letters of other alphabets or with accents', () => {
		const { properties, ...own } = node.description;
		const texts = JSON.stringify([own, properties]);
		expect(texts.length).toBeGreaterThan(1_000);
		expect(texts.match(/(?![a-z])\p{L}/giu)).toBeNull();
	});

	test('has a codex file with categories, search words and links', () => {
		const codex: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.node.json`), 'utf8'));
		const page = [{ url: expect.stringMatching(/^https:\/\//) }];
		expect(codex).toMatchObject({
			node: `n8n-nodes-cometchat.${node.description.name}`,
			categories: expect.arrayContaining([expect.any(String)]),
			alias: expect.arrayContaining([expect.any(String)]),
			resources: { primaryDocumentation: page, credentialDocumentation: page },
		});
	});
});

test.each(nodes)('The search words of %s are few, and none is there twice', (name) => {
	const { alias } = JSON.parse(readFileSync(join(FOLDER, `${name}.node.json`), 'utf8')) as {
		alias: string[];
	};
	expect(alias.length).toBeLessThanOrEqual(15);
	expect(new Set(alias.map((word) => word.toLowerCase())).size).toBe(alias.length);
});

test.each([
	...nodes.map(([, { description: type }]): [Shown, string] => [type, FOLDER]),
	...credentials.map((type): [Shown, string] => [type, join(ROOT, 'dist/credentials')]),
])('$displayName has two different icons', ({ icon }, folder) => {
	const files = Object.entries(typeof icon === 'object' ? icon : {}).sort();
	expect(files.map(([theme]) => theme)).toEqual(['dark', 'light']);
	const [dark, light] = files.map(([, file]) =>
		readFileSync(join(folder, file.replace(/^file:/, '')), 'utf8'),
	);
	expect([dark, light]).toEqual([expect.stringMatching(/^<svg/), expect.stringMatching(/^<svg/)]);
	expect(dark).not.toBe(light);
});
