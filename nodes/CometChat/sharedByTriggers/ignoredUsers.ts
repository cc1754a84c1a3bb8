import { createUserListField } from '../fields/commonFields';

/** Trigger option for users whose actions don't start the workflow. */
export const ignoredUsersField = createUserListField(
	'Ignored User Names or IDs',
	'ignoreUsers',
	'Add the user whom this workflow sends as, or it starts itself',
);
