import type { ErrorContext } from '../errors/nodeError';
import { ERRORS_BY_CODE } from '../errors/table';
import { UNREADABLE_CODES } from '../errors/refusalCodes';
import { formatQuote, readRefusal } from '../errors/refusal';
import { formatList } from '../helpers/formatText';
import { getErrorResponse } from '../transport/failure';

/** A list of messages that CometChat refused. */
export interface RefusedList {
	/** GUID or UID in lower case, or an empty string for the whole app */
	key: string;
	error: unknown;
}

/** Thrown if CometChat refused all lists that a poll reads. */
export class AllRefusedError extends Error {
	/** @param fieldName name of the field that lists the groups or users, if any */
	constructor(
		readonly refused: RefusedList[],
		readonly fieldName?: string,
	) {
		super('CometChat refused all lists of messages');
	}

	/** Returns the first refusal, and the words with which `toNodeError` explains it. */
	explain(): { cause: unknown; words: Pick<ErrorContext, 'ownExplanations' | 'addition'> } {
		const { refused, fieldName } = this;
		const fieldsToCheck = fieldName === undefined ? [] : [fieldName];
		const ownExplanations = Object.fromEntries(
			UNREADABLE_CODES.map((code) => [code, { ...ERRORS_BY_CODE[code], fieldsToCheck }]),
		);
		const keys = refused.map(({ key }) => key);
		const addition = keys.length > 1 ? `CometChat refused ${formatList(keys)}` : undefined;
		return { cause: refused[0]?.error, words: { ownExplanations, addition } };
	}
}

/** Describes a refused list for n8n's log. */
export function describeRefusal({ key, error }: RefusedList): string {
	const quote = formatQuote(readRefusal({ body: getErrorResponse(error)?.body }));
	return `CometChat refused to list the messages for "${key}": ${quote}. Polls leave out "${key}" until CometChat lists these messages again.`;
}
