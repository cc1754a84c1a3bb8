import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import type { Values } from '../description/types';
import { objectOf } from '../transport/json';

/** One of the answers that are offered. */
export interface Offer {
	label: string;
	/** What it decides; undefined where people write their answer */
	approved?: boolean;
}

/** A question as it was asked: a later change of the workflow does not change it. */
export interface Question {
	/** Part of its links, so that they answer no other question of the execution */
	id: string;
	text: string;
	offers: Offer[];
	/** Whether people enter their names, which nobody checks */
	askName: boolean;
	/** Whether the message says in the end what was decided */
	updateMessage: boolean;
	/** Name or UID of the user who asked; undefined for the app itself */
	asker?: string;
	/** UID that the message is changed on behalf of */
	onBehalfOf?: string;
	messageId?: string;
}

/** What people answer: the item that goes on has it, with the time, as `data`. */
export type Answer = ({ approved: boolean } | { text: string }) & { respondedBy?: string };

/**
 * @param values of the operation's fields, checked
 * @param id another one for each question of an execution
 */
export function questionOf(values: Values, id: string): Question {
	const { message, responseType, approvalOptions, options, onBehalfOf } = values;
	const {
		approvalType,
		approveLabel = 'Approve',
		disapproveLabel = 'Decline',
	} = objectOf(approvalOptions);
	const approve: Offer = { label: String(approveLabel), approved: true };
	const decline: Offer = { label: String(disapproveLabel), approved: false };
	const offersOfApproval = approvalType === 'single' ? [approve] : [approve, decline];
	return {
		id,
		text: String(message).trim(),
		offers: responseType === 'freeText' ? [{ label: 'Respond' }] : offersOfApproval,
		askName: objectOf(options).askName === true,
		updateMessage: objectOf(options).updateMessage !== false,
		...(onBehalfOf === undefined ? {} : { onBehalfOf: String(onBehalfOf) }),
	};
}

const MILLISECONDS: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/**
 * @param values of the operation's fields, checked
 * @returns when the wait ends that begins now
 */
export function waitTill({ options }: Values): Date {
	const { limitWaitTime } = objectOf(options);
	if (limitWaitTime === undefined) return WAIT_INDEFINITELY;
	const { resumeAmount = 1, resumeUnit = 'hours', maxDateAndTime } = objectOf(limitWaitTime);
	if (maxDateAndTime !== undefined) return new Date(1_000 * Number(maxDateAndTime));
	return new Date(Date.now() + Number(resumeAmount) * MILLISECONDS[String(resumeUnit)]);
}

/** @throws InputError for a time that is missing, or over */
export function checkWaitTime(values: Values): void {
	const { limitType, maxDateAndTime } = objectOf(objectOf(values.options).limitWaitTime);
	if (limitType !== 'atSpecifiedTime') return;
	if (maxDateAndTime !== undefined && waitTill(values) > new Date()) return;
	throw new InputError(
		'Max Date and Time',
		maxDateAndTime === undefined ? 'is empty' : 'is over already',
		'Enter a time that is still to come.',
	);
}

/**
 * The query of a link: what n8n signs, with all that it holds.
 *
 * @param offer the answer that its page shows first
 */
export function queryOf({ id }: Question, { approved }: Partial<Offer>): Record<string, string> {
	return { ...(approved === undefined ? {} : { approved: String(approved) }), question: id };
}

/** @param url of the page that has all answers */
export function messageText({ text, offers }: Question, url: string): string {
	return `${text}\n\n${offers.map(({ label }) => label).join(' / ')}: ${url}`;
}

/** Metadata of the message, for apps that draw buttons of their own. */
export function metadataOf({ offers }: Question, urls: string[]): IDataObject {
	return {
		sendAndWait: { answers: offers.map((offer, index) => ({ ...offer, url: urls[index] })) },
	};
}

/** Longest part of an answer that the message in the chat shows, in UTF-16 code units. */
const MAX_SHOWN = 1_000;

export function answerText({ offers }: Question, answer: Answer): string {
	if ('approved' in answer) {
		return offers.find(({ approved }) => approved === answer.approved)?.label ?? '';
	}
	const { text } = answer;
	if (text.length <= MAX_SHOWN) return text;
	// Not half of a character
	return `${text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * The text that the message has in the end.
 *
 * @param timezone IANA name of the zone that the time is told in
 */
export function decidedText(
	question: Question,
	answer: Answer,
	respondedAt: Date,
	timezone: string,
): string {
	const time = respondedAt.toLocaleString('en-US', {
		dateStyle: 'medium',
		timeStyle: 'long',
		timeZone: timezone,
	});
	const { respondedBy } = answer;
	const by = respondedBy === undefined ? '' : ` by ${respondedBy}`;
	return `${question.text}\n\nAnswered${by} on ${time}: ${answerText(question, answer)}`;
}
