import { join } from 'node:path';

import { installDebian, installN8n } from './lib/install';
import { pack } from './lib/package';
import { CACHE } from './lib/paths';
import { endAllWithThisProcess } from './lib/processes';

/** Installs the test dependencies and packs the package. Runs once before all tests. */
export default async function setup(): Promise<void> {
	endAllWithThisProcess(join(CACHE, `processes-${process.pid}`));
	const say = (line: string) => process.stderr.write(`${line}\n`);
	await installDebian(
		['chromium', 'fonts-noto-color-emoji', 'redis-server', 'postgresql', 'openssl'],
		say,
	);
	await installN8n(say);
	const { tarball, remove } = await pack();
	process.env.COMETCHAT_E2E_TARBALL = tarball;
	globalThis.removeTarball = remove;
}

declare global {
	var removeTarball: (() => void) | undefined;
}
