import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs n8n's scanner of community packages on the sources and on the packed tarball. The scanner's own
 * command line only scans published packages.
 */

const PROJECT = join(import.meta.dirname, '../..');

/** Files that the scanner reads in a tarball. The scanner only exports the patterns for sources. */
const PACKED_FILE_PATTERNS = ['**/*.js', 'package.json'];

const folder = mkdtempSync(join(tmpdir(), 'cometchat-scan-'));
try {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PROJECT });
	execFileSync('sh', ['-c', 'tar -xzf ./*.tgz'], { cwd: folder });
	const scans = {
		source: [PROJECT, SOURCE_FILE_PATTERNS],
		packed: [join(folder, 'package'), PACKED_FILE_PATTERNS],
	};
	for (const [name, [where, patterns]] of Object.entries(scans)) {
		const { passed, message, details } = await analyzePackage(where, patterns);
		const files = globSync(patterns, { cwd: where, exclude: ['node_modules/**'] }).length;
		// The scanner passes a folder without files
		if (!passed || files === 0) process.exitCode = 1;
		console.log(`${files} ${name} files: ${passed ? 'nothing found' : (details ?? message)}`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
