import { isIP } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { EnvHttpProxyAgent, request } from 'undici';

import {
	asObjectOrEmpty,
	valueToText,
	toTrimmedText,
	isObject,
} from '../../nodes/CometChat/helpers/json';
import { downloadFilesResponseDefinition } from '../../nodes/CometChat/resources/message/files';
import {
	SINGLE_FILE_FIELD_NAME,
	MULTI_FILE_FIELD_NAME,
} from '../../nodes/CometChat/transport/form';
import { isLoopbackHost } from '../sandbox/loopback';
import { createAsk, encodeForm, type Ask } from './ask';
import type { Service } from './perform';
import { formatOutcome, isOk, isRefused, readField, type Exchange } from './recorder';
import type { Run } from './steps';

/** A request of a probe. Contains statuses, error codes and field names, but no values. */
export interface UploadRequest {
	name: string;
	outcome: string;
	/** Paths of the response's fields, e.g. "data.attachments[].url". */
	fields: string[];
}

/** Result of uploading a file in one of the ways. */
export interface Upload {
	requests: UploadRequest[];
	/** True if a message with the file was sent. Undefined if the responses leave it open. */
	isAccepted?: boolean;
	/** ID of the message with the file. */
	messageId?: string;
}

export interface Uploads {
	/** A message that contains the file, as multipart. */
	inMessage: Upload;
	/** An address from `POST /files/upload-url` that the file is sent to. */
	toStorage: Upload;
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);
const FILE = { name: 'pixel.png', size: PIXEL.length, mimeType: 'image/png' };
const FILE_ID = 'pixel';

/** Time limit for the response of the storage, in milliseconds. */
const MAX_STORAGE_MS = 30_000;

/** Names of fields. A name with other characters may be a value, e.g. a UID. */
const FIELD_NAME = /^[a-z][a-z_-]{0,39}$/i;

/** Lists the paths of all fields, without the copies of the sender and the receiver in each message. */
function listFields(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => listFields(entry, `${path}[]`));
	if (!isObject(value)) return path === '' ? [] : [path];
	return Object.entries(value)
		.filter(([name]) => name !== 'entities')
		.flatMap(([name, inner]) => {
			const shown = FIELD_NAME.test(name) ? name : '?';
			return listFields(inner, path === '' ? shown : `${path}.${shown}`);
		});
}

function describe(name: string, exchange: Exchange): UploadRequest {
	const isText = exchange.status > 0 && !isObject(exchange.body);
	const outcome = `${formatOutcome(exchange)}${isText ? ', not JSON' : ''}`;
	return { name, outcome, fields: [...new Set(listFields(exchange.body))] };
}

const readData = ({ body }: Exchange): IDataObject => asObjectOrEmpty(readField(body, 'data'));

const countFiles = (message: IDataObject): number =>
	downloadFilesResponseDefinition.files.listFiles(message).length;

/** Reads from the response to a message if the message contains the file. */
function readMessage(exchange: Exchange): Pick<Upload, 'isAccepted' | 'messageId'> {
	if (!isOk(exchange)) return { isAccepted: isRefused(exchange) ? false : undefined };
	const message = readData(exchange);
	const isAccepted = countFiles(message) > 0;
	return isAccepted ? { isAccepted, messageId: valueToText(message.id) } : { isAccepted };
}

/** @param fileFields names of the form's fields for the file, which is sent once for each */
function toForm(fields: IDataObject, fileFields = ['file']): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.set(name, valueToText(value));
	// A storage ignores all fields after the file
	for (const name of fileFields)
		form.append(name, new Blob([PIXEL], { type: FILE.mimeType }), FILE.name);
	return form;
}

const pictureTo = ({ guid }: Run) => ({
	...{ receiver: guid, receiverType: 'group', category: 'message', type: 'image' },
});

async function uploadInMessage(ask: Ask, run: Run): Promise<Upload> {
	const message = { ...pictureTo(run), data: '{}' };
	const send = async (...fileFields: string[]) =>
		await ask('POST', '/messages', { body: toForm(message, fileFields), onBehalfOf: run.owner });
	const exchange = await send(SINGLE_FILE_FIELD_NAME);
	const result = readMessage(exchange);
	const requests = [describe('POST /messages with a file', exchange)];
	if (result.isAccepted) {
		const several = await send(MULTI_FILE_FIELD_NAME, MULTI_FILE_FIELD_NAME);
		const { outcome, ...request } = describe('POST /messages with two files', several);
		requests.push({
			...request,
			outcome: `${outcome}, files kept: ${countFiles(readData(several))}`,
		});
	}
	return { requests, ...result };
}

/**
 * True for an address to which a file may be sent: on the internet with https, or on this machine if the
 * service is on this machine, too.
 */
export function isStorage(url: URL, serviceUrl: string): boolean {
	const name = url.hostname.replace(/\.$/, '');
	const isLocal = isLoopbackHost(name) || name.endsWith('.localhost');
	if (url.username !== '' || url.password !== '') return false;
	if (isLoopbackHost(new URL(serviceUrl).host)) return isLocal && /^https?:$/.test(url.protocol);
	return url.protocol === 'https:' && !isLocal && isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0;
}

/**
 * Sends the form to the storage, without the API key. Redirects aren't followed.
 *
 * @param sent the request as the service described it
 * @returns undefined if the request must not be sent
 */
async function sendToStorage(sent: IDataObject, serviceUrl: string): Promise<Exchange | undefined> {
	const address = toTrimmedText(sent.url);
	const method = toTrimmedText(sent.method).toUpperCase();
	if (method !== 'POST' || !URL.canParse(address)) return undefined;
	const url = new URL(address);
	if (!isStorage(url, serviceUrl)) return undefined;
	const dispatcher = new EnvHttpProxyAgent();
	const form = await encodeForm(toForm(asObjectOrEmpty(sent.body)));
	const signal = AbortSignal.timeout(MAX_STORAGE_MS);
	const exchange = { method, path: '', status: 0, headers: {}, body: '' };
	try {
		const response = await request(url, { method, ...form, dispatcher, signal });
		exchange.status = response.statusCode;
		exchange.headers = response.headers;
		exchange.body = await response.body.text();
	} catch {
		// Without a response, the status stays 0
	} finally {
		await dispatcher.destroy();
	}
	return exchange;
}

/** Describes the storage's response, which is XML with an error code or empty. */
function describeStored(exchange: Exchange | undefined): UploadRequest {
	const name = 'POST to the storage';
	if (!exchange) return { name, outcome: 'not sent: not a POST to an allowed address', fields: [] };
	const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(valueToText(exchange.body)) ?? [];
	return { name, outcome: `${formatOutcome(exchange)} ${code}`.trim(), fields: [] };
}

async function uploadToStorage(ask: Ask, run: Run, serviceUrl: string): Promise<Upload> {
	const { receiver, receiverType, ...content } = pictureTo(run);
	const files = { [FILE_ID]: { fileId: FILE_ID, ...FILE } };
	const { owner: onBehalfOf } = run;
	const body = { files, receiver, receiverType };
	const given = await ask('POST', '/files/upload-url', { body, onBehalfOf });
	const requests = [describe('POST /files/upload-url', given)];
	const upload = asObjectOrEmpty(readField(given.body, 'data', FILE_ID));
	if (!isObject(upload.request)) {
		return { requests, isAccepted: isOk(given) || isRefused(given) ? false : undefined };
	}
	const stored = await sendToStorage(upload.request, serviceUrl);
	requests.push(describeStored(stored));
	if (!stored || !isOk(stored)) {
		return { requests, isAccepted: stored && isRefused(stored) ? false : undefined };
	}
	const data = { attachments: [upload.attachment] };
	const message = { receiver, receiverType, ...content, data };
	const exchange = await ask('POST', '/messages', { body: message, onBehalfOf });
	requests.push(describe('POST /messages with the stored file', exchange));
	return { requests, ...readMessage(exchange) };
}

/**
 * Tries to upload a picture in two ways that CometChat documents for its client SDKs only, with the API key and
 * on behalf of a user. Never creates an auth token, because a user's oldest token would be deleted.
 */
export async function probeUploads(service: Service, signal: AbortSignal): Promise<Uploads> {
	const ask = createAsk(service, signal);
	const { run, recorder } = service;
	return {
		inMessage: await uploadInMessage(ask, run),
		toStorage: await uploadToStorage(ask, run, recorder.target),
	};
}
