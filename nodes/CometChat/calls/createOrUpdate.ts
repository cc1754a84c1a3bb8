import type { IDataObject } from 'n8n-workflow';

import { readServiceWords } from '../errors/serviceWords';
import { getRefusal } from '../transport/failure';
import { asObject, mergeObjects } from '../transport/json';
import { expandPath } from '../transport/path';
import type { RestRequest, RestResponse } from '../transport/types';
import type { IfExistsSettings, Result } from '../types';
import type { OperationCall } from './call';

type ReadEntity = (response: RestResponse) => IDataObject;

/**
 * Updates an entity. CometChat may replace an entity's metadata as a whole, so an update with metadata first
 * reads the entity, then sends the existing metadata merged with the new entries.
 *
 * @param part number of requests already sent for this item
 * @throws SendError
 */
export async function sendUpdate(
	request: RestRequest,
	{ client }: OperationCall,
	read: ReadEntity,
	part = 0,
): Promise<IDataObject> {
	const { path, headers, body = {} } = request;
	if (body.metadata === undefined) return await client.send(request, read, part);
	const current = await client.send({ method: 'GET', path, headers }, read, part);
	const metadata = mergeObjects(current.metadata, body.metadata);
	return await client.send({ ...request, body: { ...body, metadata } }, read, part + 1);
}

/**
 * Creates an entity. If its ID is taken, applies 'If It Exists'.
 *
 * @returns the entity, and output columns that report if the entity existed and which values were skipped
 * @throws SendError
 */
export async function createOrFind(
	existing: IfExistsSettings,
	call: OperationCall,
	read: ReadEntity,
): Promise<Result> {
	const { request, values, client, hints } = call;
	const { ifExists = 'fail' } = asObject(values.options);
	const creating = client.send(request, read).then((sent) => ({
		sent,
		columns: { existed: false },
	}));
	return await creating.catch(async (error: unknown) => {
		if (ifExists === 'fail' || !isIdTaken(error, existing)) throw error;
		const sent = await readOrUpdate(existing, call, read, ifExists === 'return');
		const skipped = existing.reportSkipped?.(asObject(request.body));
		if (skipped) hints.add(skipped.hint);
		return { sent, columns: { existed: true, ...skipped?.columns } };
	});
}

/** True if CometChat refused a request because the new entity's ID is taken. */
function isIdTaken(error: unknown, { code }: IfExistsSettings): boolean {
	const refusal = getRefusal(error);
	return refusal !== undefined && readServiceWords(refusal).code === code;
}

/** Reads the existing entity if `isRead` is true. Otherwise, updates the entity. */
async function readOrUpdate(
	{ path, onlyNew }: IfExistsSettings,
	call: OperationCall,
	read: ReadEntity,
	isRead: boolean,
): Promise<IDataObject> {
	const { headers, body } = call.request;
	const target = { headers, path: expandPath(path, call.values) };
	if (isRead) return await call.client.send({ method: 'GET', ...target }, read, 1);
	const entries = Object.entries(asObject(body)).filter(([name]) => !onlyNew.includes(name));
	const update: RestRequest = { method: 'PUT', ...target, body: Object.fromEntries(entries) };
	return await sendUpdate(update, call, read, 1);
}
