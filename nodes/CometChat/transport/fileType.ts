import { toTrimmedText } from '../helpers/json';
import { normalizeMediaType } from '../helpers/mediaTypes';

/** Matches a normalized media type. */
const MEDIA_TYPE_PATTERN = /^[\w.+-]+\/[\w.+-]+$/;

/** Matches media types that say nothing about the content, e.g. application/octet-stream. */
const GENERIC_TYPE_PATTERN = /\/octet-stream$/;

/** Media type for content of unknown type. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Content that a host may send in place of a file, e.g. a sign-in page or an error. If the file's name matches `name`,
 * the content can be the file itself. For JSON, `name` also matches names without an extension, which exports often
 * have.
 */
const WRONG_CONTENT = [
	{ content: 'a web page', type: /html/, name: /\.[sx]?html?$/i },
	{
		content: 'JSON',
		type: /json/,
		name: /(?:^[^.]*|\.(?:\w*json\w*|har|ipynb|map|webmanifest))$/i,
	},
];

/**
 * Returns a media type in lower case, without parameters. Returns undefined for any other value, and for a type
 * that says nothing about the content.
 */
export function readNonGenericMediaType(value: unknown): string | undefined {
	const type = normalizeMediaType(toTrimmedText(value));
	return MEDIA_TYPE_PATTERN.test(type) && !GENERIC_TYPE_PATTERN.test(type) ? type : undefined;
}

export const isJsonType = (type = ''): boolean => /json/.test(type);

/**
 * Returns the first media type that says something about the content, or application/octet-stream.
 *
 * @param types the most reliable type first
 */
export const chooseFirstNonGenericMediaType = (...types: unknown[]): string =>
	types.map(readNonGenericMediaType).find((type) => type !== undefined) ?? UNKNOWN_TYPE;

/**
 * Names the content that a host sent in place of a file, e.g. "a web page".
 *
 * @param received media type of the response
 * @param announced media type of the file according to CometChat. If missing or generic, the name decides.
 * @returns undefined if the response may contain the file
 */
export function nameUnexpectedContent(
	received: unknown,
	announced: unknown,
	name: string,
): string | undefined {
	const receivedType = readNonGenericMediaType(received) ?? '';
	const found = WRONG_CONTENT.find(({ type }) => type.test(receivedType));
	const announcedType = readNonGenericMediaType(announced);
	const isExpected =
		announcedType === undefined ? found?.name.test(name) : found?.type.test(announcedType);
	return isExpected ? undefined : found?.content;
}
