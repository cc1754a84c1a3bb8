import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../errors/describedErrors';
import { createTextField } from '../../fields/commonFields';
import { checkNotMessageIdList } from '../../fields/fieldChecks';
import { createOptionsCollection } from '../../fields/options';
import { asObjectOrEmpty } from '../../helpers/json';
import type { Field, ParameterValues } from '../../types';
import { markAsAnswerInMetadata } from './answerMark';
import { setFinalTypeInBodyWithUrlFiles } from './attachments';
import { disableMentionsOfEveryone } from './mentions';

const quoteQuestionField: Field = {
	displayName: 'Quote the Question',
	name: 'quoteQuestion',
	type: 'boolean',
	default: true,
	// Open question 43 in docs/status.md: CometChat may ignore quotes
	description:
		'Whether the answer quotes the question. CometChat documents quotes for its SDKs, not for REST.',
};

export const answerOperationOptionsField = createOptionsCollection('How the answer appears', [
	quoteQuestionField,
]);

/** Field for the ID of the message to answer. Has no check, because only 'Quote the Question' needs the ID. */
export const quotedQuestionIdField = createTextField(
	'Question',
	'questionId',
	'501',
	'ID of the question',
);

/** Returns the part of an answer's body that quotes the question, if 'Quote the Question' is on. */
function quoteQuestion({ options, questionId }: ParameterValues): IDataObject {
	if (asObjectOrEmpty(options).quoteQuestion !== true) return {};
	const label = quoteQuestionField.displayName;
	if (questionId !== undefined) {
		return { quotedMessageId: String(checkNotMessageIdList(questionId, label)) };
	}
	throw new InputError(
		label,
		"needs the question's ID, which the trigger's output lacks",
		`Add id to the trigger's output, or turn '${label}' off.`,
	);
}

/**
 * Adjusts the request body of an answer:
 *
 * - marks the answer, so that Bot Triggers ignore it unless their 'Only From' names its sender
 * - quotes the question if 'Quote the Question' is on
 * - disables mentions of everybody, because the text may come from a language model
 * - makes a caption without files a text message
 */
export function markAndQuoteInAnswerBody(body: IDataObject, values: ParameterValues): IDataObject {
	const { metadata, text, ...data } = asObjectOrEmpty(body.data);
	return {
		...setFinalTypeInBodyWithUrlFiles(body, values),
		...quoteQuestion(values),
		data: {
			...data,
			...(typeof text === 'string' ? { text: disableMentionsOfEveryone(text) } : {}),
			metadata: markAsAnswerInMetadata(metadata),
		},
	};
}
