import type { Field } from '../types';
import { createUsersField } from './body';

/** Option of triggers for users whose actions start no workflow. */
export const ignoredUsersField: Field = {
	...createUsersField(
		'Ignored User Names or IDs',
		'ignoreSenders',
		'Events caused by these users do not start the workflow',
	),
	hint: 'Add the user whom this workflow sends as, or it starts itself',
};
