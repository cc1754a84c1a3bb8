import { InputError } from '../../errors/inputError';
import type { Check } from '../../description/types';

/** @returns the ID of a reason without surrounding white space; apps make their own, so little is known of it */
export const checkReasonId: Check = (value, label) => {
	const id = String(value).trim();
	if (id.length > 100) throw new InputError(label, 'is longer than the 100 characters of an ID');
	return id;
};
