/** A user's reaction to a message. */
export interface StoredReaction {
	id: string;
	reaction: string;
	uid: string;
	/** Reaction time in Unix seconds. */
	reactedAt: number;
}

/**
 * Reactions to one message. Iterating yields each emoji with the UIDs of the users who reacted, oldest first.
 * Emojis are compared by code point.
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

	/** Returns all reactions, or only the reactions with the given emoji, oldest first. */
	all(reaction?: string): StoredReaction[] {
		if (reaction !== undefined) return [...(this.made.get(reaction) ?? [])];
		return [...this.made.values()].flat().sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** Returns the number of reactions per emoji. `reactedByMe` is true if the user `me` reacted. */
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

	/**
	 * Removes a reaction.
	 *
	 * @returns the reaction, or undefined if the user hadn't added it
	 */
	remove(reaction: string, uid: string): StoredReaction | undefined {
		const removed = this.find(reaction, uid);
		if (!removed) return undefined;
		const left = this.all(reaction).filter((entry) => entry !== removed);
		if (left.length > 0) this.made.set(reaction, left);
		else this.made.delete(reaction);
		return removed;
	}
}
