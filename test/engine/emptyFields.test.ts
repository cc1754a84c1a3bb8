import type { INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';

import { errorOf, itemsOf, jsonOf, list, message, run, useSandbox } from './harness';
import { fieldsOf, type OperationCase, OPERATIONS } from './operations';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

const updateGroup = (updateFields: INodeParameters, more: INodeParameters = {}) => ({
	resource: 'group',
	operation: 'update',
	groupId: 'all-hands',
	updateFields,
	...more,
});

const updateMessage = (updateFields: INodeParameters) => ({
	resource: 'message',
	operation: 'update',
	messageId: '101',
	updateFields,
});

const updateUser = (updateFields: INodeParameters) => ({
	resource: 'user',
	operation: 'update',
	userId: 'mira',
	updateFields,
});

const CLEARED: Array<[string, INodeParameters, object]> = [
	['a description', updateGroup({ description: '' }), { unset: ['description'] }],
	[
		'a description, by an expression',
		updateGroup({ description: '={{ "" }}' }),
		{ unset: ['description'] },
	],
	['an icon', updateGroup({ icon: ' ' }), { unset: ['icon'] }],
	['metadata', updateGroup({ metadata: '' }), { unset: ['metadata'] }],
	['all tags', updateGroup({ tags: [] }), { tags: [] }],
	['all tags, by an expression', updateGroup({ tags: '={{ [] }}' }), { tags: [] }],
	['the tags of a message', updateMessage({ tags: [] }), { tags: [] }],
	[
		'what a user can do without',
		updateUser({ avatar: '', link: '', metadata: '', tags: [] }),
		{ unset: ['avatar', 'link', 'metadata'], tags: [] },
	],
	[
		'a description, by an expression with null',
		updateGroup({ description: '={{ null }}' }),
		{ unset: ['description'] },
	],
	['all tags, by an expression with null', updateGroup({ tags: '={{ null }}' }), { tags: [] }],
	[
		'a description beside other changes',
		updateGroup({ description: '', name: 'Everyone', unset: ['icon', 'description'] }),
		{ name: 'Everyone', unset: ['description', 'icon'] },
	],
];

describe('A field that was emptied in an Update is sent as cleared', () => {
	test.each(CLEARED)('%s', async (_, parameters, body) => {
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, parameters);
			const sent = JSON.parse(recorder.requests[0].body ?? '') as { unset?: string[] };
			sent.unset?.sort();
			expect(sent).toEqual(body);
		});
	});

	test('and is gone for good', async () => {
		const { store } = sandbox();
		store.updateGroup('all-hands', { description: 'Old', tags: ['old'], icon: 'https://e.com/i' });
		const parameters = updateGroup({ description: '', tags: [] }, { output: 'raw' });
		const [group] = await jsonOf(sandbox(), parameters);
		expect(group).not.toHaveProperty('description');
		expect(group).toMatchObject({ icon: 'https://e.com/i' });
		expect(store.groups.get('all-hands')?.tags ?? []).toEqual([]);
		expect(sandbox().violations).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['Name', updateGroup({ name: '' })],
		['Name', updateGroup({ name: '={{ " " }}' })],
		['Text', updateMessage({ text: '' })],
		['Text', updateMessage({ text: '={{ $json.nothing }}' })],
		['Name', updateUser({ name: '' })],
		['Role', updateUser({ role: '' })],
		['Status Message', updateUser({ statusMessage: '' })],
	])('but %s, which cannot be, is refused before anything is sent', async (label, parameters) => {
		const { message } = await errorOf(sandbox(), parameters);
		expect(message).toMatch(new RegExp(`^'${label}' is empty`));
		expect(sandbox().log).toEqual([]);
	});
});

/** Every field of every Update. */
const UPDATES = OPERATIONS.filter(({ parameters }) => parameters.operation === 'update').flatMap(
	(operation) => {
		const fields = fieldsOf(operation).find(({ name }) => name === 'updateFields');
		return (fields?.options ?? []).flatMap((field) =>
			'type' in field
				? [{ name: `${operation.name}: ${field.displayName}`, operation, field }]
				: [],
		);
	},
);

describe('An expression that gives nothing in an Update, as one with a misspelt name does, clears nothing', () => {
	test.each(UPDATES)('$name', async ({ operation, field }) => {
		const nothing: INodeParameters[string] =
			field.type === 'resourceLocator'
				? { __rl: true, mode: 'id', value: '={{ $json.mispelt }}' }
				: '={{ $json.mispelt }}';
		const lists = field.typeOptions?.multipleValues ? [['={{ $json.mispelt }}', 'kept']] : [];
		for (const given of [nothing, ...lists]) {
			const updateFields = { [field.name]: given };
			const parameters = { ...operation.parameters, updateFields };
			const { message } = await errorOf(sandbox(), parameters);
			expect(message).toBe(`'${field.displayName}' is empty: its expression returned no value`);
		}
		expect(sandbox().log).toEqual([]);
	});
});

test('a new owner of a group is refused on behalf of a user: CometChat would keep the old one', async () => {
	const parameters = updateGroup({ owner: 'mira' }, { onBehalfOf: 'leo' });
	const { message, description } = await errorOf(sandbox(), parameters);
	expect(message).toBe("'Owner' has no effect together with 'On Behalf Of'");
	expect(description).toBe("Clear 'On Behalf Of': only the app itself can set the owner.");
	expect(sandbox().log).toEqual([]);
	expect(await itemsOf(sandbox(), updateGroup({ owner: 'mira' }))).toHaveLength(1);
	expect(await itemsOf(sandbox(), updateGroup({ name: 'X' }, { onBehalfOf: 'mira' }))).toHaveLength(
		1,
	);
});

const NOTHING: Array<[string, string]> = [
	['undefined', '={{ $json.nothing }}'],
	['null', '={{ null }}'],
	['no character', '={{ "" }}'],
	['white space', '=  {{ " \\n" }}'],
	['no entry', '={{ [] }}'],
];

test.each(NOTHING)(
	'An expression that gives %s is refused by the name of its field',
	async (_, nothing) => {
		for (const parameters of [
			list({ filters: { searchKey: nothing } }),
			list({ filters: { searchKey: 'x' }, returnAll: nothing }),
		]) {
			const { name, message: said } = await errorOf(sandbox(), parameters);
			expect(name).toBe('NodeOperationError');
			expect(said).toMatch(
				/^'(Name or GUID Contains|Return All)' is empty: its expression returned no value/,
			);
		}
		expect(sandbox().log).toEqual([]);
	},
);

/** Fields on whose value n8n decides which others are required, and a locator with its mode. */
const OTHERS: Array<[string, INodeParameters]> = [
	[
		'Send To',
		message('send', { groupId: 'lunch', userId: 'leo', text: 'x', receiverType: '={{ "" }}' }),
	],
	[
		'Type',
		{
			resource: 'group',
			operation: 'create',
			guid: 'new',
			name: 'New',
			password: 'x',
			type: '={{ "" }}',
		},
	],
	[
		'Send As',
		message('send', {
			groupId: 'lunch',
			text: 'x',
			onBehalfOf: { __rl: true, mode: 'id', value: '={{ "" }}' },
		}),
	],
];

test.each(OTHERS)(
	'%s is refused by its name when its expression returns no value',
	async (label, parameters) => {
		const { message: said } = await errorOf(sandbox(), parameters);
		expect(said).toMatch(new RegExp(`^'${label}' is empty: its expression returned no value`));
		expect(sandbox().log).toEqual([]);
	},
);

/** Parameters that choose the operation or shape its output. */
const NOT_MEANT = ['resource', 'operation', 'output', 'fields'];

/** Fields whose values decide which other fields n8n requires. */
const DECIDING = ['type', 'receiverType', 'messageType', 'messagesOf'];

/** Free texts and data, for which empty is a fair value. */
const MAY_BE_EMPTY = ['description', 'icon', 'metadata', 'muid', 'caption'];

interface Place {
	field: INodeProperties;
	/** The operation's parameters with a value in this field, and in no other of its collection */
	parametersWith: (value: NodeParameterValueType) => INodeParameters;
}

/** Every field of an operation that may be left empty, those in collections too. */
function optionalFieldsOf(operation: OperationCase): Place[] {
	const { parameters } = operation;
	const all = fieldsOf(operation);
	const valueOf = (name: string) =>
		parameters[name] ?? all.find((field) => field.name === name)?.default;
	const isShown = ({ displayOptions }: INodeProperties) =>
		Object.entries(displayOptions?.show ?? {}).every(([name, shown = []]) =>
			shown.some((value) => value === valueOf(name.replace('/', ''))),
		);
	return all
		.filter(({ name, required }) => !required && !NOT_MEANT.includes(name))
		.filter((field) => isShown(field) && !DECIDING.includes(field.name))
		.flatMap((field): Place[] => {
			const { name, type, options = [] } = field;
			if (name in parameters) return [];
			const withValue = (value: INodeParameters[string]) => ({ ...parameters, [name]: value });
			const place = (
				inner: INodeProperties,
				wrap: (value: INodeParameters[string]) => INodeParameters[string],
			) => ({
				field: inner,
				parametersWith: (value: NodeParameterValueType) =>
					withValue(wrap(value as INodeParameters[string])),
			});
			if (type !== 'collection') return [place(field, (value) => value)];
			return options
				.filter((option): option is INodeProperties => 'type' in option && isShown(option))
				.map((inner) => place(inner, (value) => ({ [inner.name]: value })));
		})
		.filter(({ field }) => !MAY_BE_EMPTY.includes(field.name));
}

test.each(OPERATIONS)(
	'$name refuses every optional field whose expression returns no value, by its name',
	async (operation) => {
		const places = optionalFieldsOf(operation);
		expect(places.length).toBeGreaterThanOrEqual(2);
		const said = [];
		for (const { parametersWith } of places) {
			const { error } = await run(sandbox(), parametersWith('={{ $json.nothing }}'));
			said.push(/^'.*' is empty: its expression returned no value/.exec(error?.message ?? '')?.[0]);
		}
		expect(said).toEqual(
			places.map(
				({ field }) => `'${field.displayName}' is empty: its expression returned no value`,
			),
		);
		expect(sandbox().log).toEqual([]);
	},
);

/** What the editor leaves in a field that somebody emptied by hand. */
function emptied({ type, typeOptions }: INodeProperties): NodeParameterValueType | undefined {
	if (type === 'resourceLocator') return { __rl: true, mode: 'list', value: '' };
	if (type === 'multiOptions' || typeOptions?.multipleValues) return [];
	if (type === 'string' || type === 'dateTime' || type === 'options') return '';
	return undefined;
}

test.each(OPERATIONS)(
	'$name sends nothing for fields that were left empty by hand',
	async (operation) => {
		const { parameters } = operation;
		const all = optionalFieldsOf(operation)
			.map(({ field, parametersWith }) => {
				const value = emptied(field);
				// Who chooses from a menu cannot choose nothing
				return value === undefined || (field.type === 'options' && field.default !== '')
					? {}
					: parametersWith(value);
			})
			.reduce<INodeParameters>((merged, one) => mergeCollections(merged, one), parameters);
		await withRecorder(anything, async (recorder) => {
			const { error } = await run(recorder, all, { onError: 'continueRegularOutput' });
			expect(error).toBeUndefined();
			const [{ method, url, headers, body }, ...others] = recorder.requests;
			expect(others).toEqual([]);
			expect(`${method} ${url}`).toBe(operation.wire);
			expect(headers.onbehalfof).toBe(operation.uid);
			expect(body === undefined ? undefined : JSON.parse(body)).toEqual(operation.body);
		});
	},
);

/** One set of parameters with those of another, whose collections are added and not replaced. */
function mergeCollections(into: INodeParameters, from: INodeParameters): INodeParameters {
	const merged = { ...into };
	for (const [name, value] of Object.entries(from)) {
		const known = merged[name];
		const isCollection = (each: unknown): each is INodeParameters =>
			typeof each === 'object' && each !== null && !Array.isArray(each) && !('mode' in each);
		merged[name] = isCollection(known) && isCollection(value) ? { ...known, ...value } : value;
	}
	return merged;
}

describe('A field with several values', () => {
	const filters = (tags: INodeParameters[string]) => list({ filters: { tags } });

	const TAGS: Array<[string, INodeParameters[string], string]> = [
		['a comma list in an entry', ['={{ $json.tags.join(", ") }}', 'c'], 'a,b,c'],
		['entries of both kinds, each once', ['b', '={{ $json.tags }}', ' c , a'], 'b,a,c'],
	];

	test.each(TAGS)('takes %s', async (_, tags, sent) => {
		await itemsOf(sandbox(), filters(tags), { input: [{ tags: ['a', 'b'] }] });
		expect(sandbox().log[0].query.tags).toBe(sent);
	});

	test('is refused by name when an entry holds an expression that gives nothing', async () => {
		const { message: said } = await errorOf(sandbox(), filters(['={{ $json.nothing }}']));
		expect(said).toMatch(/^'Tags' is empty: its expression returned no value/);
		expect(sandbox().log).toEqual([]);
	});
});

test('What an attachment may go without is left out when its expression returns no value, and its URL is not', async () => {
	const nothing = '={{ $json.nothing }}';
	const media = (url: string) =>
		message('send', {
			groupId: 'lunch',
			messageType: 'media',
			attachments: { attachment: [{ url, name: nothing, mimeType: nothing, size: nothing }] },
		});
	await itemsOf(sandbox(), media('https://example.com/a.png'));
	expect(sandbox().store.messages.all().at(-1)?.attachments).toEqual([
		{ url: 'https://example.com/a.png' },
	]);
	const { message: said } = await errorOf(sandbox(), media(nothing));
	expect(said).toBe("'URL' is empty: its expression returned no value");
});
