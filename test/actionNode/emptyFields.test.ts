import type { INodeParameters, INodeProperties, NodeParameterValueType } from 'n8n-workflow';

import { isLeaf, listPlaces, setAtPath, type Place } from '../fields';
import {
	CONTINUE,
	TOOLS,
	group,
	itemsOf,
	jsonOf,
	message,
	refusalOf,
	run,
	user,
	useSandbox,
} from './harness';
import { fieldsOf, type OperationCase, OPERATIONS } from './operations';
import { anything, readBody, withRecorder } from './recorder';

const sandbox = useSandbox();

const NOTHING = '={{ $json.nothing }}';

const updateGroup = (updateFields: INodeParameters, more: INodeParameters = {}) =>
	group('update', { groupId: 'all-hands', updateFields, ...more });

const updateMessage = (updateFields: INodeParameters) =>
	message('update', { messageId: '101', updateFields });

const updateUser = (updateFields: INodeParameters) =>
	user('update', { userId: 'mira', updateFields });

describe('An Update clears', () => {
	test.each<[string, INodeParameters, object]>([
		['a description', updateGroup({ description: '={{ "" }}' }), { unset: ['description'] }],
		[
			'an icon and metadata',
			updateGroup({ icon: ' ', metadata: '' }),
			{ unset: ['icon', 'metadata'] },
		],
		['tags', updateGroup({ tags: '={{ [] }}' }), { tags: [] }],
		['tags of a message', updateMessage({ tags: [] }), { tags: [] }],
		[
			'fields of a user',
			updateUser({ avatar: '', link: '', metadata: '', tags: [] }),
			{ unset: ['avatar', 'link', 'metadata'], tags: [] },
		],
		[
			'fields whose expression returns null',
			updateGroup({ description: '={{ null }}', tags: '={{ null }}' }),
			{ unset: ['description'], tags: [] },
		],
		[
			'a description, and an icon by Unset',
			updateGroup({ description: '', unset: ['icon'] }),
			{ unset: ['description', 'icon'] },
		],
		[
			"each field once, including fields of 'Fields to Clear'",
			updateGroup({ description: '', name: 'Everyone', unset: ['icon', 'description'] }),
			{ name: 'Everyone', unset: ['description', 'icon'] },
		],
	])('%s', async (_, parameters, body) => {
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, parameters);
			const { unset, ...sent } = readBody(recorder.requests[0]);
			expect({ ...sent, ...(unset ? { unset: [unset].flat().sort() } : {}) }).toEqual(body);
		});
	});

	test('emptied fields of a stored group', async () => {
		const { store } = sandbox();
		store.updateGroup('all-hands', { description: 'Old', tags: ['old'], icon: 'https://e.com/i' });
		const parameters = updateGroup({ description: '', tags: [] }, { output: 'raw' });
		const [updated] = await jsonOf(sandbox(), parameters);
		expect(updated).not.toHaveProperty('description');
		expect(updated).toMatchObject({ icon: 'https://e.com/i' });
		expect(store.groups.get('all-hands')?.tags ?? []).toEqual([]);
		expect(sandbox().violations).toEqual([]);
	});
});

/** Empty values that a model passes for a text and for a list. */
const EMPTY: Array<[text?: string | null, list?: string | string[] | null]> = [
	['', ''],
	['', '[]'],
	[null, []],
	['', null],
	// `$fromAI` returns undefined if a model passes null
	[],
];

test.each(TOOLS)(
	'%s leaves fields with empty values as they are, and clears fields by Unset',
	async (_, settings) => {
		await withRecorder(anything, async (recorder) => {
			for (const [text, tags] of EMPTY) {
				const empty = { metadata: '={{ $json.text }}', tags: '={{ $json.tags }}' };
				const icon = '={{ $json.text }}';
				const updates = [
					updateMessage({ ...empty, text: 'Hi' }),
					updateUser({ ...empty, avatar: icon, link: icon, name: 'Mira' }),
					updateGroup({ ...empty, icon, unset: ['description'] }),
				];
				for (const update of updates) {
					await itemsOf(recorder, update, { settings, input: [{ text, tags }] });
				}
			}
			const bodies = [{ data: { text: 'Hi' } }, { name: 'Mira' }, { unset: ['description'] }];
			expect(recorder.requests.map(readBody)).toEqual(EMPTY.flatMap(() => bodies));
		});
	},
);

test.each<[string, INodeParameters]>([
	['Name', updateGroup({ name: '' })],
	['Text', updateMessage({ text: '' })],
	['Name', updateUser({ name: '' })],
	['Role', updateUser({ role: '' })],
	['Status Message', updateUser({ statusMessage: '' })],
])('An Update of only an emptied %s changes nothing, so nothing is sent', async (_, parameters) => {
	expect((await refusalOf(sandbox(), parameters)).message).toBe("'Update Fields' is empty");
});

/** Parameters that select the operation or shape its output. These tests never change them. */
const NOT_TESTED = ['resource', 'operation', 'output', 'fields'];

/** Fields whose values determine which other fields n8n requires. */
const DECIDING = ['type', 'receiverType', 'messageType', 'messagesOf'];

/** Lists an operation's optional fields, including fields in collections. */
function optionalFieldsOf(operation: OperationCase): Place[] {
	const { parameters } = operation;
	const all = fieldsOf(operation);
	const valueOf = (name: string) =>
		parameters[name] ?? all.find((field) => field.name === name)?.default;
	const isShown = ({ displayOptions }: INodeProperties) =>
		Object.entries(displayOptions?.show ?? {}).every(([name, shown = []]) =>
			shown.some((value) => value === valueOf(name.replace('/', ''))),
		);
	return listPlaces(all)
		.filter(isLeaf)
		.filter(({ field, parents: [outer = field] }) => {
			const { name, required } = outer;
			const isTested = !required && ![...NOT_TESTED, ...DECIDING].includes(name);
			return isTested && isShown(outer) && isShown(field) && !(name in parameters);
		});
}

/** Returns an operation's parameters with one more field. */
function addField({ parameters }: OperationCase, { path }: Place, value: unknown): INodeParameters {
	const all = structuredClone(parameters);
	setAtPath(all, path, value);
	return all;
}

test.each(OPERATIONS)(
	'$name rejects each optional field whose expression returns no value',
	async (operation) => {
		const places = optionalFieldsOf(operation);
		expect(places.length).toBeGreaterThanOrEqual(2);
		for (const place of places) {
			const error = await refusalOf(sandbox(), addField(operation, place, NOTHING));
			expect(error.message).toContain(
				`'${place.field.displayName}' is empty: its expression returned no value`,
			);
		}
	},
);

/** Returns the value that the editor saves after a user empties a field. */
function emptied({ type, typeOptions }: INodeProperties): NodeParameterValueType | undefined {
	if (type === 'resourceLocator') return { __rl: true, mode: 'list', value: '' };
	if (type === 'multiOptions' || typeOptions?.multipleValues) return [];
	if (type === 'string' || type === 'dateTime' || type === 'options') return '';
	return undefined;
}

test.each(OPERATIONS)('$name sends nothing for fields emptied by hand', async (operation) => {
	const all = structuredClone(operation.parameters);
	for (const { field, path } of optionalFieldsOf(operation)) {
		const value = emptied(field);
		// Users can't empty a menu in the editor
		const isMenu = field.type === 'options' && field.default !== '';
		if (value !== undefined && !isMenu) setAtPath(all, path, value);
	}
	await withRecorder(anything, async (recorder) => {
		const { error } = await run(recorder, all, CONTINUE);
		expect(error).toBeUndefined();
		const [{ method, url, headers, body }, ...others] = recorder.requests;
		expect(others).toEqual([]);
		expect(`${method} ${url}`).toBe(operation.wire);
		expect(headers.onbehalfof).toBe(operation.uid);
		expect(body === undefined ? undefined : JSON.parse(body)).toEqual(operation.body);
	});
});
