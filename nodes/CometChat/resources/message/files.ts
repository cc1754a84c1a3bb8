import { toNumberOrNaN, toTrimmedText, createFieldReader, isObject } from '../../helpers/json';
import type { DownloadFilesResponseSettings } from '../../types';
import { readNothingFromEntity } from '../entityParts';
import { messageColumns } from './entity';

/** Reads a file's size, which CometChat sends as a number or as text. */
function readSize({ size }: { size?: unknown }): number | undefined {
	const bytes = toTrimmedText(size) === '' ? NaN : toNumberOrNaN(size);
	return bytes >= 0 ? bytes : undefined;
}

/**
 * Settings for downloading a message's files. An agent's tool only lists the files, with `mimeType` and `size` as
 * CometChat sent them.
 */
export const downloadFilesResponseDefinition: DownloadFilesResponseSettings = {
	files: {
		name: 'file',
		plural: 'files',
		id: 'url',
		columns: {
			messageId: readNothingFromEntity,
			name: createFieldReader('name'),
			mimeType: createFieldReader('mimeType'),
			size: readSize,
		},
		listFiles: (message) => [messageColumns.attachments(message)].flat().filter(isObject),
	},
	columnParameters: { messageId: 'messageId' },
	entry: 'file',
	changed: 'downloaded',
};
