import type { IDataObject } from 'n8n-workflow';

import { toJsonRestoringMarkedNumbers } from '../helpers/exactJson';
import { valueToText, isObjectOrArray } from '../helpers/json';
import type { UploadFile } from './restTypes';

/**
 * Names of the form fields for a single file and for several files, as in CometChat's JavaScript SDK (open
 * question 33).
 */
export const SINGLE_FILE_FIELD_NAME = 'file';
export const MULTI_FILE_FIELD_NAME = 'files[]';

/**
 * A file whose content is read only while the file is sent. n8n's HTTP client reads the files of a form one after
 * another, so a request never holds the content of several files in memory.
 */
class StreamedFile extends File {
	constructor(
		{ name, mimeType, size }: UploadFile,
		private readonly open: () => AsyncIterable<Uint8Array>,
	) {
		super([], name, { type: mimeType });
		// TypeScript doesn't allow a getter to override the property `size`
		Object.defineProperty(this, 'size', { value: size });
	}

	override stream() {
		const chunks = this.open()[Symbol.asyncIterator]();
		return new ReadableStream<Uint8Array<ArrayBuffer>>({
			async pull(controller) {
				const next: IteratorResult<Uint8Array, unknown> = await chunks.next();
				if (next.done) controller.close();
				else controller.enqueue(new Uint8Array(next.value));
			},
			async cancel() {
				await chunks.return?.();
			},
		});
	}
}

/** Converts a property of the body to form fields. A list becomes one field per entry, and an object becomes JSON. */
function toFormFields(name: string, value: unknown): Array<[string, string]> {
	if (Array.isArray(value)) return value.map((entry) => [`${name}[]`, valueToText(entry)]);
	return [
		[
			name,
			isObjectOrArray(value) ? (toJsonRestoringMarkedNumbers(value) ?? '') : valueToText(value),
		],
	];
}

/** Multipart form of a request with files. Each attempt creates a new form. */
export class UploadForm {
	readonly data = new FormData();
	/** Error that prevented a file from being read, if any */
	failure: Error | undefined;
	private readonly stopping = new AbortController();

	/**
	 * @param onFailure called if a file can't be read, after `failure` is set. Some n8n versions don't report such an
	 * error.
	 */
	constructor(
		body: IDataObject,
		files: UploadFile[],
		private readonly onFailure: () => void,
	) {
		const entries = Object.entries(body).flatMap(([name, value]) => toFormFields(name, value));
		for (const [name, value] of entries) this.data.append(name, value);
		const field = files.length > 1 ? MULTI_FILE_FIELD_NAME : SINGLE_FILE_FIELD_NAME;
		for (const file of files) {
			this.data.append(field, new StreamedFile(file, () => this.streamFileAndReportFailure(file)));
		}
	}

	/** Stops reading, and closes the file that is being read, if any. */
	stopReading(): void {
		this.stopping.abort();
	}

	private async *streamFileAndReportFailure(file: UploadFile): AsyncGenerator<Uint8Array> {
		try {
			yield* file.read(this.stopping.signal);
		} catch (error) {
			this.failure ??= error instanceof Error ? error : new Error(valueToText(error));
			this.onFailure();
			throw this.failure;
		}
	}
}
