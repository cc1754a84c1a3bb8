import type { IDataObject } from 'n8n-workflow';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { runWorkflow, type RunResult } from '../../engine/engine';
import { itemTable, requestLine } from '../../examples/report';
import { HELP, readSettings } from '../../examples/settings';
import { readExample, selectExamples } from '../../examples/workflows';
import { call, listOf, messageOf } from '../sandbox/client';
import { credentialsOf, useSandbox, wire } from './harness';

const sandbox = useSandbox();

const FOLDER = join(__dirname, '../../examples');
const SANDBOX_SETTINGS = { help: false };

async function runExample(file: string): Promise<RunResult> {
	const { workflow } = readExample(file);
	const result = await runWorkflow(workflow, { credentials: credentialsOf(sandbox()) });
	if (result.error) throw result.error;
	return result;
}

const jsonOf = (result: RunResult, node: string): IDataObject[] =>
	result.items(node).map(({ json }) => json);

describe('The example workflows', () => {
	test('are all run by the runner', () => {
		const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
		const run = selectExamples(SANDBOX_SETTINGS).map(({ file }) => file);
		expect([...run].sort()).toEqual(files.sort());
	});

	test.each(selectExamples(SANDBOX_SETTINGS).map(({ file }) => file))(
		'%s runs to its end within the contract',
		async (file) => {
			const { workflow } = readExample(file);
			const result = await runExample(file);
			for (const { name } of workflow.nodes) expect(result.items(name)).not.toEqual([]);
			expect(sandbox().violations).toEqual([]);
			expect(sandbox().log.map(({ status }) => status)).toEqual(sandbox().log.map(() => 200));
		},
	);

	test('list-groups lists public and private groups with tags, by name', async () => {
		const items = jsonOf(await runExample('list-groups.json'), 'List groups');
		const query = 'types=public,private&withTags=true&sortBy=name&sortOrder=asc&perPage=8';
		const { data } = listOf(await call(sandbox(), `/groups?${query}`));
		expect(items.map(({ guid, name }) => ({ guid, name }))).toEqual(
			data.map(({ guid, name }) => ({ guid, name })),
		);
		expect(items.length).toBe(8);
	});

	test('get-message gets the message as a direct request does', async () => {
		const [item] = jsonOf(await runExample('get-message.json'), 'Get a message');
		const message = messageOf(await call(sandbox(), '/messages/108', { as: 'mira' }));
		expect(item).toMatchObject({ id: message.id, sender: message.sender, text: message.data.text });
	});

	test('remove-reaction removes a keycap', async () => {
		expect(sandbox().store.reactions('105', 'tomas')).toContainEqual({
			reaction: '#️⃣',
			count: 2,
			reactedByMe: true,
		});
		await runExample('remove-reaction.json');
		expect(sandbox().store.reactions('105', 'tomas')).toContainEqual({ reaction: '#️⃣', count: 1 });
	});

	test('chain goes from a message to its reaction and to the groups of its sender', async () => {
		const result = await runExample('chain.json');
		expect(wire(sandbox())[0]).toBe('GET /messages/109');
		expect(wire(sandbox())[1]).toBe(`DELETE /messages/109/reactions/${encodeURIComponent('❤️')}`);
		expect(sandbox().log[2].headers.onbehalfof).toBe('mira');
		const items = jsonOf(result, 'List groups of the sender');
		const { data } = listOf(
			await call(sandbox(), '/groups?hasJoined=true&types=private&perPage=1000', { as: 'mira' }),
		);
		expect(items).toEqual(
			data.map(({ guid, name, scope, joinedAt }) => ({ guid, name, scope, joinedAt })),
		);
		expect(sandbox().store.reactions('109', 'leo')).toContainEqual({ reaction: '❤️', count: 3 });
	});
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
		expect(examples.map(({ file }) => file)).toEqual(['list-groups.json']);
	});

	test('get a message, and remove a reaction, only when asked for', () => {
		const args = ['--message', '7', '--user', 'ada'];
		const files = (more: string[]) =>
			selectExamples(readSettings([...args, ...more], real)).map(({ file }) => file);
		expect(files([])).toEqual(['list-groups.json', 'get-message.json']);
		expect(files(['--remove', '👍'])).toEqual([
			'list-groups.json',
			'get-message.json',
			'remove-reaction.json',
		]);
		const [, get] = selectExamples(readSettings(args, real));
		const node = get.workflow.nodes.find(({ type }) => type.startsWith('n8n-nodes-cometchat.'));
		expect(node?.parameters).toMatchObject({ messageId: '7', onBehalfOf: 'ada' });
	});

	test('are refused when they do not fit together', () => {
		expect(() => readSettings(['--remove', '👍'], real)).toThrow(/needs --message and --user/);
		expect(() => readSettings(['--message', '7'], {})).toThrow(/set COMETCHAT_API_KEY/);
		expect(() => readSettings(['--nonsense'], {})).toThrow(/nonsense/);
	});

	test('name every option in the help', () => {
		expect(readSettings(['--help'], {}).help).toBe(true);
		for (const name of ['--message', '--user', '--remove', '--help', ...Object.keys(real)]) {
			expect(HELP).toContain(name);
		}
	});
});

describe('The report of "npm start"', () => {
	test('shows a request in one line, and never the key', () => {
		const line = requestLine({
			method: 'GET',
			url: 'https://app.api-eu.cometchat.io/v3/groups',
			qs: { perPage: 8, tags: 'a,b' },
			headers: { apikey: 'the-secret', onBehalfOf: 'ada' },
		});
		expect(line).toBe('GET /v3/groups?perPage=8&tags=a%2Cb  (on behalf of ada)');
		expect(line).not.toContain('the-secret');
	});

	test('shows a request without query and user', () => {
		const url = 'https://app.api-eu.cometchat.io/v3/messages/1';
		expect(requestLine({ url, headers: { apikey: 'the-secret' } })).toBe('GET /v3/messages/1');
	});

	test('shows what the engine really sent without the key', async () => {
		const lines: string[] = [];
		await runWorkflow(readExample('chain.json').workflow, {
			credentials: credentialsOf(sandbox()),
			onRequest: (request) => {
				expect(request.headers?.apikey).toBe(sandbox().apiKey);
				lines.push(requestLine(request));
			},
		});
		expect(lines.length).toBe(3);
		expect(lines.join()).not.toContain(sandbox().apiKey);
	});

	test('shows at most ten items and says how many more there are', () => {
		const items = Array.from({ length: 12 }, (_, n) => ({
			json: { n, list: [n], gone: undefined },
		}));
		const table = itemTable(items);
		expect(table).toContain('[9]');
		expect(table).not.toContain('[10]');
		expect(table).toMatch(/… and 2 more$/);
		expect(itemTable(items.slice(0, 2))).not.toContain('more');
	});
});
