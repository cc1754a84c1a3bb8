import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CometChat } from '../nodes/CometChat/CometChat.node';
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
	['CometChatTrigger', new CometChatTrigger()],
];

const fields = nodes.flatMap(([node, { description }]) =>
	allProperties(description.properties).map((property): [string, INodeProperties] => [
		`${node}: ${property.displayName} (${JSON.stringify(property.displayOptions?.show ?? {})})`,
		property,
	]),
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

describe('the names that workflows store', () => {
	test('of the node and its credential', () => {
		expect(description).toMatchObject({
			name: 'cometChat',
			displayName: 'CometChat',
			version: 1,
			credentials: [{ name: 'cometChatApi', required: true }],
		});
		expect(new CometChatTrigger().description.name).toBe('cometChatTrigger');
	});

	test('of resources and operations', () => {
		expect(operations.map(({ resource, operation }) => `${resource} ${operation}`)).toEqual([
			'group list',
			'message get',
			'message removeReaction',
		]);
		const resource = description.properties.find(({ name }) => name === 'resource');
		expect(resource && valuesOf(resource)).toEqual(['group', 'message']);
		expect(resource?.default).toBe('group');
		expect(operations.map(({ option }) => option.name)).toEqual(['List', 'Get', 'Remove Reaction']);
	});

	const collections: Record<string, string[]> = {
		filters: [
			'searchKey',
			'searchIn',
			'type',
			'types',
			'tags',
			'withTags',
			'hasJoined',
			'updatedAt',
			'affix',
		],
		sort: ['sortBy', 'sortOrder'],
		options: ['page', 'perPage', 'maxTries', 'maxWait'],
	};

	test.each(Object.entries(collections))('of what is in "%s"', (name, expected) => {
		const property = shownFor({ resource: 'group', operation: 'list' }).find(
			(shown) => shown.name === name,
		);
		const entries = (property?.options ?? []).map((entry) => entry.name);
		expect(entries.sort()).toEqual([...expected].sort());
	});

	test.each([
		['searchIn', ['name', 'guid']],
		['type', ['public', 'private', 'protected', 'password']],
		['types', ['public', 'private', 'protected', 'password']],
		['affix', ['append', 'prepend']],
		['sortBy', ['name', 'guid', 'createdAt']],
		['sortOrder', ['asc', 'desc']],
	])('of the values of "%s"', (name, expected) => {
		const property = allProperties(description.properties).find((entry) => entry.name === name);
		expect(property && valuesOf(property).sort()).toEqual([...expected].sort());
	});

	test('of the outputs, "raw" unless changed', () => {
		for (const { resource, operation } of operations) {
			const output = shownFor({ resource, operation }).find(({ name }) => name === 'output');
			const pages = operation === 'list' ? ['pages'] : [];
			expect(output?.default).toBe('raw');
			expect(output && valuesOf(output).sort()).toEqual(
				[...pages, 'raw', 'simplified', 'fields'].sort(),
			);
		}
	});

	test('of the limits, which n8n itself looks at', () => {
		const shown = shownFor({ resource: 'group', operation: 'list' });
		expect(shown.find(({ name }) => name === 'returnAll')?.default).toBe(false);
		expect(shown.find(({ name }) => name === 'limit')).toMatchObject({
			default: 50,
			typeOptions: { minValue: 1 },
		});
	});
});

describe('what is shown', () => {
	const group = { resource: 'group', operation: 'list' };
	const get = { resource: 'message', operation: 'get' };
	const remove = { resource: 'message', operation: 'removeReaction' };

	test.each<[string, INodeParameters, string[]]>([
		['List', group, ['returnAll', 'limit', 'onBehalfOf', 'output', 'filters', 'sort', 'options']],
		[
			'List with Return All: no Limit',
			{ ...group, returnAll: true },
			['returnAll', 'onBehalfOf', 'output', 'filters', 'sort', 'options'],
		],
		[
			'List with Selected Fields: Fields',
			{ ...group, output: 'fields' },
			['returnAll', 'limit', 'onBehalfOf', 'output', 'fields', 'filters', 'sort', 'options'],
		],
		[
			'List with Pages',
			{ ...group, output: 'pages' },
			['returnAll', 'limit', 'onBehalfOf', 'output', 'filters', 'sort', 'options'],
		],
		['Get', get, ['messageId', 'onBehalfOf', 'output', 'options']],
		[
			'Get with Selected Fields',
			{ ...get, output: 'fields' },
			['messageId', 'onBehalfOf', 'output', 'fields', 'options'],
		],
		['Remove Reaction', remove, ['messageId', 'reaction', 'onBehalfOf', 'output', 'options']],
		[
			'Remove Reaction with Selected Fields',
			{ ...remove, output: 'fields' },
			['messageId', 'reaction', 'onBehalfOf', 'output', 'fields', 'options'],
		],
	])('%s', (_name, values, expected) => {
		const names = namesShownFor(values);
		expect([...names].sort()).toEqual(['resource', 'operation', ...expected].sort());
	});

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
			onBehalfOf: '',
			output: 'raw',
			filters: {},
			sort: {},
			options: {},
		});
	});

	test('what the service demands is required, and nothing else', () => {
		const required = (values: INodeParameters) =>
			shownFor(values)
				.filter((property) => property.required)
				.map(({ name }) => name);
		expect(required(group)).toEqual([]);
		expect(required(get)).toEqual(['messageId']);
		expect(required(remove).sort()).toEqual(['messageId', 'onBehalfOf', 'reaction']);
	});
});

describe('every request', () => {
	test.each(operations)(
		'of $resource $operation has a method and a path that only the path module fills',
		({ resource, operation, option }) => {
			const { request } = option.routing ?? {};
			expect(['GET', 'DELETE']).toContain(request?.method);
			const url = String(request?.url);
			// No expression, and nothing in it but fixed words and names in braces
			expect(url).toMatch(/^(?:\/(?:[a-z]+|\{[a-zA-Z]+\}))+$/);
			const required = shownFor({ resource, operation })
				.filter((property) => property.required)
				.map(({ name }) => name);
			for (const [, name] of url.matchAll(/\{(\w+)\}/g)) expect(required).toContain(name);
			// Everything else that goes out is set by code, too
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

	test('takes its path and method from the contract', () => {
		expect(
			operations.map(({ option }) => {
				const { method, url } = option.routing?.request ?? {};
				return `${method} ${String(url)}`;
			}),
		).toEqual([
			'GET /groups',
			'GET /messages/{messageId}',
			'DELETE /messages/{messageId}/reactions/{reaction}',
		]);
	});

	test.each(fields)('nothing is routed by the field %s itself', (_name, property) => {
		if (property.name === 'operation') return;
		expect(JSON.stringify(property)).not.toContain('"routing"');
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
			const isOneSentence = !/[.!?]\s+[A-Z"]/.test(text);
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
		expect(option.description).toMatch(/^[A-Z].*[^.]$/);
	});
});

function expectDefault(property: INodeProperties): void {
	const { type, default: value, typeOptions } = property;
	if (typeOptions?.multipleValues) {
		expect(value).toEqual([]);
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

	test("the codex knows n8n's own word for a list and the words of the operations", () => {
		const { alias }: { alias: string[] } = JSON.parse(
			readFileSync(join(FOLDER, 'CometChat.node.json'), 'utf8'),
		);
		expect(alias).toEqual(
			expect.arrayContaining(['get many groups', 'list groups', 'get message', 'remove reaction']),
		);
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

	test('the subtitle has words for every operation', () => {
		for (const { operation } of operations) {
			expect(description.subtitle).toMatch(new RegExp(`\\b${operation}: "[a-z ]+"`));
		}
	});
});
