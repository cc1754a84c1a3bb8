import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

const MAX_IN_FLIGHT = 60;

/** A node that gets a message per item with n8n's request helper: the least that n8n allows. */
export class Floor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Floor',
		name: 'floor',
		group: ['transform'],
		version: 1,
		description: 'Gets messages with the request helper alone',
		defaults: { name: 'Floor' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'cometChatApi', required: true }],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const results: INodeExecutionData[] = [];
		let next = 0;
		const work = async () => {
			while (next < items.length) {
				const index = next++;
				const url = `/messages/${String(items[index].json.id)}`;
				const options = { method: 'GET' as const, url, json: true };
				const response: { data: IDataObject } =
					await this.helpers.httpRequestWithAuthentication.call(this, 'cometChatApi', options);
				results[index] = { json: response.data, pairedItem: { item: index } };
			}
		};
		await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, work));
		return [results];
	}
}
