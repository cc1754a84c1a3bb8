import { joinSentences } from './formatText';

/** Thrown with a message and advice that are already written for the user. */
export class DescribedError extends Error {
	constructor(
		/** Error message, as one sentence without a period */
		message: string,
		/** Advice in whole sentences */
		readonly description?: string,
	) {
		super(message);
	}
}

/** Thrown if a field value is invalid. */
export class InputError extends DescribedError {
	constructor(
		/** The field's label in the editor */
		readonly field: string,
		/** The end of a sentence about the field, e.g. "is empty" */
		private readonly problem: string,
		/** Advice in whole sentences */
		private readonly advice?: string,
	) {
		super(`'${field}' ${problem}`, advice);
	}

	/** Returns a copy of the error with advice that mentions the node's Settings tab. */
	inSettings(): InputError {
		const place = `'${this.field}' is in the node's Settings`;
		return new InputError(this.field, this.problem, joinSentences([this.advice, place]));
	}
}
