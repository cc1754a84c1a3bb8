import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from './paths';
import { run } from './processes';

/** Name of the package on npm. */
const PACKAGE = 'n8n-nodes-cometchat';

/** The package as a tarball, the way npm publishes it. */
export interface Packed {
	/** Path of the .tgz file */
	tarball: string;
	remove: () => void;
}

/** Folders that the copy leaves out because the build doesn't need them. */
const EXCLUDED = ['.git', '.cache', 'node_modules', 'dist', 'build', 'coverage', 'test', 'docs'];

/**
 * Builds and packs a copy of the repository, so dist/ doesn't change. If COMETCHAT_TARBALL is set, returns
 * that tarball instead.
 */
export async function pack(): Promise<Packed> {
	const given = process.env.COMETCHAT_TARBALL;
	if (given) return { tarball: given, remove: () => {} };
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-pack-'));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	try {
		const copy = join(folder, 'package');
		mkdirSync(copy);
		for (const name of readdirSync(ROOT)) {
			if (!EXCLUDED.includes(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
		}
		symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
		await run('npm', ['run', '--silent', 'build'], { cwd: copy });
		const args = ['pack', '--silent', '--pack-destination', folder];
		const file = await run('npm', args, { cwd: copy });
		return { tarball: join(folder, file.trim()), remove };
	} catch (error) {
		remove();
		throw error;
	}
}

/**
 * Unpacks a tarball into a folder's node_modules.
 *
 * @returns the package's folder
 */
export async function unpackPackage(tarball: string, folder: string): Promise<string> {
	const target = join(folder, 'node_modules', PACKAGE);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	await run('tar', ['-xzf', tarball, '--strip-components', '1', '-C', target]);
	return target;
}

/** Unpacks a tarball into n8n's folder for community packages. */
export const installPackage = async (tarball: string, userFolder: string): Promise<string> =>
	await unpackPackage(tarball, join(userFolder, '.n8n', 'nodes'));
