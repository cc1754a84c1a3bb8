import { InputError } from '../../errors/describedErrors';
import type { ValidatingConverter } from '../../types';
import { asObjectOrEmpty } from '../../helpers/json';
import { MAX_USERS_PER_BATCH } from '../batches';

export const checkMaxMembersOfNewGroup: ValidatingConverter = (value, label) => {
	const { admins = [], moderators = [], participants = [] } = asObjectOrEmpty(value);
	const count = [admins, moderators, participants].flat().length;
	if (count > MAX_USERS_PER_BATCH) {
		throw new InputError(
			label,
			`has ${count} members, but a new group can have at most ${MAX_USERS_PER_BATCH}`,
			'Add the others afterwards with Group → Add Members, which takes any number.',
		);
	}
	return value;
};
