import { CometChat } from '../../../nodes/CometChat/CometChat.node';
import { CometChatPollingTrigger } from '../../../nodes/CometChat/CometChatPollingTrigger.node';
import type { Field } from '../../../nodes/CometChat/types';
import { errorOf, group, useSandbox, user } from '../../actionNode/harness';

const sandbox = useSandbox();

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
