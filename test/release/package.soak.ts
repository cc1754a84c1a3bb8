import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const manifest = JSON.parse(read('package.json'));

// npm 12 prints an object keyed by package name instead of an array
const [{ files }] = Object.values<{ files: Array<{ path: string }> }>(
	JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	),
);

const packed = files.map(({ path }) => path);

function filesIn(folder: string, ending: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith(ending))
		.map((path) => `${folder}/${path}`);
}

describe('The package', () => {
	test('contains only compiled sources, codex files, schemas, icons and documents', () => {
		const sources = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, '.ts'));
		const expected = [
			...sources.map((path) => `dist/${path.replace(/\.ts$/, '.js')}`),
			...filesIn('nodes', '.node.json').map((path) => `dist/${path}`),
			...filesIn('nodes/CometChat/__schema__', '.json').map((path) => `dist/${path}`),
			...filesIn('icons', '.svg').map((path) => `dist/${path}`),
			...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
		];
		expect([...packed].sort()).toEqual(expected.sort());
	});

	test('lists all nodes and credentials', () => {
		const { nodes, credentials } = manifest.n8n;
		const there = packed.filter((path) => /\.(node|credentials)\.js$/.test(path));
		expect([...nodes, ...credentials].sort()).toEqual(there.sort());
	});

	test('has the MIT license and depends only on n8n-workflow', () => {
		expect(manifest.license).toBe('MIT');
		expect(read('LICENSE')).toMatch(/^MIT License/);
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test('loads with n8n-workflow as its only dependency', () => {
		const folder = mkdtempSync(join(tmpdir(), 'cometchat-package-'));
		try {
			const target = join(folder, 'node_modules', manifest.name);
			for (const path of packed) {
				mkdirSync(dirname(join(target, path)), { recursive: true });
				cpSync(join(ROOT, path), join(target, path));
			}
			symlinkSync(
				dirname(require.resolve('n8n-workflow/package.json')),
				join(folder, 'node_modules/n8n-workflow'),
			);
			const output = execFileSync(
				process.execPath,
				[join(ROOT, 'tools/scripts/load.cjs'), target],
				{
					encoding: 'utf8',
					env: {},
				},
			);
			expect(JSON.parse(output)).toEqual({
				node: process.version,
				names: [
					'cometChat',
					'cometChatBotTrigger',
					'cometChatMemory',
					'cometChatPollingTrigger',
					'cometChatTrigger',
					'cometChatApi',
					'cometChatWebhookApi',
				],
				required: ['n8n-workflow'],
			});
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
