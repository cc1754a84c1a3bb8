import { createTextField } from '../../fields/commonFields';
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../../types';
import { requiredWithBuilderHint } from '../../fields/userAndGroup';
import { checkReasonId } from './moderationChecks';

interface Queue {
	name: string;
	value: string;
	description: string;
}

const FLAGGED: Queue = {
	name: 'Reported',
	value: 'flagged',
	description:
		'Messages that users reported or a rule flagged. Users can see them unless a moderator blocks them.',
};

const BLOCKED: Queue = {
	name: 'Blocked',
	value: 'blocked',
	description: 'Messages that a rule blocked and that receivers cannot see',
};

const REVIEWED: Queue = {
	name: 'Reviewed',
	value: 'reviewed',
	description: 'Messages that someone has reviewed',
};

const createQueueField = (queues: Queue[], description: string, subpath: string): Field => ({
	displayName: 'Queue',
	name: 'queue',
	type: 'options',
	options: queues.map((queue): INodePropertyOptions => ({
		...queue,
		routing: { request: { url: `/moderation/${queue.value}-messages${subpath}` } },
	})),
	default: 'flagged',
	description,
});

export const queueFieldForList = createQueueField(
	[BLOCKED, FLAGGED, REVIEWED],
	'Which messages to list',
	'',
);

export const queueFieldForReview = createQueueField(
	[BLOCKED, FLAGGED],
	'Queue that contains the message',
	'/{messageId}',
);

/** Creates the 'Decision' field for the messages of one queue. */
function createDecisionField(queue: Queue, blockBody: IDataObject): Field {
	const options: INodePropertyOptions[] = [
		{
			name: 'Block Message',
			value: 'block',
			description: 'Receivers cannot see the message',
			routing: { request: { body: blockBody } },
		},
		{
			name: 'Keep Message',
			value: 'approve',
			description: 'Receivers can see the message',
			routing: { request: { body: { status: 'approved' } } },
		},
	];
	return {
		displayName: 'Decision',
		name: 'decision',
		type: 'options',
		required: true,
		displayOptions: { show: { queue: [queue.value] } },
		options,
		// No default, because either decision has consequences
		default: '',
		description: 'What happens to the message. An expression returns block or approve (keep).',
	};
}

export const decisionFieldForEachQueue: Field[] = [
	createDecisionField(FLAGGED, { status: 'disapproved' }),
	createDecisionField(BLOCKED, { status: 'rejected', reviewed: true }),
];

export const flagReasonField: Field = {
	displayName: 'Reason',
	name: 'reasonId',
	type: 'resourceLocator',
	...requiredWithBuilderHint,
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
	description: 'Why the message is reported. The reasons are set in the CometChat dashboard.',
	routing: { send: { type: 'body', property: 'reasonId' } },
	check: checkReasonId,
};

export const flagRemarkField: Field = {
	...createTextField(
		'Remark',
		'remark',
		'Sends this to everyone',
		'More information for the moderators',
	),
	routing: { send: { type: 'body', property: 'remark' } },
};
