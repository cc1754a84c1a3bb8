import type { Mutant } from './mutants';

/** Characters that are shown on both sides of what changed. */
const CONTEXT = 30;
const LONGEST = 100;

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

const shortened = (text: string) =>
	text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 20)} … ${text.slice(-20)}`;

/** @returns how many characters the texts have in common from their start */
function commonStart(a: string, b: string): number {
	let length = 0;
	while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++;
	return length;
}

/** E.g. "dist/nodes/CometChat/transport/retry.js:12 (condition)". */
export function place({ path, line, operator }: Mutant): string {
	return `${path}:${line} (${operator})`;
}

/** @returns the place, then the line, the text before and the text after */
export function inWords(mutant: Mutant): string {
	const before = inOneLine(mutant.before);
	const after = inOneLine(mutant.after);
	const from = Math.max(0, commonStart(before, after) - CONTEXT);
	return [
		place(mutant),
		`  in ${shortened(mutant.text)}`,
		`  -  ${shortened(before.slice(from))}`,
		`  +  ${shortened(after.slice(from))}`,
	].join('\n');
}
