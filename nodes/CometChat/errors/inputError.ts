import type { AdviseOnExpression } from './expressions';

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
	/**
	 * @param label the field's label in the editor
	 * @param problem the end of a sentence about the field, e.g. "is empty"
	 * @param advice advice in whole sentences
	 * @param expressionAdvice writes the advice if the user entered an expression
	 */
	constructor(
		private readonly label: string,
		private readonly problem: string,
		advice?: string,
		private readonly expressionAdvice?: AdviseOnExpression,
	) {
		super(`'${label}' ${problem}`, advice);
	}

	/**
	 * Returns the error with advice for the user's own expression, or the same error if there is no such advice.
	 *
	 * @param saved the parameter as the user saved it
	 */
	withExpression(saved: string): InputError {
		const advice = this.expressionAdvice?.(saved);
		return advice === undefined ? this : new InputError(this.label, this.problem, advice);
	}
}
