import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for all that the engine writes in the test processes. */
export default function setup(): void {
	process.env.COMETCHAT_ENGINE_FOLDER = mkdtempSync(join(tmpdir(), 'cometchat-tests-'));
}
