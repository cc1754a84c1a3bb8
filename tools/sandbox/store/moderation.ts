import { z } from 'zod/v4';
import { sampleReasons, sampleReports } from '../data/sample';
import { parseAs } from '../parse';
import { NotFound } from './errors';
import type { Report } from '../types';
import type { StoredMessage } from './messages';

/** A rule that flags or blocks messages that contain one of its words, in any case. */
const RULE = z.object({
	id: z.string().optional(),
	name: z.string(),
	words: z.array(z.string()).min(1),
	action: z.enum(['flagMessage', 'blockMessage']),
});

export type Rule = z.infer<typeof RULE> & { id: string };

/** A message's match with a rule. */
export interface Hit {
	rule: Pick<Rule, 'id' | 'name' | 'action'>;
	reason: string;
}

/** A message that a rule blocked. */
export interface Blocked extends Hit {
	messageId: string;
	createdAt: number;
}

/** A message that a moderator has decided about. */
export interface Reviewed {
	messageId: string;
	status: 'approved' | 'disapproved';
	hit?: Hit;
	blockedAt: number;
	reviewedAt: number;
}

/** @throws {TypeError} if the value isn't a list of rules */
export function parseRules(value: unknown): Rule[] {
	const rules = parseAs(z.array(RULE), value, 'Rules');
	return rules.map((rule, index) => ({ id: `rule-${index + 1}`, ...rule }));
}

/** The moderation queues and the decisions. */
export class Moderation {
	readonly reasons = new Map(sampleReasons().map((each) => [each.id, each]));

	rules: Rule[] = [];

	private readonly reports = new Map<string, Report[]>();

	private readonly blocked = new Map<string, Blocked>();

	private readonly reviewed: Reviewed[] = [];

	constructor() {
		for (const { messageId, ...report } of sampleReports()) this.report(messageId, report);
	}

	/** The first rule that blocks a message, or else the first that flags it. */
	hitOf({ text = '' }: StoredMessage): Hit | undefined {
		const hits = this.rules.flatMap(({ words, ...rule }) => {
			const word = words.find((each) => text.toLowerCase().includes(each.toLowerCase()));
			return word === undefined ? [] : [{ rule, reason: `Contains "${word}"` }];
		});
		return hits.find(({ rule }) => rule.action === 'blockMessage') ?? hits[0];
	}

	/** Adds a report. A second report by the same user replaces the first. */
	report(messageId: string, report: Report): void {
		const others = this.reportsOf(messageId).filter(({ uid }) => uid !== report.uid);
		this.reports.set(messageId, [...others, report]);
	}

	reportsOf(messageId: string): Report[] {
		return this.reports.get(messageId) ?? [];
	}

	block(entry: Blocked): void {
		this.blocked.set(entry.messageId, entry);
	}

	/** IDs of flagged messages, last reported first. */
	flaggedIds(): string[] {
		const lastOf = (id: string) =>
			Math.max(...this.reportsOf(id).map(({ flaggedAt }) => flaggedAt));
		return [...this.reports.keys()].reverse().sort((a, b) => lastOf(b) - lastOf(a));
	}

	/** Blocked messages, newest first. */
	blockedEntries(): Blocked[] {
		return [...this.blocked.values()].reverse();
	}

	reviewedEntries(): Reviewed[] {
		return [...this.reviewed].reverse();
	}

	/**
	 * Decides about a message and removes it from its queue.
	 *
	 * @throws {NotFound} if the message isn't in the queue
	 */
	decide(
		queue: 'flagged' | 'blocked',
		messageId: string,
		status: Reviewed['status'],
		now: number,
	): void {
		const hit = this.blocked.get(messageId);
		const isThere = queue === 'blocked' ? hit !== undefined : this.reports.has(messageId);
		if (!isThere) throw new NotFound(`There is no ${queue} message ${messageId}`);
		if (queue === 'blocked') this.blocked.delete(messageId);
		else this.reports.delete(messageId);
		this.reviewed.push({
			messageId,
			status,
			...(hit ? { hit } : {}),
			blockedAt: hit?.createdAt ?? now,
			reviewedAt: now,
		});
	}
}
