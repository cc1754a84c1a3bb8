import { createUsersField } from '../fields/body';

/** Option of triggers for users whose actions start no workflow. */
export const ignoredUsersField = createUsersField(
	'Ignored User Names or IDs',
	'ignoreUsers',
	'Add the user whom this workflow sends as, or it starts itself',
);
