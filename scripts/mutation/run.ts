import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { coverageOf, fitting, testsOf } from './coverage';
import type { Mutant } from './mutants';
import { mutantsOf, mutated } from './mutants';
import { Copy, ROOT } from './project';
import { inWords, place } from './report';
import { sample } from './sample';
import type { TestFile } from './tests';
import { endTests, firstNotice } from './tests';

const HELP = `Breaks the built code in random places, one at a time, and counts what the tests notice.

  --count N        how many mutants (default 50)
  --seed N         another seed draws other mutants (default 1)
  --file PATTERN   only built files whose path matches this regular expression
  --longest N      seconds of tests per mutant (default 240), the fastest test files first: one that
                   none of those notices counts as surviving
  --again          in place of a sample, the mutants that survived in earlier runs
  --list           prints the mutants, and runs nothing
  --help           prints this text

Needs the built package (npm run build).
`;

/** Mutants that survived, of all runs: those that a later run sees noticed are taken out. */
const SURVIVORS = join(ROOT, '.cache/mutation/survivors.json');

/** How long a test file may take, in milliseconds, before it counts as hanging. */
const limitOf = ({ milliseconds }: TestFile) => 4 * milliseconds + 20_000;

interface Options {
	count: number;
	seed: number;
	file: RegExp;
	longestMs: number;
	again: boolean;
	list: boolean;
}

function wholeNumber(name: string, value: string): number {
	if (!/^\d+$/.test(value)) throw new Error(`--${name} is a whole number`);
	return Number(value);
}

function readOptions(): Options | undefined {
	const { values } = parseArgs({
		options: {
			count: { type: 'string', default: '50' },
			seed: { type: 'string', default: '1' },
			file: { type: 'string', default: '' },
			longest: { type: 'string', default: '240' },
			again: { type: 'boolean', default: false },
			list: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	return {
		...values,
		count: wholeNumber('count', values.count),
		seed: wholeNumber('seed', values.seed),
		file: new RegExp(values.file),
		longestMs: 1_000 * wholeNumber('longest', values.longest),
	};
}

function allMutants(copy: Copy): Mutant[] {
	const files = globSync('dist/{nodes,credentials}/**/*.js', { cwd: copy.root }).sort();
	return files.flatMap((path) => mutantsOf(path, copy.read(path)));
}

/** The same for the same mutant, also after its file changed on other lines. */
function identity({ path, text, operator, before, after }: Mutant): string {
	return JSON.stringify([path, text, operator, before, after]);
}

function readSurvivors(): string[] {
	return existsSync(SURVIVORS) ? (JSON.parse(readFileSync(SURVIVORS, 'utf8')) as string[]) : [];
}

function remember(mutant: Mutant, survived: boolean): void {
	const others = readSurvivors().filter((known) => known !== identity(mutant));
	mkdirSync(dirname(SURVIVORS), { recursive: true });
	const all = survived ? [...others, identity(mutant)] : others;
	writeFileSync(SURVIVORS, JSON.stringify(all, undefined, '\t'));
}

function chosen(copy: Copy, { count, seed, file, again }: Options): Mutant[] {
	const mutants = allMutants(copy).filter(({ path }) => file.test(path));
	if (!again) return sample(mutants, count, seed);
	const survivors = readSurvivors();
	return mutants.filter((mutant) => survivors.includes(identity(mutant)));
}

/** @returns what noticed the mutant, or nothing */
async function notice(copy: Copy, mutant: Mutant, tests: TestFile[]): Promise<string | undefined> {
	const limits = new Map(tests.map((file) => [file.test, limitOf(file)]));
	const original = copy.read(mutant.path);
	copy.write(mutant.path, mutated(original, mutant));
	try {
		return await firstNotice(copy, limits);
	} finally {
		copy.write(mutant.path, original);
	}
}

/** Tries the mutants one after the other, and prints those that survive. */
async function run(copy: Copy, options: Options): Promise<void> {
	const mutants = chosen(copy, options);
	if (options.list) {
		for (const mutant of mutants) console.log(inWords(mutant));
		return;
	}
	const files = await coverageOf(copy, console.error);
	let noticed = 0;
	for (const [index, mutant] of mutants.entries()) {
		const all = testsOf(mutant, files);
		const tests = fitting(all, options.longestMs);
		const by = tests.length > 0 ? await notice(copy, mutant, tests) : undefined;
		remember(mutant, by === undefined);
		console.error(`${index + 1}/${mutants.length} ${place(mutant)}: ${by ?? 'nothing'}`);
		if (by !== undefined) noticed++;
		else {
			const pass = `${tests.length} of the ${all.length} test files that run it were tried, and pass`;
			console.log(`${inWords(mutant)}\n  ${pass}\n`);
		}
	}
	const share = ((100 * noticed) / mutants.length).toFixed(1);
	console.log(`${noticed} of ${mutants.length} mutants noticed (${share} %)`);
}

async function main(): Promise<void> {
	const options = readOptions();
	if (options === undefined) {
		console.log(HELP);
		return;
	}
	const end = () => {
		endTests();
		copy.remove();
	};
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.on(signal, () => {
			end();
			process.exit(1);
		});
	}
	const copy = new Copy();
	try {
		await run(copy, options);
	} finally {
		end();
	}
}

void main();
