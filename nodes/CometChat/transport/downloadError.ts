/** Reasons for not downloading a file, other than an error status from the host or a failed connection. */
export type NonRetryableDownloadReason =
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

/** Thrown if a file isn't downloaded for a `NonRetryableDownloadReason`. Such a download isn't retried. */
export class NonRetryableDownloadError extends Error {
	/**
	 * @param detail depending on the problem: the host that isn't allowed, the maximum size in bytes, the content in
	 * place of the file, or the storage's error message
	 */
	constructor(
		readonly problem: NonRetryableDownloadReason,
		readonly detail = '',
	) {
		super(`file: ${problem}`);
	}
}
