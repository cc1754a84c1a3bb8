import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Sets environment variables that n8n-core reads when it's loaded. Otherwise, n8n-core would write a folder
 * and an encryption key to the user's home directory. Import this file before any n8n module. If Jest sets
 * `COMETCHAT_ENGINE_FOLDER`, Jest also removes the folder.
 */
const parent = process.env.COMETCHAT_ENGINE_FOLDER ?? tmpdir();
const folder = mkdtempSync(join(parent, 'cometchat-engine-'));

process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY ??= randomBytes(24).toString('hex');
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

process.once('exit', () => {
	rmSync(folder, { recursive: true, force: true });
});
