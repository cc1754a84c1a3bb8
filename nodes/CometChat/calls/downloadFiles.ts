import type { IDataObject } from 'n8n-workflow';

import { DEFAULT_MAX_DOWNLOAD_SIZE_MB } from '../helpers/limits';
import { toDescribedDownloadError } from '../errors/fileErrors';
import { formatNumber } from '../helpers/formatText';
import type { FileHost, FileToDownload } from '../transport/download';
import { StoppedError } from '../transport/failure';
import { asObjectOrEmpty, toTrimmedText } from '../helpers/json';
import { createEntityReader } from '../transport/response';
import type { EntityDefinition, DownloadFilesResponseSettings, UnconvertedResult } from '../types';
import type { ItemRequestWithClient } from './call';
import { chooseFileNameBeforeDownload } from './fileName';

const BYTES_PER_MB = 1_000_000;

const TOOL_HINT =
	"The files' content was not downloaded, because an AI model can't read it. In a workflow, Download Files downloads it.";

/** Start of the hint about a file whose size differs from the announced size. */
const SIZE_HINT = "A file's size differs from the size that CometChat announced";

/**
 * Reads a message to get fresh URLs of its files, and downloads these files in parallel. The result of a file that
 * can't be downloaded contains the failure. In an agent's tool, only lists the files.
 *
 * @throws FailedAttemptsError if the message can't be read, or StoppedError if the run was stopped
 */
export async function* downloadMessageFiles(
	{ files }: DownloadFilesResponseSettings,
	call: ItemRequestWithClient,
): AsyncGenerator<UnconvertedResult[]> {
	const message = await call.client.sendAndRead(call.request, createEntityReader('message'));
	yield await Promise.all(
		files
			.listFiles(message)
			.map(
				async (received, index) =>
					await downloadFile(files, received, chooseFileNameBeforeDownload(received, index), call),
			),
	);
}

/** Adds a hint if a file's size differs from the announced size. A run has at most one such hint. */
function hintIfSizeDiffers(
	hints: Set<string>,
	name: string,
	size: number,
	announced: unknown,
): void {
	const isKnown = [...hints].some((hint) => hint.startsWith(SIZE_HINT));
	if (isKnown || typeof announced !== 'number' || announced === size) return;
	hints.add(
		`${SIZE_HINT}, e.g. ${name}: ${formatNumber(size)} instead of ${formatNumber(announced)} bytes`,
	);
}

async function downloadFile(
	fileEntity: EntityDefinition,
	received: IDataObject,
	name: string,
	{ download, values, hints }: ItemRequestWithClient,
): Promise<UnconvertedResult> {
	if (download === undefined) {
		hints.add(TOOL_HINT);
		return { received, columns: { name } };
	}
	const { hosts = [], maxSize = DEFAULT_MAX_DOWNLOAD_SIZE_MB } = asObjectOrEmpty(values.options);
	let host: FileHost | undefined;
	const file: FileToDownload = {
		url: toTrimmedText(received.url),
		name,
		mimeType: toTrimmedText(received.mimeType),
		maxBytes: BYTES_PER_MB * Number(maxSize),
		otherHosts: [hosts].flat().map(String),
		onRequest: (asked) => {
			host = asked;
		},
	};
	return await download(file).then(
		({ binary, size }) => {
			hintIfSizeDiffers(hints, name, size, fileEntity.columns.size?.(received));
			const { mimeType } = binary;
			return { received, file: binary, columns: { name, mimeType, size }, entry: name };
		},
		(error: unknown) => {
			if (error instanceof StoppedError) throw error;
			return {
				received,
				columns: { name },
				entry: name,
				failure: toDescribedDownloadError(error, host),
			};
		},
	);
}
