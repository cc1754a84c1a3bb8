import type { IDataObject } from 'n8n-workflow';

import { readServiceWords } from '../errors/serviceWords';
import { getRefusal, mayHaveWorked } from '../transport/failure';
import { asText, toJson } from '../transport/json';
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

/** Matches the codes with which CometChat says that the target of a change is gone. */
const GONE = /^ERR_(?!API_)(.*_)?NOT_(FOUND|A_MEMBER|A_BANNED_USER)$/;

/** True if CometChat refused a change because its target is gone, or already as requested. */
function isAlreadyDone({ method }: RestRequest, error: unknown): boolean {
	const { code = '' } = readServiceWords({ body: getRefusal(error)?.body });
	return method === 'PUT' ? code === 'ERR_SAME_SCOPE' : method === 'DELETE' && GONE.test(code);
}

/** True if CometChat refused a message because it names no receiver. */
function asksForReceiver(error: unknown): boolean {
	const { statusCode, body } = getRefusal(error) ?? {};
	return statusCode === 400 && /receiver/i.test(toJson(body) ?? '');
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
