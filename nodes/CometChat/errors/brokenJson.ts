import { toSingleLine, truncateWithoutEllipsis } from '../helpers/formatText';
import { InputError } from './describedErrors';

/**
 * Matches valid JSON tokens at the start of a text. Stops before the first token that is invalid, or that isn't followed
 * by a valid character such as a comma. Unbalanced brackets aren't detected.
 */
const VALID_START_PATTERN = new RegExp(
	`^(?:\\s*(?:${[
		String.raw`"(?:[^"\\\p{Cc}]|\\.)*"(?=\s*(?:[:,}\]]|$))`,
		String.raw`(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=\s*(?:[,}\]]|$))`,
		String.raw`\{(?=\s*["}])`,
		String.raw`[[:,](?=\s*["[{\]tfn\d-])`,
		String.raw`[}\]](?=\s*(?:[,}\]]|$))`,
	].join('|')}))*`,
	'u',
);

/** Maximum number of characters to quote from the place where the JSON is invalid. */
const MAX_QUOTED = 40;

/**
 * Creates the error for a text that starts like JSON, but isn't valid JSON. The error names the line with the mistake,
 * and quotes the invalid part.
 *
 * @param example sentence that shows a valid value
 */
export function createBrokenJsonError(label: string, text: string, example: string): InputError {
	const [start = ''] = VALID_START_PATTERN.exec(text) ?? [];
	const rest = text.slice(start.length);
	const line = text.slice(0, text.length - rest.trimStart().length).split('\n').length;
	const before = start.slice(-MAX_QUOTED);
	const lastEntry = before.slice(
		Math.max(...['\n', ',', '{', '['].map((end) => before.lastIndexOf(end))) + 1,
	);
	const problem =
		rest.trim() === ''
			? 'a bracket is missing or does not match'
			: `the error is in line ${line}, at ${truncateWithoutEllipsis(toSingleLine(lastEntry + rest), MAX_QUOTED)}`;
	return new InputError(
		label,
		`is not valid JSON: ${problem}`,
		`${example} Write an inserted text as {{ JSON.stringify($json.text ?? '') }}, without quotes around it.`,
	);
}
