import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { formatCount, formatList, getErrorMessage } from '../helpers/formatText';
import { isTool } from '../helpers/tool';
import type { Operation, Values } from '../types';
import type { UploadFile } from '../transport/types';
import type { Item } from './run';

type BinaryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'
>;

/** Maximum size of a file in bytes. CometChat's JavaScript SDK refuses larger files. */
const MAX_FILE_BYTES = 104_857_600;

const URLS_ADVICE = "set 'Specify Attachments' to Using Fields or Using JSON";

/** Lists the item's binary fields to send as files. */
export const listBinaryFieldNames = (
	{ filesParameter = '' }: Operation,
	values: Values,
): string[] => [values[filesParameter] ?? []].flat().map(String);

/**
 * Reads the sizes of an item's binary fields, and prepares the fields as files to send. The content isn't read yet.
 *
 * @param label label of the field that names the binary fields
 * @throws InputError if the node runs as a tool, if the item lacks a binary field, or if a file is lost or too big
 */
export async function prepareInputFiles(
	{ context, index }: Pick<Item, 'context' | 'index'>,
	names: string[],
	label: string,
): Promise<UploadFile[]> {
	// Only IExecuteFunctions, recognizable by `addExecutionHints`, finds binary fields by the item's index
	if (isTool(context.getNode()) || !('addExecutionHints' in context)) {
		throw new InputError(
			label,
			`names '${names.join(', ')}', but an AI agent has no files`,
			"In a tool, 'Specify Attachments' must be Using Fields or Using JSON, with the URLs of files.",
		);
	}
	const files: UploadFile[] = [];
	for (const name of names) {
		const binary = readBinaryField(context, index, name, label);
		files.push(await toUploadFile(context.helpers, name, binary, label));
	}
	return files;
}

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

async function toUploadFile(
	helpers: BinaryHelpers,
	name: string,
	binary: IBinaryData,
	label: string,
): Promise<UploadFile> {
	const { id, data, mimeType, fileName = '', fileExtension = '' } = binary;
	const fail = (error: unknown) => {
		throw new InputError(
			label,
			`names '${name}', whose file could not be read from n8n's storage`,
			`${getErrorMessage(error)}. Create the file again.`,
		);
	};
	const size = id
		? (await helpers.getBinaryMetadata(id).catch(fail)).fileSize
		: Buffer.byteLength(data, 'base64');
	if (size > MAX_FILE_BYTES) {
		throw new InputError(
			label,
			`names '${name}', whose file is larger than 100 MB: it has ${formatCount(size)} bytes`,
			`Make the file smaller, or upload it to a storage, ${URLS_ADVICE}, and give its URL.`,
		);
	}
	async function* read(): AsyncGenerator<Uint8Array> {
		try {
			if (id) yield* (await helpers.getBinaryStream(id)) as AsyncIterable<Uint8Array>;
			else yield Buffer.from(data, 'base64');
		} catch (error) {
			fail(error);
		}
	}
	const defaultName = fileExtension === '' ? name : `${name}.${fileExtension}`;
	return { name: fileName || defaultName, mimeType, size, read };
}
