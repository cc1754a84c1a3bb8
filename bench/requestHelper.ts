import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { MAX_IN_FLIGHT } from '../nodes/CometChat/transport/limiter';

/** The least that a node does: an expression, and a request with n8n's helper, for each item. */
export const requestHelper: INodeType = {
	description: {
		displayName: 'Request Helper',
		name: 'requestHelper',
		group: ['input'],
		version: 1,
		description: 'Sends a GET for each item',
		defaults: { name: 'Request Helper' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'cometChatApi', required: true }],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	},
	async execute(this: IExecuteFunctions) {
		const results: INodeExecutionData[] = [];
		const { length } = this.getInputData();
		let next = 0;
		const work = async () => {
			while (next < length) {
				const item = next++;
				const url = this.getNodeParameter('url', item) as string;
				const request = { url, json: true };
				const json = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'cometChatApi',
					request,
				);
				results[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, work));
		return [results];
	},
};
