import { extname } from 'node:path';
import { parseJson } from './parse';
import type { Attachment } from './store/messages';
import { isObject, type JsonObject } from './types';

/** A message that arrived as a form, with the JSON body that says the same by URL. */
export interface UploadedMessage {
	json: string;
	/** Contents of the files, by their stored URL */
	contents: Map<string, Buffer>;
}

/** Names of the form's fields for one file and for several files. */
const FILE_FIELDS = ['file', 'files[]'];

/** Maximum size of a form: ten files of 100 MB, and their message. */
export const MOST_UPLOADED = 1_100_000_000;

export const FORM_TYPE = 'multipart/form-data';

/** A field of a form, or one of its files. */
interface Part {
	name: string;
	fileName?: string;
	mimeType: string;
	content: Buffer;
}

/** Decodes the characters that clients encode in names. */
const decodeName = (text: string): string =>
	text.replace(/%(22|0D|0A)/g, (encoded) => decodeURIComponent(encoded));

/** Parses a form. */
function* listParts(form: Buffer, contentType: string): Generator<Part> {
	const [, boundary = ''] = /boundary="?([^";]+)/i.exec(contentType) ?? [];
	const delimiter = `--${boundary}`;
	let start = form.indexOf(delimiter) + delimiter.length + 2;
	for (let end; (end = form.indexOf(delimiter, start)) !== -1; start = end + delimiter.length + 2) {
		const part = form.subarray(start, end - 2);
		const split = part.indexOf('\r\n\r\n');
		const head = part.subarray(0, split).toString();
		const [, name = ''] = /[ ;]name="([^"]*)"/i.exec(head) ?? [];
		const [, fileName] = /filename="([^"]*)"/i.exec(head) ?? [];
		const [, mimeType = ''] = /content-type: *(.*)/i.exec(head) ?? [];
		const content = part.subarray(split + 4);
		yield { name, fileName: fileName && decodeName(fileName), mimeType, content };
	}
}

/** Number of files so far, so that each file has its own URL. */
let uploads = 0;

/** Reads a message with files from a form. A field that ends with `[]` is an entry of a list, and `data` is JSON. */
export function readUpload(form: Buffer, contentType: string): UploadedMessage {
	const body: JsonObject = {};
	const attachments: Attachment[] = [];
	const contents = new Map<string, Buffer>();
	for (const { name, fileName, mimeType, content } of listParts(form, contentType)) {
		if (fileName !== undefined && FILE_FIELDS.includes(name)) {
			const url = `media/${++uploads}/${encodeURIComponent(fileName)}`;
			const extension = extname(fileName).slice(1);
			attachments.push({ url, name: fileName, mimeType, extension, size: String(content.length) });
			contents.set(url, content);
			continue;
		}
		const text = content.toString();
		if (name === 'data') body.data = parseJson(text) ?? text;
		else if (name.endsWith('[]')) addTo(body, name.slice(0, -2), text);
		else body[name] = text;
	}
	const data = isObject(body.data) ? { ...body.data, attachments } : (body.data ?? { attachments });
	return { json: JSON.stringify({ ...body, data }), contents };
}

function addTo(body: JsonObject, name: string, value: string): void {
	const list = body[name];
	body[name] = [...(Array.isArray(list) ? (list as unknown[]) : []), value];
}
