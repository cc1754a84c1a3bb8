/** Deliveries that one process remembers of one node. */
const MAX_REMEMBERED = 10_000;

/** Deliveries that are written down: n8n stores them with the workflow after each delivery. */
const MAX_SAVED = 1_000;

/** A key, and the Unix second in base 36 at which it is forgotten. */
const ENTRY = /^([0-9a-f]{16}):([0-9a-z]{1,9})$/;

/** Which deliveries came already, for a time, and at most so many: the oldest are forgotten first. */
export class DeliveryMemory {
	/** When each key is forgotten, in Unix seconds; in the order in which they came */
	private readonly expiries = new Map<string, number>();

	/** The text that was read or written last: it holds nothing new */
	private known: unknown = '';

	/** @param now Unix seconds */
	has(key: string, now: number): boolean {
		return (this.expiries.get(key) ?? 0) > now;
	}

	/** @param expiry when it may be forgotten, in Unix seconds */
	add(key: string, expiry: number, now: number): void {
		this.expiries.delete(key);
		this.expiries.set(key, expiry);
		if (this.expiries.size > MAX_REMEMBERED) this.forget(now);
	}

	/** Adds what was saved, perhaps by another process. Whatever is no entry is left out. */
	read(saved: unknown, now: number): void {
		if (typeof saved !== 'string' || saved === this.known) return;
		this.known = saved;
		for (const text of saved.split(' ')) {
			const [, key, time] = ENTRY.exec(text) ?? [];
			if (key === undefined || this.has(key, now)) continue;
			this.add(key, parseInt(time, 36), now);
		}
	}

	/** The latest entries as a text. */
	write(now: number): string {
		const entries = [...this.expiries].filter(([, expiry]) => expiry > now).slice(-MAX_SAVED);
		const text = entries.map(([key, expiry]) => `${key}:${expiry.toString(36)}`).join(' ');
		this.known = text;
		return text;
	}

	/** First what has expired; then, down to nine tenths, what came first. */
	private forget(now: number): void {
		for (const [key, expiry] of this.expiries) if (expiry <= now) this.expiries.delete(key);
		const excess = this.expiries.size - 0.9 * MAX_REMEMBERED;
		for (const key of [...this.expiries.keys()].slice(0, Math.max(0, excess))) {
			this.expiries.delete(key);
		}
	}
}
