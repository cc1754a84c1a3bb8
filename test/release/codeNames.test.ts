import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const PAGES = globSync(['*.md', 'docs/*.md', 'nodes/**/*.md', 'tools/*/README.md'], {
	cwd: ROOT,
}).filter((page) => page !== 'CHANGELOG.md');

const IGNORED = ['node_modules', 'dist', '.git', '.cache', 'coverage', 'build'];

const FILES = [
	...globSync('**/*', { cwd: ROOT, exclude: (name) => IGNORED.includes(basename(name)) }),
	...globSync(['.ci/*', '.github/**/*', '.*.cjs', 'dist/*'], { cwd: ROOT }),
].map((path) => path.replaceAll('\\', '/'));

/** Words of all code. The texts of open questions are left out, because docs/status.md repeats them. */
const WORDS = new Set(
	FILES.filter((path) => /\.(?:[cm]?[jt]s|json|ya?ml|html)$|^\.ci\//.test(path))
		.filter((path) => !/package-lock|results\.json|live\/questions\.ts/.test(path))
		.flatMap((path) => read(path).match(/[\w$@-]+/g) ?? [])
		.flatMap((word) => [word, ...word.split(/[@-]/)]),
);

/** Names of n8n and of other programs, media types, and files that are made later. */
const FOREIGN = new Set([
	...['N8N_PATH', 'N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL', 'N8N_POLLER_DURABLE_CURSORS_ENABLED'],
	...['@fastify/busboy'],
	...['multipart/form-data', 'Application/json', 'dist/', 'media/', 'cometchat-check.md'],
]);

/** True for a name of code, e.g. `readAndCheckFields` or `MAX_PER_PAGE`, but not for a value such as `fail`. */
const isCodeName = (text: string): boolean =>
	/^[A-Za-z_$][\w$]*$/.test(text) && /[a-z][A-Z]|^[A-Z][A-Z\d]*_[A-Z_\d]+$/.test(text);

const isPath = (text: string): boolean =>
	/^[\w@-][\w.@-]*(?:\/[\w.@*-]+)*\/?$/.test(text) &&
	/\/|\.(?:[cm]?[jt]s|json|ya?ml|md|html)$/.test(text);

/** Folders to which paths on pages are relative. */
const BASES = ['', 'nodes/CometChat', 'test', 'tools', '.github/workflows'];

/** Finds the files and folders with a path that is relative to one of several folders. */
function findFiles(path: string, folders: string[]): string[] {
	const patterns = folders.map((folder) => {
		const full = join(folder, path).replace(/\/$/, '');
		return new RegExp(`^${full.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
	});
	return FILES.filter((file) => patterns.some((pattern) => pattern.test(file)));
}

/**
 * Returns the reason why a text in backticks names nothing, or undefined.
 *
 * @param folders folders in which a file can be whose name is given without a path
 */
function findProblem(text: string, folders: string[] = BASES): string | undefined {
	if (FOREIGN.has(text)) return undefined;
	if (isPath(text)) return findFiles(text, folders).length > 0 ? undefined : `no file ${text}`;
	return isCodeName(text) && !WORDS.has(text) ? `no code has the name ${text}` : undefined;
}

test.each(PAGES)('%s names only code and files that exist', (page) => {
	// Another test checks the targets of links
	const prose = read(page)
		.replace(/^ *```[^]*?^ *```/gm, '')
		.replace(/\[`[^`]+`\]\([^)]+\)/g, '');
	const bases = [...BASES, dirname(page)];
	const problems = prose.split(/^#+ /m).flatMap((section) => {
		const quoted = [...section.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);
		// After a section has named a path, it names further files in the same folder without the path
		const named = quoted
			.filter((text) => isPath(text) && text.includes('/'))
			.flatMap((path) =>
				findFiles(path, bases).map((file) => (path.endsWith('/') ? file : dirname(file))),
			);
		return quoted.flatMap((text) => findProblem(text, [...bases, ...named]) ?? []);
	});
	expect(problems).toEqual([]);
});

test.each([
	['read', 'Nothing'].join(''),
	['NO', 'CONSTANT'].join('_'),
	'nodes/none.ts',
	'none.ts',
	'run/client.ts',
	'retry.ts',
])('%s would be noticed on a page', (text) => {
	expect(findProblem(text)).toContain(text);
});
