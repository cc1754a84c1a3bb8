import {
	additionalFieldsOf,
	metadataOf,
	nameOf,
	newId,
	optionalText,
	tagsOf,
	uidsOf,
	unsetOf,
	updateFieldsOf,
} from '../../fields/body';
import type { Field } from '../../operation/types';

export const uid = newId('UID', 'user', 'cometchat-uid-1');

export const name = nameOf('user', 'Andrew Joseph');

const avatar = optionalText(
	'Avatar',
	'avatar',
	'https://example.com/andrew.png',
	'URL of the picture of the user',
);

const link = optionalText(
	'Link',
	'link',
	'https://example.com/people/andrew',
	'URL of the profile page of the user',
);

const metadata = metadataOf(
	'Your own data about the user, as a JSON object of up to 5 KB. Put an email address or a phone number under @private, e.g. {"@private": {"email": "andrew@example.com"}}.',
);

const role: Field = {
	displayName: 'Role',
	name: 'role',
	type: 'string',
	default: '',
	placeholder: 'e.g. default',
	description: 'Role of the user: one that the app has in the CometChat dashboard',
	routing: { send: { type: 'body', property: 'role' } },
};

const statusMessage = optionalText(
	'Status Message',
	'statusMessage',
	'Back on Monday',
	'Text that others see beside the name',
);

const tags = tagsOf('user', 'customer');

const withAuthToken: Field = {
	displayName: 'With Auth Token',
	name: 'withAuthToken',
	type: 'boolean',
	default: true,
	description:
		'Whether to create an auth token too, with which the user logs in. It is a secret: who has it can act as the user.',
	routing: { send: { type: 'body', property: 'withAuthToken' } },
};

/** Users whom another one blocks or unblocks. */
export const uids: Field = {
	...uidsOf(
		'Users to block or unblock, by their UIDs, any number. An expression can also return a list.',
	),
	required: true,
	routing: { send: { type: 'body', property: 'blockedUids' } },
};

export const additionalFields = additionalFieldsOf([
	avatar,
	link,
	metadata,
	role,
	statusMessage,
	tags,
	withAuthToken,
]);

export const updateFields = updateFieldsOf([
	{ ...avatar, whenEmpty: 'unset' },
	{ ...link, whenEmpty: 'unset' },
	{ ...metadata, whenEmpty: 'unset' },
	{ ...name, required: false, whenEmpty: 'refuse' },
	{ ...role, whenEmpty: 'refuse' },
	{ ...statusMessage, whenEmpty: 'refuse' },
	{ ...tags, whenEmpty: 'send' },
	unsetOf(['Avatar', 'Link', 'Metadata']),
]);
