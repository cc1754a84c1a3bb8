import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { InputError } from '../errors/describedErrors';
import { DEFAULT_MAX_TEXT_LENGTH } from '../request/texts';
import type { ParameterValues } from '../types';
import { toSingleLine, truncateWithoutEllipsis } from '../helpers/formatText';
import { asObjectOrEmpty, valueToText } from '../helpers/json';
import { isSameButtonLabel } from '../resources/message/answerLabels';

/** A button on the answer page, e.g. Approve, or the text field of a free-text question. */
export interface AnswerOption {
	/** Label in the chat message, and on the button if the question has buttons */
	label: string;
	/** Decision that the button of an approval submits */
	approved?: boolean;
	/** Answer that the button of a choice submits */
	answer?: string;
}

/** A question as it was sent. Later changes to the workflow don't affect the question. */
export interface Question {
	/** ID in the question's links. Prevents a link from answering another question in the same execution. */
	id: string;
	text: string;
	choices: AnswerOption[];
	/** True if people must enter their names. Names aren't verified. */
	askName: boolean;
	/** True if people can add a comment to an approval or a choice */
	askComment: boolean;
	/** True if the question is a human review of an agent's tool call */
	isReview?: boolean;
	/** True if the message is updated with the answer */
	updateMessage: boolean;
	/** Name or UID of the user who asked; undefined for the app itself */
	asker?: string;
	/** UID of the user who updates the message; undefined for the app itself */
	onBehalfOf?: string;
	messageId?: string;
}

/** A valid answer. The output item contains the answer and its time in `data`. */
export type SubmittedAnswer = ({ approved: boolean } | { answer: string } | { text: string }) & {
	/** Empty if the person left out the comment */
	comment?: string;
	respondedBy?: string;
};

/** True if people enter text instead of choosing a button. */
export const isFreeText = ({ choices }: Question): boolean =>
	choices.every(({ approved, answer }) => approved === undefined && answer === undefined);

/** True if a link's query or a submitted form names this choice. */
export const isChosenIn = (
	{ approved, answer }: AnswerOption,
	named: Readonly<Record<string, unknown>>,
): boolean =>
	approved === undefined
		? answer !== undefined && answer === valueToText(named.answer).trim()
		: String(approved) === valueToText(named.approved).trim();

/**
 * @param values the operation's validated parameters
 * @param id unique among the execution's questions
 * @throws InputError if both buttons have the same label
 */
export function buildQuestion(values: ParameterValues, id: string): Question {
	const { message, options, onBehalfOf } = values;
	const { askName, askComment, updateMessage } = asObjectOrEmpty(options);
	return {
		id,
		text: String(message).trim(),
		choices: buildChoices(values),
		askName: askName === true,
		askComment: askComment === true,
		updateMessage: updateMessage !== false,
		...(onBehalfOf === undefined ? {} : { onBehalfOf: valueToText(onBehalfOf) }),
	};
}

/** @throws InputError if both buttons of an approval have the same label */
function buildChoices({ responseType, approvalOptions, choices }: ParameterValues): AnswerOption[] {
	if (responseType === 'freeText') return [{ label: 'Respond' }];
	if (responseType === 'choice') {
		const answers = [choices ?? []].flat().map(String);
		return answers.map((answer) => ({ label: answer, answer }));
	}
	const {
		approvalType,
		approveLabel = 'Approve',
		disapproveLabel = 'Decline',
	} = asObjectOrEmpty(approvalOptions);
	const approve: AnswerOption = { label: valueToText(approveLabel), approved: true };
	const decline: AnswerOption = { label: valueToText(disapproveLabel), approved: false };
	if (approvalType === 'single') return [approve];
	if (!isSameButtonLabel(approve.label, decline.label)) return [approve, decline];
	throw new InputError(
		'Decline Button Label',
		"is the same as 'Approve Button Label'",
		'Enter two different labels.',
	);
}

const MILLISECONDS_PER_UNIT: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/**
 * Returns the time at which a wait that starts now ends.
 *
 * @param values the operation's validated parameters
 */
export function computeWaitEnd({ options }: ParameterValues): Date {
	const { limitWaitTime } = asObjectOrEmpty(options);
	if (limitWaitTime === undefined) return WAIT_INDEFINITELY;
	const limit = asObjectOrEmpty(limitWaitTime);
	if (limit.limitType === 'atSpecifiedTime') return new Date(1_000 * Number(limit.maxDateAndTime));
	const { resumeAmount = 1, resumeUnit = 'hours' } = limit;
	const duration = Number(resumeAmount) * Number(MILLISECONDS_PER_UNIT[valueToText(resumeUnit)]);
	return new Date(Date.now() + duration);
}

/**
 * Builds a link's query parameters, which n8n signs.
 *
 * @param choice the choice that the linked page lists first
 */
export function buildUnsignedAnswerLinkQuery(
	{ id }: Question,
	{ approved, answer }: Partial<AnswerOption>,
): Record<string, string> {
	return {
		...(approved === undefined ? {} : { approved: String(approved) }),
		...(answer === undefined ? {} : { answer }),
		question: id,
	};
}

/** @param url URL of the answer page */
export function formatQuestionMessage({ text, choices }: Question, url: string): string {
	return `${text}\n\n${choices.map(({ label }) => label).join(' / ')}: ${url}`;
}

/** Builds the message's metadata, for apps that render their own buttons. */
export function buildAnswerButtonsMetadata({ choices }: Question, urls: string[]): IDataObject {
	return {
		sendAndWait: { answers: choices.map((choice, index) => ({ ...choice, url: urls[index] })) },
	};
}

/**
 * Builds the message's metadata after the question is answered. CometChat limits a message's data to 10 KB, so a
 * long text is cut.
 */
export function buildAnsweredMetadata(
	question: Question,
	answer: SubmittedAnswer,
	respondedAt: Date,
): IDataObject {
	const text = 'text' in answer ? { text: formatAnswerForDisplay(question, answer) } : {};
	return {
		sendAndWait: { answers: [], ...answer, ...text, respondedAt: respondedAt.toISOString() },
	};
}

/** Maximum length of a free-text answer in the message and on the page, in UTF-16 code units. */
const MAX_SHOWN_ANSWER = 1_000;

export function formatAnswerForDisplay({ choices }: Question, answer: SubmittedAnswer): string {
	if (!('text' in answer)) {
		return choices.find((choice) => isChosenIn(choice, answer))?.label ?? '';
	}
	const { text } = answer;
	if (text.length <= MAX_SHOWN_ANSWER) return text;
	return `${truncateWithoutEllipsis(text, MAX_SHOWN_ANSWER)}…`;
}

/** Keeps text from the answer page from mentioning people. CometChat's apps write a mention as `<@uid:UID>`. */
const disableMentions = (text: string): string => text.replaceAll('<@', '<\u200b@');

/**
 * Formats the message's text after the question is answered. Puts a comment on one line, so that no part of the
 * comment looks like another answer.
 *
 * @param timezone IANA name of the time zone for the answer's time
 */
export function formatAnsweredMessage(
	question: Question,
	answer: SubmittedAnswer,
	respondedAt: Date,
	timezone: string,
): string {
	const time = respondedAt.toLocaleString('en-US', {
		dateStyle: 'medium',
		timeStyle: 'long',
		timeZone: timezone,
	});
	const { respondedBy, comment } = answer;
	const by = respondedBy === undefined ? '' : ` by ${disableMentions(respondedBy)}`;
	const note = comment ? `\nComment: ${disableMentions(toSingleLine(comment))}` : '';
	const given = formatAnswerForDisplay(question, answer);
	const shown = 'text' in answer ? disableMentions(given) : given;
	const outcome = `\n\nAnswered${by} on ${time}: ${shown}${note}`;
	return truncateWithoutEllipsis(question.text, DEFAULT_MAX_TEXT_LENGTH - outcome.length) + outcome;
}
