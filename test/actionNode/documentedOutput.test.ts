import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { group, jsonOf, message, moderation, user, useSandbox } from './harness';

const sandbox = useSandbox();

const page = readFileSync(join(__dirname, '../../docs/output-and-errors.md'), 'utf8');

/** Parameters that return the documented samples. Keys are the captions above the samples. */
const OPERATIONS: Record<string, INodeParameters> = {
	'Message → Get': message('get', { messageId: '107' }),
	'Group → Get': group('get', { groupId: 'brand' }),
	'User → Get': user('get', { userId: 'felix' }),
	'Moderation → List': moderation('list', { limit: 1 }),
};

const samples = [...page.matchAll(/^(\w+ → \w+):\n\n```json\n([^`]+)```/gm)].map(
	([, operation, json]): [string, unknown] => [operation, JSON.parse(json)],
);

test('The documentation contains a sample for each resource', () => {
	expect(samples.map(([operation]) => operation)).toEqual(Object.keys(OPERATIONS));
});

test.each(samples)('%s returns the documented item', async (operation, sample) => {
	const [item] = await jsonOf(sandbox(), OPERATIONS[operation]);
	expect(item).toEqual(sample);
	expect(Object.keys(item)).toEqual(Object.keys(Object(sample)));
});
