import { jsonParse, type IDataObject } from 'n8n-workflow';

import { createBrokenJsonError } from '../../errors/brokenJson';
import { formatValueForError } from '../../helpers/formatText';
import { InputError } from '../../errors/describedErrors';
import { asObjectOrEmpty, toTrimmedText, isObject } from '../../helpers/json';
import type { ValidatingConverter, BinaryFieldUploadSettings, ParameterValues } from '../../types';
import { toDistinctTexts } from '../../request/lists';
import { toChoice } from '../../request/texts';
import { getMediaKind } from '../../helpers/mediaTypes';

/** Value of 'Media Type' that stands for the first file's type. */
export const AUTOMATIC_MEDIA_TYPE = 'automatic';

// Open question 34 in docs/status.md: CometChat may also provide URLs to which files can be uploaded
const HOW_TO_SEND_FILE =
	"To send the item's own file, set 'Specify Attachments' to From Input. Or upload the file to a storage first, e.g. with the AWS S3 node, and give its URL.";

/** Matches the start of an http or https URL, up to the end of its host. */
const WEB_URL_PATTERN = /^https?:\/\/[^\s/?#]+/i;

/** Matches a second URL after white space. */
const URL_AFTER_SPACE_PATTERN = /\shttps?:\/\//i;

/** Matches a URL that contains another URL, e.g. https://img.example/fetch?urls=https://a.example/1.png. */
const INNER_URL_PATTERN = /[^\s]https?:\/\//i;

/** Splits a text at commas between URLs, unless the URL before the comma contains another URL. */
function splitJoinedUrls(text: string): string[] {
	const urls: string[] = [];
	for (const part of text.split(/,(?=https?:\/\/)/i)) {
		const last = urls.at(-1) ?? '';
		if (INNER_URL_PATTERN.test(last)) urls.push(`${urls.pop()},${part}`);
		else urls.push(part);
	}
	return urls;
}

/**
 * Returns a file's URL without surrounding white space.
 *
 * @throws InputError for several URLs, or for a text that isn't an http(s) URL, e.g. the name of a binary field
 */
function requireFileUrl(value: unknown, label: string): string {
	const url = String(value).trim();
	if (URL_AFTER_SPACE_PATTERN.test(url) || splitJoinedUrls(url).length > 1) {
		throw new InputError(
			label,
			`must be one URL, but it is ${formatValueForError(url)}`,
			"For several URLs in one field, set 'Specify Attachments' to Using JSON.",
		);
	}
	if (WEB_URL_PATTERN.test(url) && URL.canParse(url)) return url;
	throw new InputError(
		label,
		`must be a URL that starts with http:// or https:// and has a host, but it is ${formatValueForError(url)}`,
		/^https?:/i.test(url)
			? 'Give the whole URL, e.g. https://example.com/photo.png.'
			: HOW_TO_SEND_FILE,
	);
}

/** @returns the file's URL, without surrounding white space */
export const checkFileUrl: ValidatingConverter = (value, label) => requireFileUrl(value, label);

/** Splits a text at line breaks and at the commas between URLs. A URL itself may contain commas. */
const splitUrls = (text: string): string[] =>
	text
		.split(/\n|,(?=\s|$)/)
		.flatMap(splitJoinedUrls)
		.map((url) => url.trim())
		.filter((url) => url !== '');

function parseJson(text: string, label: string): unknown {
	const parsed: unknown = jsonParse(text, { fallbackValue: null });
	if (parsed !== null) return parsed;
	throw createBrokenJsonError(
		label,
		text,
		'Give a URL, a list of URLs, or attachments such as [{"url": "https://example.com/photo.png"}].',
	);
}

/** An attachment's fields besides `url`. In requests, all are text. In responses, `size` can be a number. */
const OPTIONAL_ATTACHMENT_KEYS = ['name', 'mimeType', 'extension', 'size'];

/** Converts an attachment object, e.g. from a received message, to an attachment to send. */
function toAttachment(file: IDataObject, label: string): IDataObject {
	const attachment: IDataObject = { url: requireFileUrl(file.url, label) };
	for (const name of OPTIONAL_ATTACHMENT_KEYS) {
		const text = toTrimmedText(file[name]);
		if (text !== '') attachment[name] = text;
	}
	return attachment;
}

/**
 * Converts a text with URLs, an attachment object, or a list of both to attachment objects. Objects and lists can also
 * be JSON text.
 */
function listAttachments(value: unknown, label: string): IDataObject[] {
	if (value === null || value === undefined) return [];
	if (Array.isArray(value)) return value.flatMap((entry: unknown) => listAttachments(entry, label));
	if (isObject(value)) {
		// In data from a table, a row without a file has an empty URL
		if (value.url === null || value.url === '') return [];
		if (typeof value.url === 'string') return [toAttachment(value, label)];
	}
	if (typeof value !== 'string') {
		throw new InputError(
			label,
			`must be URLs or attachments with a url, but it is ${formatValueForError(value)}`,
			'To forward the files of a message, give its attachments.',
		);
	}
	const text = value.trim();
	if (/^[[{"]/.test(text)) return listAttachments(parseJson(text, label), label);
	return splitUrls(text).map((url) => ({ url: requireFileUrl(url, label) }));
}

/** @returns attachments as CometChat expects them */
export const convertUrlsOrJsonToAttachments: ValidatingConverter = (value, label) =>
	listAttachments(value, label);

const MEDIA_TYPES = ['audio', AUTOMATIC_MEDIA_TYPE, 'file', 'image', 'video'];

/** @returns 'automatic', or how apps display the files, e.g. "image". Converts a MIME type such as image/png. */
export const convertToMediaTypeChoice: ValidatingConverter = (value, label) =>
	typeof value === 'string' && /^\s*[\w.+-]+\/[\w.+-]+/.test(value)
		? getMediaKind(value)
		: toChoice(label, value, MEDIA_TYPES);

/** True for one of n8n's file objects, e.g. the value of {{ $binary.data }}. */
const isBinaryFile = (value: unknown): boolean =>
	isObject(value) && typeof value.mimeType === 'string' && ('data' in value || 'id' in value);

/** @returns names of binary fields, and n8n's file objects */
export const convertToBinaryFieldAndFileList: ValidatingConverter = (value, label) => {
	const entries = [value].flat(Infinity);
	if (!entries.some(isBinaryFile)) return toDistinctTexts(label, value);
	return entries.flatMap((entry) =>
		isBinaryFile(entry) ? [entry] : toDistinctTexts(label, [entry]),
	);
};

/** Maximum number of files to upload with a message. CometChat's JavaScript SDK refuses more. */
const MAX_UPLOADS = 10;

/** @returns the value unchanged. It lists at most `MAX_UPLOADS` binary fields. */
export const checkUploadCount: ValidatingConverter = (value, label) => {
	const { length } = [value].flat();
	if (length <= MAX_UPLOADS) return value;
	throw new InputError(
		label,
		`names ${length} fields, but a message can have at most ${MAX_UPLOADS} files`,
		'Send several messages.',
	);
};

/** Names of the fields that contain files. 'Specify Attachments' determines which of these fields is shown. */
const FILE_PARAMETERS = ['attachments', 'attachmentsJson', 'binaryProperties'];

/** True if the values specify files, or binary fields that may contain files. */
const specifiesFiles = (values: ParameterValues) =>
	FILE_PARAMETERS.some((name) => values[name] !== undefined);

/** @throws InputError for a message of type Files that has neither files nor a caption */
export function checkMediaHasFilesOrCaption(values: ParameterValues): void {
	const { messageType, caption, specifyAttachments } = values;
	if (messageType !== 'media' || specifiesFiles(values) || caption !== undefined) return;
	const isFromInput = specifyAttachments === 'binary';
	throw new InputError(
		isFromInput ? 'Input Binary Fields' : 'Attachments',
		"is empty, and so is 'Caption'",
		isFromInput
			? "Fill in 'Caption' to send only a text, or name at least one binary field."
			: "Fill in 'Caption' to send only a text, or give at least one file. To give a list of files, set 'Specify Attachments' to Using JSON.",
	);
}

/**
 * Replaces the message type 'automatic' with the type of the first file. Without files, the caption becomes a text
 * message.
 */
function setFinalTypeInBodyWithFiles(
	body: IDataObject,
	files: Array<{ mimeType: string; name: string }>,
): IDataObject {
	const [first] = files;
	if (first === undefined) return { ...body, type: 'text' };
	if (body.type !== AUTOMATIC_MEDIA_TYPE) return body;
	return { ...body, type: getMediaKind(first.mimeType, first.name) };
}

/** Returns an attachment's MIME type, and a name with a file extension from `extension`, `name` or the URL's path. */
function describeAttachment({ url, name, mimeType, extension }: IDataObject) {
	const address = toTrimmedText(url);
	const inUrl = URL.canParse(address) ? new URL(address).pathname : '';
	const names = [`.${toTrimmedText(extension)}`, toTrimmedText(name), inUrl];
	return {
		mimeType: toTrimmedText(mimeType),
		name: names.find((each) => /\.\w+$/.test(each)) ?? '',
	};
}

/**
 * Returns the body of a message with files that are given by URL, with its final type: an automatic type comes from the
 * first file, and a caption without files becomes a text message.
 */
export function setFinalTypeInBodyWithUrlFiles(
	body: IDataObject,
	values: ParameterValues,
): IDataObject {
	if (values.messageType !== 'media' || values.binaryProperties !== undefined) return body;
	const attachments = [asObjectOrEmpty(body.data).attachments ?? []].flat().filter(isObject);
	return setFinalTypeInBodyWithFiles(body, attachments.map(describeAttachment));
}

/** Settings for sending an item's binary fields as files. An item without files is sent as its caption. */
export const binaryFieldUploadSettings: BinaryFieldUploadSettings = {
	parameter: 'binaryProperties',
	areOptional: ({ caption }) => caption !== undefined,
	adjustBody: setFinalTypeInBodyWithFiles,
};
