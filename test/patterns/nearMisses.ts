/** Characters that stand for a class of characters in a pattern. */
const CHARACTERS = Array.from(' a1A-_.,"\n\u00e9\u200d\u{1f44d}');

/** All characters, for classes that contain none of the others. */
const ALL_CHARACTERS = Array.from({ length: 0xe_0100 }, (_, code) => String.fromCodePoint(code));

/** Ends of a near miss. Most patterns can't match one of them. */
const ENDS = ['', '\0', '\n'];

/** Maximum number of examples for a part of a pattern. */
const MAX_EXAMPLES = 4;

/** Maximum number of texts before a repetition. */
const MAX_HEADS = 2;

/** Matches an escape sequence, a character class or a single character at the start of a pattern. */
const ATOM =
	/^(?:\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\.|\[(?:\\.|[^\]\\])*\]|[^])/u;

const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

/** Matches the start of a group. */
const GROUP = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/;

const unique = (texts: string[]) => [...new Set(texts)];

/** Joins texts so that each head and each tail is in a result. */
const join = (heads: string[], tails: string[]): string[] =>
	unique([
		...tails.map((tail) => `${heads[0]}${tail}`),
		...heads.map((head) => `${head}${tails[0]}`),
	]).slice(0, 2 * MAX_EXAMPLES);

/** Lists texts that parts of a pattern match. */
class PatternReader {
	/** Texts that the pattern matches up to one of its repetitions */
	readonly heads = new Set<string>(['']);
	/** Texts that the pattern matches, or one of its repetitions, or the pattern up to a repetition */
	readonly parts = new Set<string>(CHARACTERS.slice(0, 2));

	/** Punctuation in the pattern's source */
	private readonly own: string[];

	constructor(
		private rest: string,
		private readonly flags: string,
	) {
		this.own = unique(rest.match(/[^\w\s^$*+?()|]/gu) ?? []);
		for (const text of this.readChoices(['']).slice(0, MAX_EXAMPLES)) this.parts.add(text);
		if (this.rest !== '') throw new Error(`Can't read a pattern from ${this.rest} on`);
	}

	/** Reads alternatives up to the end of a group. @param heads texts that the pattern before them matches */
	private readChoices(heads: string[]): string[] {
		const examples = this.readSequence(heads);
		while (this.take(/^\|/)) examples.push(...this.readSequence(heads));
		return unique(examples);
	}

	private readSequence(heads: string[]): string[] {
		let examples = [''];
		while (this.rest !== '' && !/^[|)]/.test(this.rest)) {
			const before = join(heads, examples);
			const repeated = this.readPart(before);
			const quantifier = this.take(QUANTIFIER);
			if (/^(?:[*+]|\{\d+,\})/.test(quantifier)) this.addRepetition(before, repeated);
			const [least = /^[*?]/.test(quantifier) ? '0' : '1'] = /\d+/.exec(quantifier) ?? [];
			const texts = unique(repeated.map((text) => text.repeat(Number(least))));
			examples = join(examples, least === '0' ? [...texts, ...repeated] : texts);
		}
		return examples;
	}

	private addRepetition(heads: string[], repeated: string[]): void {
		for (const head of heads.slice(0, MAX_HEADS)) this.heads.add(head);
		for (const text of [...heads, ...repeated]) this.parts.add(text);
	}

	private readPart(heads: string[]): string[] {
		const group = this.take(GROUP);
		if (group === '') return this.readAtom();
		const examples = this.readChoices(heads);
		this.take(/^\)/);
		// Lookarounds match no characters of their own
		return /[=!]$/.test(group) ? [''] : examples;
	}

	private readAtom(): string[] {
		const atom = this.take(ATOM);
		if (/^(?:[\^$]|\\[bB])$/.test(atom)) return [''];
		const [literal = ''] = /^\\?([^\w[.])$/u.exec(atom)?.slice(1) ?? [];
		if (literal !== '') return [literal];
		if (/^\w$/.test(atom)) return [atom];
		const pattern = new RegExp(`^${atom}$`, this.flags.replace(/[gy]/g, ''));
		const find = (characters: string[]) => characters.filter((each) => pattern.test(each));
		// Two parts of a pattern compete for the pattern's own characters
		const examples = unique([
			...find(CHARACTERS).slice(0, 1),
			...find(this.own),
			...find(CHARACTERS),
		]);
		return (examples.length > 0 ? examples : find(ALL_CHARACTERS)).slice(0, MAX_EXAMPLES);
	}

	private take(pattern: RegExp): string {
		const [taken = ''] = pattern.exec(this.rest) ?? [];
		this.rest = this.rest.slice(taken.length);
		return taken;
	}
}

/** A text that almost matches a pattern: a part of the pattern is repeated between a head and an end. */
export interface NearMiss {
	head: string;
	part: string;
	end: string;
}

/** Returns the text of a near miss. @param length approximate number of characters */
export const writeNearMiss = ({ head, part, end }: NearMiss, length: number): string =>
	head + part.repeat(Math.ceil(length / part.length)) + end;

/** Lists near misses of a pattern, made from the pattern's own source. */
export function listNearMisses({ source, flags }: RegExp): NearMiss[] {
	const { heads, parts } = new PatternReader(source, flags);
	const repeated = [...parts].filter((part) => part !== '');
	return [...heads].flatMap((head) =>
		repeated.flatMap((part) => ENDS.map((end) => ({ head, part, end }))),
	);
}
