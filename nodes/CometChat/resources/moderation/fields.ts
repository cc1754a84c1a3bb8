import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../../description/types';
import { requiredPicker } from '../../fields/userAndGroup';
import { checkReasonId } from './checks';

interface Queue {
	name: string;
	value: string;
	description: string;
}

const FLAGGED: Queue = {
	name: 'Flagged',
	value: 'flagged',
	description:
		'Messages that users reported, or a rule flagged: people see them until someone decides',
};

const BLOCKED: Queue = {
	name: 'Blocked',
	value: 'blocked',
	description: 'Messages that a rule kept from their receivers',
};

const REVIEWED: Queue = {
	name: 'Reviewed',
	value: 'reviewed',
	description: 'Messages that someone has decided about',
};

const queueOf = (queues: Queue[], description: string, path: string): Field => ({
	displayName: 'Queue',
	name: 'queue',
	type: 'options',
	options: queues.map((queue): INodePropertyOptions => ({
		...queue,
		routing: { request: { url: `/moderation/${queue.value}-messages${path}` } },
	})),
	default: 'flagged',
	description,
});

export const queueToList = queueOf([BLOCKED, FLAGGED, REVIEWED], 'Which messages to list', '');

export const queueToReview = queueOf(
	[BLOCKED, FLAGGED],
	'Where the message waits for a decision',
	'/{messageId}',
);

/** What a decision about a message of a queue is called in the request. */
const decisionFor = (
	queue: string,
	approved: INodePropertyOptions['routing'],
	blocked: INodePropertyOptions['routing'],
): Field => ({
	displayName: 'Decision',
	name: 'decision',
	type: 'options',
	displayOptions: { show: { queue: [queue] } },
	options: [
		{
			name: 'Approve',
			value: 'approve',
			description: 'The receivers see the message, now or as before',
			routing: approved,
		},
		{
			name: 'Block',
			value: 'block',
			description: 'The receivers do not see the message, or no longer',
			routing: blocked,
		},
	],
	default: 'approve',
	description: 'What becomes of the message',
});

export const decisions: Field[] = [
	decisionFor(
		'flagged',
		{ request: { body: { status: 'approved' } } },
		{ request: { body: { status: 'disapproved' } } },
	),
	decisionFor(
		'blocked',
		{ request: { body: { status: 'approved' } } },
		{ request: { body: { status: 'rejected', reviewed: true } } },
	),
];

export const reasonId: Field = {
	displayName: 'Reason',
	name: 'reasonId',
	type: 'resourceLocator',
	...requiredPicker,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a reason...',
			typeOptions: { searchListMethod: 'searchReasons', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. spam' },
	],
	description:
		'Why the message is reported: one of the reasons that the app has in the CometChat dashboard',
	routing: { send: { type: 'body', property: 'reasonId' } },
	check: checkReasonId,
};

export const remark: Field = {
	displayName: 'Remark',
	name: 'remark',
	type: 'string',
	default: '',
	placeholder: 'e.g. Sends this to everyone',
	description: 'What else moderators should know',
	routing: { send: { type: 'body', property: 'remark' } },
	whenEmpty: 'omit',
};
