import { installDebian, installN8n } from './lib/install';
import { pack } from './lib/package';

/** Before all tests: what they need is installed, and the package is packed once. */
export default async function setup(): Promise<void> {
	const say = (line: string) => process.stderr.write(`${line}\n`);
	await installDebian(['chromium', 'fonts-noto-color-emoji', 'redis-server', 'postgresql'], say);
	await installN8n(say);
	const { tarball, remove } = await pack();
	process.env.COMETCHAT_E2E_TARBALL = tarball;
	globalThis.removeTarball = remove;
}

declare global {
	var removeTarball: (() => void) | undefined;
}
