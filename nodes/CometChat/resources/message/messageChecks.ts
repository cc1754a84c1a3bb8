import { InputError } from '../../errors/inputError';
import type { Check } from '../../description/types';
import { asObject } from '../../transport/json';

/** Requires that the time range starts before it ends. */
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
