import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The built package: this one, or the one in the folder that COMETCHAT_PACKAGE_ROOT names. */
const packageRoot = resolve(process.env.COMETCHAT_PACKAGE_ROOT ?? join(__dirname, '..'));

/** A whole n8n: the one of the e2e package, or the folder that COMETCHAT_N8N_ROOT names. */
export const n8nRoot = resolve(process.env.COMETCHAT_N8N_ROOT ?? join(__dirname, '../test/e2e'));

/**
 * Puts a copy of the built package where it finds n8n's own n8n-workflow, as in an installation.
 *
 * @returns the environment that makes engine/ use both, and how to remove the copy
 * @throws when the package is not built
 */
export function stagePackage(): { env: NodeJS.ProcessEnv; remove: () => void } {
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-bench-'));
	for (const name of ['package.json', 'dist']) {
		cpSync(join(packageRoot, name), join(folder, name), { recursive: true });
	}
	symlinkSync(join(n8nRoot, 'node_modules'), join(folder, 'node_modules'), 'dir');
	return {
		env: {
			...process.env,
			COMETCHAT_N8N_ROOT: n8nRoot,
			COMETCHAT_PACKAGE_ROOT: folder,
			// As in production, debug messages cost nothing; "silent" would build and then drop them
			N8N_LOG_LEVEL: 'error',
		},
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
