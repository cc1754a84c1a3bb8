import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { outputProperties } from '../../shared/output';
import { patience } from '../../shared/patience';
import { MESSAGE_COLUMNS } from '../../transport/output';

const ofEveryOperation = { show: { resource: ['message'] } };

const messageId: INodeProperties = {
	displayName: 'Message ID',
	name: 'messageId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 501',
	description: 'ID of the message, as CometChat gives it: digits as a text or a number',
};

/**
 * What every operation on a message has. Each is declared once and not per operation, because n8n
 * evaluates an expression anew, for every item, in each declaration of its name, shown or not.
 */
export const fieldsBefore: INodeProperties[] = updateDisplayOptions(ofEveryOperation, [messageId]);

export const fieldsAfter: INodeProperties[] = updateDisplayOptions(ofEveryOperation, [
	...outputProperties('message', Object.keys(MESSAGE_COLUMNS), { example: 'e.g. data.text' }),
	patience,
]);
