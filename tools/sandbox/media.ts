import { createHash } from 'node:crypto';
import { isFullAccessKey, type Access, type ApiCall } from './api/api';
import type { Wire } from './response';
import type { Settings } from './settings';
import type { Attachment } from './store/messages';
import type { Store } from './store/store';

/** Start of a stored URL that leads to a file of the sandbox. All other URLs are stored by reference. */
const OWN_FILE = /^media\//;

/** Number of seconds for which the address of a protected file is valid. */
const PROTECTED_LIFETIME = 300;

/**
 * Serves the files of messages, as the chat service's media hosts do. The file of a sample message consists of its
 * name, repeated up to its size.
 *
 * @see https://www.cometchat.com/docs/fundamentals/presigned-urls
 */
export class Media {
	/** Contents of uploaded files, by their stored URL. Other files consist of their name. */
	readonly contents = new Map<string, Buffer>();

	/** @param origin start of the sandbox's URLs */
	constructor(
		private readonly store: Store,
		private readonly access: Access,
		private readonly settings: () => Settings,
		private readonly now: () => number,
		private readonly origin: () => string,
	) {}

	/** Returns the address of a file for use in a response. A file of the sandbox gets a fresh signature. */
	urlOf(stored: string): string {
		if (!OWN_FILE.test(stored)) return stored;
		const path = `/${this.access.appId}/${stored}`;
		const { mediaAccess, mediaLifetime } = this.settings();
		return mediaAccess === 'signed' ? this.sign(path, mediaLifetime) : this.origin() + path;
	}

	/** Keeps the contents of uploaded files. */
	keep(contents: ApiCall['contents'] = new Map()): void {
		for (const [url, content] of contents) this.contents.set(url, content);
	}

	/** True if a request is for a file. */
	isFile({ path }: Pick<ApiCall, 'path'>): boolean {
		return path.startsWith(`/${this.access.appId}/media/`);
	}

	/** Responds to a request for a file. */
	handle({ path, query, headers }: ApiCall): Wire {
		const file = this.find(path);
		if (!file) return refuse(404, 'NoSuchKey');
		const { mediaAccess } = this.settings();
		if (mediaAccess === 'plain') return this.toWire(file);
		const { Expires: expires = '', Signature: signature } = query;
		if (signature !== undefined) {
			const isValid = signature === this.signature(path, String(expires));
			return isValid && Number(expires) > this.now()
				? this.toWire(file)
				: refuse(403, 'AccessDenied');
		}
		if (mediaAccess === 'signed') return refuse(403, 'MissingKey');
		const { appId } = this.access;
		if (!isFullAccessKey(this.access, headers.apikey) || (headers.appid ?? appId) !== appId) {
			return refuse(401, 'Unauthorized');
		}
		const location = this.sign(path, PROTECTED_LIFETIME);
		if (mediaAccess === 'tokenRedirect') return { status: 302, headers: { location }, body: '' };
		const body = JSON.stringify({ data: { url: location } });
		return { status: 200, headers: { 'content-type': 'application/json' }, body };
	}

	private find(path: string): Attachment | undefined {
		const url = path.replace(`/${this.access.appId}/`, '');
		const files = this.store.messages.all().flatMap(({ attachments = [] }) => attachments);
		return files.find((file) => file.url === url);
	}

	private toWire({ url, mimeType, size = '0' }: Attachment): Wire {
		const file = this.contents.get(url) ?? Buffer.alloc(Number(size), `${url} `);
		const type = mimeType || 'application/octet-stream';
		return { status: 200, headers: { 'content-type': type }, file };
	}

	private sign(path: string, lifetime: number): string {
		const expires = String(this.now() + lifetime);
		const query = { Expires: expires, Signature: this.signature(path, expires) };
		const parameters = new URLSearchParams({ ...query, 'Key-Pair-Id': 'sandbox' });
		return `${this.origin()}${path}?${parameters.toString()}`;
	}

	private signature(path: string, expires: string): string {
		const text = `${this.access.apiKey} ${path} ${expires}`;
		return createHash('sha256').update(text).digest('base64url');
	}
}

const refuse = (status: number, code: string): Wire => ({
	status,
	headers: { 'content-type': 'application/xml' },
	body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
});
