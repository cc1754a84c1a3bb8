import { formatErrorAsText, type ErrorMessageContext } from '../errors/nodeError';
import { ERRORS_BY_COMETCHAT_CODE } from '../errors/table';
import { UNREADABLE_CONVERSATION_CODES } from '../errors/refusalCodes';
import { formatNumber, formatList } from '../helpers/formatText';
import type { Redact } from '../helpers/redact';

/** Maximum number of groups or users to name in an error. */
const MAX_NAMED = 10;

/** A list of messages that couldn't be read, e.g. because CometChat refused the request. */
export interface RefusedMessageList {
	/** GUID or UID in lower case, or an empty string for the whole app */
	key: string;
	error: unknown;
}

/** Thrown if a poll could read none of its lists, e.g. because CometChat refused all of them. */
export class AllListsRefusedError extends Error {
	/** @param fieldName name of the field that lists the groups or users, if any */
	constructor(
		readonly refused: RefusedMessageList[],
		readonly fieldName?: string,
	) {
		super('CometChat refused all lists of messages');
	}

	/**
	 * Returns the error of the first refused list, and the context with which `toNodeError` explains the error and
	 * names the refused lists.
	 */
	getCauseAndContext(): {
		cause: unknown;
		errorContext: Pick<ErrorMessageContext, 'ownExplanations' | 'addition'>;
	} {
		const { refused, fieldName } = this;
		const fieldsToCheck = fieldName === undefined ? [] : [fieldName];
		const ownExplanations = Object.fromEntries(
			UNREADABLE_CONVERSATION_CODES.map((code) => [
				code,
				{ ...ERRORS_BY_COMETCHAT_CODE[code], fieldsToCheck },
			]),
		);
		const keys = refused.map(({ key }) => key);
		const more = keys.length - MAX_NAMED;
		const names = more > 0 ? [...keys.slice(0, MAX_NAMED), `${formatNumber(more)} more`] : keys;
		const addition = keys.length > 1 ? `CometChat refused ${formatList(names)}` : undefined;
		return { cause: refused[0]?.error, errorContext: { ownExplanations, addition } };
	}
}

/** Describes a refused list for n8n's log. */
export function describeRefusal({ key, error }: RefusedMessageList, redact: Redact): string {
	const reason = formatErrorAsText(error, { redact });
	return `Polls leave out "${key}" until CometChat lists its messages again. ${reason}`;
}
