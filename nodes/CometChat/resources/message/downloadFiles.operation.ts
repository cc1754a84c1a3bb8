import { downloadOptionsField } from '../../fields/downloadOptions';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { messageIdField } from './fields';
import { downloadFilesResponseDefinition } from './files';

export const downloadFiles: Operation = {
	name: 'Download Files',
	value: 'downloadFiles',
	action: 'Download files of message',
	description: 'Download the files of a message, one item for each file',
	routing: { request: { method: 'GET', url: '/messages/{messageId}' } },
	response: downloadFilesResponseDefinition,
	fields: [messageIdField, onBehalfOfField, downloadOptionsField],
};
