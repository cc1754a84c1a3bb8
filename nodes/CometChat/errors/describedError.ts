/**
 * An error that already says what happened and what to do. The message has no final period; the
 * description is made of whole sentences.
 */
export class DescribedError extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
	}
}
