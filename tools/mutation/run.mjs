import { Instrumenter } from '@stryker-mutator/instrumenter';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Breaks the built files in random places, one at a time, and counts what the tests notice.
 * Stryker says in which ways a line can be broken; README.md, why it does not do the rest.
 * Usage: npm run mutation -- [--count 60] [--seed TEXT] [--only PART_OF_A_PATH]
 */

const ROOT = join(import.meta.dirname, '../..');

const { values } = parseArgs({
	options: {
		count: { type: 'string', default: '60' },
		seed: { type: 'string', default: String(Date.now()) },
		only: { type: 'string', default: '' },
	},
});

/** @typedef {{ path: string, line: number, start: number, end: number, replacement: string }} Mutant */

/** What the compiler wrote, and texts of the editor, which the snapshot of the structure sees. */
const LEFT_OUT =
	/^\s*(Object\.defineProperty\(exports|exports\.\w+ = .*void 0|(displayName|description|placeholder|hint|action): ["'`])/;

/** A logger with all levels, none of them on. */
const SILENT = new Proxy({}, { get: () => () => false });

/** @returns {Promise<Mutant[]>} lines are counted from 1; start and end are in characters of the file */
async function mutantsOf(path) {
	const content = readFileSync(join(ROOT, path), 'utf8');
	const instrumenter = new Instrumenter(SILENT);
	const { mutants } = await instrumenter.instrument([{ name: path, mutate: true, content }], {
		ignorers: [],
		excludedMutations: [],
		plugins: null,
	});
	const lines = content.split('\n');
	const offsetOf = ({ line, column }) =>
		lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + column;
	return mutants
		.filter(({ location }) => !LEFT_OUT.test(lines[location.start.line]))
		.map(({ location: { start, end }, replacement }) => ({
			...{ path, line: start.line + 1, replacement },
			...{ start: offsetOf(start), end: offsetOf(end) },
		}));
}

/** Draws lines, and of each one of its mutants: the same for the same seed. */
function sample(mutants) {
	const digest = (...parts) =>
		createHash('sha256')
			.update(JSON.stringify([values.seed, parts]))
			.digest('hex');
	const drawn = mutants
		.map((mutant) => ({
			mutant,
			place: digest(mutant.path, mutant.line),
			order: digest(mutant.start, mutant.end, mutant.replacement),
		}))
		.sort((a, b) => (a.place + a.order < b.place + b.order ? -1 : 1));
	return drawn
		.filter(({ place }, index) => place !== drawn.at(index - 1)?.place || index === 0)
		.slice(0, Number(values.count))
		.map(({ mutant }) => mutant);
}

/** The units first: they are quick, and notice most. */
const UNITS = ['/test/(nodes|credentials)/', '/test/structure\\.test'];
const NOT_ABOUT_THE_NODES = '/test/(release|bench|sandbox)/';
const STAGES = [
	UNITS,
	UNITS.concat(NOT_ABOUT_THE_NODES).map((path) => `--testPathIgnorePatterns=${path}`),
];

/** @returns whether the tests pass; they do not when they take longer than they may */
async function pass(args, limitMs, stdio) {
	const command = [
		join(ROOT, 'node_modules/jest/bin/jest.js'),
		'--bail',
		'--ci',
		'--silent',
		...args,
	];
	// A process group of its own, so that what the tests started ends with them
	const jest = spawn(process.execPath, command, { cwd: ROOT, stdio, detached: true });
	const end = () => {
		try {
			if (jest.pid !== undefined) process.kill(-jest.pid, 'SIGKILL');
		} catch {
			// All have ended by themselves
		}
	};
	const timer = setTimeout(end, limitMs);
	const code = await new Promise((resolve) => jest.once('exit', resolve));
	clearTimeout(timer);
	end();
	return code === 0;
}

async function survives(limitMs, stdio = 'ignore') {
	for (const args of STAGES) if (!(await pass(args, limitMs, stdio))) return false;
	return true;
}

async function main() {
	const paths = globSync('dist/**/*.js', { cwd: ROOT }).filter((path) =>
		path.includes(values.only),
	);
	const drawn = sample((await Promise.all(paths.sort().map(mutantsOf))).flat());
	const started = Date.now();
	if (!(await survives(3_600_000, 'inherit')))
		throw new Error('The tests fail with nothing broken');
	const limitMs = 3 * (Date.now() - started);
	let survivors = 0;
	for (const { path, line, start, end, replacement } of drawn) {
		const file = join(ROOT, path);
		const content = readFileSync(file, 'utf8');
		writeFileSync(file, content.slice(0, start) + replacement + content.slice(end));
		try {
			const survived = await survives(limitMs);
			if (survived) survivors++;
			const change = `${content.slice(start, end)} → ${replacement}`.replace(/\s+/g, ' ');
			console.log(
				`${survived ? 'NOT NOTICED' : 'noticed'}  ${path}:${line}  ${change.slice(0, 160)}`,
			);
		} finally {
			writeFileSync(file, content);
		}
	}
	const noticed = drawn.length - survivors;
	const minutes = Math.round((Date.now() - started) / 60_000);
	console.log(`${noticed} of ${drawn.length} noticed, --seed ${values.seed}, ${minutes} minutes`);
	process.exitCode = noticed < 0.95 * drawn.length ? 1 : 0;
}

await main();
