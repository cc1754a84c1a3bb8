import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

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
	...['N8N_PATH', 'N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL', '@fastify/busboy'],
	...['multipart/form-data', 'Application/json', 'dist/', 'media/', 'cometchat-check.md'],
]);

/** True for a name of code, e.g. `readFields` or `MAX_PER_PAGE`, but not for a value such as `fail`. */
const isCodeName = (text: string): boolean =>
	/^[A-Za-z_$][\w$]*$/.test(text) && /[a-z][A-Z]|^[A-Z][A-Z\d]*_[A-Z_\d]+$/.test(text);

const isPath = (text: string): boolean =>
	/^[\w@-][\w.@-]*(?:\/[\w.@*-]+)*\/?$/.test(text) &&
	/\/|\.(?:[cm]?[jt]s|json|ya?ml|md|html)$/.test(text);

const pathExists = (path: string): boolean => {
	const end = path.replace(/\/$/, '');
	const pattern = new RegExp(`(?:^|/)${end.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
	return FILES.some((file) => pattern.test(file));
};

/** Returns the reason why a text in backticks names nothing, or undefined. */
function findProblem(text: string): string | undefined {
	if (FOREIGN.has(text)) return undefined;
	if (isPath(text)) return pathExists(text) ? undefined : `no file ${text}`;
	return isCodeName(text) && !WORDS.has(text) ? `no code has the name ${text}` : undefined;
}

test.each(PAGES)('%s names only code and files that exist', (page) => {
	const prose = read(page).replace(/^ *```[^]*?^ *```/gm, '');
	const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);
	expect(quoted.flatMap((text) => findProblem(text) ?? [])).toEqual([]);
});

test.each([['read', 'Nothing'].join(''), ['NO', 'CONSTANT'].join('_'), 'nodes/none.ts', 'none.ts'])(
	'%s would be noticed on a page',
	(text) => {
		expect(findProblem(text)).toContain(text);
	},
);
