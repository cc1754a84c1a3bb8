import { joinSentences } from './formatText';

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

/** A value that must not be sent. */
export class InputError extends DescribedError {
	constructor(
		/** Label of the field as the editor shows it */
		readonly field: string,
		/** What is wrong with it, e.g. "is empty" */
		private readonly problem: string,
		/** What to do about it, as whole sentences */
		private readonly advice?: string,
	) {
		super(`'${field}' ${problem}`, advice);
	}

	/** The same for a field that is not among the node's parameters. */
	inSettings(): InputError {
		const place = `'${this.field}' is in the node's Settings`;
		return new InputError(this.field, this.problem, joinSentences([this.advice, place]));
	}
}
