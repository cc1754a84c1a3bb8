import type { IDataObject } from 'n8n-workflow';

import { readServiceWords } from '../errors/serviceWords';
import { SendError, StatusError, mayHaveWorked } from '../transport/failure';
import { asText } from '../transport/json';
import { expandPath } from '../transport/path';
import { readConfirmation, entityReader } from '../transport/response';
import type { RestRequest } from '../transport/types';
import { createOrFind, sendUpdate } from './createOrUpdate';
import type { SingleResponse, Result } from '../types';
import type { OperationCall } from './call';

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
	if (existing) return await createOrFind(existing, call, read);
	const sending =
		request.method === 'PUT' ? sendUpdate(request, call, read) : client.send(request, read);
	const sent = await sending.catch(async (error: unknown) => {
		if (receiverOf === undefined || !asksForReceiver(error)) throw error;
		return await client.send(await addReceiver(receiverOf, call), read, 2);
	});
	return { sent };
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
		const isRepeated = mayHaveWorked(failure) || mayHaveWorked(outcomes.getFailure(''));
		if (!isRepeated || !isAlreadyDone(request, failure)) return { sent: {}, failure };
		return { sent: readBack === undefined ? {} : await readMessage(readBack, call) };
	}
}

/** Reads CometChat's status and error code from a failed request. */
function readRefusal(error: unknown): { statusCode?: number; code?: string; text?: string } {
	const cause = error instanceof SendError ? error.failure.error : undefined;
	if (!(cause instanceof StatusError)) return {};
	const { code, message, details } = readServiceWords(cause.response);
	const { statusCode } = cause.response;
	return { statusCode, code, text: [code, message, details].join(' ') };
}

/** True if CometChat refused a change because its target is gone, or already as requested. */
function isAlreadyDone({ method }: RestRequest, error: unknown): boolean {
	const { statusCode, code = '' } = readRefusal(error);
	if (method === 'PUT') return code === 'ERR_SAME_SCOPE';
	// CometChat doesn't document the status of every code
	const isGone = statusCode === 404 || /_NOT_(FOUND|A_MEMBER)$/.test(code);
	return method === 'DELETE' && isGone && code.startsWith('ERR_') && code !== 'ERR_API_NOT_FOUND';
}

/** True if CometChat refused a message because it names no receiver. */
function asksForReceiver(error: unknown): boolean {
	const { statusCode, text = '' } = readRefusal(error);
	return statusCode === 400 && /receiver/i.test(text);
}

/** Reads a message as the user that the request acts for. @param path path with parameter names */
async function readMessage(
	path: string,
	{ client, request: { headers }, values }: OperationCall,
): Promise<IDataObject> {
	const reading: RestRequest = { method: 'GET', path: expandPath(path, values), headers };
	return await client.send(reading, entityReader('message'), 1);
}

/** Adds the conversation's receiver, as seen from the sender, to a message. */
async function addReceiver(path: string, call: OperationCall): Promise<RestRequest> {
	const { request } = call;
	const { headers = {}, body } = request;
	const { sender, receiver, receiverType } = await readMessage(path, call);
	const isOwn = (uid: unknown) => asText(uid).toLowerCase() === headers.onBehalfOf?.toLowerCase();
	const other = receiverType === 'user' && isOwn(receiver) ? sender : receiver;
	return { ...request, body: { ...body, receiver: other, receiverType } };
}
