import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { CometChat } from '../../../nodes/CometChat/CometChat.node';

const { description } = new CometChat();

/** The 'Filters' collections that can search for a text. */
const SEARCHES = description.properties
	.filter(({ name }) => name === 'filters')
	.map(({ options = [], displayOptions }): [string, INodeProperties | undefined] => [
		JSON.stringify(displayOptions?.show),
		(options as INodeProperties[]).find(({ name }) => name === 'searchIn'),
	])
	.filter(([, field]) => field !== undefined);

test('both lists that search several fields have Search In', () => {
	expect(SEARCHES).toHaveLength(2);
});

test.each(SEARCHES)('Search In appears with the text to search for: %s', (_, field) => {
	const isShown = (filters: object) =>
		NodeHelpers.displayParameterPath(
			{ filters } as never,
			field as INodeProperties,
			'filters',
			{} as INode,
			description,
		);
	expect(isShown({})).toBe(false);
	expect(isShown({ searchKey: '' })).toBe(false);
	expect(isShown({ searchKey: 'team' })).toBe(true);
	expect(isShown({ searchKey: '={{ $json.text }}' })).toBe(true);
});

describe('A filter that a list no longer has', () => {
	const NODE = { typeVersion: 1 } as INode;
	const list = { resource: 'group', operation: 'list' };
	const stored = { updatedAt: '2024-01-01T00:00:00Z', affix: 'prepend', type: 'public' };

	/** Returns the filters that n8n keeps of a stored node. */
	const keepFilters = (filters: INodeParameters) =>
		NodeHelpers.getNodeParameters(
			...([description.properties, { ...list, filters }, true, false, NODE, description] as const),
		)?.filters;

	test('keeps its value until the user adds a filter that replaces it', () => {
		expect(keepFilters(stored)).toEqual(stored);
		const replaced = { type: 'public', updatedBefore: '2024-01-01T00:00:00Z' };
		expect(keepFilters({ ...stored, ...replaced })).toEqual(replaced);
		expect(keepFilters({ ...replaced, unknown: 'x' })).toEqual(replaced);
	});

	test("isn't offered in the editor", () => {
		const filters = description.properties.find(
			({ name, displayOptions: { show } = {} }) =>
				name === 'filters' && show?.resource?.includes('group') && show.operation?.includes('list'),
		);
		const options = (filters?.options ?? []) as INodeProperties[];
		const names = options
			.filter((option) => NodeHelpers.displayParameter({}, option, NODE, description))
			.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['updatedAfter', 'updatedBefore']));
		expect(names).not.toEqual(expect.arrayContaining(['updatedAt']));
		expect(names).not.toEqual(expect.arrayContaining(['affix']));
	});
});
