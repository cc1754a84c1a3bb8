import { InputError } from '../../errors/inputError';
import { asObject } from '../../helpers/json';
import type { Check } from '../../types';

/** Rejects a time range that ends before or when it starts. */
export const checkTimeRange: Check = (value) => {
	const { fromTimestamp, toTimestamp } = asObject(value);
	if (Number(fromTimestamp) >= Number(toTimestamp)) {
		throw new InputError(
			'Sent Before',
			"must be later than 'Sent After'",
			"Enter a later 'Sent Before', or remove one of the two.",
		);
	}
	return value;
};
