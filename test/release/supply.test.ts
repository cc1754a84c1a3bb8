import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

const manifest = JSON.parse(read('package.json'));

const packages = Object.keys(manifest.devDependencies);

/** Code and configuration: whatever may name a package. */
const texts = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: PROJECT,
	encoding: 'utf8',
})
	.split('\n')
	.filter(
		(path) => /\.(ts|mjs|js)$|^tsconfig.*\.json$/.test(path) && existsSync(join(PROJECT, path)),
	)
	.map(read);

const scripts = Object.values<string>(manifest.scripts);

/** Packages that are used without being named in any code, and what proves that they are. */
const UNNAMED: Record<string, () => boolean> = {
	node: () => scripts.some((script) => /\bnode\b/.test(script)),
	'@types/node': () => texts.some((text) => /'node:/.test(text)),
	'@types/jest': () => packages.includes('jest'),
	// jest resolves modules with it
	'unrs-resolver': () => /"unrs-resolver"/.test(read('node_modules/jest-resolve/package.json')),
};

function isUsed(name: string): boolean {
	const proof = UNNAMED[name];
	if (proof) return proof();
	const binaries: string[] = Object.keys(
		[JSON.parse(read(`node_modules/${name}/package.json`)).bin ?? {}].flatMap((bin) =>
			typeof bin === 'string' ? { [name]: bin } : bin,
		)[0],
	);
	return (
		texts.some((text) => new RegExp(`['"]${name}(/[^'"]*)?['"]`).test(text)) ||
		scripts.some((script) => binaries.some((bin) => new RegExp(`(^|[ &])${bin}( |$)`).test(script)))
	);
}

describe.each(packages)('The development dependency %s', (name) => {
	test('has its reason in the documentation', () => {
		const development = read('docs/development.md');
		expect(development).toContain(`\`${name}\``);
	});

	test('is used', () => expect(isUsed(name)).toBe(true));

	test('is pinned to one version', () => {
		expect(manifest.devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
	});
});

test('the documentation gives no reason for a package that is not there', () => {
	const [, table = ''] = read('docs/development.md').split('## Why each dependency is there');
	const named = [...table.split('\n## ')[0].matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell]) =>
		[...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
	);
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter((name) => !packages.includes(name))).toEqual([]);
});
