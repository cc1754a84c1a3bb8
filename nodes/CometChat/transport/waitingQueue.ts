/** Unused places at the start of the list before it is worth closing the gap. */
const LARGEST_GAP = 1_000;

interface Ordered {
	/** Smaller goes first */
	order: number;
	/** Among those of the same order, smaller goes first */
	sequence: number;
}

function goesBefore(a: Ordered, b: Ordered): boolean {
	return a.order < b.order || (a.order === b.order && a.sequence < b.sequence);
}

/** Who waits, in order. Adding the last and taking the first cost the same however long it is. */
export class WaitingQueue<T extends Ordered> {
	private list: T[] = [];

	/** Where the first one is */
	private start = 0;

	get length(): number {
		return this.list.length - this.start;
	}

	add(entry: T): void {
		let low = this.start;
		let high = this.list.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (goesBefore(entry, this.list[middle])) high = middle;
			else low = middle + 1;
		}
		this.list.splice(low, 0, entry);
	}

	/** Takes the first one out; undefined when nobody waits. */
	takeFirst(): T | undefined {
		if (this.length === 0) return undefined;
		const first = this.list[this.start++];
		if (this.start > LARGEST_GAP && this.start > this.length) this.closeGap();
		return first;
	}

	/** Takes out everyone of whom this is true. */
	takeAll(isMeant: (entry: T) => boolean): T[] {
		this.closeGap();
		const taken: T[] = [];
		const kept: T[] = [];
		for (const entry of this.list) (isMeant(entry) ? taken : kept).push(entry);
		this.list = kept;
		return taken;
	}

	private closeGap(): void {
		this.list.splice(0, this.start);
		this.start = 0;
	}
}
