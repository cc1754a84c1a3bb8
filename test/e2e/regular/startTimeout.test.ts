import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startN8n } from '../lib/n8n';

test('If n8n does not start in time, the error says what to do, and where the log is', async () => {
	const userFolder = mkdtempSync(join(tmpdir(), 'cometchat-start-'));
	try {
		await expect(startN8n({ userFolder, startTimeoutMs: 1 })).rejects.toThrow(
			`did not happen within 0.001 s\nIf the machine is busy, end other programs and start again. ${join(userFolder, 'n8n.log')} ends with:`,
		);
	} finally {
		rmSync(userFolder, { recursive: true, force: true });
	}
});
