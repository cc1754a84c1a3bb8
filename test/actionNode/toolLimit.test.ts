import type { INode, INodeParameters } from 'n8n-workflow';

import { groupFilterFields } from '../../nodes/CometChat/resources/group/filters';
import { AS_TOOL, AS_TOOL_OF_NEW_AGENT, group, itemsOf, message } from './harness';
import { json, withRecorder } from './recorder';

/** Lists 25,000 groups, of which a page has as many as requested. Returns the items and the number of requests. */
async function listMany(parameters: INodeParameters, settings: Partial<INode> = {}) {
	return await withRecorder(
		(response, { url }) => {
			const query = new URLSearchParams(url.split('?')[1]);
			const [page, size] = ['page', 'perPage'].map((name) => Number(query.get(name)));
			const data = Array.from({ length: size }, (_, index) => ({
				...{ guid: `group-${page}-${index}`, name: 'A group', description: 'x'.repeat(100) },
			}));
			const pagination = {
				total: 25_000,
				count: size,
				current_page: page,
				total_pages: 25_000 / size,
			};
			json(response, 200, { data, meta: { pagination } });
		},
		async (recorder) => {
			const items = await itemsOf(recorder, parameters, { settings });
			return { rows: items.map(({ json: row }) => row), requests: recorder.requests.length };
		},
	);
}

/** Labels of the filters of Group → List */
const FILTERS = groupFilterFields.map(({ displayName }) => displayName);

describe.each([
	['an older agent or an MCP client', AS_TOOL],
	['a new agent', AS_TOOL_OF_NEW_AGENT],
])('As a tool of %s', (_, settings) => {
	test.each(['simplified', 'raw', 'pages'])('a long list ends early: %s', async (output) => {
		const { rows, requests } = await listMany(
			group('list', { returnAll: true, output, options: { perPage: 100 } }),
			settings,
		);
		const hint = rows.pop()?.hint;
		const filters = `${FILTERS.slice(0, -1).join(', ')}, and ${FILTERS.at(-1)}`;
		expect(FILTERS).toContain('Name or GUID Contains');
		expect(hint).toBe(
			`There are more rows. The list ends after ${rows.length} rows, because a tool returns at most 50,000 characters. To see other rows, use a filter: ${filters}.`,
		);
		expect(JSON.stringify(rows).length).toBeLessThan(51_000);
		expect(rows.length).toBeGreaterThan(1);
		expect(requests).toBeLessThan(15);
	});

	test('a list that fits has no hint', async () => {
		const { rows } = await listMany(group('list', { limit: 100 }), settings);
		expect(rows).toHaveLength(100);
	});

	test('a list without filters says so', async () => {
		const long = message('listReplies', { messageId: '1', returnAll: false, limit: 1_000 });
		const { rows } = await listMany(long, settings);
		expect(rows.at(-1)?.hint).toMatch(/ rows, .*\. The list has no filters\.$/);
	});
});

test('In a workflow, a long list is complete', async () => {
	const { rows } = await listMany(group('list', { limit: 2_000 }));
	expect(rows).toHaveLength(2_000);
});
