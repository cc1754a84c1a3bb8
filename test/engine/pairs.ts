/** Names, each with the values that it can have. */
type Factors = Record<string, readonly unknown[]>;

export type Row<All extends Factors> = { [Name in keyof All]: All[Name][number] };

/** Every two values of two factors that can meet. */
function pairsOf(factors: Factors): Set<string> {
	const names = Object.keys(factors);
	const rows = names.flatMap((a, index) =>
		names
			.slice(index + 1)
			.flatMap((b) => factors[a].flatMap((x) => factors[b].map((y) => pair(a, x, b, y)))),
	);
	return new Set(rows);
}

const pair = (a: string, x: unknown, b: string, y: unknown): string =>
	JSON.stringify(a < b ? [a, x, b, y] : [b, y, a, x]);

/** Few rows in which every two values of two factors meet: each row takes the values that most new pairs come of. */
export function pairwise<All extends Factors>(factors: All): Array<Row<All>> {
	const open = pairsOf(factors);
	const rows: Array<Row<All>> = [];
	while (open.size > 0) {
		const [a, x, b, y]: [string, unknown, string, unknown] = JSON.parse([...open][0]);
		const row: Record<string, unknown> = { [a]: x, [b]: y };
		const newPairs = (name: string, value: unknown) =>
			Object.entries(row).filter(([other, its]) => open.has(pair(name, value, other, its)));
		for (const [name, values] of Object.entries(factors)) {
			if (name in row) continue;
			const counts = values.map((value) => newPairs(name, value).length);
			const best = values.filter((_, index) => counts[index] === Math.max(...counts));
			// Of equal ones another in each row, which takes fewer rows
			row[name] = best[rows.length % best.length];
		}
		const entries = Object.entries(row);
		for (const [name, value] of entries) {
			for (const [other, its] of entries) open.delete(pair(name, value, other, its));
		}
		rows.push(row as Row<All>);
	}
	return rows;
}
