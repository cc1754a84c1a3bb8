import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';

import { cometChatWebhookTest } from '../../../nodes/CometChat/webhookTrigger/auth';

async function runTest(data?: ICredentialDataDecryptedObject) {
	// The credential test doesn't call any n8n functions
	const context: ICredentialTestFunctions = Object.create(null);
	const credential = { id: '1', name: 'CometChat Webhook', type: 'cometChatWebhookApi', data };
	return await cometChatWebhookTest.call(context, credential);
}

test.each([
	{ username: 'cometchat', password: 'Ahx7otai1Shei3Phoo9w' },
	{ username: ' cometchat ', password: 'Ahx7otai1Shei3Phoo9w\n' },
	{ username: 'x'.repeat(50), password: 'x'.repeat(100) },
	{ username: 4711, password: 815 },
])('accepts the username $username', async (data) => {
	expect(await runTest(data)).toEqual({
		status: 'OK',
		message: 'Enter the same username and password in the CometChat dashboard',
	});
});

test.each([
	["letters and digits in 'Username': at least one", { username: ' ', password: 'a' }],
	["letters and digits in 'Username': at least one", undefined],
	["letters and digits in 'Password': at least one", { username: 'a', password: '' }],
	[
		"letters and digits in 'Username': at least one, at most 50",
		{ username: 'a@b', password: 'a' },
	],
	[
		"letters and digits in 'Username': at least one, at most 50",
		{ username: 'x'.repeat(51), password: 'a' },
	],
	[
		"letters and digits in 'Password': at least one, at most 100",
		{ username: 'a', password: 'a b' },
	],
	["letters and digits in 'Password': at least one, at most 100", { username: 'a', password: 'ü' }],
	[
		"letters and digits in 'Password': at least one, at most 100",
		{ username: 'a', password: 'x'.repeat(101) },
	],
])('reports: %s', async (words, data) => {
	const { status, message } = await runTest(data);
	expect(status).toBe('Error');
	expect(message).toContain(words);
	if (data) expect(message).not.toContain(`"${data.password}"`);
});
