import { ERRORS_BY_COMETCHAT_CODE } from '../../errors/table';
import { IF_EXISTS_ADVICE } from '../../fields/commonFields';
import { createOptionsCollection } from '../../fields/options';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { createdGroupEntity, reportMembersNotAddedToExistingGroup } from './entity';
import {
	additionalFieldsFieldForCreate,
	newGuidField,
	ifExistsField,
	nameField,
	passwordField,
	typeField,
} from './fields';

export const createGroup: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create group',
	description: 'Create a group, with or without members',
	routing: { request: { method: 'POST', url: '/groups' } },
	rateLimit: 'core',
	response: {
		one: createdGroupEntity,
		existing: {
			code: 'ERR_GUID_ALREADY_EXISTS',
			path: '/groups/{guid}',
			onlyNew: ['guid', 'members', 'type', 'password', 'owner'],
			createSkippedChangesReport: reportMembersNotAddedToExistingGroup,
		},
	},
	changeWords: { done: 'created the group', placeToCheck: 'the group' },
	sequentialBy: ['guid'],
	errors: {
		ERR_GUID_ALREADY_EXISTS: {
			...ERRORS_BY_COMETCHAT_CODE.ERR_GUID_ALREADY_EXISTS,
			advice: IF_EXISTS_ADVICE,
		},
	},
	fields: [
		newGuidField,
		nameField,
		typeField,
		{ ...passwordField, required: true, displayOptions: { show: { type: ['password'] } } },
		onBehalfOfField,
		additionalFieldsFieldForCreate,
		createOptionsCollection('What to do if the group exists', [ifExistsField]),
	],
};
