import type { IDataObject } from 'n8n-workflow';

import { ChangeError } from '../errors/nodeError';
import { readServiceWords } from '../errors/serviceWords';
import { SendError, StatusError } from '../transport/failure';
import { isObject, asObject } from '../transport/json';
import { expandPath } from '../transport/path';
import type { RestRequest, RestResponse } from '../transport/types';
import type { Existing } from '../description/types';
import type { OperationCall } from './call';

type Read = (response: RestResponse) => IDataObject;

/**
 * Sends a request. CometChat may replace an entity's metadata as a whole, so an update with metadata
 * reads the entity first, and sends its metadata with the new entries.
 *
 * @param part number of requests sent before for the same item
 * @throws SendError
 */
export async function sendMerged(
	request: RestRequest,
	{ client }: Pick<OperationCall, 'client'>,
	read: Read,
	part = 0,
): Promise<IDataObject> {
	const { method, path, headers, body = {} } = request;
	if (method !== 'PUT' || body.metadata === undefined)
		return await client.send(request, read, part);
	const current = await client.send({ method: 'GET', path, headers }, read, part);
	const metadata = mergeMetadata(current.metadata, body.metadata) as IDataObject;
	return await client.send({ ...request, body: { ...body, metadata } }, read, part + 1);
}

/** Adds the entries of an object to another one, at every depth. Any other value replaces the current one. */
function mergeMetadata(current: unknown, added: unknown): unknown {
	if (!isObject(current) || !isObject(added)) return added;
	const entries = Object.entries(added).map(([key, value]) => [
		key,
		mergeMetadata(current[key], value),
	]);
	return { ...current, ...Object.fromEntries(entries) };
}

/**
 * Creates an entity. If its ID is taken, applies 'If It Exists'.
 *
 * @returns the entity, and the columns that say whether it existed and what it didn't get
 * @throws SendError
 */
export async function createOrFind(
	existing: Existing,
	call: OperationCall,
	read: Read,
): Promise<{ entity: IDataObject; columns: IDataObject }> {
	const { ifExists = 'fail' } = asObject(call.values.options);
	const creating = sendMerged(call.request, call, read).then((entity) => ({
		entity,
		columns: { existed: false },
	}));
	return await creating.catch(async (error: unknown) => {
		if (ifExists === 'fail' || !isTaken(error, existing)) throw error;
		return await findExisting(existing, call, read);
	});
}

/** Returns or updates the existing entity, and reports what it didn't get. */
async function findExisting(existing: Existing, call: OperationCall, read: Read) {
	const { reportSkipped, change } = existing;
	const entity = await sendMerged(requestFor(existing, call), call, read, 1).catch(
		(error: unknown) => {
			throw error instanceof SendError ? new ChangeError(error.failure, change) : error;
		},
	);
	const skipped = reportSkipped?.(asObject(call.request.body));
	if (skipped) call.hints.add(skipped.hint);
	return { entity, columns: { existed: true, ...skipped?.columns } };
}

/** True if a request was refused because the ID of the new entity is taken. */
function isTaken(error: unknown, { code }: Existing): boolean {
	const cause = error instanceof SendError ? error.failure.error : undefined;
	return cause instanceof StatusError && readServiceWords(cause.response).code === code;
}

/** The request that reads or updates the existing entity. */
function requestFor({ path, onlyNew }: Existing, { request, values }: OperationCall): RestRequest {
	const { headers, body } = request;
	const place = { headers, path: expandPath(path, values) };
	if (asObject(values.options).ifExists === 'return') return { method: 'GET', ...place };
	const entries = Object.entries(asObject(body)).filter(([name]) => !onlyNew.includes(name));
	return { method: 'PUT', ...place, body: Object.fromEntries(entries) };
}
