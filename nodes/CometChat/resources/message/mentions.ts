import type { IDataObject } from 'n8n-workflow';

import { asObjectOrEmpty } from '../../helpers/json';

/** Matches a mention, e.g. `<@uid:leo>`, and captures the UID. */
const MENTION_PATTERN = /<@uid:([^<>\s]+)>/gi;

/**
 * Lists the UIDs of the users whom a message mentions, in its text or in CometChat's own list. May contain duplicates.
 */
export function listUidsFromTextAndMentions(message: IDataObject): unknown[] {
	const { text, mentions } = asObjectOrEmpty(message.data);
	const inText =
		typeof text === 'string' ? [...text.matchAll(MENTION_PATTERN)].map(([, uid]) => uid) : [];
	const listed = Object.entries(asObjectOrEmpty(mentions)).flatMap(([uid, user]) => [
		uid,
		asObjectOrEmpty(user).uid,
	]);
	const inList = [Array.isArray(mentions) ? mentions : []]
		.flat()
		.map((user) => asObjectOrEmpty(user).uid);
	return [...inText, ...listed, ...inList].filter((uid) => uid !== undefined);
}

/** Matches the punctuation after a mention at the start of a text, e.g. the comma in "@bot, help". */
const ADDRESS_PUNCTUATION_PATTERN = /^[^\S\r\n]*[,:;–—-](?=\s|$)/;

/**
 * Removes all mentions of a user from a text, e.g. "@bot, help" becomes "help". Also removes white space before a
 * mention and around the text, and punctuation after a mention at the start.
 *
 * @param uid the user's UID in lower case
 */
export function removeMentionsOfUser(text: string, uid: string): string {
	let kept = '';
	let end = 0;
	for (const { 0: mention, 1: mentioned, index } of text.matchAll(MENTION_PATTERN)) {
		if (mentioned?.toLowerCase() !== uid) continue;
		kept += text.slice(end, index).trimEnd();
		end = index + mention.length;
		const isAddress = kept === '';
		if (isAddress) end += ADDRESS_PUNCTUATION_PATTERN.exec(text.slice(end))?.[0].length ?? 0;
	}
	return (kept + text.slice(end)).trim();
}

/** Matches a mention of all members of the group, in the notation of CometChat's UI kits. */
const MENTION_OF_EVERYONE_PATTERN = /<@all:all>/gi;

/** Replaces mentions of everybody with "@all", which notifies nobody. */
export const disableMentionsOfEveryone = (text: string): string =>
	text.replace(MENTION_OF_EVERYONE_PATTERN, '@all');

/** True if a message's text mentions all members of its group. */
export function messageMentionsEveryone(message: IDataObject): boolean {
	const { text } = asObjectOrEmpty(message.data);
	return typeof text === 'string' && disableMentionsOfEveryone(text) !== text;
}
