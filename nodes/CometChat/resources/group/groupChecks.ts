import { InputError } from '../../errors/inputError';
import type { Check, Values } from '../../description/types';
import { asObject } from '../../transport/json';

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

/** Requires a password if the group type is set to Password. */
export const checkPasswordForType: Check = (value) => {
	const { type, password } = asObject(value);
	if (type === 'password' && password === undefined) {
		throw new InputError(
			'Password',
			'is empty',
			"Add 'Password': a group of type Password requires one.",
		);
	}
	return value;
};

/** Rejects an owner if 'On Behalf Of' is set, because CometChat would silently ignore the owner. */
export function checkOwnerSetByApp({ additionalFields, updateFields, onBehalfOf }: Values): void {
	const { owner } = asObject(updateFields ?? additionalFields);
	if (owner === undefined || onBehalfOf === undefined) return;
	throw new InputError(
		'Owner',
		"has no effect together with 'On Behalf Of'",
		"Clear 'On Behalf Of': only the app itself can set the owner.",
	);
}
