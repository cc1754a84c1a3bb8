import type { IDataObject } from 'n8n-workflow';

import { isRefusedWith, isTargetGone } from '../errors/refusalCodes';
import { getRefusalCodeFromError } from '../errors/refusal';
import { getValueOrThrow } from '../transport/client';
import { requestMayHaveWorked } from '../transport/failure';
import { parseJsonMarkingNumbersToRestore } from '../helpers/exactJson';
import { asObjectOrEmpty, createFieldReader } from '../helpers/json';
import { expandPath } from '../transport/path';
import {
	UnusableResponseError,
	createEntityReader,
	readBodyMergedWithData,
	createEntityReaderForMethod,
} from '../transport/response';
import type { RestRequest, RestResponse } from '../transport/restTypes';
import type {
	IfExistsSettings,
	RefusedReplyCorrectionPaths,
	UnconvertedResult,
	SingleResponseSettings,
} from '../types';
import type { ItemRequestWithClient } from './call';
import { mergeMetadataObjectsOrThrow } from './mergeMetadata';
import { fetchMembershipAsGroupAndUser } from './fetchMembership';
import { createRefusedReplyCorrections } from './replyCorrections';

type EntityReader = (response: RestResponse) => IDataObject;

const readMessage = createEntityReader('message');

/** Key of an item's only change in `ChangeOutcomesOfItem`. */
const SINGLE_CHANGE_KEY = '';

/**
 * Sends the requests of an operation that returns a single entity.
 *
 * @throws FailedAttemptsError, StoppedError, or DescribedError if metadata can't be merged
 */
export async function* sendItemWithSingleResult(
	response: SingleResponseSettings,
	call: ItemRequestWithClient,
): AsyncGenerator<UnconvertedResult[]> {
	const { outcomes, request } = call;
	if (request.method === 'GET') {
		yield [await send(response, call)];
		return;
	}
	const known = outcomes.getChangeResultIfNotResendable(SINGLE_CHANGE_KEY);
	const result =
		known ?? outcomes.recordChangeResult(SINGLE_CHANGE_KEY, await sendChange(response, call));
	if ('failure' in result) throw result.failure;
	yield [result];
}

async function send(
	response: SingleResponseSettings,
	call: ItemRequestWithClient,
): Promise<UnconvertedResult> {
	const { one, existing, refusedReplyCorrection, memberUserPath } = response;
	const { request } = call;
	const readOne = one.mayBeEmpty
		? readBodyMergedWithData
		: createEntityReaderForMethod(request.method, one.name);
	const read = request.files ? requireFiles(readOne) : readOne;
	if (memberUserPath)
		return { received: await fetchMembershipAsGroupAndUser(memberUserPath, call) };
	if (existing) return await createOrApplyIfExists(one.name, existing, call, read);
	if (refusedReplyCorrection)
		return { received: await sendReply(refusedReplyCorrection, call, read) };
	const sending =
		request.method === 'PUT'
			? sendUpdate(one.name, request, call, read)
			: sendRequest(request, call, read);
	return { received: await sending };
}

const fileReaders = [createFieldReader('data', 'attachments'), createFieldReader('data', 'url')];

/**
 * Wraps a function that reads a message. The returned function also throws an UnusableResponseError if the message
 * contains no files.
 */
function requireFiles(read: EntityReader): EntityReader {
	return (response) => {
		const message = read(response);
		const hasFiles = fileReaders.some((readFile) => [readFile(message) ?? []].flat().length > 0);
		if (hasFiles) return message;
		throw new UnusableResponseError(
			"CometChat's response contains no files of the message",
			response,
		);
	};
}

/** Sends a request, and records if a failed attempt may have made the change. */
async function sendRequest(
	request: RestRequest,
	{ client, outcomes }: ItemRequestWithClient,
	read: EntityReader,
): Promise<IDataObject> {
	const outcome = await client.sendAndReadAsOutcome(request, read);
	if (outcome.failedAttemptMayHaveWorked) outcomes.recordPossiblyMade([SINGLE_CHANGE_KEY]);
	return getValueOrThrow(outcome);
}

/**
 * Sends a reply. If CometChat refuses the reply because it lacks a receiver, or because the message to reply to is
 * a reply itself, sends the corrected reply. A refused request has no effect.
 *
 * @param paths paths with placeholders
 * @param corrections corrections that haven't been tried yet
 * @throws FailedAttemptsError, or StoppedError if the run was stopped
 */
async function sendReply(
	paths: RefusedReplyCorrectionPaths,
	call: ItemRequestWithClient,
	read: EntityReader,
	corrections = createRefusedReplyCorrections(paths, call.values),
): Promise<IDataObject> {
	return await sendRequest(call.request, call, read).catch(async (error: unknown) => {
		const correction = corrections.find(({ isNeeded }) => isNeeded(error));
		if (correction === undefined || requestMayHaveWorked(error)) throw error;
		const message = await fetchEntity(paths.repliedTo, call, readMessage);
		const request = correction.correct(call.request, message);
		if (request === undefined) throw error;
		const others = corrections.filter((other) => other !== correction);
		return await sendReply(paths, { ...call, request }, read, others);
	});
}

const readMetadata = createFieldReader('data', 'metadata');

/**
 * Updates an entity. CometChat may replace an entity's metadata as a whole (open question 7), so an update with
 * metadata first reads the entity, then sends the existing metadata merged with the new entries.
 *
 * @param entityName singular name of the entity, e.g. "user"
 * @throws FailedAttemptsError, StoppedError, or a DescribedError if the metadata can't be merged
 */
async function sendUpdate(
	entityName: string,
	request: RestRequest,
	call: ItemRequestWithClient,
	read: EntityReader,
): Promise<IDataObject> {
	const { path, headers, body = {} } = request;
	if (body.metadata === undefined) return await sendRequest(request, call, read);
	const current = await call.client.sendAndRead({ method: 'GET', path, headers }, (response) => {
		read(response);
		return readMetadata(parseJsonMarkingNumbersToRestore(response.text ?? ''));
	});
	const metadata = mergeMetadataObjectsOrThrow(entityName, current, body.metadata);
	return await sendRequest({ ...request, body: { ...body, metadata } }, call, read);
}

/**
 * Creates an entity. If its ID is taken, applies 'If It Exists'.
 *
 * @returns the entity, and output columns that report whether the entity existed and which changes weren't made
 * @throws FailedAttemptsError, StoppedError, or DescribedError if the metadata of the existing entity can't be merged
 */
async function createOrApplyIfExists(
	entityName: string,
	settings: IfExistsSettings,
	call: ItemRequestWithClient,
	read: EntityReader,
): Promise<UnconvertedResult> {
	const { request, values, hints } = call;
	const { ifExists = 'fail' } = asObjectOrEmpty(values.options);
	return await sendRequest(request, call, read).then(
		(received) => ({ received, columns: { existed: false } }),
		async (error: unknown) => {
			if (ifExists === 'fail' || getRefusalCodeFromError(error) !== settings.code) throw error;
			const received =
				ifExists === 'return'
					? await fetchEntity(settings.path, call, read)
					: await updateExisting(entityName, settings, call, read);
			const skipped = settings.createSkippedChangesReport?.(asObjectOrEmpty(request.body));
			if (skipped) hints.add(skipped.hint);
			return { received, columns: { existed: true, ...skipped?.columns } };
		},
	);
}

async function updateExisting(
	entityName: string,
	{ path, onlyNew }: IfExistsSettings,
	call: ItemRequestWithClient,
	read: EntityReader,
): Promise<IDataObject> {
	const { headers, body } = call.request;
	const entries = Object.entries(asObjectOrEmpty(body)).filter(([name]) => !onlyNew.includes(name));
	const update: RestRequest = {
		method: 'PUT',
		path: expandPath(path, call.values),
		headers,
		body: Object.fromEntries(entries),
	};
	return await sendUpdate(entityName, update, call, read);
}

/**
 * Fetches an entity on behalf of the same user as the request.
 *
 * @param path path with placeholders, e.g. `/messages/{messageId}`
 * @throws FailedAttemptsError, or StoppedError if the run was stopped
 */
async function fetchEntity(
	path: string,
	{ client, request: { headers }, values }: ItemRequestWithClient,
	read: EntityReader,
): Promise<IDataObject> {
	return await client.sendAndRead({ method: 'GET', path: expandPath(path, values), headers }, read);
}

/**
 * Sends a change. If an earlier request may have made the change, CometChat's refusal to make it again
 * counts as success.
 *
 * @returns the result, which contains the failure if the change failed
 */
async function sendChange(
	response: SingleResponseSettings,
	call: ItemRequestWithClient,
): Promise<UnconvertedResult> {
	const { doneColumns = () => ({}) } = response.repeated ?? {};
	const { outcomes } = call;
	try {
		const result = await send(response, call);
		if (!outcomes.isPossiblyMade(SINGLE_CHANGE_KEY)) return result;
		return { ...result, columns: { ...result.columns, ...doneColumns(result.received) } };
	} catch (failure) {
		if (isTolerated(response, call, failure)) {
			return { received: {}, columns: response.tolerated?.columns };
		}
		const isDone =
			outcomes.isPossiblyMade(SINGLE_CHANGE_KEY) && isAlreadyDone(response, call, failure);
		const received = isDone ? await readBack(response, call) : undefined;
		return received ? { received, columns: doneColumns(received) } : { received: {}, failure };
	}
}

/**
 * True if the user has chosen to count this refusal as success. Always false if an earlier attempt may have made the
 * change, because that attempt may have caused the refusal.
 */
function isTolerated(
	{ tolerated }: SingleResponseSettings,
	{ outcomes, values: { options } }: ItemRequestWithClient,
	error: unknown,
): boolean {
	if (!tolerated || outcomes.isPossiblyMade(SINGLE_CHANGE_KEY)) return false;
	return (
		asObjectOrEmpty(options)[tolerated.option] === 'succeed' &&
		isRefusedWith(error, tolerated.codes)
	);
}

/** True if CometChat refused a change because it is already made, or a deletion because its target is gone. */
function isAlreadyDone(
	{ repeated }: SingleResponseSettings,
	{ request: { method, headers } }: ItemRequestWithClient,
	error: unknown,
): boolean {
	if (isRefusedWith(error, repeated?.doneCodes ?? [])) return true;
	// With 'On Behalf Of', the user who wasn't found may be the acting user instead of the target
	const mayBeActor =
		isRefusedWith(error, ['ERR_UID_NOT_FOUND']) && headers?.onBehalfOf !== undefined;
	return method === 'DELETE' && !mayBeActor && isTargetGone(error);
}

/**
 * Reads the changed message, after CometChat refused the change because it is already made.
 *
 * @returns the message, an empty object if no message can be read, or undefined if the message shows that the
 * change isn't made
 */
async function readBack(
	{ repeated = {} }: SingleResponseSettings,
	call: ItemRequestWithClient,
): Promise<IDataObject | undefined> {
	const { readBack: path, isDone = () => true } = repeated;
	const message = path && (await fetchEntity(path, call, readMessage).catch(() => undefined));
	if (!message) return {};
	return isDone(message) ? message : undefined;
}
