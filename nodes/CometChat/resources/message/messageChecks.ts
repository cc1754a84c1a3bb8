import { InputError } from '../../errors/describedErrors';
import { asObjectOrEmpty } from '../../helpers/json';
import type { ValidatingConverter } from '../../types';

/** Rejects a time range that ends before or when it starts. */
export const checkTimeRange: ValidatingConverter = (value) => {
	const { fromTimestamp, toTimestamp } = asObjectOrEmpty(value);
	if (Number(fromTimestamp) >= Number(toTimestamp)) {
		throw new InputError(
			'Sent Before',
			"must be later than 'Sent After'",
			"Enter a later 'Sent Before', or remove one of the two.",
		);
	}
	return value;
};
