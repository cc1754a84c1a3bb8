import { NodeHelpers, type IDataObject, type IHttpRequestOptions, type INode } from 'n8n-workflow';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { itemTable, requestLine } from '../../examples/report';
import { readSettings } from '../../examples/settings';
import { tellStory } from '../../examples/story';
import { readExample, selectExamples } from '../../examples/workflows';
import { runWorkflow, type RunResult, type WorkflowFile } from '../../tools/n8nEngine/engine';
import { nodeTypesByName } from '../../tools/n8nEngine/types';
import { listPlaces } from '../fields';
import { credentialsOf, useSandbox } from './harness';

const sandbox = useSandbox();

const FOLDER = join(__dirname, '../../examples');

/** Examples that start manually, so that a test can run them. All other examples need a trigger. */
const MANUAL = globSync('*.json', { cwd: FOLDER }).sort();

const ALL = [...MANUAL, ...globSync('automation/*.json', { cwd: FOLDER }).sort()];

const notesOf = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

const cometChatNodesOf = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith('n8n-nodes-cometchat.'));

/** Nodes that return their input items unchanged. */
const PASSES_ITEMS = /\.(?:filter|if|splitInBatches|noOp)$/;

const SCHEMAS = join(__dirname, '../../nodes/CometChat/__schema__/v1.0.0');

/** Returns the columns that a CometChat node returns, or undefined if the columns depend on its settings. */
function readSchema({ parameters }: INode): string[] | undefined {
	const { resource, operation, output = 'simplified' } = parameters;
	if (output !== 'simplified') return undefined;
	const file = join(SCHEMAS, String(resource), `${String(operation)}.json`);
	return Object.keys(JSON.parse(readFileSync(file, 'utf8')).properties);
}

/**
 * Returns the columns of the items that a node receives, or undefined if any of the nodes before is neither a
 * CometChat node nor returns its input unchanged.
 */
function columnsBefore(workflow: WorkflowFile, name: string): string[] | undefined {
	const sources = Object.entries(workflow.connections).flatMap(([source, { main = [] }]) =>
		main.flatMap((links, output) =>
			(links ?? []).filter(({ node }) => node === name).map(() => ({ source, output })),
		),
	);
	const columns = sources.map(({ source, output }) => columnsOf(workflow, source, output));
	return columns.includes(undefined) ? undefined : columns.flatMap((each) => each ?? []);
}

/** Returns the columns of a node's output items, or undefined if they're unknown. */
function columnsOf(workflow: WorkflowFile, name: string, output = 0): string[] | undefined {
	const node = workflow.nodes.find((each) => each.name === name);
	if (node === undefined) return undefined;
	if (PASSES_ITEMS.test(node.type)) return columnsBefore(workflow, name);
	if (node.type !== 'n8n-nodes-cometchat.cometChat') return undefined;
	// n8n adds the error to the input item
	const own = output === 1 ? columnsBefore(workflow, name) : readSchema(node);
	return own && [...own, ...(node.onError ? ['error'] : [])];
}

/** Finds the columns that a node's parameters read, with the columns that exist. */
function findReads(workflow: WorkflowFile, { name, parameters }: INode) {
	const text = JSON.stringify(parameters);
	const ofInput = columnsBefore(workflow, name);
	return [
		...[...text.matchAll(/(?<!\.)(?:\$json|\bjson)\??\.(\w+)/g)].map(([, column]) => ({
			...{ node: name, column, existing: ofInput },
		})),
		...[...text.matchAll(/\$\('([^']+)'\)\.(?:first\(\)|item)\.json\??\.(\w+)/g)].map(
			([, source, column]) => ({ node: name, column, existing: columnsOf(workflow, source) }),
		),
	].filter(({ existing }) => existing !== undefined);
}

/** Fields that contain IDs of the user's own app, which a new user of the example must change. */
const OWN_IDS = ['botId', 'groupId', 'groupIds', 'ignoreUsers', 'onBehalfOf', 'userId', 'userIds'];

/** Lists the labels of a node's fields that contain the ID of a user or group, without IDs by expression. */
function listLabelsOfIds({ type, typeVersion, parameters }: INode): string[] {
	// n8n derives the human review (HITL) node from the tool node, so both have the same fields
	const description = nodeTypesByName.get(type.replace(/HitlTool$/, 'Tool'))?.description ?? null;
	const properties = description?.properties ?? [];
	const values = NodeHelpers.getNodeParameters(
		...[properties, parameters, true, false, { typeVersion }, description],
	);
	return listPlaces(properties).flatMap(({ field, parents: [collection] }) => {
		const isShown = [collection ?? field].every((each) =>
			NodeHelpers.displayParameter(values ?? {}, each, { typeVersion }, description),
		);
		const within = collection ? Object(parameters[collection.name]) : parameters;
		const value: unknown = within[field.name]?.value ?? within[field.name] ?? '';
		const isId = OWN_IDS.includes(field.name) && !String(value).startsWith('=');
		return isShown && isId && String(value) !== '' ? [field.displayName] : [];
	});
}

describe.each(ALL)('The example %s', (file) => {
	const workflow = readExample(file);
	const { nodes, connections, pinData = {} } = workflow;
	const names = nodes.map(({ name }) => name);
	const [note, ...otherNotes] = notesOf(workflow);
	const content = String(note.parameters.content);

	test('has one note, which explains its purpose and changes, and covers no node', () => {
		expect(otherNotes).toEqual([]);
		expect(content).toMatch(/^## .+\n[^]+\*\*Change:\*\* /);
		expect(content.split('\n')[0]).toBe(`## ${workflow.name}`);
		const others = nodes.filter((node) => node !== note).map(({ position }) => position[1]);
		const bottom = note.position[1] + Number(note.parameters.height);
		expect(bottom).toBeLessThan(Math.min(...others) - 20);
	});

	test('refers only to its own nodes in notes, connections and expressions', () => {
		const inNote = [...content.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, name]) => name);
		const targets = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) =>
				outputs.flatMap((links) => (links ?? []).map(({ node }) => node)),
			),
		);
		const parameters = JSON.stringify(nodes.map((node) => node.parameters));
		const inExpressions = [...parameters.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
		expect(targets.length).toBeGreaterThan(0);
		expect([...names, 'published']).toEqual(
			expect.arrayContaining([
				...[...inNote, ...targets, ...inExpressions],
				...[...Object.keys(connections), ...Object.keys(pinData)],
			]),
		);
	});

	test('connects every branch in a loop back to Loop Over Items', () => {
		const outputsOf = (name: string) => connections[name]?.main ?? [];
		for (const loop of nodes.filter(({ type }) => type.endsWith('.splitInBatches'))) {
			const inLoop = new Set((outputsOf(loop.name)[1] ?? []).map(({ node }) => node));
			expect(inLoop.size).toBeGreaterThan(0);
			for (const name of inLoop) {
				if (name === loop.name) continue;
				const { type } = nodes.find((node) => node.name === name) ?? {};
				const outputs = outputsOf(name);
				expect([name, outputs.length]).toEqual([name, type?.endsWith('.if') ? 2 : outputs.length]);
				expect(outputs).not.toEqual([]);
				for (const links of outputs) {
					expect([name, links?.length ?? 0]).not.toEqual([name, 0]);
					for (const { node } of links ?? []) inLoop.add(node);
				}
			}
		}
	});

	test('names in its note each field with an ID of a user or group, and its node', () => {
		const fields = cometChatNodesOf(workflow).flatMap((node) =>
			listLabelsOfIds(node).map((label) => ({ node: node.name, label })),
		);
		const isNamed = ({ node, label }: (typeof fields)[number]) =>
			content.includes(`**${label}**`) && content.includes(`*${node}*`);
		expect(fields.filter((field) => !isNamed(field))).toEqual([]);
	});

	test('says in its note if private conversations start it', () => {
		const watching = cometChatNodesOf(workflow).filter(
			({ parameters }) => parameters.watch === 'app',
		);
		if (watching.length > 0) expect(content).toContain('**Watch**');
	});

	test('reads only columns that the nodes before return', () => {
		const reads = nodes.flatMap((node) => findReads(workflow, node));
		expect(reads.filter(({ column, existing }) => !existing?.includes(column))).toEqual([]);
	});

	test('gives each node a unique name and ID', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
	});

	test('sets only existing parameters, and selects users and groups by ID', () => {
		for (const { type, parameters } of cometChatNodesOf(workflow)) {
			// n8n derives the human review (HITL) node from the tool node, so both have the same fields
			const known = nodeTypesByName.get(type.replace(/HitlTool$/, 'Tool'));
			const fields = known?.description.properties.map(({ name }) => name) ?? [];
			// n8n adds the pollTimes field to all polling triggers
			expect([...fields, 'pollTimes']).toEqual(expect.arrayContaining(Object.keys(parameters)));
			for (const name of ['groupId', 'userId', 'onBehalfOf']) {
				if (!(name in parameters)) continue;
				expect(parameters[name]).toEqual({ __rl: true, mode: 'id', value: expect.any(String) });
			}
		}
	});

	test('contains the names of credentials, but no key', () => {
		for (const { type, credentials } of cometChatNodesOf(workflow)) {
			const [key, name] = type.endsWith('.cometChatTrigger')
				? ['cometChatWebhookApi', 'CometChat Webhook']
				: ['cometChatApi', 'CometChat API'];
			expect(credentials).toEqual({ [key]: expect.objectContaining({ name }) });
		}
		expect(JSON.stringify(nodes)).not.toMatch(/[0-9a-f]{40}/);
	});
});

test('The documentation links to each example, and shows pictures only of examples', () => {
	const recipes = readFileSync(join(FOLDER, '../docs/recipes.md'), 'utf8');
	for (const file of ALL) expect(recipes).toContain(`](../examples/${file})`);
	const pictures = [...recipes.matchAll(/images\/recipe-([\w-]+)\.png/g)].map(([, name]) => name);
	expect(pictures.length).toBeGreaterThan(0);
	expect(ALL.map((file) => basename(file, '.json'))).toEqual(expect.arrayContaining(pictures));
});

/** Collects the output items from all of a node's runs. A node that follows two branches runs twice. */
const outputOf = ({ run: { data } }: RunResult, node: string): IDataObject[] =>
	(data.resultData.runData[node] ?? []).flatMap((task) =>
		(task.data?.main.flat() ?? []).map((item) => item?.json ?? {}),
	);

test.each(MANUAL)('All nodes of the example %s return items', async (file) => {
	const workflow = readExample(file);
	// With a single attempt, the node doesn't wait for a new message to become visible
	for (const { parameters } of cometChatNodesOf(workflow)) {
		parameters.requestOptions = { maxTries: 1 };
	}
	const result = await runWorkflow(workflow, { credentials: credentialsOf(sandbox()) });
	if (result.error) throw result.error;
	const nodes = cometChatNodesOf(workflow).map(({ name }) => name);
	expect(nodes.filter((name) => outputOf(result, name).length === 0)).toEqual([]);
	expect(sandbox().violations).toEqual([]);
});

describe('npm start', () => {
	const real = { COMETCHAT_API_KEY: 'key', COMETCHAT_APP_ID: 'app', COMETCHAT_REGION: 'eu' };

	const namesOf = (...args: string[]) =>
		selectExamples(readSettings(args, real)).map(({ name }) => name);

	test('uses the sandbox by default, and CometChat if key, app and region are set', () => {
		expect(readSettings([], {}).credentials).toBeUndefined();
		expect(readSettings([], { COMETCHAT_API_KEY: '' }).credentials).toBeUndefined();
		const { credentials } = readSettings([], real);
		expect(credentials).toEqual({ apiKey: 'key', appId: 'app', region: 'eu' });
	});

	test('reads a message and removes a reaction of CometChat only if requested', () => {
		const args = ['--message', '7', '--user', 'ada'];
		expect(namesOf()).toEqual(['List groups with filters']);
		expect(namesOf(...args)).toEqual(['List groups with filters', 'Get a message']);
		expect(namesOf(...args, '--remove', '👍')).toEqual([
			...['List groups with filters', 'Get a message', 'Remove a reaction'],
		]);
		const [, get] = selectExamples(readSettings(args, real));
		expect(cometChatNodesOf(get)[0].parameters).toMatchObject({
			messageId: '7',
			onBehalfOf: { __rl: true, mode: 'id', value: 'ada' },
		});
	});

	test.each<[string[], object, RegExp]>([
		...Object.keys(real).map((name): [string[], object, RegExp] => {
			return [[], { ...real, [name]: undefined }, /Set all of/];
		}),
		[['--remove', '👍'], real, /needs --message and --user/],
		[['--message', '7'], {}, /set COMETCHAT_API_KEY/],
		[['--nonsense'], {}, /nonsense/],
	])('rejects %j with %j', (args, env, message) => {
		expect(() => readSettings(args, { ...env })).toThrow(message);
	});

	const request = (method: IHttpRequestOptions['method'], path: string): IHttpRequestOptions => ({
		method,
		url: `https://app.api-eu.cometchat.io/v3${path}`,
		headers: { apikey: 'the-secret', onBehalfOf: 'ada' },
	});

	test.each([
		[
			{ ...request('GET', '/groups'), qs: { perPage: 8, tags: 'a,b' } },
			'GET /v3/groups?perPage=8&tags=a%2Cb',
		],
		[request('DELETE', '/messages/1/reactions/%F0%9F%91%8E'), 'DELETE /v3/messages/1/reactions/👎'],
		[request('DELETE', '/messages/1/reactions/a%2Fb'), 'DELETE /v3/messages/1/reactions/a%2Fb'],
	])('prints a request in one line, without the key: %#', (options, line) => {
		expect(requestLine(options)).toBe(`${line}  (on behalf of ada)`);
	});

	test('prints a table of at most six items and 76 characters per line', () => {
		const json = {
			...{ list: [1], gone: undefined, text: 'x'.repeat(500) },
			...{ next: 'y'.repeat(25), last: 1 },
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

	test('runs the story in the sandbox, and prints at most 35 lines of 100 characters', async () => {
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
		expect(story).toContain('Reminder Bot writes "At nine."');
		expect(story).not.toContain('Nobody asks');
		expect(store.bots.all()).toMatchObject([{ enabled: false }]);
		expect(story).toMatch(/Priya opens the link in it and answers at \d+:\d+ [AP]M: approved true/);
		expect(store.groups.count).toBe(groups);
		expect(story).toMatch(/Moderation → Review: block message \d+, done/);
		expect(story).toContain('✘ No group has this ID (GUID)');
		expect(sandbox().violations).toEqual([]);
	});
});
