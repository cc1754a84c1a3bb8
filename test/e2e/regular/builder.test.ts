import { useTestSystem } from '../lib/testHooks';

/** n8n with the "mcp" module, which other tests disable. */
const system = useTestSystem({
	env: { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub' },
});

let apiKey: string;

beforeAll(async () => {
	const { client } = system();
	await client.call('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	({ apiKey } = await client.call<{ apiKey: string }>('GET', '/mcp/api-key'));
});

/** Calls an MCP tool and returns the text of the response. */
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

/** Returns the TypeScript definition of a node's parameters. */
const getDefinition = async (node: string): Promise<string> =>
	await callTool('get_node_types', { nodeIds: [{ nodeId: `n8n-nodes-cometchat.${node}` }] });

/** Returns the names of this package's nodes that a search finds. */
async function searchNodes(query: string): Promise<string[]> {
	const text = await callTool('search_nodes', { queries: [query] });
	return [...text.matchAll(/^- n8n-nodes-cometchat\.(\w+)/gm)].map(([, name]) => name);
}

describe("n8n's MCP server", () => {
	test('returns a definition of cometChat with at most 2050 characters for each operation', async () => {
		const definition = await getDefinition('cometChat');
		const operations = definition.match(/^ +operation: '/gm)?.length ?? 0;
		expect(operations).toBeGreaterThan(40);
		expect(definition.length / operations).toBeLessThanOrEqual(2_050);
	});

	test.each([
		['cometChatTrigger', 6_000],
		['cometChatPollingTrigger', 7_600],
		['cometChatBotTrigger', 4_000],
	])('returns a definition of %s with at most %i characters', async (node, maximum) => {
		const definition = await getDefinition(node);
		expect(definition).toContain(`type: 'n8n-nodes-cometchat.${node}'`);
		expect(definition.length).toBeLessThanOrEqual(maximum);
	});

	// A search returns at most five nodes and ranks names above aliases
	// A broad query therefore has to contain "cometchat" to find this package's nodes
	test.each([
		['cometchat', ['cometChat', 'cometChatTrigger', 'cometChatBotTrigger']],
		['report a message in cometchat', ['cometChat']],
		['ask for approval in cometchat', ['cometChat']],
		['moderation', ['cometChat', 'cometChatTrigger', 'cometChatPollingTrigger']],
		['moderation queue', ['cometChat']],
		['cometchat bot', ['cometChatBotTrigger']],
	])('finds for "%s" the nodes %j', async (query, nodes) => {
		expect(await searchNodes(query)).toEqual(expect.arrayContaining(nodes));
	});
});
