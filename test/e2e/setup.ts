import { join } from 'node:path';

import { installAll } from './lib/install';
import { pack } from './lib/package';
import { CACHE } from './lib/paths';
import { endAllWithThisProcess } from './lib/processes';

/** Installs the test dependencies and packs the package. Runs once before all tests. */
export default async function setup(): Promise<void> {
	endAllWithThisProcess(join(CACHE, `processes-${process.pid}`));
	await installAll((line) => process.stderr.write(`${line}\n`));
	const { tarball, remove } = await pack();
	process.env.COMETCHAT_E2E_TARBALL = tarball;
	globalThis.removeTarball = remove;
}

declare global {
	var removeTarball: (() => void) | undefined;
}
