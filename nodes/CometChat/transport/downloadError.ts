/** Reasons for not downloading a file, other than an error status from the host or a failed connection. */
export type DownloadRejectionReason =
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

/** Thrown if a file isn't downloaded for one of the reasons in `DownloadRejectionReason`. Such a download isn't retried. */
export class DownloadRejectedByNodeError extends Error {
	/**
	 * @param detail depending on the problem: the host that isn't allowed, the maximum size in bytes, the content in
	 * place of the file, or the storage's error message
	 */
	constructor(
		readonly problem: DownloadRejectionReason,
		readonly detail = '',
	) {
		super(`file: ${problem}`);
	}
}
