import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

const packed: string[] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json'], {
		cwd: PROJECT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}),
)[0].files.map(({ path }: { path: string }) => path);

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

/** https://docs.n8n.io/integrations/creating-nodes/build/reference/verification-guidelines */
describe('The package fulfils what n8n asks of one that it verifies:', () => {
	test('its name, its keyword and its licence', () => {
		expect(manifest.name).toMatch(/^n8n-nodes-[a-z0-9-]+$/);
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.license).toBe('MIT');
		expect(read('LICENSE')).toMatch(/^MIT License/);
	});

	test('a version, a description, an author with an address, a repository and a home page', () => {
		expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
		expect(manifest.description).toMatch(/n8n community node/);
		expect(manifest.author).toEqual({
			name: expect.any(String),
			email: expect.stringMatching(/@/),
		});
		expect(manifest.repository.url).toMatch(/^git\+https:\/\/github\.com\/.+\/.+\.git$/);
		expect(manifest.homepage).toMatch(/^https:\/\//);
	});

	test('no dependencies at run time, and n8n-workflow as the only peer', () => {
		for (const field of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
			expect(manifest).not.toHaveProperty(field);
		}
		expect(manifest).not.toHaveProperty('overrides');
		expect(Object.keys(manifest.peerDependencies)).toEqual(['n8n-workflow']);
	});

	test('no script that runs when it is installed', () => {
		const names = Object.keys(manifest.scripts);
		expect(names.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
	});

	test('an n8n section whose files are packed', () => {
		expect(manifest.n8n.n8nNodesApiVersion).toBe(1);
		expect(manifest.n8n.strict).toBe(true);
		expect(manifest.n8n.nodes.length).toBeGreaterThan(0);
		expect(packed).toEqual(
			expect.arrayContaining([...manifest.n8n.nodes, ...manifest.n8n.credentials]),
		);
	});

	test('a codex file beside each node, which names it', () => {
		for (const file of manifest.n8n.nodes) {
			const codex = file.replace(/\.js$/, '.json');
			expect(packed).toContain(codex);
			const { node } = JSON.parse(read(codex));
			const className = file.split('/').at(-1).split('.')[0];
			expect(node).toBe(
				`${manifest.name}.${className.charAt(0).toLowerCase()}${className.slice(1)}`,
			);
		}
	});

	test('nothing packed but the compiled files, icons, codex files and documents', () => {
		const allowed =
			/^(dist\/(nodes|credentials)\/.+\.(js|d\.ts|node\.json)|dist\/icons\/.+\.svg|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
		expect(packed.filter((path) => !allowed.test(path))).toEqual([]);
	});
});

const code = packed.filter((path) => path.endsWith('.js'));

describe.each(code)('%s', (path) => {
	test('loads nothing but files of its own and n8n-workflow', () => {
		const loaded = [...read(path).matchAll(/\b(?:require|import)\(\s*(['"`])(.*?)\1/g)];
		const outside = loaded.map(([, , name]) => name).filter((name) => !name.startsWith('.'));
		expect(outside.filter((name) => name !== 'n8n-workflow')).toEqual([]);
	});

	test('touches neither the environment nor the console', () => {
		expect(read(path)).not.toMatch(
			/\bprocess\.\w|\bconsole\.\w|\bglobalThis\b|\beval\(|\bnew Function\b/,
		);
	});
});

test('compiled files stay small enough to be read by a reviewer: none is minified', () => {
	expect(code.length).toBeGreaterThan(10);
	for (const path of code) {
		const longest = Math.max(
			...read(path)
				.split('\n')
				.map((line) => line.length),
		);
		expect({ path, readable: longest < 600 }).toEqual({ path, readable: true });
	}
});
