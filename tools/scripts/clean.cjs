const { mkdirSync, rmSync } = require('node:fs');
const { join } = require('node:path');

/** Empties dist/, or says why it cannot be written. */
const dist = join(__dirname, '../..', 'dist');
try {
	rmSync(dist, { recursive: true, force: true });
	mkdirSync(dist);
} catch {
	console.error(`The build cannot write to ${dist}. Give yourself write access to this folder.`);
	process.exitCode = 1;
}
