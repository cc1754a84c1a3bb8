import type { IBinaryData, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { getCheckedApiKey } from '../../../credentials/CometChatApi.credentials';
import type { SendingContext } from './attempt';
import { ConnectionError, StoppedError, toConnectionErrorOrPlainError } from './failure';
import { NonRetryableDownloadError, type NonRetryableDownloadReason } from './downloadError';
import { decideFileUrlAccess, isMediaHost, parseHttpUrl, type FileHostAccess } from './fileHosts';
import {
	chooseFirstNonGenericMediaType,
	nameUnexpectedContent,
	isJsonType,
	readNonGenericMediaType,
} from './fileType';
import { getErrorMessage } from '../helpers/formatText';
import { asObjectOrEmpty, toTrimmedText } from '../helpers/json';
import { sendWithinTimeLimit } from './sendWithinTimeLimit';
import type { RestResponse } from './restTypes';

/** Stream of a response body. */
type BodyStream = Extract<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	AsyncIterable<unknown>
>;

/** n8n's helper functions that downloads use. */
export interface DownloadHelpers {
	httpRequest: (request: IHttpRequestOptions) => Promise<unknown>;
	prepareBinaryData: (content: BodyStream, name: string, mimeType?: string) => Promise<IBinaryData>;
}

/** A file to download. */
export interface FileToDownload {
	/** Address of the file, as received from CometChat */
	url: string;
	name: string;
	/** Media type according to CometChat. If missing or generic, the response's media type is used. */
	mimeType: string;
	/** Maximum size in bytes */
	maxBytes: number;
	/** Hosts that the user allows in addition to CometChat's media hosts */
	otherHosts: readonly string[];
	/** Called with an address's host before the address is requested. A redirect can lead to another host. */
	onRequest: (host: FileHost) => void;
}

/** A host that a file is requested from. */
export interface FileHost {
	/** URL to request from the host */
	url: URL;
	/** Value of `URL.host`: the host name, and the port if it isn't the protocol's default */
	name: string;
	/** `own` for a media host in the credential's region, otherwise `other` */
	access: FileHostAccess;
}

/** A file in n8n's storage. */
export interface FileInN8nStorage {
	binary: IBinaryData;
	/** Size in bytes */
	size: number;
}

/** A response to the request for a file. */
export interface ResponseWithStoredFileOrNextUrl extends RestResponse {
	/** The stored file. Undefined if the response contained no file. */
	file?: FileInN8nStorage;
	/** URL to request next: the target of a redirect, or the file's address from the response */
	next?: URL;
}

interface StreamResponse extends Pick<RestResponse, 'statusCode' | 'headers'> {
	body: BodyStream;
	/**
	 * Closes the connection. In some n8n versions, destroying only the stream leaves the connection open if no bytes
	 * arrive.
	 */
	close: () => void;
}

/** Maximum length of JSON that contains a file's address, in characters. */
const MAX_ADDRESS_JSON_CHARACTERS = 65_536;

/**
 * Checks that a file may be downloaded from a URL, and reports the URL's host to `onRequest`.
 *
 * @throws NonRetryableDownloadError if the URL is undefined, or isn't allowed, e.g. because of its host
 */
export function checkFileUrlAndReportHost(
	url: URL | undefined,
	credentials: SendingContext['credentials'],
	{ otherHosts, onRequest }: FileToDownload,
): FileHost {
	if (url === undefined) throw new NonRetryableDownloadError('noUrl');
	const access = decideFileUrlAccess(url, credentials, otherHosts);
	if (access === undefined) throw createUrlError(url);
	const host = { url, name: url.host, access };
	onRequest(host);
	return host;
}

/**
 * Makes a single attempt to download a file from an address. If n8n stores files on disk, the file is never held in
 * memory as a whole.
 *
 * @throws NonRetryableDownloadError, ConnectionError, StoppedError, or an Error whose message is meant for the user
 */
export async function attemptDownloadOrReadNextUrl(
	connection: SendingContext,
	helpers: DownloadHelpers,
	file: FileToDownload,
	host: FileHost,
): Promise<ResponseWithStoredFileOrNextUrl> {
	const { url, access } = host;
	let response = await request(connection, helpers, host, {});
	const isProtected = response.statusCode === 401 && access === 'own';
	if (isProtected) {
		response.close();
		response = await request(connection, helpers, host, buildKeyHeaders(connection));
	}
	const { statusCode, headers } = response;
	const result = { statusCode, headers, body: undefined };
	if (statusCode >= 300 && statusCode <= 399) {
		response.close();
		const location = toTrimmedText(headers.location);
		const next = location === '' ? undefined : parseHttpUrl(location, url);
		if (next === undefined) throw new NonRetryableDownloadError('redirect');
		return { ...result, next };
	}
	if (statusCode !== 200) {
		response.close();
		return result;
	}
	if (isProtected && isUnexpectedJson(headers, file)) {
		const next = parseHttpUrl(await readAddress(connection, response));
		if (next === undefined) throw new NonRetryableDownloadError('noAddress');
		return { ...result, next };
	}
	return { ...result, file: await store(connection, helpers, file, response) };
}

/** Builds the headers that a media host requires for a protected file: the API key and, if known, the App ID. */
function buildKeyHeaders({ credentials }: SendingContext): Record<string, string> {
	const appId = toTrimmedText(credentials.appId);
	return { apikey: getCheckedApiKey(credentials), ...(appId === '' ? {} : { appid: appId }) };
}

/**
 * Requests a file, and returns the response as soon as its headers have arrived. The credential's 'Ignore SSL
 * Issues' applies only to media hosts of the credential's app.
 */
async function request(
	connection: SendingContext,
	{ httpRequest }: DownloadHelpers,
	{ url, access }: FileHost,
	headers: Record<string, string>,
): Promise<StreamResponse> {
	const { credentials, timeoutMs } = connection;
	const isInsecure = credentials.allowUnauthorizedCerts === true && access === 'own';
	const send = async (controller: AbortController): Promise<StreamResponse> => {
		const { signal } = controller;
		const sending = httpRequest({
			method: 'GET',
			url: url.href,
			headers,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: signal,
			...(isInsecure ? { skipSslCertificateValidation: true } : {}),
		}) as Promise<Omit<StreamResponse, 'close'>>;
		const response = await sending;
		const { body } = response;
		// Without a listener, a connection that breaks after the response was read would end the process
		body.on('error', () => {});
		const close = () => {
			controller.abort();
			body.destroy();
		};
		// Some n8n versions ignore the abort signal
		if (signal.aborted) close();
		return { ...response, close };
	};
	return await sendWithinTimeLimit(connection, send, () => createTimeoutError(timeoutMs));
}

const createTimeoutError = (timeoutMs: number) =>
	new ConnectionError('ETIMEDOUT', `nothing received for ${timeoutMs} ms`);

/** True if a response contains JSON, although CometChat didn't announce the file as JSON. */
const isUnexpectedJson = (headers: RestResponse['headers'], { mimeType }: FileToDownload) =>
	isJsonType(readNonGenericMediaType(headers['content-type'])) &&
	!isJsonType(readNonGenericMediaType(mimeType));

function createUrlError({ host, username, password }: URL): NonRetryableDownloadError {
	if (username !== '' || password !== '') return new NonRetryableDownloadError('login');
	return new NonRetryableDownloadError(isMediaHost(host) ? 'insecure' : 'host', host);
}

/**
 * Reads the address of a protected file from JSON. CometChat doesn't document which field contains the address
 * (open question 29), so all fields of the object and of its `data` are searched.
 *
 * @returns an empty string if no field contains an http or https URL
 */
async function readAddress(connection: SendingContext, response: StreamResponse): Promise<string> {
	let text = '';
	await receive(connection, response, async (checkReceivedSize) => {
		for await (const chunk of response.body) {
			text += String(chunk);
			checkReceivedSize(text.length, MAX_ADDRESS_JSON_CHARACTERS);
		}
	});
	try {
		const json = asObjectOrEmpty(JSON.parse(text));
		const values = [...Object.values(json), ...Object.values(asObjectOrEmpty(json.data))];
		return toTrimmedText(values.find((value) => /^https?:/.test(toTrimmedText(value))));
	} catch {
		return '';
	}
}

/**
 * Stores the body of a response as a file.
 *
 * @throws NonRetryableDownloadError if the body isn't the file, is too large or can't be stored, or an error that
 * `receive` throws
 */
async function store(
	connection: SendingContext,
	{ prepareBinaryData }: DownloadHelpers,
	{ name, mimeType, maxBytes }: FileToDownload,
	response: StreamResponse,
): Promise<FileInN8nStorage> {
	const { headers, body } = response;
	const type = headers['content-type'];
	const refuse = (problem: NonRetryableDownloadReason, detail: string) => {
		response.close();
		throw new NonRetryableDownloadError(problem, detail);
	};
	const replacement = nameUnexpectedContent(type, mimeType, name);
	if (replacement !== undefined) refuse('replaced', replacement);
	if (Number(headers['content-length']) > maxBytes) refuse('size', String(maxBytes));
	let size = 0;
	return await receive(connection, response, async (checkReceivedSize) => {
		const content = body.map((chunk: Uint8Array) => {
			size += chunk.length;
			checkReceivedSize(size, maxBytes);
			return chunk;
		});
		const storing = prepareBinaryData(
			content,
			name,
			chooseFirstNonGenericMediaType(mimeType, type),
		);
		const binary = await storing.catch((error: unknown) => {
			throw new NonRetryableDownloadError('storage', getErrorMessage(error));
		});
		return { binary, size };
	});
}

/** Reports the size received so far. @throws NonRetryableDownloadError if the size exceeds the maximum */
type CheckReceivedSize = (size: number, maximum: number) => void;

/**
 * Calls `read` to consume a response's body. On failure, closes the connection, and throws the original error, which
 * n8n's storage may have wrapped or swallowed.
 *
 * @throws StoppedError if the execution is canceled, ConnectionError if the connection breaks or no bytes arrive for
 * the time limit, NonRetryableDownloadError if the body is too large, or any error that `read` throws
 */
async function receive<T>(
	{ limiter, timeoutMs }: SendingContext,
	{ body, close }: StreamResponse,
	read: (checkReceivedSize: CheckReceivedSize) => Promise<T>,
): Promise<T> {
	let failure: Error | undefined;
	let received = 0;
	let refuse: (error: Error) => void = () => {};
	const stop = (error: Error) => {
		failure ??= error;
		refuse(failure);
		close();
	};
	const stopped = new Promise<never>((_, reject) => {
		refuse = reject;
	});
	stopped.catch(() => {});
	body.on('error', (error: unknown) => stop(toConnectionErrorOrPlainError(error)));
	const cancel = () => stop(new StoppedError());
	if (limiter.signal?.aborted) cancel();
	else limiter.signal?.addEventListener('abort', cancel);
	const watch = watchProgress(
		timeoutMs,
		() => received,
		() => stop(createTimeoutError(timeoutMs)),
	);
	try {
		const reading = read((size, maximum) => {
			received = size;
			if (size <= maximum) return;
			const tooLarge = new NonRetryableDownloadError('size', String(maximum));
			stop(tooLarge);
			throw tooLarge;
		});
		const result = await Promise.race([reading, stopped]);
		if (failure) throw failure;
		return result;
	} catch (error) {
		close();
		throw failure ?? error;
	} finally {
		watch.end();
		limiter.signal?.removeEventListener('abort', cancel);
	}
}

/**
 * Calls `onStall` if no bytes arrive for `timeoutMs`. The bytes are counted once per `timeoutMs`, so the call can come
 * up to two times `timeoutMs` after the last bytes.
 */
function watchProgress(timeoutMs: number, countBytes: () => number, onStall: () => void) {
	let isEnded = false;
	const wait = (before: number) => {
		AbortSignal.timeout(timeoutMs).addEventListener('abort', () => {
			if (isEnded) return;
			if (countBytes() === before) onStall();
			else wait(countBytes());
		});
	};
	wait(-1);
	return { end: () => (isEnded = true) };
}
