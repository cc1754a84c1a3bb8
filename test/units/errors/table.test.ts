import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as tables from '../../../nodes/CometChat/errors/table';
import { ROOT } from '../../../tools/scripts/markdown';

test.each(Object.entries(tables))('keeps all error texts: %s', (_name, table) => {
	const lines = Object.entries(Object(table)).map(([key, row]) => `${key}: ${JSON.stringify(row)}`);
	expect(typeof table === 'string' ? table : lines.join('\n')).toMatchSnapshot();
});

/** Words that n8n's guidelines keep out of error messages. */
const DISCOURAGED = /\b(error|problem|failure|mistake)s?\b/i;

/** Matches the text of a message in the code, e.g. of `new DescribedError('…'` or `message: '…'`. */
const MESSAGE = /\b(?:message:\s*|(?:Described|Input)Error\([^'"`;]*)(['"`])(.*?)\1/gs;

/** Lists the messages in a table, at every depth. */
function listMessages(table: unknown): string[] {
	if (typeof table !== 'object' || table === null) return [];
	return Object.entries(table).flatMap(([name, inner]) =>
		name === 'message' ? [String(inner)] : listMessages(inner),
	);
}

test('no message contains a word that n8n discourages', () => {
	const inCode = globSync('nodes/**/*.ts', { cwd: ROOT }).flatMap((file) =>
		[...readFileSync(join(ROOT, file), 'utf8').matchAll(MESSAGE)].map(([, , message = '']) =>
			message.replace(/\$\{.*?\}/g, '…'),
		),
	);
	const inTables = listMessages(tables);
	expect([inTables.length > 100, inCode.length > 150]).toEqual([true, true]);
	const messages = [...inTables, ...inCode];
	expect(messages.filter((message) => DISCOURAGED.test(message))).toEqual([]);
});
