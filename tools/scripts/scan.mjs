import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * n8n's scanner of community packages on the sources and on the packed tarball. Its own command line
 * looks the package up in npm's registry and so scans only what is published; this is what it calls then.
 */

const PROJECT = join(import.meta.dirname, '../..');

/** What the scanner looks at in a tarball; it exports the patterns for sources only. */
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
		// Without any file the scanner is content
		if (!passed || files === 0) process.exitCode = 1;
		console.log(`${files} ${name} files: ${passed ? 'nothing found' : (details ?? message)}`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
