import type { IDataObject } from 'n8n-workflow';

import { truncate } from '../helpers/formatText';
import { toTrimmedText } from '../helpers/json';
import { parseFileUrl } from '../transport/fileHosts';

/** Matches control characters and invisible characters, which can hide a part of a name. */
const CONTROL_CHARACTER_PATTERN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Maximum length of a name in characters. File systems allow 255 bytes. */
const MAX_NAME = 200;

/** Truncates a name, but keeps its extension. */
function shorten(name: string): string {
	if (name.length <= MAX_NAME) return name;
	const [extension] = /\.\w{1,10}$/.exec(name) ?? [''];
	return `${truncate(name, MAX_NAME - extension.length)}${extension}`;
}

/**
 * Returns the last segment of a path, without control characters. Returns an empty string for a segment of dots,
 * because a name must not lead to another folder.
 */
function toName(path: string): string {
	const name = path.replace(CONTROL_CHARACTER_PATTERN, '').split(/[/\\]/).at(-1)?.trim() ?? '';
	return /^\.*$/.test(name) ? '' : shorten(name);
}

/** Returns the last segment of a URL's path, or an empty string. */
function readNameInUrl(address: string): string {
	const { pathname = '' } = parseFileUrl(address) ?? {};
	try {
		return toName(decodeURIComponent(pathname));
	} catch {
		return toName(pathname);
	}
}

/**
 * Returns the name that CometChat or the URL gives a file, or else a numbered name.
 *
 * @param index number of earlier files in the message
 */
export const readFileName = ({ name, url }: IDataObject, index: number): string =>
	toName(toTrimmedText(name)) || readNameInUrl(toTrimmedText(url)) || `file-${index + 1}`;
