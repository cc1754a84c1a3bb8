import { InputError } from '../../errors/inputError';
import type { Check } from '../../operation/types';
import { objectOf } from '../../transport/types';

/** Members that a group can be created with (https://www.cometchat.com/docs/rest-api/group-members). */
const MAX_FIRST_MEMBERS = 25;

export const checkFirstMembers: Check = (value, label) => {
	const { admins = [], moderators = [], participants = [] } = objectOf(value);
	const count = [admins, moderators, participants].flat().length;
	if (count > MAX_FIRST_MEMBERS) {
		throw new InputError(
			label,
			`has ${count} members, but a group can be created with ${MAX_FIRST_MEMBERS} at most`,
			'Add the others afterwards with Group → Add Members, which takes any number.',
		);
	}
	return value;
};

/** A group of the type Password cannot be had without one. */
export const passwordForType: Check = (value) => {
	const { type, password } = objectOf(value);
	if (type === 'password' && password === undefined) {
		throw new InputError(
			'Password',
			'is empty',
			"Add 'Password' to the fields: a group of the type Password needs one.",
		);
	}
	return value;
};
