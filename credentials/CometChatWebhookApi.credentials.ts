import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

/** What the editor calls it: it opens no API. */
export const DISPLAY_NAME = 'CometChat Webhook';

/** Username and password that CometChat presents when it calls the CometChat Trigger. */
export class CometChatWebhookApi implements ICredentialType {
	name = 'cometChatWebhookApi';

	displayName = DISPLAY_NAME;

	icon: Icon = { light: 'file:../icons/cometchat.svg', dark: 'file:../icons/cometchat.dark.svg' };

	documentationUrl =
		'https://www.npmjs.com/package/n8n-nodes-cometchat#set-up-the-cometchat-trigger';

	properties: INodeProperties[] = [
		{
			displayName:
				'This is no login that you have already. Make up a username and a password here, and enter the same two in the CometChat dashboard, under Settings → Webhooks, in the basic authentication of the webhook.',
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
				'Choose any, with letters and digits only, at most 50. Enter the same in the CometChat dashboard, in the basic authentication of the webhook.',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Choose a long random one, with letters and digits only, at most 100. Enter the same in the CometChat dashboard.',
		},
	];
}
