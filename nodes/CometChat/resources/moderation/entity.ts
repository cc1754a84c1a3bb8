import type { IDataObject } from 'n8n-workflow';

import { field, isObject, asObject } from '../../transport/json';
import type { Columns, Entity } from '../../description/types';
import { fromRequest, createConfirmation } from '../columns';
import { messageEntity } from '../message/entity';

/** The latest report of a message, e.g. its reason. `flaggedBy` holds one entry per report. */
function lastReport({ flaggedBy }: IDataObject): IDataObject {
	const reports = [flaggedBy].flat().filter(isObject);
	const time = ({ flaggedAt }: IDataObject) => Number(flaggedAt) || 0;
	return asObject(reports.reduce((last, next) => (time(next) >= time(last) ? next : last), {}));
}

const ofReport = (name: string) => (entry: IDataObject) => lastReport(entry)[name];

/** The message of an entry. In the queue of reported messages, the entry itself is the message. */
const messageIn = (entry: IDataObject): IDataObject =>
	isObject(entry.message) ? entry.message : entry;

const messageColumns = (...names: string[]): Columns =>
	Object.fromEntries(
		names.map((name) => [name, (entry) => messageEntity.columns[name](messageIn(entry))]),
	);

const content = messageColumns('id', 'sentAt', 'senderName', 'text', 'sender');

const receiver = messageColumns('receiver', 'receiverName', 'receiverType');

/** Columns of a message that users reported. */
const reportColumns: Columns = {
	...content,
	reason: ofReport('reasonName'),
	remark: ofReport('remark'),
	flaggedAt: ofReport('flaggedAt'),
	flaggedBy: ofReport('uid'),
	flaggedByName: ofReport('name'),
	flaggedCount: field('flaggedCount'),
	...receiver,
};

const rule: Columns = {
	ruleName: field('ruleName'),
	reason: field('condition', 'message'),
	actions: field('action'),
};

/** Columns of a message that a rule blocked. */
const blockedColumns: Columns = {
	...content,
	...rule,
	blockedAt: ({ blockedAt, createdAt }) => blockedAt ?? createdAt,
	...receiver,
};

/** Decisions as Moderation → Review names them, by the status of the message. */
const DECISIONS: Record<string, string> = {
	approved: 'approve',
	disapproved: 'block',
	rejected: 'block',
};

/** Columns of a message that somebody reviewed. */
const reviewedColumns: Columns = {
	...content,
	decision: (entry) => DECISIONS[String(field('data', 'moderation', 'status')(messageIn(entry)))],
	// The latest time in the record is the decision's
	decidedAt: ({ createdAt, updatedAt, blockedAt }) =>
		Math.max(...[createdAt, updatedAt, blockedAt].map((time) => Number(time) || 0)),
	...rule,
	...receiver,
};

const QUEUES: Record<string, Columns> = {
	flagged: reportColumns,
	blocked: blockedColumns,
	reviewed: reviewedColumns,
};

/** An entry of one of the queues. */
export const queueEntryEntity: Entity = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	example: 'flaggedBy',
	columns: { ...reportColumns, ...blockedColumns, ...reviewedColumns },
	columnsFor: ({ queue }) => QUEUES[String(queue)],
	// A message can match several rules
	keyOf: (entry) => [messageIn(entry).id, entry.ruleId, entry.createdAt].join(),
};

/** One report of a message. */
export const reportEntity: Entity = {
	name: 'report',
	plural: 'reports',
	id: 'id',
	example: 'flaggedBy',
	columns: reportColumns,
};

/** The documents disagree about what these are answered with. */
const confirmation = (columns: Columns): Entity => ({
	...createConfirmation(columns),
	mayBeEmpty: true,
});

export const reviewConfirmation = confirmation({
	id: fromRequest,
	queue: fromRequest,
	decision: fromRequest,
	success: () => true,
});

export const flagConfirmation = confirmation({
	id: fromRequest,
	reasonId: fromRequest,
	success: () => true,
});
