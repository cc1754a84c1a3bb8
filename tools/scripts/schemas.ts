/**
 * Generates the operations' output schemas, `__schema__/<version>/<resource>/<operation>.json`. n8n's
 * editor uses these files to show the output fields of a node that hasn't run yet, and n8n's AI builder
 * reads them, too.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { isObject } from '../../nodes/CometChat/helpers/json';
import { getRowType, listColumnNamesShownIfFilled } from '../../nodes/CometChat/output/columns';
import { resources } from '../../nodes/CometChat/resources';
import { CASES } from '../../test/actionNode/cases';
import { cometChat, manual, node, workflow } from '../n8nEngine/draft';
import { runWorkflow, type RunOptions, type WorkflowFile } from '../n8nEngine/engine';
import { askWorkflow } from '../n8nEngine/links';
import { startSandbox, type Sandbox } from '../sandbox/server';

/** Schema folder. gulp copies the folder to the compiled node, where n8n looks for schemas. */
export const SCHEMAS = 'nodes/CometChat/__schema__';

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	version?: number;
}

/**
 * Additional parameters for each run of an operation, if its columns depend on parameters or stay empty by
 * default. An operation's columns are taken from its first run.
 */
const RUNS: Record<string, INodeParameters[]> = {
	'message get': [{}, { messageId: '117' }],
	'message send': [{}, { onBehalfOf: 'mira', additionalFields: { quotedMessageId: '109' } }],
	'user create': [{ additionalFields: {} }],
	'user blockUsers': [{}, { uids: ['leo', 'nobody'] }],
	'user addFriends': [{}, { uids: ['nobody'] }],
	'user removeFriends': [{}, { uids: ['carla'] }],
	'group addMembers': [{}, { uids: ['noor', 'nobody'] }],
	'group removeMember': [
		{},
		{ groupId: 'project-aurora', userId: 'felix', options: { notMember: 'succeed' } },
	],
	'message sendAndWait': [
		{},
		{ responseType: 'freeText' },
		{
			responseType: 'choice',
			choices: ['Twelve', 'Six'],
			options: { askName: true, askComment: true },
		},
	],
};

/** Schemas of columns that no run of an operation fills, because they are about exceptions. */
const OPTIONAL_COLUMNS: Record<string, Schema> = {
	moderationStatus: { type: 'string' },
	banned: { type: 'boolean' },
};

/** Fields that the sample users leave empty. */
const PROFILE = {
	link: 'https://example.com/profile',
	statusMessage: 'In the workshop',
	tags: ['staff'],
	lastActiveAt: 1_754_300_000,
	metadata: { '@private': { email: 'user@example.com', contactNumber: '+4915112345678' } },
};

const QUESTION: INodeParameters = {
	groupId: 'makers',
	message: 'Order more lamps?',
	options: { askName: true },
};

/** Trigger that starts the workflow of a bot, and what somebody asks the bot. */
const BOT_TRIGGER = node({
	name: 'CometChat Bot Trigger',
	type: 'n8n-nodes-cometchat.cometChatBotTrigger',
	parameters: { botId: 'leo' },
});
const ASKED = { replyTo: 'makers', replyToType: 'group', parentId: null, bot: 'leo' };

/** Fields of the answer page's form. */
const ANSWER = {
	approved: 'true',
	answer: 'Twelve',
	text: 'Twelve, please',
	comment: 'By Friday',
	respondedBy: 'Mira',
};

/** Runs a workflow that asks a question, and approves the question, or answers it with a text. */
async function approve({ store }: Sandbox, file: WorkflowFile, options: RunOptions) {
	const { answered, close } = await askWorkflow(file, options);
	const { text } = store.messages.all().at(-1) ?? {};
	const [link] = /http\S+/.exec(String(text)) ?? [''];
	await fetch(link, { method: 'POST', body: new URLSearchParams(ANSWER) });
	return await answered.finally(close);
}

/**
 * Runs an operation and returns its items.
 *
 * @throws Error if the operation fails
 */
async function itemsOf(sandbox: Sandbox, parameters: INodeParameters): Promise<IDataObject[]> {
	sandbox.reset();
	for (const { uid } of sandbox.store.people.all()) sandbox.store.people.update(uid, PROFILE);
	const { apiKey, baseUrl } = sandbox;
	const options = { credentials: { apiKey, region: 'custom', baseUrl } };
	// Returns a separate item for each user who couldn't be added or blocked
	const tested = cometChat('1', parameters, { onError: 'continueRegularOutput' });
	const isAnswer = parameters.operation === 'answer';
	const file = workflow('Schema', [isAnswer ? BOT_TRIGGER : manual(), tested]);
	const isQuestion = parameters.operation === 'sendAndWait';
	const start = isAnswer ? { trigger: BOT_TRIGGER.name, input: [ASKED] } : {};
	const result = await (isQuestion
		? approve(sandbox, file, options)
		: runWorkflow(file, { ...options, ...start }));
	if (result.error) throw result.error;
	return result.items('CometChat').map(({ json }) => json);
}

/**
 * Returns the schema for a column's values, or undefined if all values are empty. Schemas don't mention
 * null, which any column can contain.
 */
function schemaOf(values: unknown[]): Schema | undefined {
	const filled = values.filter((value) => value !== null && value !== undefined);
	if (filled.length === 0) return undefined;
	const [first] = filled;
	if (Array.isArray(first)) {
		const items = schemaOf(filled.flat());
		return { type: 'array', ...(items ? { items } : {}) };
	}
	if (typeof first !== 'object') return { type: typeof first };
	const objects = filled.filter(isObject);
	const names = [...new Set(objects.flatMap(Object.keys))];
	const properties = names.flatMap((name) => {
		const schema = schemaOf(objects.map((value) => value[name]));
		return schema ? [[name, schema] as const] : [];
	});
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Returns the parameters for each run of an operation. */
function runsOf(resource: string, operation: string): INodeParameters[] {
	const key = `${resource} ${operation}`;
	const { parameters } = CASES[key] ?? { parameters: { ...QUESTION, text: 'Twelve' } };
	return (RUNS[key] ?? [{}]).map((more) => ({ resource, operation, ...parameters, ...more }));
}

/**
 * Generates the schema files as JSON, keyed by path relative to the project root.
 *
 * @throws Error if no operation returns a value for one of the columns
 */
export async function createSchemas(): Promise<Record<string, string>> {
	const sandbox = await startSandbox();
	const files: Record<string, string> = {};
	try {
		const returned: Array<{ path: string; items: IDataObject[]; columnsShownIfFilled: string[] }> =
			[];
		for (const { value: resource, operations } of resources) {
			for (const operation of operations) {
				const { value } = operation;
				const items: IDataObject[] = [];
				for (const run of runsOf(resource, value)) items.push(...(await itemsOf(sandbox, run)));
				// An own runner returns no rows of the response
				const columnsShownIfFilled = operation.hasOwnRunner
					? []
					: listColumnNamesShownIfFilled(getRowType(operation));
				returned.push({ path: `${resource}/${value}`, items, columnsShownIfFilled });
			}
		}
		const anywhere = returned.flatMap(({ items }) => items);
		for (const { path, items, columnsShownIfFilled } of returned) {
			const [first] = items;
			if (!first) throw new Error(`No run of ${path} returns an item`);
			const properties = [...new Set([...Object.keys(first), ...columnsShownIfFilled])].map(
				(column) => {
					const valuesIn = (rows: IDataObject[]) => rows.map((row) => row[column]);
					// The sandbox doesn't send every time that CometChat may send
					const time = column.endsWith('At') ? { type: 'string' } : undefined;
					const schema =
						schemaOf(valuesIn(items)) ??
						schemaOf(valuesIn(anywhere)) ??
						OPTIONAL_COLUMNS[column] ??
						time;
					if (schema) return [column, schema] as const;
					throw new Error(
						`No run fills the column ${column} of ${path}. Let the sandbox send the column, or add a run to RUNS in tools/scripts/schemas.ts.`,
					);
				},
			);
			const schema = { type: 'object', properties: Object.fromEntries(properties), version: 1 };
			files[`${SCHEMAS}/v1.0.0/${path}.json`] = JSON.stringify(schema, undefined, '\t');
		}
		return files;
	} finally {
		await sandbox.close();
	}
}
