import { createUsersField } from './body';

/** Option of triggers for users whose actions start no workflow. */
export const ignoredUsersField = createUsersField(
	'Ignored User Names or IDs',
	'ignoreSenders',
	'Events caused by these users do not start the workflow',
);
