import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * The rooms of the house, and which others a module of each may use. A request goes one way: from
 * the description of an operation, through what carries it out, to what sends it.
 */
const MAY_USE: Record<string, string[]> = {
	credentials: ['transport'],
	node: ['fields', 'operation', 'resources', 'trigger', 'webhook'],
	trigger: ['fields', 'operation', 'resources', 'transport'],
	webhook: ['credentials', 'fields', 'operation', 'resources', 'transport'],
	resources: ['fields', 'operation', 'transport'],
	fields: ['operation', 'transport'],
	operation: ['transport'],
	transport: [],
};

/** All that the credential may know of how requests are sent: words, and what counts as a secret. */
const FOR_CREDENTIALS = ['errorTable', 'redact'];

const ROOT = join(__dirname, '../../..');

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

function roomOf(file: string): string {
	const [folder, , room, ...rest] = file.split(sep);
	if (folder === 'credentials') return 'credentials';
	return rest.length === 0 ? 'node' : room;
}

/** The modules that a file imports, as paths from the root or names of packages. */
function importsOf(file: string): string[] {
	const source = readFileSync(join(ROOT, file), 'utf8');
	return [...source.matchAll(/ from '([^']+)';$/gm)].map(([, name]) => {
		if (!name.startsWith('.')) return name;
		const path = relative(ROOT, join(ROOT, dirname(file), name));
		const found = [`${path}.ts`, join(path, 'index.ts')].find((each) => files.includes(each));
		return found ?? `${path} (not found)`;
	});
}

const imports = files.map((file): [string, string[]] => [file, importsOf(file)]);

test('there are modules in every room', () => {
	const rooms = new Set(files.map(roomOf));
	for (const room of ['credentials', 'node', 'resources', 'fields', 'operation', 'transport']) {
		expect(rooms).toContain(room);
	}
	for (const room of rooms) expect(Object.keys(MAY_USE)).toContain(room);
});

test.each(imports)('%s uses only modules that its room may use', (file, used) => {
	const room = roomOf(file);
	for (const name of used) {
		if (name === 'n8n-workflow') continue;
		expect(files).toContain(name);
		if (roomOf(name) !== room) expect(MAY_USE[room]).toContain(roomOf(name));
	}
});

test('the credential knows no more of how requests are sent than words and secrets', () => {
	const used = imports
		.filter(([file]) => roomOf(file) === 'credentials')
		.flatMap(([, names]) => names.filter((name) => name !== 'n8n-workflow'));
	for (const name of used) {
		expect(FOR_CREDENTIALS.map((module) => `nodes/CometChat/transport/${module}.ts`)).toContain(
			name,
		);
	}
});

test('no module leads back to itself', () => {
	const graph = new Map(imports);
	const done = new Set<string>();
	const visit = (file: string, path: string[]): void => {
		if (path.includes(file)) throw new Error(`A circle: ${[...path, file].join(' → ')}`);
		if (done.has(file)) return;
		for (const next of graph.get(file) ?? []) if (graph.has(next)) visit(next, [...path, file]);
		done.add(file);
	};
	for (const file of files) visit(file, []);
	expect(done.size).toBe(files.length);
});
