import {
	createAdditionalFieldsCollection,
	createMetadataField,
	createNameField,
	createIfExistsField,
	adaptTagsFieldForCreate,
	createNewIdField,
	createReplacementTagsField,
	createBodyTextField,
	createBodyTagsField,
	requiredUserListField,
	createUnsetField,
	createUpdateFieldsCollection,
} from '../../fields/commonFields';
import type { Field } from '../../types';
import { requireEmail, createNonEmptyObjectCheck } from '../../fields/fieldChecks';

export const newUidField = createNewIdField(
	'User ID (UID)',
	'uid',
	'user',
	'cometchat-uid-1',
	'The ID that your own app uses, not an email address',
);

export const ifExistsField = createIfExistsField(
	'user',
	'Change the fields entered here. Merge metadata, replace tags, and create no auth token.',
);

/** Routes a value to the private metadata, which other users can't see. */
const routeToPrivate = (property: string): Field['routing'] => ({
	send: { type: 'body', property: `metadata.@private.${property}` },
});

const email: Field = {
	...createBodyTextField(
		'Email',
		'email',
		'andrew@example.com',
		'Email address, hidden from other users. CometChat stores it in the metadata, under @private.',
	),
	routing: routeToPrivate('email'),
	check: requireEmail,
};

const phone: Field = {
	...createBodyTextField(
		'Phone',
		'phone',
		'+4915112345678',
		'Phone number, hidden from other users. CometChat stores it in the metadata, under @private.',
	),
	routing: routeToPrivate('contactNumber'),
};

export const nameField = createNameField('user', 'Andrew Joseph');

const avatar = createBodyTextField(
	'Avatar',
	'avatar',
	'https://example.com/andrew.png',
	"URL of the user's picture",
);

const link = createBodyTextField(
	'Link',
	'link',
	'https://example.com/people/andrew',
	"URL of the user's profile page",
);

const metadata = createMetadataField(
	'Your own data about the user, as a JSON object of up to 5 KB. Put data that other users must not see under @private.',
);

const role: Field = {
	displayName: 'Role Name or ID',
	name: 'role',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getRoles' },
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	hint: 'Role of the user, as defined in the CometChat dashboard',
	allowArbitraryValues: true,
	routing: { send: { type: 'body', property: 'role' } },
};

const statusMessage = createBodyTextField(
	'Status Message',
	'statusMessage',
	'Back on Monday',
	'Text that others see next to the name',
);

const tags = createBodyTagsField('user', 'customer');

const withAuthToken: Field = {
	displayName: 'With Auth Token',
	name: 'withAuthToken',
	type: 'boolean',
	default: true,
	description:
		'Whether to also create an auth token that the user logs in with. It is a secret: anyone who has it can act as the user.',
	routing: { send: { type: 'body', property: 'withAuthToken' } },
};

export const blockedUidsField: Field = {
	...requiredUserListField,
	routing: { send: { type: 'body', property: 'blockedUids' } },
};

export const additionalFieldsFieldForCreate = createAdditionalFieldsCollection([
	avatar,
	email,
	link,
	metadata,
	phone,
	role,
	statusMessage,
	adaptTagsFieldForCreate(tags),
	withAuthToken,
]);

const MERGE_DESCRIPTION =
	"JSON object to merge into the user's metadata. Other keys stay unchanged.";

export const updateFieldsField = createUpdateFieldsCollection([
	{ ...avatar, whenEmpty: 'unset' },
	email,
	{ ...link, whenEmpty: 'unset' },
	{
		...metadata,
		description: MERGE_DESCRIPTION,
		whenEmpty: 'unset',
		check: createNonEmptyObjectCheck(", or use 'Unset'"),
	},
	{ ...nameField, required: false },
	phone,
	role,
	statusMessage,
	createReplacementTagsField(tags, 'user'),
	createUnsetField({
		Avatar: ['avatar'],
		Link: ['link'],
		// Email and Phone are parts of the metadata
		Metadata: ['metadata', 'email', 'phone'],
	}),
]);
