import { InputError } from '../../errors/describedErrors';
import { formatNumber, formatValueForError } from '../../helpers/formatText';
import { createFieldReader, stringifyJson } from '../../helpers/json';
import type { ValidatingConverter } from '../../types';

/** Maximum size of a card as JSON, in bytes. CometChat limits all data of a message together to this size. */
const MAX_CARD_BYTES = 10_240;

const readCardBody = createFieldReader('body');

/** @returns the card. @throws InputError if the card has no elements or is too large */
export const checkCard: ValidatingConverter = (card, label) => {
	const body = readCardBody(card);
	if (!Array.isArray(body) || body.length === 0) {
		throw new InputError(
			label,
			body === undefined
				? 'has no "body"'
				: `must have a list of elements in "body", but it is ${formatValueForError(body)}`,
			'Paste the JSON that CometChat\'s Card Builder exports, e.g. {"version": "1.0", "body": […]}.',
		);
	}
	const bytes = new TextEncoder().encode(stringifyJson(card)).length;
	if (bytes <= MAX_CARD_BYTES) return card;
	throw new InputError(
		label,
		`is larger than 10 KB: it has ${formatNumber(bytes)} bytes`,
		'Remove elements, or shorten their texts and URLs.',
	);
};
