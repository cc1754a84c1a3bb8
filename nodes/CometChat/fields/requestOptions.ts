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
			displayName: 'Batching',
			name: 'batching',
			type: 'fixedCollection',
			typeOptions: { multipleValues: false },
			placeholder: 'Add Batching',
			default: { batch: {} },
			description: 'So many items, then a pause',
			options: [
				{
					displayName: 'Batching',
					name: 'batch',
					values: [
						{
							displayName: 'Items per Batch',
							name: 'batchSize',
							type: 'number',
							typeOptions: { minValue: 1 },
							default: 50,
							description: 'How many items are started before each pause',
						},
						{
							displayName: 'Batch Interval (Ms)',
							name: 'batchInterval',
							type: 'number',
							typeOptions: { minValue: 0 },
							default: 1000,
							description: 'Length of each pause, in milliseconds. 0 for none.',
						},
					],
				},
			],
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
		{
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://user:password@proxy.example.com:3128',
			description: 'HTTP proxy to send requests through',
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
