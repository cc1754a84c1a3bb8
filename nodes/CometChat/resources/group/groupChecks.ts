import { InputError } from '../../errors/inputError';
import type { Check } from '../../types';
import { asObject } from '../../helpers/json';

/** Maximum number of members in a new group (https://www.cometchat.com/docs/rest-api/group-members). */
const MAX_FIRST_MEMBERS = 25;

export const checkFirstMembers: Check = (value, label) => {
	const { admins = [], moderators = [], participants = [] } = asObject(value);
	const count = [admins, moderators, participants].flat().length;
	if (count > MAX_FIRST_MEMBERS) {
		throw new InputError(
			label,
			`has ${count} members, but a new group can have at most ${MAX_FIRST_MEMBERS}`,
			'Add the others afterwards with Group → Add Members, which takes any number.',
		);
	}
	return value;
};
