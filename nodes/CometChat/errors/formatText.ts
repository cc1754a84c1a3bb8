/** Sentences in one text; each gets a period unless it has one. */
export function joinSentences(sentences: Array<string | undefined>): string {
	return sentences
		.filter((sentence): sentence is string => sentence !== undefined && sentence !== '')
		.map((sentence) => (/[.!?…]\)?$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** e.g. "a, b, and c". */
export function formatList(texts: string[]): string {
	return list.format(texts);
}

/** A time in words, e.g. "1.5 seconds". */
export function formatSeconds(ms: number): string {
	const rounded = Math.round(ms / 100) / 10;
	return `${rounded.toLocaleString('en-US')} ${rounded === 1 ? 'second' : 'seconds'}`;
}

/** A number as people write it, e.g. "2,000". */
export function formatCount(number: number): string {
	return number.toLocaleString('en-US');
}

/** Both texts of an error in one, for where only one is seen: an agent, or an item that failed. */
export function formatError(error: Error): string {
	const description =
		'description' in error && typeof error.description === 'string' ? error.description : '';
	return description === '' || error.message.includes(description)
		? error.message
		: joinSentences([error.message, description]);
}

/** Words that stay in lower case within a title. */
const SMALL_WORDS = ['and', 'as', 'by', 'for', 'from', 'of', 'to'];

/** Converts "List members of group" to "List Members of Group". */
export function toTitleCase(text: string): string {
	return text.replace(/\w+/g, (word) =>
		SMALL_WORDS.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
	);
}
