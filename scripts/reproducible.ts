import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Packs the last commit twice, from two clones in folders of different names, and compares the
 * tarballs byte by byte. Usage: npx tsx scripts/reproducible.ts
 */

const PROJECT = join(__dirname, '..');

/**
 * @param prefix of the folder's name
 * @param time that all files have, as if they were checked out on different days
 * @returns the tarball that a fresh clone gives
 */
function packed(prefix: string, time: string): Buffer {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	const cwd = join(folder, 'clone');
	try {
		execFileSync('git', ['clone', '--quiet', PROJECT, cwd]);
		const touch = ['-exec', 'touch', '-d', time, '{}', '+'];
		execFileSync('find', [cwd, '-not', '-path', '*/.git/*', ...touch]);
		symlinkSync(join(PROJECT, 'node_modules'), join(cwd, 'node_modules'));
		execFileSync('npm', ['run', '--silent', 'build'], { cwd });
		execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd });
		return readFileSync(globSync(join(folder, '*.tgz'))[0]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const first = packed('cometchat-a-', '2001-02-03T04:05:06Z');
const isSame = first.equals(packed('cometchat-another-', '2021-10-09T08:07:06Z'));
const digest = createHash('sha256').update(first).digest('hex');
console.log(
	isSame
		? `Both tarballs have ${first.length} bytes and the SHA-256 ${digest}`
		: 'The tarballs differ',
);
process.exitCode = isSame ? 0 : 1;
