import type { Field } from '../types';
import {
	createPickerModesAndCheck,
	createUserPicker,
	requiredWithBuilderHint,
} from './userAndGroup';

const actor: Field = {
	...createUserPicker('On Behalf Of', 'onBehalfOf', 'UID of the user to act as'),
	routing: { request: { headers: { onBehalfOf: '={{ $value }}' } } },
};

/** Field for the user to act as. If the field is empty, the app itself acts. */
export const onBehalfOfField: Field = {
	...actor,
	...createPickerModesAndCheck('user', 'UID', 'cometchat-uid-1', 'searchActors'),
	hint: 'Leave empty to act as the app itself (app_system)',
	whenEmpty: 'refuseExpression',
};

/** Field for the user to act as, in operations that need a user. */
export const requiredOnBehalfOfField: Field = { ...actor, ...requiredWithBuilderHint };

export const reactedByField: Field = {
	...requiredOnBehalfOfField,
	displayName: 'Reacted By',
	description: 'UID of the user who reacts',
};

export const sendAsField: Field = {
	...onBehalfOfField,
	displayName: 'Send As',
	description: 'UID of the user who sends the message',
};
