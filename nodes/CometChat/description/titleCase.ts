/** Words that n8n leaves in small letters within a title. */
const SMALL_WORDS = ['and', 'as', 'by', 'for', 'from', 'of', 'to'];

/** "List members of group" as "List Members of Group". */
export function titleCase(text: string): string {
	return text.replace(/\w+/g, (word) =>
		SMALL_WORDS.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1),
	);
}
