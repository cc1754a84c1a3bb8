import type { Mutant } from './mutants';

/** The same numbers from 0 up to 1 for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** @returns the index of the weight that this share of their sum falls into */
function drawn(weights: number[], share: number): number {
	const sum = weights.reduce((total, weight) => total + weight, 0);
	let left = share * sum;
	const index = weights.findIndex((weight) => (left -= weight) < 0);
	return index < 0 ? weights.length - 1 : index;
}

function byLine(mutants: Mutant[]): Mutant[][] {
	const lines = new Map<string, Mutant[]>();
	for (const mutant of mutants) {
		const place = `${mutant.path}:${mutant.line}`;
		const line = lines.get(place);
		if (line) line.push(mutant);
		else lines.set(place, [mutant]);
	}
	return [...lines.values()];
}

/**
 * Draws a line, each with the weight of its heaviest mutant, then one of its mutants; no mutant
 * twice.
 *
 * @returns at most `count` mutants, the same for the same mutants and the same seed
 */
export function sample(mutants: Mutant[], count: number, seed: number): Mutant[] {
	const random = seededRandom(seed);
	const lines = byLine(mutants);
	const chosen: Mutant[] = [];
	while (chosen.length < count && lines.length > 0) {
		const weights = lines.map((line) => Math.max(...line.map(({ weight }) => weight)));
		const at = drawn(weights, random());
		const line = lines[at];
		const place = drawn(
			line.map(({ weight }) => weight),
			random(),
		);
		chosen.push(...line.splice(place, 1));
		if (line.length === 0) lines.splice(at, 1);
	}
	return chosen;
}
