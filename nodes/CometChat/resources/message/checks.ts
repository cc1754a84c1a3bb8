import { InputError } from '../../errors/inputError';
import type { Check } from '../../description/types';
import { objectOf } from '../../transport/json';

/** IDs of messages are numbers, of which only the digits count: they can be larger than is exact. */
export const checkMessageId: Check = (value, label) => {
	const id = String(value).trim();
	if (!/^\d{1,30}$/.test(id)) {
		throw new InputError(label, 'must be a number', `Enter the ID of a message, e.g. 501.`);
	}
	return id;
};

/** A span of time that ends before it starts has nothing in it. */
export const fromBeforeTo: Check = (value) => {
	const { fromTimestamp, toTimestamp } = objectOf(value);
	if (Number(fromTimestamp) > Number(toTimestamp)) {
		throw new InputError(
			'Sent After',
			"is later than 'Sent Before'",
			"Enter a 'Sent After' that is before 'Sent Before'.",
		);
	}
	return value;
};
