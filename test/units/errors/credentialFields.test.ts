import { joinMessageAndDescription } from '../../../nodes/CometChat/helpers/formatText';
import { additionalData } from '../../../tools/n8nEngine/additionalData';
import { testCredential } from '../../../tools/n8nEngine/credentialTest';
import { cometChat, manual, node, workflow } from '../../../tools/n8nEngine/draft';
import { loadNode, runWorkflow } from '../../../tools/n8nEngine/engine';
import { core } from '../../../tools/n8nEngine/n8n';
import { activateTrigger } from '../../../tools/n8nEngine/poll';
import { startInstance } from '../../../tools/n8nEngine/activation';

/** A credential with a Base URL, where nobody listens. */
const credentials = {
	apiKey: 'k'.repeat(40),
	region: 'custom',
	baseUrl: 'http://127.0.0.1:9/v3',
};

const trigger = (name: string, parameters: object) =>
	node({
		...{ name, type: `n8n-nodes-cometchat.${name}`, webhookId: name },
		parameters: { ...parameters },
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
	});

/** Each place of the nodes that sends requests, with a request that can't connect. Each returns or throws the error. */
const CALLERS: Record<string, () => Promise<unknown>> = {
	'an operation': async () => {
		const parameters = { resource: 'group', operation: 'get', groupId: 'makers' };
		const requestOptions = { maxTries: 1 };
		const draft = workflow('Test', [manual(), cometChat('1', { ...parameters, requestOptions })]);
		const { message, description } = (await runWorkflow(draft, { credentials })).error ?? {};
		return [message, description];
	},
	'a poll': async () =>
		await activateTrigger(
			trigger('cometChatPollingTrigger', {
				event: 'groupCreated',
				requestOptions: { maxTries: 1 },
			}),
			{
				credentials,
			},
		).poll(),
	'the publication of a bot': async () => {
		const n8n = await startInstance({ credentials: () => credentials });
		const bot = trigger('cometChatBotTrigger', { botId: 'reminder-bot' });
		await n8n.publish({ id: 'w', node: bot }).finally(async () => await n8n.close());
	},
	'a picker': async () => {
		const file = { name: 'Test', nodes: [cometChat('1', {})], connections: {} };
		const { instance, node: loaded, type } = loadNode(file, 'CometChat');
		const data = additionalData(() => credentials);
		const context = new core.LoadOptionsContext(instance, loaded, data, '');
		await type.methods?.listSearch?.searchGroups?.call(context);
	},
	"the credential's test": async () => (await testCredential(credentials)).message,
};

test.each(Object.entries(CALLERS))(
	"the error of %s names 'Base URL', not the fields of a credential without one",
	async (_name, call) => {
		const error = await call().catch((thrown: unknown) => thrown);
		const text = error instanceof Error ? joinMessageAndDescription(error) : JSON.stringify(error);
		expect(text).toContain("Check 'Base URL' in the credential");
		expect(text).not.toMatch(/'App ID'|'Region'/);
	},
);
