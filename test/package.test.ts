import { execFileSync } from 'node:child_process';
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';

const ROOT = join(__dirname, '..');

interface Manifest {
	name: string;
	dependencies?: Record<string, string>;
	peerDependencies: Record<string, string>;
	bundledDependencies?: string[];
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

/** What the fresh process tells about the package that it loaded. */
interface Loaded {
	/** Names of the types, by the files that hold them */
	names: Record<string, string>;
	/** Every request of a module by a file of the package that is not relative */
	requests: string[];
}

/** Loads the package as n8n does, and notes what its files ask for. */
const LOADER = `
const Module = require('node:module');
const path = require('node:path');
const root = path.resolve('node_modules/n8n-nodes-cometchat');
const requests = new Set();
const load = Module._load;
Module._load = function (request, parent, ...rest) {
	const from = parent && parent.filename ? parent.filename : '';
	if (from.startsWith(root + path.sep) && !request.startsWith('.')) requests.add(request);
	return load.call(this, request, parent, ...rest);
};
const { n8n } = require(path.join(root, 'package.json'));
const names = {};
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const className = path.basename(file).split('.')[0];
	const instance = new (require(path.join(root, file))[className])();
	names[file] = instance.description ? instance.description.name : instance.name;
}
console.log(JSON.stringify({ names, requests: [...requests] }));
`;

let folder = '';
let packed: string[] = [];
let unpacked = '';

const readPacked = (file: string) => readFileSync(join(unpacked, file), 'utf8');
const manifestOf = (text: string): Manifest => JSON.parse(text);

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'cometchat-package-'));
	const output = execFileSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{
			cwd: ROOT,
			encoding: 'utf8',
			stdio: 'pipe',
			// Nothing is looked up, and nothing is left in the home folder
			env: {
				...process.env,
				npm_config_offline: 'true',
				npm_config_update_notifier: 'false',
				npm_config_cache: join(folder, 'cache'),
			},
		},
	);
	const [{ filename, files }]: Array<{ filename: string; files: Array<{ path: string }> }> =
		JSON.parse(output);
	packed = files.map(({ path }) => path);
	unpacked = join(folder, 'home/node_modules/n8n-nodes-cometchat');
	mkdirSync(unpacked, { recursive: true });
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components', '1']);
	// The peer that n8n brings along, and nothing else
	symlinkSync(
		dirname(require.resolve('n8n-workflow/package.json')),
		join(folder, 'home/node_modules/n8n-workflow'),
	);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
	test.each(['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json'])('holds %s', (file) => {
		expect(packed).toContain(file);
	});

	test('holds the compiled package and nothing else of the project', () => {
		const others = packed.filter((path) => !path.startsWith('dist/'));
		const allowed = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
		expect(others.filter((path) => !allowed.includes(path))).toEqual([]);
		const outsiders = packed.filter(
			(path) => path.startsWith('dist/') && !/^dist\/(nodes|credentials|icons)\//.test(path),
		);
		expect(outsiders).toEqual([]);
	});

	test('holds only compiled code, its types, codex files and icons', () => {
		const kinds = /(\.js|\.d\.ts|\.js\.map|\.node\.json|\.svg|\.png)$/;
		const inDist = packed.filter((path) => path.startsWith('dist/'));
		expect(inDist.filter((path) => !kinds.test(path))).toEqual([]);
		expect(inDist.filter((path) => /\btest\b|sandbox|\.test\./.test(path))).toEqual([]);
	});

	test('its source maps lead to nothing that it does not hold', () => {
		const lost = packed
			.filter((path) => path.endsWith('.map'))
			.filter((path) => {
				const map: { sources: string[]; sourcesContent?: Array<string | null> } = JSON.parse(
					readPacked(path),
				);
				return map.sources.some(
					(source, i) =>
						!map.sourcesContent?.[i] && !packed.includes(posix.join(posix.dirname(path), source)),
				);
			});
		expect(lost).toEqual([]);
	});

	test('holds the compiled file of every source, and no other', () => {
		const compiled = packed.filter((path) => path.endsWith('.js'));
		const sources = ['nodes', 'credentials'].flatMap((name) =>
			readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
				.filter((path) => path.endsWith('.ts'))
				.map((path) => `dist/${name}/${path.replace(/\.ts$/, '.js')}`),
		);
		expect(compiled.sort()).toEqual(sources.sort());
	});
});

describe('package.json', () => {
	const manifest = () => manifestOf(readPacked('package.json'));

	test('asks for nothing but n8n-workflow, which n8n brings along', () => {
		expect(manifest().dependencies ?? {}).toEqual({});
		expect(manifest().bundledDependencies ?? []).toEqual([]);
		expect(manifest().peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test('runs nothing when it is installed', () => {
		for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) {
			expect(Object.keys(manifest().scripts)).not.toContain(hook);
		}
	});

	test('is named so that n8n finds it, and lists files that are there', () => {
		expect(manifest()).toMatchObject({
			name: 'n8n-nodes-cometchat',
			keywords: expect.arrayContaining(['n8n-community-node-package']),
			n8n: { n8nNodesApiVersion: 1 },
		});
		const { nodes, credentials } = manifest().n8n;
		for (const file of [...nodes, ...credentials]) expect(packed).toContain(file);
		for (const file of nodes) {
			expect(file).toMatch(/^dist\/nodes\/\w+\/\w+\.node\.js$/);
			expect(packed).toContain(file.replace(/\.js$/, '.json'));
		}
		for (const file of credentials) {
			expect(file).toMatch(/^dist\/credentials\/\w+\.credentials\.js$/);
		}
	});

	test('lists every node and credential that is there', () => {
		const listed = [...manifest().n8n.nodes, ...manifest().n8n.credentials];
		const there = packed.filter((path) => /\.(node|credentials)\.js$/.test(path));
		expect(listed.sort()).toEqual(there.sort());
	});
});

describe('loaded in a fresh process with only n8n-workflow in reach', () => {
	test('gives its types under the classes that n8n looks for, and asks for no other package', () => {
		const home = join(folder, 'home');
		writeFileSync(join(home, 'load.cjs'), LOADER);
		const loaded: Loaded = JSON.parse(
			execFileSync(process.execPath, ['load.cjs'], {
				cwd: home,
				encoding: 'utf8',
				env: { PATH: process.env.PATH },
			}),
		);
		expect(loaded.requests).toEqual(['n8n-workflow']);
		expect(loaded.names).toMatchObject({
			'dist/nodes/CometChat/CometChat.node.js': 'cometChat',
			'dist/credentials/CometChatApi.credentials.js': 'cometChatApi',
		});
	});

	test('no file could ask for another package later on', () => {
		const requests = packed
			.filter((path) => path.endsWith('.js'))
			.flatMap((path) => [
				...readPacked(path).matchAll(/\b(?:require|import)\(\s*(?:["'`]([^"'`]*)["'`])?/g),
			])
			.map(([, request]) => request);
		expect(requests.length).toBeGreaterThan(10);
		expect(requests.filter((request) => !/^(\.{1,2}\/|n8n-workflow$)/.test(request ?? ''))).toEqual(
			[],
		);
	});
});
