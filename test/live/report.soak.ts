import { readFileSync } from 'node:fs';

import { DECLARED } from '../actionNode/operations';
import { REPORT, startProgram } from './startProgram';

test('the report on the sandbox has no deviations and no values', async () => {
	const { code, output } = await startProgram([], {});
	expect(output).toContain('Nothing deviates.');
	expect(code).toBe(0);
	const written = readFileSync(REPORT, 'utf8').replace(/ +/g, ' ');
	for (const { key } of DECLARED) expect(written).toContain(`| ${key} | 200 | no |`);
	for (const step of ['create', 'list', 'get', 'update', 'delete']) {
		expect(written).toContain(`| bot ${step} | 200 | no |`);
	}
	expect(written).toContain('| bot get, without a bot | 404 ERR_BOT_NOT_FOUND | no |');
	expect(written).toContain('| message downloadFiles, of the media host | 200 | no |');
	expect(written).toContain('| message to a bot | 2 | no |');
	expect(written).toContain('| 23 | Does a bot hear its own messages? | no |');
	expect(written).toMatch(/\| 15 \| .* \| a note about the change \|/);
	expect(written).toMatch(/\| 16 \| .* \| no \|/);
	expect(written).not.toContain('Upload probes');
	for (const trigger of [
		'group_created',
		'group_member_kicked',
		'message_sent',
		'message_edited',
	]) {
		expect(written).toMatch(new RegExp(`\\| ${trigger} \\| \\d+ \\| no \\|`));
	}
	expect(written).not.toMatch(/n8n-check-|127\.0\.0\.1|5a9d0c3b|[0-9a-f]{32}|mira|leo|👍/i);
});
