import { Busboy } from '@fastify/busboy';
import { once } from 'node:events';
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

/** Decodes the characters that clients encode in names. */
const decodeName = (text: string): string =>
	text.replace(/%(22|0D|0A)/g, (encoded) => decodeURIComponent(encoded));

/**
 * Reads a message with files from a form. A field that ends with `[]` is an entry of a list, and `data` is JSON.
 *
 * @throws Error for a malformed form
 */
export async function readUpload(form: Buffer, contentType: string): Promise<UploadedMessage> {
	const body: JsonObject = {};
	const files: Array<{ fileName: string; mimeType: string; chunks: Buffer[] }> = [];
	const parser = new Busboy({ headers: { 'content-type': contentType } });
	parser.on('field', (name, text) => {
		if (name === 'data') body.data = parseJson(text) ?? text;
		else if (name.endsWith('[]')) addTo(body, name.slice(0, -2), text);
		else body[name] = text;
	});
	parser.on('file', (name, stream, fileName, _encoding, mimeType) => {
		const chunks: Buffer[] = [];
		stream.on('data', (chunk: Buffer) => chunks.push(chunk));
		if (FILE_FIELDS.includes(name))
			files.push({ fileName: decodeName(fileName), mimeType, chunks });
	});
	const finished = once(parser, 'finish');
	parser.end(form);
	await finished;
	const attachments: Attachment[] = [];
	const contents = new Map<string, Buffer>();
	for (const { fileName, mimeType, chunks } of files) {
		const content = Buffer.concat(chunks);
		const url = `media/${++uploads}/${encodeURIComponent(fileName)}`;
		const extension = extname(fileName).slice(1);
		attachments.push({ url, name: fileName, mimeType, extension, size: String(content.length) });
		contents.set(url, content);
	}
	const data = isObject(body.data) ? { ...body.data, attachments } : (body.data ?? { attachments });
	return { json: JSON.stringify({ ...body, data }), contents };
}

function addTo(body: JsonObject, name: string, value: string): void {
	const list = body[name];
	body[name] = [...(Array.isArray(list) ? (list as unknown[]) : []), value];
}
