import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the licences of everything that package-lock.json installs for development; the published
 * package brings nothing along. Fails when a package names none.
 * Usage: npx tsx scripts/licences.ts [--all], with --all every package by name.
 */

const PROJECT = join(__dirname, '..');

interface Manifest {
	version?: string;
	license?: string;
	/** As old packages have it */
	licenses?: Array<{ type: string }>;
}

function manifestIn(path: string): Manifest {
	const file = join(PROJECT, path, 'package.json');
	// Packages for other platforms are in the lock file, but not installed
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

const lock: { packages: Record<string, Manifest> } = JSON.parse(
	readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
);
const packages = Object.entries(lock.packages)
	.filter(([path]) => path !== '')
	.map(([path, { version, license }]) => ({
		name: `${path.split('node_modules/').at(-1)} ${version}`,
		// npm does not take over the old form
		licence:
			license ??
			manifestIn(path)
				.licenses?.map(({ type }) => type)
				.join(' OR ') ??
			'',
	}));

const byLicence = new Map<string, string[]>();
for (const { name, licence } of packages) {
	byLicence.set(licence, [...(byLicence.get(licence) ?? []), name]);
}
for (const [licence, owners] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
	console.log(`${String(owners.length).padStart(5)}  ${licence || 'none named'}`);
	const isShown = process.argv.includes('--all') || licence === '';
	if (isShown) for (const name of owners) console.log(`         ${name}`);
}
console.log(`${String(packages.length).padStart(5)}  packages`);
process.exitCode = byLicence.has('') ? 1 : 0;
