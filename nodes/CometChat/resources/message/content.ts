import { createAdditionalFields } from '../../fields/body';
import { checkNotEmptyObject } from '../../fields/fieldChecks';
import type { Field } from '../../description/types';
import { metadataField, tagsField, textField } from './fields';

/** Fields of one file of a message. */
const attachmentFields: Field[] = [
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/photo.png',
		description: 'URL of the file, which the receivers can open',
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. photo.png',
		description: 'Name of the file',
		whenEmpty: 'omit',
	},
	{
		displayName: 'MIME Type',
		name: 'mimeType',
		type: 'string',
		default: '',
		placeholder: 'e.g. image/png',
		description: 'Media type of the file',
		whenEmpty: 'omit',
	},
	{
		displayName: 'Extension',
		name: 'extension',
		type: 'string',
		default: '',
		placeholder: 'e.g. png',
		description: 'File extension',
		whenEmpty: 'omit',
	},
	{
		displayName: 'Size',
		name: 'size',
		type: 'string',
		default: '',
		placeholder: 'e.g. 20480',
		description: 'Size of the file in bytes',
		whenEmpty: 'omit',
	},
];

/** Content of a message to send. */
export const contentFields: Field[] = [
	{
		displayName: 'Message Type',
		name: 'messageType',
		type: 'options',
		options: [
			{
				name: 'Custom',
				value: 'custom',
				description: 'Data that your own app shows',
				routing: { request: { body: { category: 'custom' } } },
			},
			{
				name: 'Files (by URL)',
				value: 'media',
				description: 'Images, videos and other files. CometChat takes a URL: there is no upload.',
				routing: { request: { body: { category: 'message' } } },
			},
			{
				name: 'Text',
				value: 'text',
				routing: { request: { body: { category: 'message', type: 'text' } } },
			},
		],
		default: 'text',
		description: 'Kind of content',
	},
	{ ...textField, displayOptions: { show: { messageType: ['text'] } } },
	{
		displayName: 'Media Type',
		name: 'mediaType',
		type: 'options',
		displayOptions: { show: { messageType: ['media'] } },
		options: [
			{ name: 'Audio', value: 'audio' },
			{ name: 'File', value: 'file' },
			{ name: 'Image', value: 'image' },
			{ name: 'Video', value: 'video' },
		],
		default: 'image',
		description: 'How apps show the attachments',
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Attachments',
		name: 'attachments',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Attachment' },
		placeholder: 'Add Attachment',
		displayOptions: { show: { messageType: ['media'] } },
		required: true,
		default: {},
		description: 'Files of the message, each by its URL',
		routing: {
			send: { type: 'body', property: 'data.attachments', value: '={{ $value.attachment }}' },
		},
		options: [
			{
				displayName: 'Attachment',
				name: 'attachment',
				values: attachmentFields,
			},
		],
	},
	{
		...textField,
		displayName: 'Caption',
		name: 'caption',
		required: false,
		placeholder: 'e.g. The new office',
		description: 'Text shown with the attachments',
		displayOptions: { show: { messageType: ['media'] } },
		whenEmpty: 'omit',
	},
	{
		displayName: 'Custom Type',
		name: 'customType',
		type: 'string',
		displayOptions: { show: { messageType: ['custom'] } },
		required: true,
		default: '',
		placeholder: 'e.g. location',
		description: 'Type of the message in your own app',
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Custom Data',
		name: 'customData',
		type: 'json',
		displayOptions: { show: { messageType: ['custom'] } },
		required: true,
		default: '{}',
		description: 'Data of the message, as a JSON object with at least one entry',
		routing: { send: { type: 'body', property: 'data.customData' } },
		check: checkNotEmptyObject,
	},
	createAdditionalFields(
		[
			metadataField,
			{
				displayName: 'Message UID',
				name: 'muid',
				type: 'string',
				default: '',
				placeholder: 'e.g. order-1042-shipped',
				description: 'Your own unique ID of the message, sent as you enter it',
				routing: { send: { type: 'body', property: 'muid' } },
			},
			tagsField,
		],
		{ description: 'More fields to send', isNodeSetting: true },
	),
];
