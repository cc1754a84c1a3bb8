import { createTextField, createAdditionalFieldsCollection } from '../../fields/commonFields';
import {
	checkNotBrokenId,
	checkNotMessageIdList,
	createNonEmptyObjectCheck,
} from '../../fields/fieldChecks';
import { createLowerCaseOptions } from '../../fields/options';
import type { Field } from '../../types';
import {
	AUTOMATIC_MEDIA_TYPE,
	checkUploadCount,
	checkFileUrl,
	convertUrlsOrJsonToAttachments,
	convertToBinaryFieldAndFileList,
	convertToMediaTypeChoice,
} from './attachments';
import { checkCard } from './card';
import { metadataField, tagsField, textField, newMessageThreadField } from './fields';

const attachmentFields: Field[] = [
	{
		...createTextField(
			'URL',
			'url',
			'https://example.com/photo.png',
			'URL of the file, which receivers must be able to open. A row whose expression gives null or an empty text is left out.',
		),
		required: true,
		check: checkFileUrl,
	},
	createTextField('Name', 'name', 'photo.png', 'Name of the file'),
	createTextField('MIME Type', 'mimeType', 'image/png', 'Media type of the file'),
	createTextField('Extension', 'extension', 'png', 'File extension'),
	createTextField('Size', 'size', '20480', 'Size of the file in bytes'),
];

export const newMessageContentFields: Field[] = [
	{
		displayName: 'Message Type',
		name: 'messageType',
		type: 'options',
		options: [
			{
				name: 'Card',
				value: 'card',
				description: "Layout with buttons, made with CometChat's Card Builder",
				routing: { request: { body: { category: 'card', type: 'card' } } },
			},
			{
				name: 'Custom',
				value: 'custom',
				description: 'Data that your own app displays',
				routing: { request: { body: { category: 'custom' } } },
			},
			{
				name: 'Files',
				value: 'media',
				description: 'Images, videos and other files',
				routing: { request: { body: { category: 'message' } } },
			},
			{
				name: 'Text',
				value: 'text',
				routing: { request: { body: { category: 'message', type: 'text' } } },
			},
		],
		default: 'text',
		description: 'Type of content',
		ignoresHidden: true,
	},
	{
		...textField,
		displayOptions: { show: { messageType: ['text', 'card'] } },
		description:
			'Text of the message, or the preview of a card. To mention a user, write &lt;@uid:UID&gt;.',
	},
	{
		displayName: 'Card',
		name: 'card',
		type: 'json',
		displayOptions: { show: { messageType: ['card'] } },
		required: true,
		default: '',
		placeholder: 'e.g. {"version": "1.0", "body": [{"type": "text", "content": "Shipped"}]}',
		description:
			"JSON of at most 10 KB, as CometChat's Card Builder exports it. Apps without cards display its fallbackText.",
		hint: 'Set the field to Expression to fill {{ }} with values',
		routing: { send: { type: 'body', property: 'data.card' } },
		check: checkCard,
	},
	{
		displayName: 'Media Type',
		name: 'mediaType',
		type: 'options',
		displayOptions: { show: { messageType: ['media'] } },
		options: [
			{ name: 'Audio', value: 'audio' },
			{
				name: 'Automatic',
				value: AUTOMATIC_MEDIA_TYPE,
				description: 'From the type of the first file',
			},
			...createLowerCaseOptions('File', 'Image', 'Video'),
		],
		default: AUTOMATIC_MEDIA_TYPE,
		description: 'How apps display the attachments. An expression can also give a MIME type.',
		routing: { send: { type: 'body', property: 'type' } },
		convert: convertToMediaTypeChoice,
	},
	{
		displayName: 'Specify Attachments',
		name: 'specifyAttachments',
		type: 'options',
		displayOptions: { show: { messageType: ['media'] } },
		options: [
			{
				name: 'From Input',
				value: 'binary',
				description:
					"Files in the item's binary fields. Not documented by CometChat for REST API keys.",
			},
			{ name: 'Using Fields', value: 'fields', description: 'A row for each file' },
			{
				name: 'Using JSON',
				value: 'json',
				description: 'Any number of files, e.g. to forward the files of a message',
			},
		],
		default: 'fields',
		description: 'How to enter the attachments',
		ignoresHidden: true,
	},
	{
		displayName: 'Attachments',
		name: 'attachments',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Attachment' },
		placeholder: 'Add Attachment',
		displayOptions: { show: { messageType: ['media'], specifyAttachments: ['fields'] } },
		default: {},
		description: 'Files to attach, each by URL',
		routing: { send: { type: 'body', property: 'data.attachments' } },
		options: [{ displayName: 'Attachment', name: 'attachment', values: attachmentFields }],
	},
	{
		displayName: 'Attachments',
		name: 'attachmentsJson',
		type: 'json',
		displayOptions: { show: { messageType: ['media'], specifyAttachments: ['json'] } },
		default: '',
		placeholder: 'e.g. {{ $json.attachments }}',
		description:
			'URLs, or attachments as CometChat sends them. The URL of a file that an app uploaded expires, also in a forwarded message.',
		hint: 'An expression may return a URL, a list of URLs, or the attachments of a message',
		routing: { send: { type: 'body', property: 'data.attachments' } },
		convert: convertUrlsOrJsonToAttachments,
	},
	{
		displayName: 'Input Binary Fields',
		name: 'binaryProperties',
		type: 'string',
		displayOptions: { show: { messageType: ['media'], specifyAttachments: ['binary'] } },
		default: 'data',
		placeholder: 'e.g. data',
		description:
			'Names of the binary fields to send, separated by commas. At most 10 files of 100 MB each.',
		hint: "An expression can give a file of an earlier node, e.g. {{ $('Form').item.binary.data }}",
		convert: convertToBinaryFieldAndFileList,
		check: checkUploadCount,
	},
	{
		...textField,
		displayName: 'Caption',
		name: 'caption',
		required: false,
		placeholder: 'e.g. The new office',
		description: 'Text displayed with the attachments, or sent alone if there are none',
		displayOptions: { show: { messageType: ['media'] } },
	},
	{
		...createTextField(
			'Custom Type',
			'customType',
			'location',
			'Message type that your own app defines',
		),
		displayOptions: { show: { messageType: ['custom'] } },
		required: true,
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Custom Data',
		name: 'customData',
		type: 'json',
		displayOptions: { show: { messageType: ['custom'] } },
		required: true,
		default: '{}',
		description: 'JSON object with at least one key, which your app displays',
		routing: { send: { type: 'body', property: 'data.customData' } },
		check: createNonEmptyObjectCheck(),
	},
];

/** Content fields of Answer. The text defaults to the output of an AI Agent, because most bots send this text. */
export const answerContentFields = newMessageContentFields.map((field): Field =>
	field.name === textField.name
		? {
				...field,
				default: '={{ $json.output }}',
				description:
					'Text of the answer, or the preview of a card. By default, the output of an AI Agent. To mention a user, write &lt;@uid:UID&gt;.',
			}
		: field,
);

const additionalFields: Field[] = [
	metadataField,
	{
		// Open question 9 in docs/status.md: CometChat may refuse a second message with the same UID
		...createTextField(
			'Message UID',
			'muid',
			'order-1042-shipped',
			'Your own unique ID for the message',
		),
		routing: { send: { type: 'body', property: 'muid' } },
		check: checkNotBrokenId,
	},
	tagsField,
];

const description = 'More fields to send';

/** Optional fields of Answer and Reply. The thread isn't a field, because another message determines it. */
export const answerAndReplyAdditionalFieldsField = createAdditionalFieldsCollection(
	additionalFields,
	{
		description,
	},
);

/**
 * Field for the message to quote in a new message. Only CometChat's SDKs document quotes (open question 43 in
 * docs/status.md).
 */
const quotedMessageField: Field = {
	...createTextField(
		'Quoted Message',
		'quotedMessageId',
		'501',
		'ID of the message to quote. CometChat documents quotes for its SDKs, not for REST.',
	),
	check: checkNotMessageIdList,
	routing: { send: { type: 'body', property: 'quotedMessageId' } },
};

/** Optional fields of a new message, including the thread and the quoted message. */
export const sendAdditionalFieldsField = createAdditionalFieldsCollection(
	[...additionalFields, quotedMessageField, newMessageThreadField],
	{ description },
);
