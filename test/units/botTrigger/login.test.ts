import type { IWebhookFunctions } from 'n8n-workflow';

import { deriveBotLogin, classifyBotOwner } from '../../../nodes/CometChat/botTrigger/login';
import { KEY } from '../context';

/** Derives the login of a node's bot. */
const derive = async (instance: string, workflow: string, node: string) => {
	const context = {
		getInstanceId: () => instance,
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
	};
	return await deriveBotLogin(context as unknown as IWebhookFunctions, KEY, 'reminder-bot');
};

// With another login, a node would no longer recognize its bot after an update
test('the login of a node is the same in all versions of the package', async () => {
	expect(await derive('n8n', 'w1', 'node')).toEqual({
		username: 'n8na086af9fc496d52574c0d1fc90547462259a2a964c934',
		password: '9e5d46ffcf4030f01d22b478d5ad47795afb77643807dad424',
	});
});

test.each([
	['n8n', 'w1', 'node', 'thisNode'],
	['n8n', 'w1', 'other', 'thisWorkflow'],
	['n8n', 'w2', 'node', 'thisN8n'],
	['other', 'w1', 'node', 'otherN8n'],
])('the owner of the bot of %s, %s, %s is %s', async (instance, workflow, node, owner) => {
	const { username } = await derive(instance, workflow, node);
	expect(classifyBotOwner(username, (await derive('n8n', 'w1', 'node')).username)).toBe(owner);
});
