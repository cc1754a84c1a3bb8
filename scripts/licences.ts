import Table from 'cli-table3';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the licences of everything that package-lock.json installs for development; the published
 * package brings nothing along. Fails when a package names none.
 * Usage: npx tsx scripts/licences.ts [--all], with --all every package by name.
 */

const PROJECT = join(__dirname, '..');

interface Manifest {
	name?: string;
	version?: string;
	license?: unknown;
	licenses?: unknown;
}

interface Licensed {
	name: string;
	version: string;
	licence: string;
}

/** The licence as the package names it; old ones have an object or a list of them. */
function licenceOf({ license, licenses }: Manifest): string {
	const named = [license, licenses].flat().map((entry) => {
		if (typeof entry === 'string') return entry;
		return typeof entry === 'object' && entry !== null && 'type' in entry ? String(entry.type) : '';
	});
	return named.filter((text) => text !== '').join(' OR ');
}

/** Packages for other platforms stand in the lock file but are not installed. */
function installed(): Licensed[] {
	const lock: { packages: Record<string, unknown> } = JSON.parse(
		readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
	);
	return Object.keys(lock.packages)
		.map((path) => ({ path, file: join(PROJECT, path, 'package.json') }))
		.filter(({ path, file }) => path !== '' && existsSync(file))
		.map(({ path, file }) => {
			const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
			const name = path.split('node_modules/').at(-1) ?? path;
			return { name, version: manifest.version ?? '', licence: licenceOf(manifest) };
		});
}

function main(all: boolean): void {
	const packages = installed();
	const byLicence = new Map<string, Licensed[]>();
	for (const each of packages) {
		const licence = each.licence || 'none named';
		byLicence.set(licence, [...(byLicence.get(licence) ?? []), each]);
	}
	const table = new Table({
		head: ['Licence', all ? 'Package' : 'Packages'],
		style: { head: [], border: [], compact: true },
	});
	for (const [licence, owners] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
		const names = owners.map(({ name, version }) => `${name} ${version}`);
		table.push(...(all ? names.map((name) => [licence, name]) : [[licence, owners.length]]));
	}
	console.log(table.toString());
	const without = packages.filter(({ licence }) => licence === '');
	console.log(`${packages.length} packages, ${without.length} without a licence`);
	for (const { name, version } of without) console.error(`No licence: ${name} ${version}`);
	process.exitCode = without.length > 0 ? 1 : 0;
}

main(process.argv.includes('--all'));
