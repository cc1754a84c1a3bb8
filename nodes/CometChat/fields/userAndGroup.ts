import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../description/types';
import { titleCase } from '../errors/words';
import { ID_RULE, TYPED_ID_PATTERN, pickedId } from './checks';

/** The two ways to name a user or a group: by mouse, or by ID or expression. */
function modes(
	what: string,
	id: string,
	example: string,
	method: string,
): Pick<Field, 'modes' | 'check'> {
	return {
		check: pickedId(id, `${titleCase(what)} → List`),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${what}...`,
				typeOptions: { searchListMethod: method, searchable: true },
			},
			{
				displayName: `By ${id}`,
				name: 'id',
				type: 'string',
				placeholder: `${id}, e.g. ${example}`,
				validation: [
					{
						type: 'regex',
						properties: { regex: TYPED_ID_PATTERN, errorMessage: `A ${id} ${ID_RULE}` },
					},
				],
			},
		],
	};
}

const userModes = modes('user', 'UID', 'cometchat-uid-1', 'searchUsers');

const actorModes = modes('user', 'UID', 'cometchat-uid-1', 'searchActors');

const NOBODY: INodeProperties['default'] = { mode: 'list', value: '' };

/** A picker that n8n's AI builder would take for optional, because it has a default. */
export const requiredPicker: Pick<Field, 'required' | 'builderHint'> = {
	required: true,
	builderHint: { propertyHint: 'Required' },
};

const actor: Field = {
	displayName: 'On Behalf Of',
	name: 'onBehalfOf',
	type: 'resourceLocator',
	default: NOBODY,
	...userModes,
	description: 'UID of the user in whose name the request is made',
	routing: { request: { headers: { onBehalfOf: '={{ $value }}' } } },
};

/** The user in whose name a request is made, where that is a choice and changes much. */
export const shownOnBehalfOf: Field = {
	...actor,
	...actorModes,
	hint: 'Empty: as the app itself, app_system',
};

/** The same where few need it: in the node's Settings. */
export const onBehalfOf: Field = { ...shownOnBehalfOf, isNodeSetting: true };

/** The same where the service demands it. */
export const requiredOnBehalfOf: Field = { ...actor, ...requiredPicker };

/** The user of a reaction. */
export const reactedBy: Field = {
	...requiredOnBehalfOf,
	displayName: 'Reacted By',
	description: 'User whose reaction it is',
};

/** The user whose message it is. */
export const sendAs: Field = {
	...shownOnBehalfOf,
	displayName: 'Send As',
	description: 'UID of the user who sends the message',
};

/** A user as the target of an operation. */
export const userId: Field = {
	displayName: 'User',
	name: 'userId',
	type: 'resourceLocator',
	...requiredPicker,
	default: NOBODY,
	...userModes,
	description: 'UID of the user to work with',
};

/** A user whom the lists of users leave out. */
export const deactivatedUserId: Field = {
	...userId,
	...modes('user', 'UID', 'cometchat-uid-1', 'searchDeactivatedUsers'),
	description: 'UID of the user who was deactivated',
};

/** A user in a collection of fields. */
export const pickedUser = (displayName: string, name: string, description: string): Field => ({
	displayName,
	name,
	type: 'resourceLocator',
	default: NOBODY,
	...userModes,
	description,
});

/** A group as the target of an operation. */
export const groupId: Field = {
	displayName: 'Group',
	name: 'groupId',
	type: 'resourceLocator',
	...requiredPicker,
	default: NOBODY,
	...modes('group', 'GUID', 'cometchat-guid-1', 'searchGroups'),
	description: 'GUID of the group to work with',
};
