import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test("n8n's scanner reports no problems in the sources and the packed files", () => {
	const script = join(__dirname, '../../tools/scripts/scan.mjs');
	// n8n's lint rules behave differently when NODE_ENV is "test"
	const env = { ...process.env, NODE_ENV: 'production' };
	const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
		encoding: 'utf8',
		env,
	});
	expect(stderr).toBe('');
	expect(stdout).toMatch(
		/^\d{2,} source files: nothing found\n\d{2,} packed files: nothing found\n$/,
	);
	expect(status).toBe(0);
});
