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

/** Number of files so far, so that each file has its own URL. */
let uploads = 0;

/**
 * Reads a message with files from a form. A field that ends with `[]` is an entry of a list, and `data` is JSON.
 *
 * @throws {TypeError} if the form is broken
 */
export async function readUpload(form: Buffer, contentType: string): Promise<UploadedMessage> {
	const body: JsonObject = {};
	const attachments: Attachment[] = [];
	const contents = new Map<string, Buffer>();
	// The types of Node.js and of undici differ in `FormData`
	const response = new Response(new Uint8Array(form), { headers: { 'content-type': contentType } });
	// eslint-disable-next-line @typescript-eslint/no-deprecated -- the sandbox trusts its only client
	for (const [name, value] of await response.formData()) {
		if (typeof value === 'string') {
			if (name === 'data') body.data = parseJson(value) ?? value;
			else if (name.endsWith('[]')) addTo(body, name.slice(0, -2), value);
			else body[name] = value;
		} else if (FILE_FIELDS.includes(name)) {
			const url = `media/${++uploads}/${encodeURIComponent(value.name)}`;
			const extension = extname(value.name).slice(1);
			const size = String(value.size);
			attachments.push({ url, name: value.name, mimeType: value.type, extension, size });
			contents.set(url, Buffer.from(await value.arrayBuffer()));
		} else {
			body[name] = value.name;
		}
	}
	const data = isObject(body.data) ? { ...body.data, attachments } : (body.data ?? { attachments });
	return { json: JSON.stringify({ ...body, data }), contents };
}

function addTo(body: JsonObject, name: string, value: string): void {
	const list = body[name];
	body[name] = [...(Array.isArray(list) ? (list as unknown[]) : []), value];
}
