import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const text = readFileSync(join(__dirname, '../../.github/workflows/publish.yml'), 'utf8');

test('publishing waits for CI, adds a provenance statement, and gives the token to npm alone', () => {
	const { publish } = parse(text).jobs;
	expect(publish.needs).toBe('ci');
	expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
	expect(publish.steps.at(-1).run).toMatch(/^npm publish --provenance/);
	expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.NPM_TOKEN']);
	const users = publish.steps.filter(({ run = '' }) => run.includes('NPM_TOKEN'));
	expect(users).toMatchObject([{ if: "env.NPM_TOKEN != ''", run: /^npm config set / }]);
});
