import { useTestSystem } from '../lib/testHooks';

/** Without the module 'mcp' among the disabled ones, as it is in the other tests. */
const system = useTestSystem({
	env: { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub' },
});

let apiKey: string;

beforeAll(async () => {
	const { client } = system();
	await client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	({ apiKey } = await client.call<{ apiKey: string }>('GET', '/mcp/api-key'));
});

/** The text that a tool of the MCP server returns. */
async function callTool(name: string, values: object): Promise<string> {
	const response = await fetch(`${system().n8n.url}/mcp-server/http`, {
		method: 'POST',
		headers: {
			accept: 'application/json, text/event-stream',
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify({
			...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
			params: { name, arguments: values },
		}),
	});
	const body = await response.text();
	const data = /^data: (.*)$/m.exec(body)?.[1] ?? body;
	const { result } = JSON.parse(data) as { result?: { content: Array<{ text: string }> } };
	if (!result) throw new Error(body.slice(0, 500));
	return result.content.map(({ text }) => text).join('\n');
}

/** TypeScript types of a node's parameters, as a model reads them. */
const definitionOf = async (node: string): Promise<string> =>
	await callTool('get_node_types', { nodeIds: [{ nodeId: `n8n-nodes-cometchat.${node}` }] });

/** Nodes of the package among the results of a search, by their names. */
async function find(query: string): Promise<string[]> {
	const text = await callTool('search_nodes', { queries: [query] });
	return [...text.matchAll(/^- n8n-nodes-cometchat\.(\w+)/gm)].map(([, name]) => name);
}

describe("n8n's MCP server", () => {
	test.each([
		['cometChat', 75_000],
		['cometChatTrigger', 5_000],
		['cometChatPollingTrigger', 5_700],
	])('returns a definition of %s with at most %i characters', async (node, maximum) => {
		const definition = await definitionOf(node);
		expect(definition).toContain(`type: 'n8n-nodes-cometchat.${node}'`);
		expect(definition.length).toBeLessThanOrEqual(maximum);
	});

	// A search returns five nodes. "report a message" alone returns none of the package: five of
	// n8n's nodes have "Message" in their names, and names outrank aliases. "ask for approval" alone
	// returns the first five of the nodes that share the alias "approval".
	test.each([
		['cometchat', ['cometChat', 'cometChatTrigger', 'cometChatPollingTrigger']],
		['report a message in cometchat', ['cometChat', 'cometChatPollingTrigger']],
		['ask for approval in cometchat', ['cometChat']],
		['moderation', ['cometChat', 'cometChatTrigger', 'cometChatPollingTrigger']],
		['moderation queue', ['cometChat']],
	])('finds by "%s" the nodes %j', async (query, nodes) => {
		expect(await find(query)).toEqual(expect.arrayContaining(nodes));
	});

	test('names both triggers beside the node', async () => {
		const found = await callTool('search_nodes', { queries: ['moderation'] });
		expect(found).toContain('- n8n-nodes-cometchat.cometChatTrigger: "Starts a workflow when');
		expect(found).toContain(
			'- n8n-nodes-cometchat.cometChatPollingTrigger: "Starts a workflow when',
		);
	});
});
