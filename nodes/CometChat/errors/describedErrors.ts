/** Error whose message and advice are written for the user. */
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
	 */
	constructor(label: string, problem: string, advice?: string) {
		super(`'${label}' ${problem}`, advice);
	}
}
