import type { IDataObject } from 'n8n-workflow';

import {
	toNumberOrNaN,
	asObjectOrEmpty,
	valueToText,
	createFieldReader,
	isObject,
	getOwnProperty,
} from '../../helpers/json';
import type { ColumnReaders, OutputRowType, EntityDefinition } from '../../types';
import { createConfirmationRowType, createColumnsNotFromEntity } from '../entityParts';
import {
	messageSelectedOnlyColumns,
	messageColumns,
	messageColumnsShownIfFilled,
} from '../message/entity';

/** Returns a message's latest report. `flaggedBy` contains one entry per report. */
function lastReport({ flaggedBy }: IDataObject): IDataObject {
	const reports = [flaggedBy].flat().filter(isObject);
	const time = ({ flaggedAt }: IDataObject) => toNumberOrNaN(flaggedAt) || 0;
	return asObjectOrEmpty(
		reports.reduce((last, next) => (time(next) >= time(last) ? next : last), {}),
	);
}

const createReportReader = (name: string) => (entry: IDataObject) => lastReport(entry)[name];

/** Returns a queue entry's message. In the queue of reported messages, the entry itself is the message. */
const messageIn = (entry: IDataObject): IDataObject =>
	isObject(entry.message) ? entry.message : entry;

const allMessageColumns = {
	...messageColumns,
	...messageSelectedOnlyColumns,
	...messageColumnsShownIfFilled,
};

const createMessageColumns = (...names: Array<keyof typeof allMessageColumns>): ColumnReaders =>
	Object.fromEntries(
		names.map((name) => [name, (entry) => allMessageColumns[name](messageIn(entry))]),
	);

const id = createMessageColumns('id');
const attachments = createMessageColumns('attachments');
const sender = createMessageColumns('senderName', 'sender');
const receiver = createMessageColumns('receiver', 'receiverType');
const content = { ...createMessageColumns('text'), ...attachments, ...sender };

const reportedAt = createReportReader('flaggedAt');
const reportCount = createFieldReader('flaggedCount');

/**
 * Columns of a reported message. After the message's ID come texts, names and the receiver, then counts, times and
 * users' UIDs.
 */
const reportColumns: ColumnReaders = {
	...createMessageColumns('id', 'text'),
	reason: createReportReader('reasonName'),
	remark: createReportReader('remark'),
	...createMessageColumns('senderName'),
	reportedByName: createReportReader('name'),
	...createMessageColumns('receiver'),
	reportCount,
	reportedAt,
	...createMessageColumns('receiverType', 'sender'),
	reportedBy: createReportReader('uid'),
};

const rule: ColumnReaders = {
	ruleName: createFieldReader('ruleName'),
	reason: createFieldReader('condition', 'message'),
};

const blockedAt = ({ blockedAt, createdAt }: IDataObject) => blockedAt ?? createdAt;

const blockedColumns: ColumnReaders = { ...id, blockedAt, ...content, ...rule, ...receiver };

/** Values of 'Decision' in Moderation → Review, keyed by the message's moderation status. */
const DECISIONS_BY_STATUS: Record<string, string> = {
	approved: 'approve',
	disapproved: 'block',
	rejected: 'block',
};

const reviewedColumns: ColumnReaders = {
	...id,
	// The decision is the last change of an entry, so the latest of these times is the time of the decision
	decidedAt: ({ createdAt, updatedAt, blockedAt }) =>
		Math.max(...[createdAt, updatedAt, blockedAt].map((time) => toNumberOrNaN(time) || 0)),
	decision: (entry) =>
		getOwnProperty(
			DECISIONS_BY_STATUS,
			valueToText(createFieldReader('data', 'moderation', 'status')(messageIn(entry))),
		),
	...createMessageColumns('text'),
	...sender,
	...rule,
	...receiver,
};

/**
 * Further columns that 'Selected Fields' offers. 'Simplified' also returns some of these columns, depending on the
 * queue, e.g. `reportedAt` for reported messages.
 */
const selectedOnlyColumns: ColumnReaders = {
	...createMessageColumns('sentAt', 'type', 'parentId', 'receiverName', 'conversationId'),
	...attachments,
	reportedAt,
	reportCount,
	actions: createFieldReader('action'),
};

/**
 * Columns that only some messages have. `deletedAt` marks deleted messages, which stay in their queue. `attachments`
 * shows what messages without a text contain.
 */
const columnsShownIfFilled = createMessageColumns(
	...(['deletedAt', 'attachments'] as const),
	...(Object.keys(messageColumnsShownIfFilled) as Array<keyof typeof messageColumnsShownIfFilled>),
);

const COLUMNS_BY_QUEUE: Record<string, ColumnReaders> = {
	flagged: reportColumns,
	blocked: blockedColumns,
	reviewed: reviewedColumns,
};

/** Empty columns for the queues of messages that nobody has reviewed yet. */
const emptyDecisionColumns: ColumnReaders = {
	decision: () => undefined,
	decidedAt: () => undefined,
};

export const moderationQueueMessageEntity: EntityDefinition = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	columns: { ...reportColumns, ...blockedColumns, ...reviewedColumns, ...emptyDecisionColumns },
	columnsShownIfFilled,
	selectedOnlyColumns,
	columnsFor: ({ queue }) => getOwnProperty(COLUMNS_BY_QUEUE, valueToText(queue)),
	hidesOtherColumns: true,
};

export const reportEntity: EntityDefinition = {
	name: 'report',
	plural: 'reports',
	id: 'id',
	columns: reportColumns,
	columnsShownIfFilled,
	selectedOnlyColumns,
};

/**
 * Creates the row type for a confirmation that may be empty. CometChat's docs disagree on whether the response
 * contains a result (open question 22 in docs/status.md).
 */
const createOptionalConfirmationRowType = (columns: ColumnReaders): OutputRowType => ({
	...createConfirmationRowType(columns),
	mayBeEmpty: true,
});

export const reviewConfirmationRowType = createOptionalConfirmationRowType({
	...createColumnsNotFromEntity('id', 'queue', 'decision'),
	success: () => true,
});

export const flagConfirmationRowType = createOptionalConfirmationRowType({
	...createColumnsNotFromEntity('id', 'reasonId'),
	success: () => true,
});
