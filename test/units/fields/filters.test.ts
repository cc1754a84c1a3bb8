import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

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
