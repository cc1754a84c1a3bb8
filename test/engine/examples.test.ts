import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import {
	type RunOptions,
	type RunResult,
	runWorkflow,
	type WorkflowFile,
} from '../../tools/n8nEngine/engine';
import { nodeTypesByName } from '../../tools/n8nEngine/types';
import { itemTable, requestLine } from '../../examples/report';
import { readSettings } from '../../examples/settings';
import { tellStory } from '../../examples/story';
import { readExample, selectExamples } from '../../examples/workflows';
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
		parameters.requestOptions = { maxTries: 1 };
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

	test('show pictures of examples only', () => {
		const pictures = [...recipes.matchAll(/images\/recipe-([\w-]+)\.png/g)].map(([, name]) => name);
		const names = [...RUN_HERE, ...OF_AUTOMATION].map((file) => basename(file, '.json'));
		expect(pictures.length).toBeGreaterThan(0);
		expect(names).toEqual(expect.arrayContaining(pictures));
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

describe('The settings of "npm start"', () => {
	const real = { COMETCHAT_API_KEY: 'key', COMETCHAT_APP_ID: 'app', COMETCHAT_REGION: 'eu' };

	test('are the sandbox when nothing is set', () => {
		expect(readSettings([], {})).toMatchObject({ help: false });
		expect(readSettings([], {}).credentials).toBeUndefined();
		expect(readSettings([], { COMETCHAT_API_KEY: '' }).credentials).toBeUndefined();
	});

	test('are CometChat itself when key, app and region are set', () => {
		const settings = readSettings([], real);
		expect(settings.credentials).toEqual({ apiKey: 'key', appId: 'app', region: 'eu' });
	});

	test.each(Object.keys(real))('are refused when %s alone is missing', (name) => {
		expect(() => readSettings([], { ...real, [name]: undefined })).toThrow(/Set all of/);
	});

	test('only list groups of CometChat itself unless told more', () => {
		const examples = selectExamples(readSettings([], real));
		expect(examples.map(({ name }) => name)).toEqual(['List groups with filters']);
	});

	test('get a message, and remove a reaction, only when asked for', () => {
		const args = ['--message', '7', '--user', 'ada'];
		const files = (more: string[]) =>
			selectExamples(readSettings([...args, ...more], real)).map(({ name }) => name);
		expect(files([])).toEqual(['List groups with filters', 'Get a message']);
		expect(files(['--remove', '👍'])).toEqual([
			'List groups with filters',
			'Get a message',
			'Remove a reaction',
		]);
		const [, get] = selectExamples(readSettings(args, real));
		const node = get.nodes.find(({ type }) => type.startsWith('n8n-nodes-cometchat.'));
		expect(node?.parameters).toMatchObject({
			messageId: '7',
			onBehalfOf: { __rl: true, mode: 'id', value: 'ada' },
		});
	});

	test('are refused when they do not fit together', () => {
		expect(() => readSettings(['--remove', '👍'], real)).toThrow(/needs --message and --user/);
		expect(() => readSettings(['--message', '7'], {})).toThrow(/set COMETCHAT_API_KEY/);
		expect(() => readSettings(['--nonsense'], {})).toThrow(/nonsense/);
	});
});

describe('The report of "npm start"', () => {
	const request = (method: IHttpRequestOptions['method'], path: string): IHttpRequestOptions => ({
		method,
		url: `https://app.api-eu.cometchat.io/v3${path}`,
		headers: { apikey: 'the-secret' },
	});

	test('shows a request in one line, and never the key', () => {
		const line = requestLine({
			...request('GET', '/groups'),
			qs: { perPage: 8, tags: 'a,b' },
			headers: { apikey: 'the-secret', onBehalfOf: 'ada' },
		});
		expect(line).toBe('GET /v3/groups?perPage=8&tags=a%2Cb  (on behalf of ada)');
	});

	test('shows an emoji in a path as it looks, and leaves a slash in it encoded', () => {
		const thumb = request('DELETE', `/messages/1/reactions/${encodeURIComponent('👎')}`);
		expect(requestLine(thumb)).toBe('DELETE /v3/messages/1/reactions/👎');
		const slash = request('DELETE', '/messages/1/reactions/a%2Fb');
		expect(requestLine(slash)).toBe('DELETE /v3/messages/1/reactions/a%2Fb');
	});

	test('shows several items as a table, at most six, in at most 76 characters', () => {
		const json = {
			list: [1],
			gone: undefined,
			text: 'x'.repeat(500),
			next: 'y'.repeat(25),
			last: 1,
		};
		const items = Array.from({ length: 8 }, (_, n) => ({ json: { n: `row ${n}`, ...json } }));
		const lines = itemTable(items).split('\n');
		expect(lines[1]).toMatch(/n .*list .*text /);
		expect(lines[1]).not.toContain('next');
		expect(lines.filter((line) => line.includes('row'))).toHaveLength(6);
		expect(lines.at(-1)).toBe('… and 2 more');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
		expect(itemTable(items.slice(0, 2))).not.toContain('more');
	});
});

test('The story happens in the sandbox as it is told, on a terminal of 100 columns', async () => {
	const { store } = sandbox();
	const groups = store.groups.count;
	const lines: string[] = [];
	const options = { credentials: credentialsOf(sandbox()) };
	await tellStory({ sandbox: sandbox(), options, print: (line = '') => lines.push(line) });
	const story = lines.join('\n');
	expect(story.split('\n').length).toBeLessThan(35);
	expect(Math.max(...story.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
	expect(story).not.toMatch(/undefined|null|NaN|\[object/);
	expect(story).toContain('Tomás Ferreo added 👎');
	expect(story).toContain('"My first lamp!" has no reactions any more');
	expect(story).toMatch(/Priya opens the link in it and answers at \d+:\d+ [AP]M: approved true/);
	expect(store.groups.count).toBe(groups);
	expect(story).toMatch(/Moderation → Review: block message \d+, done/);
	expect(story).toContain('✘ No group has this ID (GUID)');
	expect(sandbox().violations).toEqual([]);
});
