import { createUsersField } from '../fields/body';

/** Trigger option for users whose actions don't start the workflow. */
export const ignoredUsersField = createUsersField(
	'Ignored User Names or IDs',
	'ignoreUsers',
	'Add the user whom this workflow sends as, or it starts itself',
);
