import { InputError } from '../../errors/describedErrors';
import { createTextsField } from '../../fields/commonFields';
import { createOptionsCollection, createLowerCaseOptions } from '../../fields/options';
import type { ValidatingConverter, Field } from '../../types';
import { cleanAndCheckChoices, cleanAndCheckButtonLabel } from './answerLabels';

const createLabelField = (name: string, label: string): Field => ({
	displayName: `${label} Button Label`,
	name,
	type: 'string',
	default: label,
	placeholder: `e.g. ${label}`,
	description: `Label of the ${label.toLowerCase()} button`,
	check: cleanAndCheckButtonLabel,
});

/** Fields that determine how people respond. n8n's human review sets `responseType` to `approval`. */
export const responseTypeFields: Field[] = [
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{ name: 'Approval', value: 'approval', description: 'People approve or decline' },
			{ name: 'Choice', value: 'choice', description: 'People choose one of your answers' },
			{ name: 'Free Text', value: 'freeText', description: 'People write an answer' },
		],
		default: 'approval',
		description: 'How people answer',
	},
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		// Without this setting, n8n would show "Currently no items exist" for an empty collection
		typeOptions: { hideEmptyMessage: true },
		placeholder: 'Change Buttons',
		displayOptions: { show: { responseType: ['approval'] } },
		default: {},
		description: 'Asks with Approve and Decline, unless you change the buttons',
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						options: [
							{ name: 'Approve and Decline', value: 'double' },
							{ name: 'Approve Only', value: 'single' },
						],
						default: 'double',
						description: 'Whether people can also decline',
					},
					createLabelField('approveLabel', 'Approve'),
					{
						...createLabelField('disapproveLabel', 'Decline'),
						displayOptions: { show: { approvalType: ['double'] } },
					},
				],
			},
		],
	},
	{
		...createTextsField('Choices', 'choices', 'Tomorrow', 'Two to ten answers, a button each'),
		required: true,
		displayOptions: { show: { responseType: ['choice'] } },
		check: cleanAndCheckChoices,
	},
];

/** Response types that people answer with a button. */
const WITH_BUTTONS = ['approval', 'choice'];

/** Maximum wait, in the unit that the user chose: minutes, hours or days. 10,000 days are about 27 years. */
const MAX_AMOUNT = 10_000;

const checkFuture: ValidatingConverter = (seconds, label) => {
	if (1_000 * Number(seconds) > Date.now()) return seconds;
	throw new InputError(label, 'is in the past', 'Enter a time in the future.');
};

const maxDateAndTimeField: Field = {
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	required: true,
	check: checkFuture,
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
	default: '',
	description:
		"When the wait ends. The workflow's time zone applies unless the value has an offset.",
};

const limitWaitTimeField: Field = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	// Required, because an empty 'Limit Wait Time' would make the node wait forever
	required: true,
	placeholder: 'Add Limit',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait: up to 10,000 minutes, hours or days, or until a set time. If nobody answers in time, the node returns data.answered = false, not its input.',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Limit Type',
					name: 'limitType',
					type: 'options',
					options: [
						{ name: 'After Time Interval', value: 'afterTimeInterval' },
						{ name: 'At Specified Time', value: 'atSpecifiedTime' },
					],
					default: 'afterTimeInterval',
					description: 'Whether the wait ends after a while or at a set time',
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					typeOptions: { minValue: 1, maxValue: MAX_AMOUNT },
					default: 1,
					description: 'Number of units to wait',
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					options: createLowerCaseOptions('Minutes', 'Hours', 'Days'),
					default: 'hours',
					description: 'Unit of the amount, e.g. hours',
				},
				maxDateAndTimeField,
			],
		},
	],
};

/** @param threadField field for the thread to which the question is sent */
export const createSendAndWaitOptionsField = (threadField: Field): Field =>
	createOptionsCollection('Time limit, thread, comment, name and update', [
		{
			displayName: 'Ask for a Comment',
			name: 'askComment',
			type: 'boolean',
			default: true,
			displayOptions: { show: { '/responseType': WITH_BUTTONS } },
			description: 'Whether people can add a comment, which the output contains as comment',
		},
		{
			displayName: 'Ask for a Name',
			name: 'askName',
			type: 'boolean',
			default: true,
			description:
				"Whether to ask people for their names. The output contains the name as respondedBy. Names aren't verified: anyone with the link can enter any name.",
		},
		limitWaitTimeField,
		threadField,
		{
			displayName: 'Update Message',
			name: 'updateMessage',
			type: 'boolean',
			default: true,
			description:
				'Whether to replace the link in the message with the answer and its time, once someone has answered',
		},
	]);
