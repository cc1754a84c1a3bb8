/**
 * Output schemas of the operations. n8n's editor shows the fields of a node that hasn't run from
 * `__schema__/<version>/<resource>/<operation>.json`, and n8n's AI builder reads the same files.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/CometChat/resources';
import { CASES } from '../../test/engine/cases';
import { cometChat, manual, workflow } from '../n8nEngine/draft';
import { runWorkflow, type RunOptions, type WorkflowFile } from '../n8nEngine/engine';
import { askWorkflow } from '../n8nEngine/links';
import { startSandbox, type Sandbox } from '../sandbox/server';

/** Folder of the schemas. gulp copies it to the compiled node, where n8n looks for it. */
export const SCHEMAS = 'nodes/CometChat/__schema__';

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	version?: number;
}

/**
 * Parameters that are added to a test case, for operations whose columns depend on parameters or stay
 * empty. The first run of an operation decides its columns.
 */
const RUNS: Record<string, INodeParameters[]> = {
	'user create': [{ additionalFields: {} }],
	'user blockUsers': [{}, { uids: ['leo', 'nobody'] }],
	'group addMembers': [{}, { uids: ['noor', 'nobody'] }],
};

/** Fields that the sample users leave empty. */
const PROFILE = {
	link: 'https://example.com/profile',
	statusMessage: 'In the workshop',
	tags: ['staff'],
	lastActiveAt: 1_754_300_000,
	metadata: { '@private': { email: 'user@example.com', contactNumber: '+4915112345678' } },
};

const QUESTION: INodeParameters = { groupId: 'makers', message: 'Order more lamps?' };

const workflowOf = (parameters: INodeParameters): WorkflowFile =>
	workflow('Schema', [
		manual(),
		// Users who couldn't be added or blocked become separate items
		cometChat('1', parameters, { onError: 'continueRegularOutput' }),
	]);

/** Approves the question of a workflow that waits for an answer. */
async function approve({ store }: Sandbox, file: WorkflowFile, options: RunOptions) {
	const { answered, close } = await askWorkflow(file, options);
	const { text } = store.messages.all().at(-1) ?? {};
	const [link] = /http\S+/.exec(String(text)) ?? [''];
	await fetch(link, { method: 'POST', body: new URLSearchParams({ approved: 'true' }) });
	return await answered.finally(close);
}

/** Items that an operation returns. @throws Error if the operation fails */
async function itemsOf(sandbox: Sandbox, parameters: INodeParameters): Promise<IDataObject[]> {
	sandbox.reset();
	for (const { uid } of sandbox.store.people.all()) sandbox.store.people.update(uid, PROFILE);
	const { apiKey, baseUrl } = sandbox;
	const options = { credentials: { apiKey, region: 'custom', baseUrl } };
	const file = workflowOf(parameters);
	const isQuestion = parameters.operation === 'sendAndWait';
	const result = await (isQuestion ? approve(sandbox, file, options) : runWorkflow(file, options));
	if (result.error) throw result.error;
	return result.items('CometChat').map(({ json }) => json);
}

/** Schema of a column's values, or undefined if all values are empty. Any column can contain null. */
function schemaOf(values: unknown[]): Schema | undefined {
	const filled = values.filter((value) => value !== null && value !== undefined);
	if (filled.length === 0) return undefined;
	const [first] = filled;
	if (Array.isArray(first)) {
		const items = schemaOf(filled.flat());
		return { type: 'array', ...(items ? { items } : {}) };
	}
	if (typeof first !== 'object') return { type: typeof first };
	const names = Object.keys(Object(first));
	const properties = names.flatMap((name) => {
		const schema = schemaOf(filled.map((value) => Object(value)[name]));
		return schema ? [[name, schema] as const] : [];
	});
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Parameters of each run of an operation. */
function runsOf(resource: string, operation: string): INodeParameters[] {
	const key = `${resource} ${operation}`;
	const { parameters } = CASES[key] ?? { parameters: QUESTION };
	return (RUNS[key] ?? [{}]).map((more) => ({ resource, operation, ...parameters, ...more }));
}

/**
 * Schema files by their paths in the project, as JSON.
 *
 * @throws Error for a column that no operation of the resource fills
 */
export async function createSchemas(): Promise<Record<string, string>> {
	const sandbox = await startSandbox();
	const files: Record<string, string> = {};
	try {
		for (const { value: resource, operations } of resources) {
			const returned: Record<string, IDataObject[]> = {};
			for (const { value } of operations) {
				returned[value] = [];
				for (const run of runsOf(resource, value)) {
					returned[value].push(...(await itemsOf(sandbox, run)));
				}
			}
			const anywhere = Object.values(returned).flat();
			for (const [operation, items] of Object.entries(returned)) {
				const properties = Object.keys(items[0]).map((column) => {
					const [own, all] = [items, anywhere].map((rows) => rows.map((row) => row[column]));
					const schema = schemaOf(own) ?? schemaOf(all);
					if (schema) return [column, schema] as const;
					throw new Error(`No run fills the column ${column} of ${resource} → ${operation}`);
				});
				const schema = { type: 'object', properties: Object.fromEntries(properties), version: 1 };
				const path = `${SCHEMAS}/v1.0.0/${resource}/${operation}.json`;
				files[path] = JSON.stringify(schema, undefined, '\t');
			}
		}
		return files;
	} finally {
		await sandbox.close();
	}
}
