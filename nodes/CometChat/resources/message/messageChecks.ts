import { InputError } from '../../errors/inputError';
import type { Check } from '../../description/types';
import { asObject } from '../../transport/json';

/** Rejects a time range that ends before it starts. */
export const checkTimeRange: Check = (value) => {
	const { fromTimestamp, toTimestamp } = asObject(value);
	if (Number(fromTimestamp) > Number(toTimestamp)) {
		throw new InputError(
			'Sent After',
			"is later than 'Sent Before'",
			"Enter a 'Sent After' that is before 'Sent Before'.",
		);
	}
	return value;
};
