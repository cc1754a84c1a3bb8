import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What n8n-core reads from the environment when it is loaded. Without a folder and a key of their
 * own it would write into the user's home. Import this before anything of n8n.
 * `COMETCHAT_ENGINE_FOLDER` names a folder that somebody else removes: jest does not tell of its end.
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
