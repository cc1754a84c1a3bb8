import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test("n8n's scanner finds nothing in the sources and in the packed files", () => {
	const script = join(__dirname, '../../tools/scripts/scan.mjs');
	// With NODE_ENV "test", n8n's rules behave as in their own tests
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
