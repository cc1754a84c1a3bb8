import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Packs the last commit twice, from two clones in folders of different names, and compares the
 * tarballs byte by byte. Usage: npx tsx scripts/reproducible.ts
 */

const PROJECT = join(__dirname, '..');

/** @returns the tarball that a fresh clone gives */
function packFrom(folder: string, time: string): Buffer {
	const clone = join(folder, 'clone');
	execFileSync('git', ['clone', '--quiet', PROJECT, clone]);
	// Files as if they were checked out on different days
	execFileSync('find', [
		clone,
		'-not',
		'-path',
		'*/.git/*',
		'-exec',
		'touch',
		'-d',
		time,
		'{}',
		'+',
	]);
	symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
	execFileSync('npm', ['run', '--silent', 'build'], { cwd: clone });
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: clone });
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error(`npm pack left nothing in ${folder}`);
	return readFileSync(join(folder, tarball));
}

function main(): void {
	const folders = ['cometchat-a-', 'cometchat-another-'].map((prefix) =>
		mkdtempSync(join(tmpdir(), prefix)),
	);
	try {
		const [first, second] = folders.map((folder, index) =>
			packFrom(folder, ['2001-02-03T04:05:06Z', '2021-10-09T08:07:06Z'][index]),
		);
		const same = first.equals(second);
		const digest = createHash('sha256').update(first).digest('hex');
		console.log(
			same
				? `Both tarballs have ${first.length} bytes and the SHA-256 ${digest}`
				: 'The tarballs differ',
		);
		process.exitCode = same ? 0 : 1;
	} finally {
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	}
}

main();
