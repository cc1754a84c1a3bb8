import { serviceWordsOf } from '../errors/serviceWords';
import { SendError, StatusError } from '../transport/failure';
import { expandPath } from '../transport/path';
import type { RestRequest, RestResponse } from '../transport/types';
import { objectOf } from '../transport/json';
import type { Existing } from '../description/types';
import type { Call } from './call';

/** Whether a request was refused because what it creates exists already. */
function isTaken(error: unknown, code: string): boolean {
	const cause = error instanceof SendError ? error.failure.error : undefined;
	return cause instanceof StatusError && serviceWordsOf(cause.response).code === code;
}

/** The request for what exists: it is changed, or only asked for. */
function requestFor(
	{ path, onlyNew }: Existing,
	{ request, values }: Call,
	isUpdate: boolean,
): RestRequest {
	const { headers, body } = request;
	const place = { headers, path: expandPath(path, (name) => String(values[name])) };
	if (!isUpdate) return { method: 'GET', ...place };
	const entries = Object.entries(objectOf(body)).filter(([name]) => !onlyNew.includes(name));
	return { method: 'PUT', ...place, body: Object.fromEntries(entries) };
}

/**
 * Creates a thing; where its ID is taken, what 'If It Exists' says.
 *
 * @returns the thing, and whether it was there already
 * @throws SendError
 */
export async function createOrFind<T>(
	existing: Existing,
	call: Call,
	read: (response: RestResponse) => T,
): Promise<{ thing: T; existed: boolean }> {
	const { ifExists = 'fail' } = objectOf(call.values.options);
	const creating = call.client
		.send(call.request, read)
		.then((thing) => ({ thing, existed: false }));
	return await creating.catch(async (error: unknown) => {
		if (ifExists === 'fail' || !isTaken(error, existing.code)) throw error;
		const request = requestFor(existing, call, ifExists === 'update');
		return { thing: await call.client.send(request, read, 1), existed: true };
	});
}
