import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

/** Display name without the usual "API", because the credential doesn't give access to an API. */
export const DISPLAY_NAME = 'CometChat Webhook';

/** Username and password that CometChat sends when calling the CometChat Trigger's webhook. */
export class CometChatWebhookApi implements ICredentialType {
	name = 'cometChatWebhookApi';

	displayName = DISPLAY_NAME;

	icon: Icon = { light: 'file:../icons/cometchat.svg', dark: 'file:../icons/cometchat.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/README.md#set-up-the-cometchat-trigger';

	properties: INodeProperties[] = [
		{
			displayName:
				"This isn't an existing login. Make up a username and a password here, and enter both in the CometChat dashboard, under Settings → Webhooks, in the webhook's basic authentication.",
			name: 'madeUpNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			required: true,
			default: '',
			description:
				"Up to 50 letters and digits. Enter the same username in the CometChat dashboard, in the webhook's basic authentication.",
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Up to 100 letters and digits, preferably long and random. Enter the same password in the CometChat dashboard.',
		},
	];
}
