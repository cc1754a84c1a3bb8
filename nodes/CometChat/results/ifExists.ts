import type { IDataObject } from 'n8n-workflow';

import { ChangeError } from '../errors/nodeError';
import { serviceWordsOf } from '../errors/serviceWords';
import { SendError, StatusError } from '../transport/failure';
import { isObject, objectOf } from '../transport/json';
import { expandPath } from '../transport/path';
import type { RestRequest, RestResponse } from '../transport/types';
import type { Existing } from '../description/types';
import type { Call } from './call';

type Read = (response: RestResponse) => IDataObject;

/**
 * Sends a request. CometChat may replace an entity's metadata as a whole, so an update with metadata
 * reads the entity first, and sends its metadata with the new entries.
 *
 * @param part number of requests sent before for the same item
 * @throws SendError
 */
export async function send(
	request: RestRequest,
	{ client }: Pick<Call, 'client'>,
	read: Read,
	part = 0,
): Promise<IDataObject> {
	const { method, path, headers, body = {} } = request;
	if (method !== 'PUT' || body.metadata === undefined)
		return await client.send(request, read, part);
	const current = await client.send({ method: 'GET', path, headers }, read, part);
	const metadata = merge(current.metadata, body.metadata) as IDataObject;
	return await client.send({ ...request, body: { ...body, metadata } }, read, part + 1);
}

/** Adds the entries of an object to another one, at every depth. Any other value replaces the current one. */
function merge(current: unknown, added: unknown): unknown {
	if (!isObject(current) || !isObject(added)) return added;
	const entries = Object.entries(added).map(([key, value]) => [key, merge(current[key], value)]);
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
	call: Call,
	read: Read,
): Promise<{ thing: IDataObject; columns: IDataObject }> {
	const { ifExists = 'fail' } = objectOf(call.values.options);
	const creating = send(call.request, call, read).then((thing) => ({
		thing,
		columns: { existed: false },
	}));
	return await creating.catch(async (error: unknown) => {
		if (ifExists === 'fail' || !isTaken(error, existing)) throw error;
		return await find(existing, call, read);
	});
}

/** Returns or updates the existing entity, and reports what it didn't get. */
async function find(existing: Existing, call: Call, read: Read) {
	const { reportSkipped, change } = existing;
	const thing = await send(requestFor(existing, call), call, read, 1).catch((error: unknown) => {
		throw error instanceof SendError ? new ChangeError(error.failure, change) : error;
	});
	const skipped = reportSkipped?.(objectOf(call.request.body));
	if (skipped) call.hints.add(skipped.hint);
	return { thing, columns: { existed: true, ...skipped?.columns } };
}

/** True if a request was refused because the ID of the new entity is taken. */
function isTaken(error: unknown, { code }: Existing): boolean {
	const cause = error instanceof SendError ? error.failure.error : undefined;
	return cause instanceof StatusError && serviceWordsOf(cause.response).code === code;
}

/** The request that reads or updates the existing entity. */
function requestFor({ path, onlyNew }: Existing, { request, values }: Call): RestRequest {
	const { headers, body } = request;
	const place = { headers, path: expandPath(path, (name) => String(values[name])) };
	if (objectOf(values.options).ifExists === 'return') return { method: 'GET', ...place };
	const entries = Object.entries(objectOf(body)).filter(([name]) => !onlyNew.includes(name));
	return { method: 'PUT', ...place, body: Object.fromEntries(entries) };
}
