import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { QUESTIONS } from '../../tools/live/questions';
import { ROOT } from '../../tools/scripts/markdown';

/** Matches the numbers after "open question" in a comment, e.g. "open questions 2 and 4". */
const NAMED = /open questions? (\d+)(?:(?:,| and) (\d+))*/gi;

test('each open question is named by the code that rests on a guess, and nothing else is', () => {
	const files = globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: ROOT });
	const named = files.flatMap((file) =>
		// A comment can break between the words
		[
			...readFileSync(join(ROOT, file), 'utf8')
				.replace(/\s+\*\s+/g, ' ')
				.matchAll(NAMED),
		].flatMap(([text]) => text.match(/\d+/g)?.map(Number) ?? []),
	);
	const numbers = [...new Set(named)].sort((a, b) => a - b);
	expect(numbers).toEqual(QUESTIONS.map(({ number }) => number));
});

test('a question that a check can not answer names what the check needs', () => {
	const unexplained = QUESTIONS.filter(({ read, ask, needs }) => !read && !ask && !needs);
	expect(unexplained).toEqual([]);
});
