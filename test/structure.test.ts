import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodePropertyRouting,
	INodeType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { CometChat } from '../nodes/CometChat/CometChat.node';
import { CometChatPollingTrigger } from '../nodes/CometChat/CometChatPollingTrigger.node';
import { CometChatTrigger } from '../nodes/CometChat/CometChatTrigger.node';

const FOLDER = join(__dirname, '../dist/nodes/CometChat');

type Entry = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isOption = (entry: Entry): entry is INodePropertyOptions => 'value' in entry;

/** Properties and, after each collection, what is in it. */
function allProperties(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...allProperties((property.options ?? []).filter(isProperty)),
	]);
}

const nodes: Array<[string, INodeType]> = [
	['CometChat', new CometChat()],
	['CometChatPollingTrigger', new CometChatPollingTrigger()],
	['CometChatTrigger', new CometChatTrigger()],
];

const isNotice = ({ type }: INodeProperties) => type === 'notice';

const fields = nodes.flatMap(([node, { description }]) =>
	allProperties(description.properties.filter((property) => !isNotice(property))).map(
		(property): [string, INodeProperties] => [
			`${node}: ${property.displayName} (${JSON.stringify(property.displayOptions?.show ?? {})})`,
			property,
		],
	),
);

const { description } = new CometChat();

const optionsOf = (property: INodeProperties) => (property.options ?? []).filter(isOption);
const valuesOf = (property: INodeProperties) => optionsOf(property).map(({ value }) => value);

/** Whether n8n shows a property for these values; what they leave out has its default. */
function shownFor(values: INodeParameters): INodeProperties[] {
	const node = { typeVersion: 1 };
	const resolved =
		NodeHelpers.getNodeParameters(description.properties, values, true, false, node, description) ??
		{};
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(resolved, property, node, description),
	);
}

const namesShownFor = (values: INodeParameters) => shownFor(values).map(({ name }) => name);

const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) =>
		optionsOf(property).map(
			(option): { resource: string; operation: string; option: INodePropertyOptions } => ({
				resource: String(property.displayOptions?.show?.resource?.[0]),
				operation: String(option.value),
				option,
			}),
		),
	);

/** A field as workflows store it: its name, type, default and values; those inside it after it. */
function storedNames(properties: INodeProperties[], path = ''): string[] {
	return properties.flatMap((property) => {
		const { name, type, displayOptions, default: value } = property;
		const inner = (property.options ?? []).flatMap((option) =>
			'values' in option ? option.values : isProperty(option) ? [option] : [],
		);
		const values = valuesOf(property).length > 0 ? ` ${JSON.stringify(valuesOf(property))}` : '';
		const { resource = [], operation = [], ...shown } = displayOptions?.show ?? {};
		const where = [resource.join(), operation.join(), path + name].filter(Boolean).join(' / ');
		const when = Object.keys(shown).length > 0 ? ` when ${JSON.stringify(shown)}` : '';
		const line = `${where}: ${type} = ${JSON.stringify(value)}${values}${when}`;
		return [line, ...storedNames(inner, `${path}${name}.`)];
	});
}

describe('the names that workflows store', () => {
	test.each(nodes)('of %s are those of its first release', (_name, { description: node }) => {
		const { name, displayName, version, credentials = [] } = node;
		expect({
			name,
			displayName,
			version,
			credentials: credentials.map(({ name: type, required }) => ({ type, required })),
			parameters: storedNames(node.properties),
		}).toMatchSnapshot();
	});

	test('of resources and operations are those of the interface', () => {
		expect(operations.map(({ resource, operation }) => `${resource} ${operation}`).sort()).toEqual(
			[
				'group list',
				'message get',
				'message removeReaction',
				...['get', 'create', 'update', 'delete'].map((name) => `group ${name}`),
				...['listMembers', 'addMembers', 'removeMember'].map((name) => `group ${name}`),
				...['send', 'list', 'update', 'delete'].map((name) => `message ${name}`),
				...['addReaction', 'listReactions'].map((name) => `message ${name}`),
			].sort(),
		);
	});
});

describe('what is shown', () => {
	test('a new node lists groups', () => {
		const values = NodeHelpers.getNodeParameters(
			description.properties,
			{},
			true,
			false,
			{ typeVersion: 1 },
			description,
		);
		expect(values).toEqual({
			resource: 'group',
			operation: 'list',
			returnAll: false,
			limit: 50,
			onBehalfOf: { __rl: true, mode: 'list', value: '' },
			output: 'raw',
			filters: {},
			sort: {},
			options: {},
		});
	});

	test.each(operations)('$resource $operation shows each field once', (values) => {
		const names = namesShownFor({ resource: values.resource, operation: values.operation });
		expect(names).toEqual([...new Set(names)]);
	});

	test.each(operations)(
		'$resource $operation begins with what one always fills in, and ends with the options',
		({ resource, operation }) => {
			const shown = shownFor({ resource, operation }).slice(2);
			const names = shown.map(({ name }) => name);
			expect(names.at(-1)).toBe('options');
			expect(names.at(-2)).toBe('output');
			const optional = names.indexOf('onBehalfOf');
			if (optional < 0) return;
			for (const { name, required } of shown.slice(optional + 1)) {
				expect(`${name} ${required === true}`).toBe(`${name} false`);
			}
		},
	);

	test.each(operations)(
		'$resource $operation asks for the names of fields only for Selected Fields',
		({ resource, operation }) => {
			const values = { resource, operation };
			expect(namesShownFor(values)).not.toContain('fields');
			expect(namesShownFor({ ...values, output: 'fields' })).toContain('fields');
		},
	);

	test.each(operations.filter(({ resource, operation }) => isList(resource, operation)))(
		'$resource $operation has the limits that n8n itself looks at, and Pages',
		({ resource, operation }) => {
			const shown = shownFor({ resource, operation });
			expect(shown.find(({ name }) => name === 'returnAll')?.default).toBe(false);
			expect(shown.find(({ name }) => name === 'limit')).toMatchObject({
				default: 50,
				typeOptions: { minValue: 1 },
			});
			expect(namesShownFor({ resource, operation, returnAll: true })).not.toContain('limit');
			const output = shown.find(({ name }) => name === 'output');
			expect(output && valuesOf(output)).toEqual(['pages', 'raw', 'fields', 'simplified']);
		},
	);

	test('the outputs of all operations are the same, "raw" unless changed', () => {
		for (const { resource, operation } of operations) {
			const output = shownFor({ resource, operation }).find(({ name }) => name === 'output');
			expect(output?.default).toBe('raw');
			const pages = isList(resource, operation) ? ['pages'] : [];
			expect(output && valuesOf(output)).toEqual([...pages, 'raw', 'fields', 'simplified']);
		}
	});

	test('what the service demands is required, and nothing else', () => {
		const required = operations.map(({ resource, operation }) => {
			const names = shownFor({ resource, operation })
				.filter((property) => property.required)
				.map(({ name }) => name);
			return `${resource} ${operation}: ${names.join(', ')}`;
		});
		expect(required.sort()).toMatchSnapshot();
	});
});

function isList(resource: string, operation: string): boolean {
	return namesShownFor({ resource, operation }).includes('returnAll');
}

/** Every `routing` that is anywhere in the description, but for those of the operations themselves. */
function routingsIn(properties: INodeProperties[]): INodePropertyRouting[] {
	return properties
		.filter(({ name }) => name !== 'operation')
		.flatMap((property) => [
			...(property.routing ? [property.routing] : []),
			...optionsOf(property).flatMap(({ routing }) => routing ?? []),
			...routingsIn((property.options ?? []).filter(isProperty)),
		]);
}

describe('every request', () => {
	const isPath = /^(?:\/(?:[a-z]+|\{[a-zA-Z]+\}))+$/;

	test.each(operations)(
		'of $resource $operation has a method and a path that only the path module fills',
		({ resource, operation, option }) => {
			const { request } = option.routing ?? {};
			expect(['GET', 'POST', 'PUT', 'DELETE']).toContain(request?.method);
			const url = String(request?.url);
			// No expression, and nothing in it but fixed words and names in braces
			expect(url).toMatch(isPath);
			const required = shownFor({ resource, operation })
				.filter((property) => property.required)
				.map(({ name }) => name);
			for (const [, name] of url.matchAll(/\{(\w+)\}/g)) expect(required).toContain(name);
			expect(Object.keys(request ?? {}).sort()).toEqual(['method', 'url']);
		},
	);

	test.each(operations)(
		'of $resource $operation is sent by a pagination function',
		({ option }) => {
			expect(option.routing?.send).toEqual({ paginate: true });
			expect(typeof option.routing?.operations?.pagination).toBe('function');
		},
	);

	test('takes every other path from a field or an option, without an expression', () => {
		const urls = routingsIn(description.properties).flatMap(({ request }) => request?.url ?? []);
		expect(urls.length).toBeGreaterThan(0);
		for (const url of urls) expect(url).toMatch(isPath);
	});

	test("goes to the query, the body or the header that a field names in n8n's own words", () => {
		const routings = routingsIn(description.properties);
		expect(routings.length).toBeGreaterThan(50);
		for (const { send, request = {} } of routings) {
			if (send) expect(['query', 'body']).toContain(send.type);
			if (send) expect(send.property).toMatch(/^[a-zA-Z]+(?:\.[a-zA-Z]+)?$/);
			expect(['headers', 'body', 'url']).toEqual(
				expect.arrayContaining(Object.keys(request).filter((key) => key !== undefined)),
			);
			if (request.headers) expect(request.headers).toEqual({ onBehalfOf: '={{ $value }}' });
		}
	});

	test('has an address that no expression builds: the credential does', () => {
		expect(JSON.stringify(description.requestDefaults)).toBe('{}');
	});
});

describe('every field', () => {
	test.each(fields)(
		'%s has a label, a description and, if it can, a valid default',
		(_name, property) => {
			expect(property.displayName).toMatch(/^[A-Z]/);
			expect(property.description).toMatch(/\S/);
			expectDefault(property);
		},
	);

	test.each(fields)('%s ends its description as n8n wants it', (_name, property) => {
		const texts = [
			property.description,
			...optionsOf(property).map((option) => option.description),
		];
		for (const text of texts.filter((entry) => entry !== undefined)) {
			const isOneSentence = !/(?<!e\.g)[.!?]\s+\S/.test(text);
			expect(`${text}|`).toMatch(isOneSentence ? /[^.]\|$/ : /\.\|$/);
		}
	});

	test.each(fields)('%s has no emoji in the names of its options', (_name, property) => {
		for (const option of optionsOf(property)) {
			expect(option.name).not.toMatch(/\p{Extended_Pictographic}/u);
		}
		expect(property.displayName).not.toMatch(/\p{Extended_Pictographic}/u);
	});

	const collections = fields.filter(([, { type }]) => /collection/i.test(type));

	test.each(collections)('%s says on its button what it adds', (_name, property) => {
		expect(property.placeholder).toMatch(/^Add [A-Z]/);
		expect(property.options?.length).toBeGreaterThan(0);
	});

	test('there are collections at all', () => {
		expect(collections.length).toBeGreaterThanOrEqual(3);
	});

	const multiple = fields.filter(([, { typeOptions }]) => typeOptions?.multipleValues);

	test.each(multiple)('%s says on its button what one value is', (_name, { typeOptions }) => {
		expect(typeOptions?.multipleValueButtonText).toMatch(/^Add [A-Z]/);
	});

	test('there are fields with several values', () => {
		expect(multiple.length).toBeGreaterThanOrEqual(5);
	});

	const decisive = fields.filter(([, { name }]) =>
		['resource', 'operation', 'event'].includes(name),
	);

	test.each(decisive)('%s takes no expression: other fields depend on it', (_name, property) => {
		expect(property.noDataExpression).toBe(true);
	});

	test('the fields that others depend on are there', () => {
		const names = decisive.map(([, { name }]) => name);
		expect(new Set(names)).toEqual(new Set(['resource', 'operation', 'event']));
	});

	test.each(fields.filter(([, { type }]) => type === 'string'))(
		'%s shows an example',
		(_name, property) => expect(property.placeholder).toMatch(/^e\.g\. \S/),
	);

	test.each(fields.filter(([, { type }]) => type === 'boolean'))(
		'%s says what it switches',
		(_name, property) => expect(property.description).toMatch(/^Whether /),
	);

	test.each(operations)('operation $resource $operation says what it does', ({ option }) => {
		expect(option.action).toMatch(/^[A-Z][a-z ]+$/);
		expect(option.action).not.toMatch(/ (?:a|an|the) /);
		expect(option.description).toMatch(/^[A-Z]/);
	});
});

function expectDefault(property: INodeProperties): void {
	const { type, default: value, typeOptions } = property;
	if (type === 'string' && typeOptions?.multipleValues) {
		expect(value).toEqual(expect.any(Array));
		return;
	}
	const check: Record<string, () => void> = {
		options: () => expect(valuesOf(property)).toContain(value),
		multiOptions: () => expect(valuesOf(property)).toEqual(expect.arrayContaining([value].flat())),
		boolean: () => expect(typeof value).toBe('boolean'),
		number: () => {
			expect(Number(value)).toBeGreaterThanOrEqual(typeOptions?.minValue ?? -Infinity);
			expect(Number(value)).toBeLessThanOrEqual(typeOptions?.maxValue ?? Infinity);
		},
		string: () => expect(value).toBe(''),
		dateTime: () => expect(value).toBe(''),
		collection: () => expect(value).toEqual({}),
		fixedCollection: () => expect(value).toEqual({}),
		json: () => expect(value).toBe('{}'),
		resourceLocator: () => expect(value).toEqual({ mode: 'list', value: '' }),
	};
	expect(Object.keys(check)).toContain(type);
	check[type]();
}

describe('round the node', () => {
	test.each(nodes)('%s has a codex file that n8n finds it by', (name, node) => {
		const codex: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.node.json`), 'utf8'));
		expect(codex).toMatchObject({
			node: `n8n-nodes-cometchat.${node.description.name}`,
			categories: expect.arrayContaining([expect.any(String)]),
			alias: expect.arrayContaining([expect.any(String)]),
			resources: {
				primaryDocumentation: [{ url: expect.stringMatching(/^https:\/\//) }],
				credentialDocumentation: [{ url: expect.stringMatching(/^https:\/\//) }],
			},
		});
	});

	test("the codex knows n8n's own word for a list and the names of the operations", () => {
		const { alias }: { alias: string[] } = JSON.parse(
			readFileSync(join(FOLDER, 'CometChat.node.json'), 'utf8'),
		);
		expect(alias).toEqual(expect.arrayContaining(['get many groups', 'get many messages']));
		for (const { option } of operations) {
			const [first] = (option.action ?? '').toLowerCase().split(/ (?:from|of|to) /);
			expect(alias).toContain(first);
		}
	});

	test.each(nodes)('%s has two icons that exist and differ', (_name, node) => {
		const { icon } = node.description;
		const files = Object.entries(typeof icon === 'object' ? icon : {}).sort();
		expect(files.map(([theme]) => theme)).toEqual(['dark', 'light']);
		const [dark, light] = files.map(([, file]) =>
			readFileSync(join(FOLDER, String(file).replace(/^file:/, '')), 'utf8'),
		);
		expect(dark).toMatch(/^<svg/);
		expect(light).toMatch(/^<svg/);
		expect(dark).not.toBe(light);
	});

	test('an agent may use the node as a tool', () => {
		expect(description.usableAsTool).toBe(true);
	});

	test('the subtitle has words in Title Case for every operation', () => {
		for (const { resource, operation, option } of operations) {
			const source = String(description.subtitle).replace(/^=\{\{ | \}\}$/g, '');
			const words: unknown = new Function('$parameter', `return ${source}`)({
				resource,
				operation,
			});
			expect(String(words).toLowerCase()).toBe(option.action?.toLowerCase());
			expect(words).toMatch(/^(?:(?:[A-Z][a-z]+|of|to|from) ?)+$/);
		}
		// Two closing braces would end n8n's expression early
		expect(String(description.subtitle).match(/\}\}/g)).toHaveLength(1);
	});

	test('operations are in the order of the alphabet', () => {
		for (const property of description.properties.filter(({ name }) => name === 'operation')) {
			const names = optionsOf(property).map(({ name }) => name);
			expect(names).toEqual([...names].sort());
		}
	});

	test('an operation file holds no code', () => {
		const folder = join(__dirname, '../nodes/CometChat/resources');
		const files = ['group', 'message'].flatMap((resource) =>
			readdirSync(join(folder, resource))
				.filter((file) => file.endsWith('.operation.ts'))
				.map((file) => join(folder, resource, file)),
		);
		expect(files).toHaveLength(operations.length);
		for (const file of files) {
			expect(readFileSync(file, 'utf8')).not.toMatch(/=>|function|\b(?:if|for|return)\b \(/);
		}
	});
});
