import { InputError } from '../../errors/inputError';
import type { Check, Values } from '../../description/types';
import { asObject } from '../../transport/json';

/** Members that a group can be created with (https://www.cometchat.com/docs/rest-api/group-members). */
const MAX_FIRST_MEMBERS = 25;

export const checkFirstMembers: Check = (value, label) => {
	const { admins = [], moderators = [], participants = [] } = asObject(value);
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
export const checkPasswordForType: Check = (value) => {
	const { type, password } = asObject(value);
	if (type === 'password' && password === undefined) {
		throw new InputError(
			'Password',
			'is empty',
			"Add 'Password' to the fields: a group of the type Password needs one.",
		);
	}
	return value;
};

/** Refuses an owner together with a user: CometChat ignores the owner then, without an error. */
export function checkOwnerSetByApp({ additionalFields, updateFields, onBehalfOf }: Values): void {
	const { owner } = asObject(updateFields ?? additionalFields);
	if (owner === undefined || onBehalfOf === undefined) return;
	throw new InputError(
		'Owner',
		"has no effect together with 'On Behalf Of'",
		"Empty 'On Behalf Of': only the app itself can set the owner.",
	);
}
