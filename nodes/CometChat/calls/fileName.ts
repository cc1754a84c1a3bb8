import type { IDataObject } from 'n8n-workflow';

import { truncateWithoutEllipsis } from '../helpers/formatText';
import { toTrimmedText } from '../helpers/json';
import { parseHttpUrl } from '../transport/fileHosts';

/** Matches control characters and invisible characters, which can hide a part of a file name. */
const CONTROL_CHARACTER_PATTERN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Maximum length of a file name, in UTF-16 code units. File systems allow 255 bytes, which 200 ASCII characters fit. */
const MAX_NAME = 200;

/** Truncates a long name, but keeps its extension. */
function shorten(name: string): string {
	if (name.length <= MAX_NAME) return name;
	const [extension] = /\.\w{1,10}$/.exec(name) ?? [''];
	return `${truncateWithoutEllipsis(name, MAX_NAME - extension.length)}${extension}`;
}

/**
 * Returns a path's last segment, truncated and without control characters. Returns an empty string if the segment
 * consists of dots, because a file name must not lead to another folder.
 */
function toName(path: string): string {
	const name = path.replace(CONTROL_CHARACTER_PATTERN, '').split(/[/\\]/).at(-1)?.trim() ?? '';
	return /^\.*$/.test(name) ? '' : shorten(name);
}

/** Returns the file name at the end of a URL's path, or an empty string. */
function readNameInUrl(address: string): string {
	const { pathname = '' } = parseHttpUrl(address) ?? {};
	try {
		return toName(decodeURIComponent(pathname));
	} catch {
		return toName(pathname);
	}
}

/**
 * Returns a safe name for a file: the name from CometChat's response, or else from the URL, or else a numbered name
 * such as "file-1".
 *
 * @param index index of the file in the message, counted from 0
 */
export const chooseFileNameBeforeDownload = ({ name, url }: IDataObject, index: number): string =>
	toName(toTrimmedText(name)) || readNameInUrl(toTrimmedText(url)) || `file-${index + 1}`;
