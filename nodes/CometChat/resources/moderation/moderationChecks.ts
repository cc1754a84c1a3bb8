import { InputError } from '../../errors/inputError';
import type { Check } from '../../description/types';

/**
 * @returns the reason's ID without surrounding white space. Apps choose these IDs, so they can contain
 * any characters.
 */
export const checkReasonId: Check = (value, label) => {
	const id = String(value).trim();
	if (id.length > 100)
		throw new InputError(label, 'is longer than 100 characters, the maximum for an ID');
	return id;
};
