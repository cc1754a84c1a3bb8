import { sampleReasons, sampleReports } from '../data/sample';
import { NotFound } from './errors';
import type { Report } from '../types';
import type { StoredMessage } from './messages';

/** Flags or blocks messages that have one of the words in them, in any case. */
export interface Rule {
	id: string;
	name: string;
	words: string[];
	action: 'flagMessage' | 'blockMessage';
}

/** Why a rule met a message. */
export interface Hit {
	rule: Pick<Rule, 'id' | 'name' | 'action'>;
	reason: string;
}

/** A message that a rule blocked. */
export interface Blocked extends Hit {
	messageId: string;
	createdAt: number;
}

/** A message that somebody has decided about. */
export interface Reviewed {
	messageId: string;
	status: 'approved' | 'disapproved';
	hit?: Hit;
	blockedAt: number;
	reviewedAt: number;
}

/**
 * Reads rules that came as JSON.
 *
 * @throws {TypeError} when one has no name, no words or no action
 */
export function parseRules(value: unknown): Rule[] {
	if (!Array.isArray(value)) throw new TypeError('Rules are a list');
	return value.map((each: Partial<Rule>, index) => {
		const { name, words, action } = each;
		const isAction = action === 'flagMessage' || action === 'blockMessage';
		if (typeof name !== 'string' || !Array.isArray(words) || words.length === 0 || !isAction) {
			throw new TypeError('A rule has a "name", "words" and an "action"');
		}
		return { id: each.id ?? `rule-${index + 1}`, name, words: words.map(String), action };
	});
}

/** What waits for moderators, and what they have decided. */
export class Moderation {
	readonly reasons = new Map(sampleReasons().map((each) => [each.id, each]));

	rules: Rule[] = [];

	private readonly reports = new Map<string, Report[]>();

	private readonly blocked = new Map<string, Blocked>();

	private readonly reviewed: Reviewed[] = [];

	constructor() {
		for (const { messageId, ...report } of sampleReports()) this.report(messageId, report);
	}

	/** What the rules say of a message: the first that blocks it, else the first that flags it. */
	hitOf({ text = '' }: StoredMessage): Hit | undefined {
		const hits = this.rules.flatMap(({ words, ...rule }) => {
			const word = words.find((each) => text.toLowerCase().includes(each.toLowerCase()));
			return word === undefined ? [] : [{ rule, reason: `Contains "${word}"` }];
		});
		return hits.find(({ rule }) => rule.action === 'blockMessage') ?? hits[0];
	}

	/** A user reports a message once; a second report of the same user replaces the first. */
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

	/** Those with the last report first. */
	flaggedIds(): string[] {
		const lastOf = (id: string) =>
			Math.max(...this.reportsOf(id).map(({ flaggedAt }) => flaggedAt));
		return [...this.reports.keys()].reverse().sort((a, b) => lastOf(b) - lastOf(a));
	}

	/** Newest first, as the reviewed ones. */
	blockedEntries(): Blocked[] {
		return [...this.blocked.values()].reverse();
	}

	reviewedEntries(): Reviewed[] {
		return [...this.reviewed].reverse();
	}

	/**
	 * A moderator decides about a message of a queue, which leaves it.
	 *
	 * @throws {NotFound} when the message is not in the queue
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
