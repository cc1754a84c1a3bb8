import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { jsonOf, useSandbox } from './harness';

const sandbox = useSandbox();

const page = readFileSync(join(__dirname, '../../docs/output-and-errors.md'), 'utf8');

/** Parameters that return each sample in the documentation, by the words above the sample. */
const OPERATIONS: Record<string, INodeParameters> = {
	'Message → Get': { resource: 'message', operation: 'get', messageId: '107' },
	'Group → Get': {
		resource: 'group',
		operation: 'get',
		groupId: { __rl: true, mode: 'id', value: 'brand' },
	},
	'User → Get': {
		resource: 'user',
		operation: 'get',
		userId: { __rl: true, mode: 'id', value: 'felix' },
	},
	'Moderation → List': { resource: 'moderation', operation: 'list', limit: 1 },
};

const samples = [...page.matchAll(/^(\w+ → \w+):\n\n```json\n([^`]+)```/gm)].map(
	([, operation, json]): [string, unknown] => [operation, JSON.parse(json)],
);

test('the documentation has a sample for each resource', () => {
	expect(samples.map(([operation]) => operation)).toEqual(Object.keys(OPERATIONS));
});

test.each(samples)(
	'%s returns the item that the documentation shows',
	async (operation, sample) => {
		const [item] = await jsonOf(sandbox(), OPERATIONS[operation]);
		expect(item).toEqual(sample);
		expect(Object.keys(item)).toEqual(Object.keys(Object(sample)));
	},
);
