import { InputError } from '../../errors/describedErrors';
import type { ValidatingConverter } from '../../types';
import { checkNotBrokenId } from '../../fields/fieldChecks';

/** @returns the reason's ID, which can contain any characters, because each app chooses its own IDs */
export const checkReasonId: ValidatingConverter = (value, label) => {
	const id = String(checkNotBrokenId(value, label));
	if (id.length > 100)
		throw new InputError(label, 'is longer than 100 characters, the maximum for an ID');
	return id;
};
