import type { INodeProperties } from 'n8n-workflow';

import { CometChatTrigger } from '../../../nodes/CometChat/CometChatTrigger.node';

/** Returns the labels of a field's options, in menu order. */
function labelsIn(fields: INodeProperties[], name: string): string[] {
	const { options = [] } = fields.find((field) => field.name === name) ?? {};
	return options.map((option) => ('displayName' in option ? option.displayName : option.name));
}

const { properties } = new CometChatTrigger().description;

/** Labels of the trigger's common events. The first label is the option for all events. */
export const COMMON_EVENTS = labelsIn(properties, 'events');
