import type { IDataObject } from 'n8n-workflow';

import { readServiceWords } from '../errors/serviceWords';
import { getRefusal, mayHaveWorked } from '../transport/failure';
import { parseExactJson } from '../transport/exactJson';
import { asObject, asText, fieldReader, toJson } from '../transport/json';
import { expandPath } from '../transport/path';
import { readConfirmation, entityReader } from '../transport/response';
import type { RestRequest, RestResponse } from '../transport/types';
import type { IfExistsSettings, Result, SingleResponse } from '../types';
import type { OperationCall } from './call';
import { mergeMetadata } from './mergeMetadata';

type ReadEntity = (response: RestResponse) => IDataObject;

const readMessage = entityReader('message');

/** Sends the request of an operation that returns a single entity. */
export async function* sendSingle(
	response: SingleResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const { outcomes, request } = call;
	if (request.method === 'GET') {
		yield [await send(response, call)];
		return;
	}
	const known = outcomes.recall('');
	const result = known ?? outcomes.record('', await sendChange(response, call));
	if ('failure' in result) throw result.failure;
	yield [result];
}

async function send(response: SingleResponse, call: OperationCall): Promise<Result> {
	const { one, existing, receiverOf } = response;
	const { request, client } = call;
	const read = one.mayBeEmpty ? readConfirmation : entityReader(one.name);
	if (existing) return await createOrFind(one.name, existing, call, read);
	const sending =
		request.method === 'PUT'
			? sendUpdate(one.name, request, call, read)
			: client.send(request, read);
	const sent = await sending.catch(async (error: unknown) => {
		if (receiverOf === undefined || !asksForReceiver(error)) throw error;
		return await client.send(await addReceiver(receiverOf, call), read);
	});
	return { sent };
}

/** Returns the error code with which CometChat refused a request, if any. */
const readRefusalCode = (error: unknown): string | undefined =>
	readServiceWords({ body: getRefusal(error)?.body }).code;

const readMetadata = fieldReader('data', 'metadata');

/**
 * Updates an entity. CometChat may replace an entity's metadata as a whole, so an update with metadata first
 * reads the entity, then sends the existing metadata merged with the new entries.
 *
 * @param entity singular name of the entity, e.g. "user"
 * @throws SendError, or a DescribedError if the metadata can't be merged
 */
async function sendUpdate(
	entity: string,
	request: RestRequest,
	{ client }: OperationCall,
	read: ReadEntity,
): Promise<IDataObject> {
	const { path, headers, body = {} } = request;
	if (body.metadata === undefined) return await client.send(request, read);
	const current = await client.send({ method: 'GET', path, headers }, (response) => {
		read(response);
		return readMetadata(parseExactJson(response.text ?? ''));
	});
	const metadata = mergeMetadata(entity, current, body.metadata);
	return await client.send({ ...request, body: { ...body, metadata } }, read);
}

/**
 * Creates an entity. If its ID is taken, applies 'If It Exists'.
 *
 * @returns the entity, and output columns that report if the entity existed and which values were skipped
 * @throws SendError
 */
async function createOrFind(
	entity: string,
	existing: IfExistsSettings,
	call: OperationCall,
	read: ReadEntity,
): Promise<Result> {
	const { request, values, client, hints } = call;
	const { ifExists = 'fail' } = asObject(values.options);
	return await client.send(request, read).then(
		(sent) => ({ sent, columns: { existed: false } }),
		async (error: unknown) => {
			if (ifExists === 'fail' || readRefusalCode(error) !== existing.code) throw error;
			const sent =
				ifExists === 'return'
					? await fetchEntity(existing.path, call, read)
					: await updateExisting(entity, existing, call, read);
			const skipped = existing.reportSkipped?.(asObject(request.body));
			if (skipped) hints.add(skipped.hint);
			return { sent, columns: { existed: true, ...skipped?.columns } };
		},
	);
}

async function updateExisting(
	entity: string,
	{ path, onlyNew }: IfExistsSettings,
	call: OperationCall,
	read: ReadEntity,
): Promise<IDataObject> {
	const { headers, body } = call.request;
	const entries = Object.entries(asObject(body)).filter(([name]) => !onlyNew.includes(name));
	const update: RestRequest = {
		method: 'PUT',
		path: expandPath(path, call.values),
		headers,
		body: Object.fromEntries(entries),
	};
	return await sendUpdate(entity, update, call, read);
}

/** Fetches an entity as the user that the request acts for. @param path path with parameter names */
async function fetchEntity(
	path: string,
	{ client, request: { headers }, values }: OperationCall,
	read: ReadEntity,
): Promise<IDataObject> {
	return await client.send({ method: 'GET', path: expandPath(path, values), headers }, read);
}

/**
 * Sends a change. If CometChat refuses a repeated change because an earlier attempt already worked, the change
 * was successful.
 */
async function sendChange(response: SingleResponse, call: OperationCall): Promise<Result> {
	const { readBack } = response;
	const { outcomes, request } = call;
	try {
		return await send(response, call);
	} catch (failure) {
		const isRepeated = mayHaveWorked(failure) || mayHaveWorked(outcomes.get('')?.failure);
		if (!isRepeated || !isAlreadyDone(request, failure)) return { sent: {}, failure };
		return { sent: readBack === undefined ? {} : await fetchEntity(readBack, call, readMessage) };
	}
}

/** Matches the codes with which CometChat says that the target of a change is gone. */
const GONE = /^ERR_(?!API_)(.*_)?NOT_(FOUND|A_MEMBER|A_BANNED_USER)$/;

/** True if CometChat refused a change because its target is gone, or already as requested. */
function isAlreadyDone({ method }: RestRequest, error: unknown): boolean {
	const code = readRefusalCode(error) ?? '';
	return method === 'PUT' ? code === 'ERR_SAME_SCOPE' : method === 'DELETE' && GONE.test(code);
}

/** True if CometChat refused a message because it names no receiver. */
function asksForReceiver(error: unknown): boolean {
	const { statusCode, body } = getRefusal(error) ?? {};
	return statusCode === 400 && /receiver/i.test(toJson(body) ?? '');
}

/** Adds the conversation's receiver, as seen from the sender, to a message. */
async function addReceiver(path: string, call: OperationCall): Promise<RestRequest> {
	const { request } = call;
	const { headers = {}, body } = request;
	const { sender, receiver, receiverType } = await fetchEntity(path, call, readMessage);
	const isOwn = (uid: unknown) => asText(uid).toLowerCase() === headers.onBehalfOf?.toLowerCase();
	const other = receiverType === 'user' && isOwn(receiver) ? sender : receiver;
	return { ...request, body: { ...body, receiver: other, receiverType } };
}
