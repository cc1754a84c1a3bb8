import type { IDataObject } from 'n8n-workflow';

import { field, isObject, objectOf } from '../../transport/json';
import type { Columns, Entity } from '../../description/types';
import { asked, confirmationOf } from '../columns';
import { message } from '../message/entity';

/** Who reported a message last, why and when: `flaggedBy` holds each report. */
function lastReport({ flaggedBy }: IDataObject): IDataObject {
	const reports = [flaggedBy].flat().filter(isObject);
	const time = ({ flaggedAt }: IDataObject) => Number(flaggedAt) || 0;
	return objectOf(reports.reduce((last, next) => (time(next) >= time(last) ? next : last), {}));
}

const ofReport = (name: string) => (thing: IDataObject) => lastReport(thing)[name];

/** A list of texts as one, e.g. the actions of a rule. */
const listed = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') : value);

/** The message of an entry: the entry itself, where a user reported it. */
const messageIn = (entry: IDataObject): IDataObject =>
	isObject(entry.message) ? entry.message : entry;

const ofMessage: Columns = Object.fromEntries(
	['id', 'text', 'sender', 'senderName', 'receiver', 'receiverName'].map((name) => [
		name,
		(entry: IDataObject) => message.columns[name](messageIn(entry)),
	]),
);

/** Of a message that users reported. */
const reportColumns: Columns = {
	...ofMessage,
	flaggedCount: field('flaggedCount'),
	flaggedBy: ofReport('uid'),
	flaggedByName: ofReport('name'),
	reason: ofReport('reasonName'),
	remark: ofReport('remark'),
	flaggedAt: ofReport('flaggedAt'),
};

/** Of a message that a rule met. */
const ruleColumns: Columns = {
	...ofMessage,
	receiverType: (entry) => messageIn(entry).receiverType,
	ruleName: field('ruleName'),
	reason: (entry) => listed(field('condition', 'message')(entry)),
	actions: ({ action }) => listed(action),
	status: (entry) => field('data', 'moderation', 'status')(messageIn(entry)),
	blockedAt: ({ blockedAt, createdAt }) => blockedAt ?? createdAt,
};

/** An entry of one of the queues. */
export const queued: Entity = {
	name: 'message',
	plural: 'messages',
	id: 'id',
	example: 'flaggedBy',
	columns: { ...reportColumns, ...ruleColumns },
	variant: ({ queue }) => (queue === 'flagged' ? reportColumns : ruleColumns),
	// A message may have met several rules
	keyOf: (entry) => [messageIn(entry).id, entry.ruleId, entry.createdAt].join(),
};

/** One report of a message. */
export const report: Entity = {
	name: 'report',
	plural: 'reports',
	id: 'id',
	example: 'flaggedBy',
	columns: reportColumns,
};

/** The documents disagree about what these are answered with. */
const confirmation = (columns: Columns): Entity => ({
	...confirmationOf(columns),
	mayBeEmpty: true,
});

export const decided = confirmation({
	id: asked,
	queue: asked,
	decision: asked,
	success: () => true,
});

export const flagged = confirmation({ id: asked, reasonId: asked, success: () => true });
