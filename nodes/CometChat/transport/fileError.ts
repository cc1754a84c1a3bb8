/** Reasons for which a file isn't downloaded, although its host responded or wasn't asked. */
export type FileProblem = 'noUrl' | 'host' | 'redirects' | 'size' | 'noAddress';

/** Thrown if a file isn't downloaded for a reason that a retry doesn't change. */
export class FileError extends Error {
	/** @param detail the host that isn't allowed, or the limit that the file exceeds */
	constructor(
		readonly problem: FileProblem,
		readonly detail = '',
	) {
		super(`file: ${problem}`);
	}
}
