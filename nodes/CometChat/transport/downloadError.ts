/** Reasons why a file isn't downloaded, other than the host's status or a failed connection. */
export type DownloadProblem =
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

/** Thrown if a file isn't downloaded for one of the reasons in `DownloadProblem`. Such a download isn't retried. */
export class DownloadError extends Error {
	/**
	 * @param detail the host that isn't allowed, the limit that the file exceeds, the content in place of the file,
	 * or the storage's message
	 */
	constructor(
		readonly problem: DownloadProblem,
		readonly detail = '',
	) {
		super(`file: ${problem}`);
	}
}
