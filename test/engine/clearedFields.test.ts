import type { INodeParameters } from 'n8n-workflow';

import { errorOf, itemsOf, jsonOf, useSandbox } from './harness';
import { OPERATIONS, fieldsOf } from './operations';
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
			expect(message).toBe(`'${field.displayName}' is empty: its expression gave nothing`);
		}
		expect(sandbox().log).toEqual([]);
	});
});

test('a new owner of a group is refused on behalf of a user: CometChat would keep the old one', async () => {
	const parameters = updateGroup({ owner: 'mira' }, { onBehalfOf: 'leo' });
	const { message, description } = await errorOf(sandbox(), parameters);
	expect(message).toBe("'Owner' has no effect together with 'On Behalf Of'");
	expect(description).toBe("Empty 'On Behalf Of': only the app itself can change the owner.");
	expect(sandbox().log).toEqual([]);
	expect(await itemsOf(sandbox(), updateGroup({ owner: 'mira' }))).toHaveLength(1);
	expect(await itemsOf(sandbox(), updateGroup({ name: 'X' }, { onBehalfOf: 'mira' }))).toHaveLength(
		1,
	);
});
