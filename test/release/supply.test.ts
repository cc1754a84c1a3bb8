import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');

const dependencies: Record<string, string> = JSON.parse(read('package.json')).devDependencies;

test('each development dependency has its reason in docs/development.md, and no other package has', () => {
	const [, table = ''] = read('docs/development.md').split('## Why each dependency is there');
	const reasons = [...table.split('\n## ')[0].matchAll(/^\| (`[^|]+`) +\|/gm)];
	const named = reasons.flatMap(([, cell]) =>
		[...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
	);
	expect(named.sort()).toEqual(Object.keys(dependencies).sort());
});

test('each is pinned to one version', () => {
	const ranges = Object.values(dependencies).filter((range) => !/^\d+\.\d+\.\d+$/.test(range));
	expect(ranges).toEqual([]);
});
