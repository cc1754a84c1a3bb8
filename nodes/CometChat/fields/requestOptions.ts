import type { INodeProperties } from 'n8n-workflow';

/**
 * n8n's own "Request Options" under Settings, by n8n's names. n8n adds them to a declarative node, but
 * not to one with a webhook, which this node has since it can wait for an answer.
 */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	description: 'How requests are sent',
	options: [
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10000,
			description: 'How long one attempt may take, in milliseconds',
		},
	],
};
