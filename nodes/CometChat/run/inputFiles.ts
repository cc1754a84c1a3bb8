import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../errors/describedErrors';
import { formatNumber, formatList, getErrorMessage, joinSentences } from '../helpers/formatText';
import { toTrimmedText } from '../helpers/json';
import { isTool } from '../helpers/tool';
import type { Operation, ParameterValues } from '../types';
import { addFileExtensionUnlessKnown } from '../helpers/mediaTypes';
import { getLabelsByFieldName } from '../request/fieldTree';
import type { RestRequest, UploadFile } from '../transport/restTypes';
import type { ItemAccess } from './run';

type BinaryHelpers = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;

/** Maximum size of a file in bytes. CometChat's JavaScript SDK refuses larger files. */
const MAX_FILE_BYTES = 104_857_600;

const URLS_ADVICE = "set 'Specify Attachments' to Using Fields or Using JSON";

/** Name of one of the item's binary fields, or n8n's object for a file from any node. */
type BinaryFieldNameOrFile = string | IBinaryData;

/**
 * Lists the files that the user chose for an item, as field names or n8n's file objects. Returns an empty list if the
 * operation sends no files.
 */
export const readInputFilesParameter = (
	{ inputFiles }: Operation,
	values: ParameterValues,
): BinaryFieldNameOrFile[] =>
	inputFiles
		? [
				(values[inputFiles.parameter] ?? []) as BinaryFieldNameOrFile | BinaryFieldNameOrFile[],
			].flat()
		: [];

/**
 * Adds an item's files to its request, without reading content in n8n's storage yet. Adds no files if the item has
 * none and the operation doesn't require any.
 *
 * @throws InputError if the item lacks a named binary field, if an AI agent's tool passes a field name, or if a file
 * is lost, broken or too big
 */
export async function addInputFilesToRequest(
	request: RestRequest,
	operation: Operation,
	{ context, index }: Pick<ItemAccess, 'context' | 'index'>,
	values: ParameterValues,
): Promise<RestRequest> {
	const { inputFiles, fields } = operation;
	const given = readInputFilesParameter(operation, values);
	if (inputFiles === undefined || given.length === 0) return request;
	const label = getLabelsByFieldName(fields)[inputFiles.parameter] ?? '';
	const toFile = async (file: BinaryFieldNameOrFile) => {
		if (typeof file !== 'string') {
			const { fileName = 'file' } = file;
			return await toUploadFile(context.helpers, fileName, `contains '${fileName}'`, file, label);
		}
		const binary = readBinaryField(requireItemContext(context, file, label), index, file, label);
		return await toUploadFile(context.helpers, file, `names '${file}'`, binary, label);
	};
	const mayLackFiles = inputFiles.areOptional(values) && hasNoFiles(context, index);
	const files: UploadFile[] = [];
	if (!mayLackFiles) for (const file of given) files.push(await toFile(file));
	const body = inputFiles.adjustBody(request.body ?? {}, files);
	return { ...request, body, ...(files.length > 0 ? { files } : {}) };
}

/**
 * True if the context gives access to the binary fields of items: IExecuteFunctions outside a tool. The method
 * `addExecutionHints` distinguishes IExecuteFunctions from IExecutePaginationFunctions.
 */
const findsBinaryFields = (context: ItemAccess['context']): context is IExecuteFunctions =>
	!isTool(context.getNode()) && 'addExecutionHints' in context;

/** @throws InputError if the node runs as a tool, which has no items */
function requireItemContext(
	context: ItemAccess['context'],
	name: string,
	label: string,
): IExecuteFunctions {
	if (findsBinaryFields(context)) return context;
	throw new InputError(
		label,
		`names '${name}', but an AI agent has no files`,
		"In a tool, set 'Input Binary Fields' to an expression such as {{ $('Form').first().binary.data }}, or send files by URL.",
	);
}

const hasNoFiles = (context: ItemAccess['context'], index: number): boolean =>
	findsBinaryFields(context) &&
	Object.keys(context.getInputData()[index]?.binary ?? {}).length === 0;

function readBinaryField(
	context: Pick<IExecuteFunctions, 'helpers' | 'getInputData'>,
	index: number,
	name: string,
	label: string,
): IBinaryData {
	const binary = findBinaryField(context, index, name);
	if (binary !== undefined) return binary;
	const others = Object.keys(context.getInputData()[index]?.binary ?? {});
	throw new InputError(
		label,
		`names '${name}', but the item has no such binary field`,
		others.length > 0
			? `The item has ${formatList(others)}.`
			: `The item has no files. To send files by URL, ${URLS_ADVICE}.`,
	);
}

/** Returns a binary field, or undefined if the item lacks the field. */
function findBinaryField(
	{ helpers }: Pick<IExecuteFunctions, 'helpers'>,
	index: number,
	name: string,
): IBinaryData | undefined {
	try {
		return helpers.assertBinaryData(index, name);
	} catch {
		return undefined;
	}
}

/**
 * @param name file name to use if n8n's object contains none
 * @param origin part of the error that says how the user chose the file, e.g. "names 'data'"
 */
async function toUploadFile(
	helpers: BinaryHelpers,
	name: string,
	origin: string,
	binary: IBinaryData,
	label: string,
): Promise<UploadFile> {
	const { id, data, fileName, fileExtension } = binary;
	const mimeType = toTrimmedText(binary.mimeType);
	const fail = (problem: string, advice: string) =>
		new InputError(label, `${origin}, ${problem}`, advice);
	// Decodes base64 content again for each attempt, so that waiting items don't hold decoded files in memory
	const source = id
		? await findStoredFile(helpers, id, fail)
		: { size: decodeContent(data, fail).length, read: () => [decodeContent(data, fail)] };
	const { size } = source;
	if (size > MAX_FILE_BYTES) {
		throw fail(
			`whose file is larger than 100 MB: it has ${formatNumber(size)} bytes`,
			`Make the file smaller, or upload it to a storage, ${URLS_ADVICE}, and give its URL.`,
		);
	}
	async function* read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
		let received = 0;
		for await (const chunk of source.read(signal)) {
			received += chunk.length;
			if (received > size) break;
			yield chunk;
		}
		if (received === size) return;
		const found = received > size ? 'more' : formatNumber(received);
		throw fail(
			"whose file in n8n's storage doesn't have the size that n8n recorded",
			`n8n recorded ${formatNumber(size)} bytes, but the file has ${found}. ${CREATE_AGAIN}`,
		);
	}
	const defaultName = fileExtension ? `${name}.${fileExtension}` : name;
	return {
		name: addFileExtensionUnlessKnown(fileName || defaultName, mimeType),
		mimeType,
		size,
		read,
	};
}

const CREATE_AGAIN = 'Create the file again.';

/** Creates the error for a file that can't be sent. `problem` is a clause, e.g. "which has no content". */
type CreateError = (problem: string, advice: string) => InputError;

/** Size and content of a file. */
interface FileSource extends Pick<UploadFile, 'size'> {
	read: (signal: AbortSignal) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Finds a file in n8n's storage. @throws InputError if n8n has no record of the file */
async function findStoredFile(
	helpers: BinaryHelpers,
	id: string,
	fail: CreateError,
): Promise<FileSource> {
	const failToRead = (error: unknown) => {
		throw fail(
			"whose file could not be read from n8n's storage",
			joinSentences([getErrorMessage(error), CREATE_AGAIN]),
		);
	};
	const { fileSize } = await helpers.getBinaryMetadata(id).catch(failToRead);
	async function* read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
		const opening = helpers.getBinaryStream(id);
		// The stream must be destroyed to close its file, even if the request ends while the stream is being opened
		const close = () => void opening.then((stream) => stream.destroy()).catch(() => {});
		signal.addEventListener('abort', close);
		if (signal.aborted) close();
		try {
			yield* (await opening) as AsyncIterable<Uint8Array>;
		} catch (error) {
			failToRead(error);
		}
	}
	return { size: fileSize, read };
}

/**
 * Decodes the content of a binary field. Accepts line breaks in base64, as n8n's own nodes do.
 *
 * @throws InputError if the content is missing or isn't base64
 */
function decodeContent(data: unknown, fail: CreateError): Buffer {
	if (typeof data !== 'string') {
		throw fail(
			'which has no content',
			"A binary field needs a file's content in 'data', as base64.",
		);
	}
	const text = data.replace(/\s+/g, '');
	const content = Buffer.from(text, 'base64');
	const padding = ['==', '='].find((end) => text.endsWith(end)) ?? '';
	const digits = text.length - padding.length;
	// `Buffer.from` skips characters that aren't base64, so invalid content yields too few bytes
	if (content.length === Math.floor((digits * 3) / 4) && digits % 4 !== 1) return content;
	throw fail(
		`whose content is not base64`,
		text.startsWith('data:')
			? "It's a data URL. Keep only the part after the comma."
			: "Encode the content, e.g. with Buffer.from(text).toString('base64') in a Code node.",
	);
}
