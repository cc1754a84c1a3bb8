import { DescribedError } from './describedError';

/** A value that must not be sent. */
export class InputError extends DescribedError {
	constructor(
		/** Label of the field as the editor shows it */
		readonly field: string,
		/** What is wrong with it, e.g. "is empty" */
		problem: string,
		/** What to do about it, as whole sentences */
		advice?: string,
	) {
		super(`'${field}' ${problem}`, advice);
	}
}
