import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { CometChat } from '../../../nodes/CometChat/CometChat.node';
import { CometChatPollingTrigger } from '../../../nodes/CometChat/CometChatPollingTrigger.node';
import type { Field } from '../../../nodes/CometChat/types';
import { errorOf, group, useSandbox, user } from '../../actionNode/harness';

const sandbox = useSandbox();

const { description } = new CometChat();

const filters = [CometChat, CometChatPollingTrigger].flatMap((Node) =>
	(new Node().description.properties as Field[]).filter(({ name }) => name === 'filters'),
);

test('n8n never hides Search In, because n8n drops the values of hidden fields', () => {
	const fields = filters.flatMap(({ options = [] }) =>
		options.filter(({ name }) => name === 'searchIn'),
	);
	expect(fields.length).toBeGreaterThanOrEqual(3);
	for (const field of fields) expect(field).not.toHaveProperty('displayOptions');
});

test.each([
	['Name or GUID Contains', group('list', { filters: { searchIn: ['guid'] } })],
	['Name or UID Starts With', user('list', { filters: { searchIn: ['uid'] } })],
])("a list refuses Search In without '%s'", async (label, parameters) => {
	const { message, description } = await errorOf(sandbox(), parameters);
	expect(message).toBe(`'${label}' is empty, but 'Search In' requires it`);
	expect(description).toContain(`Fill in '${label}', or remove 'Search In'.`);
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
