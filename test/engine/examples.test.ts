import type { IDataObject } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import {
	runWorkflow,
	type RunOptions,
	type RunResult,
	type WorkflowFile,
} from '../../engine/engine';
import { nodeTypesByName } from '../../engine/types';
import { readExample } from '../../examples/workflows';
import { credentialsOf, useSandbox } from './harness';

const sandbox = useSandbox();

const FOLDER = join(__dirname, '../../examples');
const START = 'When clicking ‘Execute workflow’';
const PACKAGE = 'n8n-nodes-cometchat.';

const filesIn = (folder: string): string[] =>
	readdirSync(join(FOLDER, folder))
		.filter((file) => file.endsWith('.json'))
		.map((file) => join(folder, file));

const RUN_HERE = filesIn('');
const OF_AUTOMATION = filesIn('automation');

async function run(workflow: WorkflowFile, options: Partial<RunOptions> = {}): Promise<RunResult> {
	const result = await runWorkflow(workflow, { credentials: credentialsOf(sandbox()), ...options });
	if (result.error) throw result.error;
	return result;
}

/** Runs an example of several nodes, one of which fails in "moderation.json". */
async function runThrough(file: string): Promise<RunResult> {
	const workflow = readExample(file);
	sandbox().store.leaveGroup('makers', 'ext_sam-99');
	// With one attempt nothing waits for a message that may be too new to be seen
	for (const { parameters } of cometChatNodesOf(workflow)) {
		parameters.options = { ...Object(parameters.options), maxTries: 1 };
	}
	return await run(workflow);
}

/** What all runs of a node returned on an output: after two branches it runs once for each. */
const allJsonOf = ({ run: { data } }: RunResult, node: string, output = 0): IDataObject[] =>
	(data.resultData.runData[node] ?? []).flatMap((task) =>
		(task.data?.main[output] ?? []).map(({ json }) => json),
	);

const notesOf = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

const cometChatNodesOf = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith(PACKAGE));

describe.each([...RUN_HERE, ...OF_AUTOMATION])('%s', (file) => {
	const workflow = readExample(file);
	const { nodes, connections, pinData = {} } = workflow;
	const names = nodes.map(({ name }) => name);

	test('says in one note what it is for and what to change, and covers no node with it', () => {
		const notes = notesOf(workflow);
		expect(notes).toHaveLength(1);
		expect(notes[0].parameters.content).toMatch(/^## .+\n[^]+\*\*Change:\*\* /);
		expect(String(notes[0].parameters.content).split('\n')[0]).toBe(`## ${workflow.name}`);
		const [, top] = notes[0].position;
		const others = nodes.filter((node) => node !== notes[0]).map(({ position }) => position[1]);
		expect(top + Number(notes[0].parameters.height)).toBeLessThan(Math.min(...others) - 20);
	});

	test('names in the note only nodes that it has', () => {
		const content = String(notesOf(workflow)[0].parameters.content);
		const named = [...content.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, name]) => name);
		expect([...names, 'published']).toEqual(expect.arrayContaining(named));
	});

	test('connects nodes that it has, each of which has a name and an id of its own', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const targets = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) =>
				outputs.flatMap((links) => (links ?? []).map(({ node }) => node)),
			),
		);
		expect(targets.length).toBeGreaterThan(0);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
	});

	test('refers in expressions only to nodes that it has', () => {
		const parameters = JSON.stringify(nodes.map((node) => node.parameters));
		const referred = [...parameters.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
		expect(names).toEqual(expect.arrayContaining(referred));
	});

	test('pins nothing but what stands for the rows of its trigger', () => {
		expect([START]).toEqual(expect.arrayContaining(Object.keys(pinData)));
	});

	test('sets only parameters that the nodes of this package have', () => {
		for (const { type, parameters } of cometChatNodesOf(workflow)) {
			// n8n makes it of the tool
			const known = nodeTypesByName.get(type.replace(/HitlTool$/, 'Tool'));
			if (!known) throw new Error(`The package has no node "${type}"`);
			const fields = known.description.properties.map(({ name }) => name);
			// n8n itself adds the times at which a trigger polls
			expect([...fields, 'pollTimes']).toEqual(expect.arrayContaining(Object.keys(parameters)));
		}
	});

	test('names users and groups by resource locators', () => {
		for (const { parameters } of cometChatNodesOf(workflow)) {
			for (const name of ['groupId', 'userId', 'onBehalfOf']) {
				if (!(name in parameters)) continue;
				expect(parameters[name]).toEqual({ __rl: true, mode: 'id', value: expect.any(String) });
			}
		}
	});

	test('has a credential by its name alone', () => {
		const ofWebhook = {
			cometChatWebhookApi: expect.objectContaining({ name: 'CometChat Webhook' }),
		};
		const ofApi = { cometChatApi: expect.objectContaining({ name: 'CometChat API' }) };
		for (const { type, credentials } of cometChatNodesOf(workflow)) {
			expect(credentials).toEqual(type.endsWith('.cometChatTrigger') ? ofWebhook : ofApi);
		}
		expect(JSON.stringify(nodes)).not.toMatch(/[0-9a-f]{40}/);
	});
});

describe('The recipes in the documentation', () => {
	const recipes = readFileSync(join(FOLDER, '../docs/recipes.md'), 'utf8');

	test.each([...RUN_HERE, ...OF_AUTOMATION])('link to %s', (file) => {
		expect(recipes).toContain(`](../examples/${file})`);
	});

	test('name only nodes that an example has', () => {
		const named = [...recipes.matchAll(/(?<!\w)_([^_\n]+)_(?!\w)/g)].map(([, name]) => name);
		const names = [...RUN_HERE, ...OF_AUTOMATION].flatMap((file) =>
			readExample(file).nodes.map(({ name }) => name),
		);
		expect(named.length).toBeGreaterThan(10);
		expect(names).toEqual(expect.arrayContaining(named));
	});

	test('have a picture each, named like the file', () => {
		const pictures = [...recipes.matchAll(/images\/recipe-([\w-]+)\.png/g)].map(([, name]) => name);
		const jobs = ['moderation', 'clean-up', 'onboarding'].map((name) => `${name}.json`);
		const files = [...jobs, ...OF_AUTOMATION].map((file) => basename(file, '.json'));
		expect(pictures.sort()).toEqual(files.sort());
	});
});

test.each(RUN_HERE)('%s runs through all of its nodes, within the contract', async (file) => {
	const result = await runThrough(file);
	for (const { name } of cometChatNodesOf(readExample(file))) {
		const outputs = [...allJsonOf(result, name), ...allJsonOf(result, name, 1)];
		expect({ name, outputs: outputs.length }).not.toEqual({ name, outputs: 0 });
	}
	expect(sandbox().violations).toEqual([]);
});
