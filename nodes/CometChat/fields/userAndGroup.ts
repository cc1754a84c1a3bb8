import type { INodeProperties } from 'n8n-workflow';

import { ID_RULE, TYPED_ID_PATTERN } from '../operation/checks';

/** The two ways to name a user or a group: by mouse, or by ID or expression. */
function modes(
	what: string,
	id: string,
	example: string,
	method: string,
): Pick<INodeProperties, 'modes'> {
	return {
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
				placeholder: `e.g. ${example}`,
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

const NOBODY: INodeProperties['default'] = { mode: 'list', value: '' };

/** The user in whose name a request is made, where that is a choice. */
export const onBehalfOf: INodeProperties = {
	displayName: 'On Behalf Of',
	name: 'onBehalfOf',
	type: 'resourceLocator',
	default: NOBODY,
	...userModes,
	description: 'User in whose name the request is made. Leave it empty to act as the app.',
	routing: { request: { headers: { onBehalfOf: '={{ $value }}' } } },
};

/** The same where the service demands it. */
export const requiredOnBehalfOf: INodeProperties = {
	...onBehalfOf,
	required: true,
	description: 'User whose reaction it is',
};

/** A user as the target of an operation. */
export const userId: INodeProperties = {
	displayName: 'User',
	name: 'userId',
	type: 'resourceLocator',
	required: true,
	default: NOBODY,
	...userModes,
	description: 'User to work with',
};

/** A group as the target of an operation. */
export const groupId: INodeProperties = {
	displayName: 'Group',
	name: 'groupId',
	type: 'resourceLocator',
	required: true,
	default: NOBODY,
	...modes('group', 'GUID', 'cometchat-guid-1', 'searchGroups'),
	description: 'Group to work with',
};
