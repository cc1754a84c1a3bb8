import type { INode } from 'n8n-workflow';

import { useReceiver, useTestSystem } from '../lib/testHooks';
import { manual, node, workflow } from '../../../tools/n8nEngine/draft';

const system = useTestSystem();
const stranger = useReceiver();

/** An HTTP Request node, which n8n suggests for a "Custom API Call". */
const httpRequest = (url: string): INode =>
	node({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'cometChatApi',
			options: {},
		},
		credentials: { cometChatApi: { id: system().credentialId, name: 'CometChat' } },
	});

const call = async (url: string) =>
	await system().client.runDraft(workflow('Custom call', [manual(), httpRequest(url)]));

describe('The HTTP Request node with the credential', () => {
	test("sends the key to CometChat's endpoints", async () => {
		const run = await call(`${system().sandbox.baseUrl}/groups?perPage=2`);
		expect(run.status).toBe('success');
		expect(run.items('HTTP Request')[0].json.data).toHaveLength(2);
		expect(system().sandbox.log.at(-1)).toMatchObject({ keyOk: true, status: 200 });
		expect(run.stored).not.toContain(system().sandbox.apiKey);
	});

	test('sends nothing to another host', async () => {
		const run = await call(stranger().url);
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('sends its key only to');
		expect(stranger().received).toEqual([]);
		expect(run.stored).not.toContain(system().sandbox.apiKey);
	});

	test('does not send the key to another host after a redirect', async () => {
		const location = stranger().url;
		system().sandbox.setFaults([{ effect: { redirect: { status: 302, location } } }]);
		const run = await call(`${system().sandbox.baseUrl}/groups`);
		expect(system().sandbox.log).toHaveLength(1);
		expect(stranger().received.filter(({ headers }) => headers.apikey !== undefined)).toEqual([]);
		expect(run.stored).not.toContain(system().sandbox.apiKey);
	});
});
