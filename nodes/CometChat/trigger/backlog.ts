import type { Occurrence } from './events';

function oldestFirst(a: Occurrence, b: Occurrence): number {
	return a.at - b.at;
}

/** Keeps the oldest of what it is given: what it drops is not older than anything that it keeps. */
export class Backlog {
	/** Whether something was dropped */
	isCut = false;

	private readonly found = new Map<string, Occurrence>();

	/** @param most how many to keep */
	constructor(private readonly most: number) {}

	/** The last one given of a group counts. */
	add(occurrence: Occurrence): void {
		this.found.set(occurrence.guid, occurrence);
		// Now and then is enough, and keeps the memory bounded
		if (this.found.size > 2 * this.most) this.cut();
	}

	/** @returns what is kept, oldest first */
	oldest(): Occurrence[] {
		this.cut();
		return [...this.found.values()];
	}

	private cut(): void {
		const sorted = [...this.found.values()].sort(oldestFirst);
		this.isCut ||= sorted.length > this.most;
		this.found.clear();
		for (const occurrence of sorted.slice(0, this.most)) {
			this.found.set(occurrence.guid, occurrence);
		}
	}
}
