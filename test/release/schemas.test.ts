import type { IDataObject } from 'n8n-workflow';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cometChat, manual, workflow } from '../../tools/n8nEngine/draft';
import { askWorkflow } from '../../tools/n8nEngine/links';
import { CASES } from '../engine/cases';
import { credentialsOf, jsonOf, NODE, useSandbox } from '../engine/harness';
import { ALL } from '../engine/operations';

/** Folder where n8n looks for the output schemas of the node's version 1. */
const FOLDER = join(__dirname, '../../dist/nodes/CometChat/__schema__/v1.0.0');

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	version?: number;
}

/** A schema that no value matches. */
const NEVER: Schema = { type: 'never' };

const schemaOf = (key: string): Schema =>
	JSON.parse(readFileSync(join(FOLDER, `${key.replace(' ', '/')}.json`), 'utf8'));

/** True if a value matches a schema and has its properties in the same order. Any property may be null. */
function fits(value: unknown, { type, properties = {}, items = NEVER }: Schema): boolean {
	if (type === 'array') return Array.isArray(value) && value.every((entry) => fits(entry, items));
	if (type !== 'object') return typeof value === type;
	const entries = Object.entries(properties);
	return (
		JSON.stringify(Object.keys(Object(value))) === JSON.stringify(Object.keys(properties)) &&
		entries.every(([name, schema]) => {
			const cell: unknown = Object(value)[name];
			return cell === null || fits(cell, schema);
		})
	);
}

const sandbox = useSandbox();

test('The package contains exactly one schema per operation', () => {
	const files = globSync('*/*.json', { cwd: FOLDER }).map((file) => file.replace(/\.json$/, ''));
	expect(files.sort()).toEqual(ALL.map(({ key }) => key.replace(' ', '/')).sort());
	expect(ALL.map(({ key }) => schemaOf(key).version)).toEqual(ALL.map(() => 1));
});

/** Parameters for each operation, without options that would change the output columns. */
const PLAIN = { ...CASES, 'user create': { parameters: { uid: 'andrew', name: 'Andrew Joseph' } } };

test.each(Object.entries(PLAIN))('Items of %s match the schema', async (key, { parameters }) => {
	const [resource, operation] = key.split(' ');
	const items = await jsonOf(sandbox(), { resource, operation, ...parameters });
	expect(items.length).toBeGreaterThan(0);
	const schema = schemaOf(key);
	for (const item of items) {
		expect(Object.keys(item)).toEqual(Object.keys(schema.properties ?? {}));
		expect(fits(item, schema) || item).toBe(true);
	}
});

test('The answer returned by Send and Wait matches the schema', async () => {
	const parameters = { groupId: 'makers', message: 'Order more lamps?' };
	const asking = { resource: 'message', operation: 'sendAndWait', ...parameters };
	const file = workflow('Question', [manual(), cometChat('1', asking, { name: NODE })]);
	const { answered, close } = await askWorkflow(file, { credentials: credentialsOf(sandbox()) });
	try {
		const [link] = /http\S+/.exec(sandbox().store.messages.all().at(-1)?.text ?? '') ?? [];
		await fetch(String(link), { method: 'POST', body: new URLSearchParams({ approved: 'true' }) });
		const items: IDataObject[] = (await answered).items(NODE).map(({ json }) => json);
		const { data = NEVER } = schemaOf('message sendAndWait').properties ?? {};
		const columns = ['answered', 'approved', 'text', 'respondedBy', 'respondedAt'];
		expect(Object.keys(data.properties ?? {}).sort()).toEqual(columns.sort());
		expect(items).toEqual([{ data: expect.any(Object) }]);
		expect(columns).toEqual(expect.arrayContaining(Object.keys(Object(items[0].data))));
	} finally {
		await close();
	}
});
