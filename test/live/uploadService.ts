import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { request } from 'undici';

import { PIXEL } from '../../tools/live/uploads';
import { serve } from '../../tools/n8nEngine/serve';
import type { Sandbox } from '../../tools/sandbox/server';

export interface Reply {
	status: number;
	body?: string | object;
}

/** Responses that replace those of a service that accepts files. */
export interface Replies {
	/** Multipart message. */
	message?: Reply;
	/** Number of files that a multipart message keeps. */
	mostFiles?: number;
	address?: Reply;
	storage?: Reply;
	/** Address of the storage. */
	storageUrl?: string;
	storageMethod?: string;
	/** Content of the file when the node downloads it. */
	file?: Buffer;
}

/** A field of a form. */
interface Part {
	name?: string;
	/** Name and media type of a file. */
	file?: string[];
	content: Buffer;
}

/** Parses a multipart body. */
function parseForm(raw: Buffer): Part[] {
	const text = raw.toString('latin1');
	const [boundary] = text.split('\r\n', 1);
	return text
		.split(boundary)
		.slice(1, -1)
		.map((part) => {
			const [head, ...content] = part.split('\r\n\r\n');
			return {
				name: / name="([^"]*)"/.exec(head)?.[1],
				file: /filename="([^"]*)"\r\nContent-Type: (.*)/i.exec(head)?.slice(1),
				content: Buffer.from(content.join('\r\n\r\n').slice(0, -2), 'latin1'),
			};
		});
}

/** Returns the contents of a form's fields as text. */
export const toFields = (form: Part[]): Record<string, string> =>
	Object.fromEntries(form.map(({ name, content }) => [name, content.toString()]));

interface Received {
	url: string;
	headers: IncomingHttpHeaders;
	form: Part[];
	raw: Buffer;
}

/** Starts a service that accepts files, in front of the sandbox, which keeps the messages. */
export async function startService(sandbox: Sandbox, replies: Replies = {}) {
	const forms: Received[] = [];
	const { url: origin, close } = await serve(async (incoming, outgoing) => {
		const { method = '', url = '', headers } = incoming;
		const raw = await buffer(incoming);
		const isForm = headers['content-type']?.startsWith('multipart/form-data');
		if (isForm) forms.push({ url, headers, form: parseForm(raw), raw });
		const respond = ({ status, body = '' }: Reply) => {
			outgoing.writeHead(status, { 'content-type': 'application/json' });
			outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
		};
		const forward = async (body?: string | Buffer) => {
			const answered = await request(`${sandbox.url}${url}`, {
				method,
				headers: {
					apikey: headers.apikey,
					onbehalfof: headers.onbehalfof,
					'content-type': 'application/json',
				},
				body: body?.length ? body : undefined,
			});
			respond({ status: answered.statusCode, body: await answered.body.text() });
		};
		const attachment = {
			url: `${origin}/files/pixel.png`,
			name: 'pixel.png',
			mimeType: 'image/png',
		};
		if (url.startsWith('/files/')) return void outgoing.end(replies.file ?? PIXEL);
		if (url === '/storage') {
			respond(replies.storage ?? { status: 204 });
			return;
		}
		if (url === '/v3/files/upload-url') {
			const address = {
				method: replies.storageMethod ?? 'POST',
				url: replies.storageUrl ?? `${origin}/storage`,
				body: { key: 'uploads/pixel.png', 'x-amz-signature': 'Secret Name' },
			};
			const pixel = { request: address, attachment, expiresAt: 1 };
			respond(replies.address ?? { status: 200, body: { data: { pixel } } });
			return;
		}
		if (isForm) {
			if (replies.message) {
				respond(replies.message);
				return;
			}
			const form = parseForm(raw);
			const { receiver, receiverType, category, type } = toFields(form);
			const files = form.filter(({ file }) => file).slice(0, replies.mostFiles);
			const data = { attachments: files.map(() => attachment) };
			await forward(JSON.stringify({ receiver, receiverType, category, type, data }));
			return;
		}
		await forward(raw);
	});
	return { origin, baseUrl: `${origin}/v3`, forms, close };
}
