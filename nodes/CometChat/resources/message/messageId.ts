import type { INodeProperties } from 'n8n-workflow';

/** Which message an operation is about. */
export const messageId: INodeProperties = {
	displayName: 'Message ID',
	name: 'messageId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 501',
	description: 'ID of the message, as CometChat gives it: digits as a text or a number',
};
