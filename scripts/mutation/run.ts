import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { coverageOf, testsOf } from './coverage';
import type { Mutant } from './mutants';
import { mutantsOf, mutated } from './mutants';
import { Copy, ROOT } from './project';
import { inWords } from './report';
import { sample } from './sample';
import type { TestFile } from './tests';
import { firstNotice } from './tests';

const HELP = `Breaks the built code in random places, one at a time, and counts what the tests notice.

  --count N        how many mutants (default 50)
  --seed N         another seed draws other mutants (default 1)
  --file PATTERN   only built files whose path matches this regular expression
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
	};
}

const code = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function allMutants(): Mutant[] {
	const files = globSync('dist/{nodes,credentials}/**/*.js', { cwd: ROOT }).sort();
	return files.flatMap((path) => mutantsOf(path, code(path)));
}

/** The same for the same mutant, also after its file changed elsewhere. */
const identity = ({ path, operator, before, after }: Mutant) =>
	JSON.stringify([path, operator, before, after]);

function readSurvivors(): string[] {
	return existsSync(SURVIVORS) ? (JSON.parse(readFileSync(SURVIVORS, 'utf8')) as string[]) : [];
}

function remember(mutant: Mutant, survived: boolean): void {
	const others = readSurvivors().filter((known) => known !== identity(mutant));
	mkdirSync(dirname(SURVIVORS), { recursive: true });
	const all = survived ? [...others, identity(mutant)] : others;
	writeFileSync(SURVIVORS, JSON.stringify(all, undefined, '\t'));
}

function chosen({ count, seed, file, again }: Options): Mutant[] {
	const mutants = allMutants().filter(({ path }) => file.test(path));
	if (!again) return sample(mutants, count, seed);
	const survivors = readSurvivors();
	return mutants.filter((mutant) => survivors.includes(identity(mutant)));
}

/** @returns what noticed the mutant, or nothing */
async function notice(copy: Copy, mutant: Mutant, files: TestFile[]): Promise<string | undefined> {
	const tests = testsOf(mutant, files);
	if (tests.length === 0) return undefined;
	const limits = new Map(tests.map((file) => [file.test, limitOf(file)]));
	const original = code(mutant.path);
	copy.write(mutant.path, mutated(original, mutant));
	try {
		return await firstNotice(copy, limits);
	} finally {
		copy.write(mutant.path, original);
	}
}

async function run(options: Options): Promise<void> {
	const mutants = chosen(options);
	if (options.list) {
		for (const mutant of mutants) console.log(inWords(mutant, code(mutant.path)));
		return;
	}
	const copy = new Copy();
	let noticed = 0;
	try {
		const files = await coverageOf(copy, console.error);
		for (const [index, mutant] of mutants.entries()) {
			const by = await notice(copy, mutant, files);
			remember(mutant, by === undefined);
			if (by !== undefined) noticed++;
			console.error(`${index + 1}/${mutants.length} ${by ?? 'SURVIVED'}`);
			const covering = testsOf(mutant, files).length;
			if (by === undefined) {
				console.log(inWords(mutant, code(mutant.path)));
				console.log(covering === 0 ? '  no test runs it\n' : `  ${covering} test files pass\n`);
			}
		}
	} finally {
		copy.remove();
	}
	const share = ((100 * noticed) / mutants.length).toFixed(1);
	console.log(`${noticed} of ${mutants.length} mutants noticed (${share} %)`);
}

const options = readOptions();
if (options === undefined) console.log(HELP);
else void run(options);
