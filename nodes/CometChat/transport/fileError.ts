/** Reasons for which a file isn't downloaded, although its host responded or wasn't asked. */
export type FileProblem =
	| 'noUrl'
	| 'login'
	| 'insecure'
	| 'host'
	| 'redirect'
	| 'redirects'
	| 'size'
	| 'noAddress'
	| 'replaced'
	| 'storage';

/** Thrown if a file isn't downloaded for a reason that a retry doesn't change. */
export class FileError extends Error {
	/**
	 * @param detail the host that isn't allowed, the limit that the file exceeds, the content in place of the file,
	 * or the storage's message
	 */
	constructor(
		readonly problem: FileProblem,
		readonly detail = '',
	) {
		super(`file: ${problem}`);
	}
}
