import {
	createAdditionalFields,
	createMetadataField,
	createNameField,
	createIfExistsField,
	createNewIdField,
	createOptionalTextField,
	createTagsField,
	uidsField,
	createUnsetField,
	createUpdateFields,
} from '../../fields/body';
import type { Field } from '../../description/types';
import { checkEmail } from '../../fields/fieldChecks';

export const uidField = createNewIdField(
	'User ID (UID)',
	'uid',
	'user',
	'cometchat-uid-1',
	'The ID that your own app uses, not an email address',
);

export const ifExistsField = createIfExistsField(
	'user',
	'Change the fields that are entered here. Metadata is merged, and With Auth Token has no effect.',
);

/** Where the service keeps what other users must not see. */
const privately = (property: string): Field['routing'] => ({
	send: { type: 'body', property: `metadata.@private.${property}` },
});

const email: Field = {
	...createOptionalTextField(
		'Email',
		'email',
		'andrew@example.com',
		'Email address, which other users do not see. CometChat stores it in the metadata, under @private.',
	),
	routing: privately('email'),
	check: checkEmail,
};

const phone: Field = {
	...createOptionalTextField(
		'Phone',
		'phone',
		'+4915112345678',
		'Phone number, which other users do not see. CometChat stores it in the metadata, under @private.',
	),
	routing: privately('contactNumber'),
};

export const nameField = createNameField('user', 'Andrew Joseph');

const avatar = createOptionalTextField(
	'Avatar',
	'avatar',
	'https://example.com/andrew.png',
	'URL of the picture of the user',
);

const link = createOptionalTextField(
	'Link',
	'link',
	'https://example.com/people/andrew',
	'URL of the profile page of the user',
);

const metadata = createMetadataField(
	'Your own data about the user, as a JSON object of up to 5 KB. What other users must not see goes under @private.',
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

const statusMessage = createOptionalTextField(
	'Status Message',
	'statusMessage',
	'Back on Monday',
	'Text that others see beside the name',
);

const tags = createTagsField('user', 'customer');

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
export const blockedUidsField: Field = {
	...uidsField,
	routing: { send: { type: 'body', property: 'blockedUids' } },
};

export const additionalFieldsField = createAdditionalFields([
	avatar,
	email,
	link,
	metadata,
	phone,
	role,
	statusMessage,
	tags,
	withAuthToken,
]);

const MERGED =
	'Data to add to the metadata of the user, as a JSON object. Entries that you leave out stay as they are.';

export const updateFieldsField = createUpdateFields([
	{ ...avatar, whenEmpty: 'unset' },
	{ ...email, whenEmpty: 'refuse' },
	{ ...link, whenEmpty: 'unset' },
	{ ...metadata, description: MERGED, whenEmpty: 'unset' },
	{ ...nameField, required: false, whenEmpty: 'refuse' },
	{ ...phone, whenEmpty: 'refuse' },
	{ ...role, whenEmpty: 'refuse' },
	{ ...statusMessage, whenEmpty: 'refuse' },
	{ ...tags, whenEmpty: 'send' },
	createUnsetField(['Avatar', 'Link', 'Metadata']),
]);
