import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

interface Rule {
	name: string;
	from: { path: string };
	/** Patterns of the paths that may be imported. The first pattern stands for the layer itself. */
	to: { pathNot: string[] };
}

const ROOT = join(__dirname, '../..');

/** Lists the files that a layer's files import. */
function listImports(layer: string): string[] {
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: ROOT });
	return files
		.filter((file) => new RegExp(layer).test(file))
		.flatMap((file) =>
			[...readFileSync(join(ROOT, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(
				([, path]) => `${join(file, '..', path)}.ts`,
			),
		);
}

const { forbidden } = createRequire(__filename)('../../.dependency-cruiser.cjs') as {
	forbidden: Rule[];
};
const layers = forbidden.filter(({ name }) => name.endsWith('-imports'));

test.each(layers)('$name allows only imports that exist', ({ from, to }) => {
	const imports = listImports(from.path);
	const [, ...allowed] = to.pathNot;
	const unused = allowed.filter((path) => !imports.some((file) => new RegExp(path).test(file)));
	expect(unused).toEqual([]);
});

/** Names that mean the same in each folder, e.g. the fields of a resource. */
const CONVENTIONS = ['entity', 'fields', 'filters', 'index', 'parameters', 'properties', 'webhook'];

test('Files in different folders have different names, except by convention', () => {
	const files = globSync('{nodes,credentials}/**/*.ts', { cwd: ROOT });
	const named = Map.groupBy(files, (file) => basename(file, '.ts'));
	const repeated = [...named].filter(
		([name, same]) =>
			same.length > 1 && !CONVENTIONS.includes(name) && !name.endsWith('.operation'),
	);
	expect(Object.fromEntries(repeated)).toEqual({});
	expect(CONVENTIONS.filter((name) => (named.get(name) ?? []).length < 2)).toEqual([]);
});
