import { runWorkflow } from '../../engine/engine';
import { startSandbox } from '../../sandbox/server';
test('x', async () => {
	const s = await startSandbox({});
	const cred = { apiKey: ' ' + s.apiKey + ' ', region: 'custom', baseUrl: s.baseUrl };
	const r = await runWorkflow(
		{
			name: 'W',
			nodes: [
				{
					id: '1',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0] as [number, number],
					parameters: {},
				},
				{
					id: '2',
					name: 'CometChat',
					type: 'n8n-nodes-cometchat.cometChat',
					typeVersion: 1,
					position: [0, 0] as [number, number],
					parameters: {
						resource: 'group',
						operation: 'list',
						returnAll: true,
						output: 'simplified',
					},
					credentials: { cometChatApi: { id: '1', name: 'c' } },
				},
			],
			connections: { Start: { main: [[{ node: 'CometChat', type: 'main' as const, index: 0 }]] } },
			settings: { executionOrder: 'v1' as const },
		},
		{ credentials: cred },
	);
	expect(r.items('CometChat').length).toBe(46);
	await s.close();
});
