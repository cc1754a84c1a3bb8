import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../../description/types';
import { requiredPicker } from '../../fields/userAndGroup';
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

export const queueToListField = queueOf([BLOCKED, FLAGGED, REVIEWED], 'Which messages to list', '');

export const queueToReviewField = queueOf(
	[BLOCKED, FLAGGED],
	'Where the message waits for a decision',
	'/{messageId}',
);

const DECISIONS: INodePropertyOptions[] = [
	{
		name: 'Block Message',
		value: 'block',
		description: 'Receivers no longer see the message, or never see it',
	},
	{ name: 'Keep Message', value: 'approve', description: 'Receivers see the message' },
];

export const decisionField: Field = {
	displayName: 'Decision',
	name: 'decision',
	type: 'options',
	required: true,
	options: DECISIONS,
	// The user has to choose: both decisions have consequences
	default: '',
	description: 'What happens to the message',
	bodies: {
		parameter: 'queue',
		bodies: {
			flagged: { approve: { status: 'approved' }, block: { status: 'disapproved' } },
			blocked: {
				approve: { status: 'approved' },
				block: { status: 'rejected', reviewed: true },
			},
		},
	},
};

export const reasonField: Field = {
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

export const remarkField: Field = {
	displayName: 'Remark',
	name: 'remark',
	type: 'string',
	default: '',
	placeholder: 'e.g. Sends this to everyone',
	description: 'What else moderators should know',
	routing: { send: { type: 'body', property: 'remark' } },
	whenEmpty: 'omit',
};
