import { inSettings, outputFields } from '../../fields/output';
import { checkId } from '../../operation/checks';
import type { Field } from '../../operation/types';
import { authToken, createdUser, deactivation, deletion, reactivation, user } from './entity';

export const userOutput = outputFields(user, 'uid');

export const updatedUserOutput = inSettings(userOutput);

export const userListOutput = outputFields(
	user,
	'uid',
	'One item per page: the whole response, to page through long lists',
);

export const createdUserOutput = inSettings(outputFields(createdUser, 'uid'));

export const authTokenOutput = inSettings(outputFields(authToken, 'authToken'));

export const deletionOutput = inSettings(outputFields(deletion, 'success'));

export const deactivationOutput = inSettings(outputFields(deactivation, 'deactivatedUids'));

export const reactivationOutput = inSettings(outputFields(reactivation, 'reactivatedUids'));

export const uid: Field = {
	displayName: 'UID',
	name: 'uid',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. cometchat-uid-1',
	description: 'ID of the new user: letters, digits, "-" and "_", up to 100',
	routing: { send: { type: 'body', property: 'uid' } },
	check: checkId,
};

export const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Andrew Joseph',
	description: 'Display name of the user, up to 100 characters',
	routing: { send: { type: 'body', property: 'name' } },
};

const avatar: Field = {
	displayName: 'Avatar',
	name: 'avatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/andrew.png',
	description: 'URL of the picture of the user',
	routing: { send: { type: 'body', property: 'avatar' } },
	whenEmpty: 'omit',
};

const link: Field = {
	displayName: 'Link',
	name: 'link',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/people/andrew',
	description: 'URL of the profile page of the user',
	routing: { send: { type: 'body', property: 'link' } },
	whenEmpty: 'omit',
};

const metadata: Field = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description:
		'Your own data about the user, as a JSON object of up to 5 KB. Put an email address or a phone number under @private, e.g. {"@private": {"email": "andrew@example.com"}}.',
	routing: { send: { type: 'body', property: 'metadata' } },
	whenEmpty: 'omit',
};

const role: Field = {
	displayName: 'Role',
	name: 'role',
	type: 'string',
	default: '',
	placeholder: 'e.g. default',
	description: 'Role of the user: one that the app has in the CometChat dashboard',
	routing: { send: { type: 'body', property: 'role' } },
};

const statusMessage: Field = {
	displayName: 'Status Message',
	name: 'statusMessage',
	type: 'string',
	default: '',
	placeholder: 'e.g. Back on Monday',
	description: 'Text that others see beside the name',
	routing: { send: { type: 'body', property: 'statusMessage' } },
	whenEmpty: 'omit',
};

const tags: Field = {
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
	default: [],
	placeholder: 'e.g. customer',
	description: 'Words that mark the user, up to 25',
	routing: { send: { type: 'body', property: 'tags' } },
	whenEmpty: 'omit',
};

const withAuthToken: Field = {
	displayName: 'With Auth Token',
	name: 'withAuthToken',
	type: 'boolean',
	default: true,
	description:
		'Whether to create an auth token too, with which the user logs in. It is a secret: who has it can act as the user.',
	routing: { send: { type: 'body', property: 'withAuthToken' } },
};

export const additionalFields: Field = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'What else to set',
	options: [avatar, link, metadata, role, statusMessage, tags, withAuthToken],
};

const unset: Field = {
	displayName: 'Unset',
	name: 'unset',
	type: 'multiOptions',
	options: [
		{ name: 'Avatar', value: 'avatar' },
		{ name: 'Link', value: 'link' },
		{ name: 'Metadata', value: 'metadata' },
	],
	default: [],
	description: 'Fields to clear',
	routing: { send: { type: 'body', property: 'unset' } },
};

/** What is added here is sent, also when it was emptied. */
export const updateFields: Field = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	required: true,
	default: {},
	description: 'What to change: at least one field. One that you leave empty is cleared.',
	options: [
		{ ...avatar, whenEmpty: 'unset' },
		{ ...link, whenEmpty: 'unset' },
		{ ...metadata, whenEmpty: 'unset' },
		{ ...name, required: false, whenEmpty: 'refuse' },
		{ ...role, whenEmpty: 'refuse' },
		{ ...statusMessage, whenEmpty: 'refuse' },
		{ ...tags, whenEmpty: 'send' },
		unset,
	] satisfies Field[],
};
