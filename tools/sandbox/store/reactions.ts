/** One reaction of one user. */
export interface StoredReaction {
	id: string;
	reaction: string;
	uid: string;
	/** Unix seconds. */
	reactedAt: number;
}

/**
 * Who reacted how to one message, and when. Iterates over reaction and UIDs, in the order in which they came. Reactions are
 * compared code point by code point.
 */
export class Reactions implements Iterable<[string, string[]]> {
	private readonly made = new Map<string, StoredReaction[]>();

	get size(): number {
		return this.made.size;
	}

	*[Symbol.iterator](): IterableIterator<[string, string[]]> {
		for (const [reaction, entries] of this.made) yield [reaction, entries.map(({ uid }) => uid)];
	}

	has(reaction: string): boolean {
		return this.made.has(reaction);
	}

	find(reaction: string, uid: string): StoredReaction | undefined {
		return this.made.get(reaction)?.find((entry) => entry.uid === uid);
	}

	/** Every single reaction, or those of one kind, in the order in which they were made. */
	all(reaction?: string): StoredReaction[] {
		if (reaction !== undefined) return [...(this.made.get(reaction) ?? [])];
		return [...this.made.values()].flat().sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** Counts per reaction, as one user sees them. */
	counts(me?: string) {
		return [...this].map(([reaction, uids]) => ({
			reaction,
			count: uids.length,
			...(me !== undefined && uids.includes(me) ? { reactedByMe: true } : {}),
		}));
	}

	add(entry: StoredReaction): void {
		const entries = this.made.get(entry.reaction);
		if (entries) entries.push(entry);
		else this.made.set(entry.reaction, [entry]);
	}

	/** Takes a reaction away, and returns it; undefined when the user had not made it. */
	remove(reaction: string, uid: string): StoredReaction | undefined {
		const removed = this.find(reaction, uid);
		if (!removed) return undefined;
		const left = this.all(reaction).filter((entry) => entry !== removed);
		if (left.length > 0) this.made.set(reaction, left);
		else this.made.delete(reaction);
		return removed;
	}
}
