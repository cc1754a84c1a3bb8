import type { Field } from '../../description/types';

/** What an answer is called. */
const buttonLabel = (name: string, label: string, does: string): Field => ({
	displayName: `${label} Button Label`,
	name,
	type: 'string',
	default: label,
	placeholder: `e.g. ${label}`,
	description: `What the answer is called that ${does}`,
});

/** How people answer a question. The names are n8n's own: its review of tools by humans knows them. */
export const answerFields: Field[] = [
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{ name: 'Approval', value: 'approval', description: 'People approve or decline' },
			{ name: 'Free Text', value: 'freeText', description: 'People write an answer' },
		],
		default: 'approval',
		description: 'How people answer',
	},
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add Button Labels',
		displayOptions: { show: { responseType: ['approval'] } },
		default: {},
		description:
			'Which answers there are, and what they are called: Approve and Decline, unless you change them',
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
						description: 'Whether people can decline too',
					},
					buttonLabel('approveLabel', 'Approve', 'approves'),
					{
						...buttonLabel('disapproveLabel', 'Decline', 'declines'),
						displayOptions: { show: { approvalType: ['double'] } },
					},
				],
			},
		],
	},
];

/** Longest limit, in its unit: 10,000 days are 27 years. */
const MAX_AMOUNT = 10_000;

const limitWaitTime: Field = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	placeholder: 'Add Limit',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait for an answer, up to 10,000 minutes, hours or days, or until a time. Without an answer the node then returns its input items.',
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
					description: 'What ends the wait',
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					typeOptions: { minValue: 1, maxValue: MAX_AMOUNT },
					default: 1,
					description: 'How many of the unit to wait',
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
					default: 'hours',
					description: 'Unit of the amount',
				},
				{
					displayName: 'Max Date and Time',
					name: 'maxDateAndTime',
					type: 'dateTime',
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
					default: '',
					description:
						"When the wait ends. Uses the workflow's time zone unless the value has an offset.",
				},
			],
		},
	],
};

export const waitOptions: Field = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'How long to wait, and what happens to the message',
	options: [
		{
			displayName: 'Ask for a Name',
			name: 'askName',
			type: 'boolean',
			default: true,
			description:
				'Whether people enter their names with the answer, which then has respondedBy. Nobody checks them: who has the link can enter any name.',
		},
		limitWaitTime,
		{
			displayName: 'Update Message',
			name: 'updateMessage',
			type: 'boolean',
			default: true,
			description:
				'Whether to replace the links in the message by the answer and its time, once there is one',
		},
	],
};
