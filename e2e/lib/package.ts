import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from './paths';
import { run } from './processes';

/** Name of the package as users install it. */
export const PACKAGE = 'n8n-nodes-cometchat';

/** A package as npm would publish it. */
export interface Packed {
	/** Path of the .tgz file */
	tarball: string;
	remove(): void;
}

/**
 * Builds and packs the package as it stands.
 *
 * COMETCHAT_TARBALL names a tarball to take instead, e.g. that of a release.
 */
export async function pack(): Promise<Packed> {
	const given = process.env.COMETCHAT_TARBALL;
	if (given) return { tarball: given, remove: () => {} };
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-pack-'));
	await run('npm', ['run', '--silent', 'build'], { cwd: ROOT });
	const file = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
	return {
		tarball: join(folder, file.trim()),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** Puts a tarball where n8n puts community packages: unpacked, without installing anything else. */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	await run('tar', ['-xzf', tarball, '--strip-components', '1', '-C', target]);
}
