import { z } from 'zod/v4';
import { sampleReasons, sampleReports } from '../data/sample';
import { parseAs } from '../parse';
import { NotFound } from './errors';
import type { Report } from '../types';
import type { StoredMessage } from './messages';

/** A rule that flags or blocks messages that contain one of its words. Matching is case-insensitive. */
const RULE = z.object({
	id: z.string().optional(),
	name: z.string(),
	words: z.array(z.string()).min(1),
	action: z.enum(['flagMessage', 'blockMessage']),
});

export type Rule = z.infer<typeof RULE> & { id: string };

/** A rule that matches a message, and the reason for the match. */
export interface Hit {
	rule: Pick<Rule, 'id' | 'name' | 'action'>;
	reason: string;
}

/** A blocked message, and the rule that blocked the message. */
export interface Blocked extends Hit {
	messageId: string;
	createdAt: number;
}

/** A message that a moderator has approved or disapproved. */
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

/** Stores moderation rules, reports, and queues. */
export class Moderation {
	readonly reasons = new Map(sampleReasons().map((each) => [each.id, each]));

	rules: Rule[] = [];

	private readonly reports = new Map<string, Report[]>();

	private readonly blocked = new Map<string, Blocked>();

	private readonly reviewed: Reviewed[] = [];

	/** @param lastSentAt send time of the last sample message, in Unix seconds */
	constructor(lastSentAt?: number) {
		for (const { messageId, ...report } of sampleReports(lastSentAt))
			this.report(messageId, report);
	}

	/**
	 * Returns the first matching rule that blocks a message, or else the first matching rule that flags the
	 * message.
	 */
	hitOf({ text = '' }: StoredMessage): Hit | undefined {
		const hits = this.rules.flatMap(({ words, ...rule }) => {
			const word = words.find((each) => text.toLowerCase().includes(each.toLowerCase()));
			return word === undefined ? [] : [{ rule, reason: `Contains "${word}"` }];
		});
		return hits.find(({ rule }) => rule.action === 'blockMessage') ?? hits[0];
	}

	/** Adds a report. A second report by the same user replaces the user's first report. */
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

	/** Returns the IDs of flagged messages, most recently reported first. */
	flaggedIds(): string[] {
		const lastOf = (id: string) =>
			Math.max(...this.reportsOf(id).map(({ flaggedAt }) => flaggedAt));
		return [...this.reports.keys()].reverse().sort((a, b) => lastOf(b) - lastOf(a));
	}

	/** Returns blocked messages, newest first. */
	blockedEntries(): Blocked[] {
		return [...this.blocked.values()].reverse();
	}

	reviewedEntries(): Reviewed[] {
		return [...this.reviewed].reverse();
	}

	/**
	 * Approves or disapproves a message and removes the message from its queue.
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
