import type { IDataObject } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { RunOptions, RunResult, WorkflowFile } from '../../engine/engine';
import { runWorkflow } from '../../engine/engine';
import { nodeTypesByName } from '../../engine/types';
import { readExample } from '../../examples/workflows';
import type { StoredMessage } from '../../sandbox/store/messages';
import { call, listOf } from '../sandbox/client';
import { credentialsOf, useSandbox, wire } from './harness';

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

const jsonOf = (result: RunResult, node: string, output = 0): IDataObject[] =>
	result.items(node, output).map(({ json }) => json);

/** What all runs of a node returned on an output: after two branches it runs once for each. */
const allJsonOf = ({ run: { data } }: RunResult, node: string, output = 0): IDataObject[] =>
	(data.resultData.runData[node] ?? []).flatMap((task) =>
		(task.data?.main[output] ?? []).map(({ json }) => json),
	);

const notesOf = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

const cometChatNodesOf = ({ nodes }: WorkflowFile) =>
	nodes.filter(({ type }) => type.startsWith(PACKAGE));

/** Messages to a user or a group that were sent while an example ran, oldest first. */
function sentTo(receiver: string): string[] {
	return sandbox()
		.store.messages()
		.filter((message) => message.receiver === receiver && message.sender === 'app_system')
		.filter(({ category }) => category === 'message')
		.map(({ text = '' }) => text);
}

/** How many users have made this reaction to each message of a group. */
function countsOf(reaction: string, guid: string): Record<string, number> {
	const inGroup = ({ receiver }: StoredMessage) => receiver === guid;
	return Object.fromEntries(
		sandbox()
			.store.messages()
			.filter(inGroup)
			.map(({ id, reactions }): [string, number] => [id, reactions.all(reaction).length])
			.filter(([, count]) => count > 0),
	);
}

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

describe('The small examples', () => {
	test('go from a message to its reaction and to the groups of its sender', async () => {
		const result = await run(readExample('chain.json'));
		expect(wire(sandbox())[0]).toBe('GET /messages/109');
		expect(wire(sandbox())[1]).toBe(`DELETE /messages/109/reactions/${encodeURIComponent('❤️')}`);
		expect(sandbox().log[2].headers.onbehalfof).toBe('mira');
		const { data } = listOf(
			await call(sandbox(), '/groups?hasJoined=true&types=private&perPage=1000', { as: 'mira' }),
		);
		expect(jsonOf(result, 'List groups')).toEqual(
			data.map(({ guid, name, scope, joinedAt }) => ({ guid, name, scope, joinedAt })),
		);
		expect(sandbox().store.reactions('109', 'leo')).toContainEqual({ reaction: '❤️', count: 3 });
	});
});

describe('Onboarding', () => {
	const FILE = 'onboarding.json';
	const membersOf = (guid: string) =>
		(sandbox().store.group(guid)?.members ?? []).map(({ uid }) => uid).sort();

	test('creates the group that does not exist, once, adds and welcomes everyone, and reports who failed', async () => {
		const before = sandbox().store.groupCount;
		await run(readExample(FILE));
		expect(sandbox().store.groupCount).toBe(before + 1);
		expect(sandbox().store.group('project-comet')).toMatchObject({
			name: 'Project Comet',
			type: 'private',
		});
		expect(membersOf('project-comet')).toEqual(['carla', 'noor']);
		expect(membersOf('onboarding')).toEqual(['aisha', 'carla', 'leo', 'mira', 'tomas']);
		expect(sentTo('project-comet').sort()).toEqual([
			expect.stringContaining('Welcome, <@uid:carla>!'),
			expect.stringContaining('Welcome, <@uid:noor>!'),
		]);
		expect(sentTo('onboarding')).toEqual([expect.stringContaining('Welcome, <@uid:tomas>!')]);
		expect(sentTo('mira')).toEqual([
			expect.stringMatching(
				/^old-account was not added to "Welcome Aboard"\.\n.*ERR_UID_NOT_FOUND/,
			),
		]);
	});
});

describe('Clean-up', () => {
	const FILE = 'clean-up.json';
	const ADVERTS = ['122', '128', '129'];

	test('deletes the messages with the text, and no other', async () => {
		await run(readExample(FILE));
		const deleted = sandbox()
			.store.messages()
			.filter(({ deletedAt }) => deletedAt !== undefined);
		expect(deleted.map(({ id }) => id)).toEqual(ADVERTS);
	});

	test('reports once what it deleted, of whom and where', async () => {
		await run(readExample(FILE));
		const [report, ...more] = sentTo('makers-mods');
		expect(more).toEqual([]);
		expect(report.split('\n')).toEqual([
			'Deleted 3 of 3 messages:',
			'• 122 by ext_sam-99 to hardware-lab: deleted',
			'• 128 by ext_sam-99 to makers: deleted',
			'• 129 by ext_sam-99 to makers-help: deleted',
		]);
	});

	test('reports a message that it could not delete, with the reason, in its own line', async () => {
		const refused = {
			status: 403,
			body: { error: { code: 'ERR_MESSAGE_ACTION_NOT_ALLOWED', message: 'Not this one' } },
		};
		sandbox().setFaults([
			{ match: { method: 'DELETE', path: '/v3/messages/128' }, effect: { status: refused } },
		]);
		await run(readExample(FILE));
		const lines = sentTo('makers-mods')[0].split('\n');
		expect(lines[0]).toBe('Deleted 2 of 3 messages:');
		expect(lines[2]).toMatch(/to makers: .*Not this one \(ERR_MESSAGE_ACTION_NOT_ALLOWED\)/);
		expect(lines[3]).toMatch(/to makers-help: deleted$/);
		expect(sandbox().store.message('128')?.deletedAt).toBeUndefined();
	});
});

describe('Moderation', () => {
	const FILE = 'moderation.json';
	const REMOVE = 'Remove reaction from message';

	/** Who has the banned reaction on which message of the group, in the sample data. */
	const FOUND = [
		['124', 'tomas'],
		['124', 'ext_sam-99'],
		['125', 'aisha'],
		['126', 'ext_sam-99'],
		['126', 'yuki'],
		['127', 'ext_sam-99'],
	];

	const removals = () =>
		sandbox()
			.log.filter(({ method }) => method === 'DELETE')
			.map(({ path, headers }) => [path.split('/')[3], headers.onbehalfof]);

	test('removes each banned reaction of the group once, on behalf of who made it, and no other', async () => {
		const others = countsOf('👍', 'makers');
		await run(readExample(FILE));
		expect(removals().sort()).toEqual([...FOUND].sort());
		expect(countsOf('👎', 'makers')).toEqual({});
		expect(countsOf('👍', 'makers')).toEqual(others);
		expect(countsOf('👏', 'makers')).toEqual({ 126: 2 });
	});

	test('tells the group how many were removed, and the moderators nothing when all were', async () => {
		await run(readExample(FILE));
		expect(sentTo('makers')).toEqual([expect.stringContaining('👎 × 6.')]);
		expect(sentTo('makers-mods')).toEqual([]);
	});

	test('tells the moderators who, where and why when a user has left the group', async () => {
		const result = await runThrough(FILE);
		expect(countsOf('👎', 'makers')).toEqual({ 124: 1, 126: 1, 127: 1 });
		expect(sentTo('makers')).toEqual([expect.stringContaining('👎 × 3.')]);
		const [told, ...more] = sentTo('makers-mods');
		expect(more).toEqual([]);
		const [first, ...lines] = told.split('\n');
		expect(first).toBe('Not removed: 👎 × 3');
		expect(lines).toEqual(
			['124', '126', '127'].map((id) =>
				expect.stringMatching(`^• Sam \\(Supplier\\), message ${id}: .*ERR_MESSAGE_NO_ACCESS`),
			),
		);
		expect(jsonOf(result, REMOVE, 1).map(({ messageId, uid }) => [messageId, uid])).toEqual(
			FOUND.filter(([, uid]) => uid === 'ext_sam-99'),
		);
	});

	test('says nothing when nobody made the banned reaction', async () => {
		const example = readExample(FILE);
		await run(example);
		const sent = sentTo('makers').length;
		const result = await run(example);
		expect(jsonOf(result, 'List reactions to message')).toEqual([]);
		expect(sentTo('makers')).toHaveLength(sent);
		expect(sentTo('makers-mods')).toEqual([]);
	});
});
