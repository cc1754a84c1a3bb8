import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { E2E } from './paths';
import { run } from './processes';

export type Say = (line: string) => unknown;

/** Debian packages, each with a file that exists if the package is installed. */
const DEBIAN = {
	chromium: '/usr/bin/chromium',
	'fonts-noto-color-emoji': '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
	'redis-server': '/usr/bin/redis-server',
	postgresql: '/usr/lib/postgresql',
	openssl: '/usr/bin/openssl',
};

export type DebianPackage = keyof typeof DEBIAN;

/**
 * Installs missing Debian packages.
 *
 * @throws Error with the command to run if the current user isn't root
 */
export async function installDebian(packages: DebianPackage[], say: Say): Promise<void> {
	const missing = packages.filter((name) => !existsSync(DEBIAN[name]));
	if (missing.length === 0) return;
	if (process.getuid?.() !== 0) {
		throw new Error(`Missing: run "sudo apt-get install -y ${missing.join(' ')}" first`);
	}
	say(`Installing ${missing.join(', ')} …`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await run('apt-get', ['update'], { env });
	await run('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { env });
}

const MARK = join(E2E, 'node_modules', '.complete');

function hashLockfile(): string {
	return createHash('sha256')
		.update(readFileSync(join(E2E, 'package-lock.json')))
		.digest('hex');
}

/** Returns the free disk space under test/e2e/, in gigabytes. */
function measureFreeGigabytes(): number {
	const { bavail, bsize } = statfsSync(E2E);
	return (bavail * bsize) / 1e9;
}

/** Disk space required to install n8n, in gigabytes. */
const GIGABYTES = 2.5;

/** Installs n8n under test/e2e/ unless the lockfile's version is already installed. */
export async function installN8n(say: Say): Promise<void> {
	const hash = hashLockfile();
	if (existsSync(MARK) && readFileSync(MARK, 'utf8') === hash) return;
	if (measureFreeGigabytes() < GIGABYTES) {
		const free = measureFreeGigabytes().toFixed(1);
		throw new Error(`n8n needs ${GIGABYTES} GB under test/e2e/, and ${free} GB are free`);
	}
	say('Installing n8n under test/e2e/: 2.2 GB, 2 to 4 minutes, only once …');
	const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
	await run('npm', args, { cwd: E2E });
	// sqlite3 is the only package whose native code n8n needs
	await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], { cwd: E2E });
	// Load sqlite3, since npm rebuild can succeed without building anything
	await run(process.execPath, ['-e', "require('sqlite3')"], { cwd: E2E });
	writeFileSync(MARK, hash);
	say('n8n is installed.');
}

/** Installs everything that the end-to-end tests need. */
export async function installAll(say: Say): Promise<void> {
	await installDebian(
		['chromium', 'fonts-noto-color-emoji', 'redis-server', 'postgresql', 'openssl'],
		say,
	);
	await installN8n(say);
}
