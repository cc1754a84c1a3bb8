import type { INodeProperties } from 'n8n-workflow';

/** The user in whose name a request is made, where that is a choice. */
export const onBehalfOf: INodeProperties = {
	displayName: 'On Behalf Of',
	name: 'onBehalfOf',
	type: 'string',
	default: '',
	placeholder: 'e.g. cometchat-uid-1',
	description:
		'UID of the user in whose name the request is made, at most 100 characters. Leave it empty to act as the app.',
};

/** The same where the service demands it. */
export const requiredOnBehalfOf: INodeProperties = {
	...onBehalfOf,
	required: true,
	description: 'UID of the user whose reaction is removed, at most 100 characters',
};
