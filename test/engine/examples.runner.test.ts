import type { IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { runWorkflow } from '../../engine/engine';
import { indent, itemTable, itemsText, requestLine, requestLines } from '../../examples/report';
import { HELP, readSettings } from '../../examples/settings';
import { readExample, selectExamples } from '../../examples/workflows';
import { credentialsOf, useSandbox } from './harness';

const sandbox = useSandbox();

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

	test('name every option in the help', () => {
		expect(readSettings(['--help'], {}).help).toBe(true);
		for (const name of ['--message', '--user', '--remove', '--help', ...Object.keys(real)]) {
			expect(HELP).toContain(name);
		}
	});
});

describe('The report of "npm start"', () => {
	const itemsOf = (...all: Array<INodeExecutionData['json']>): INodeExecutionData[] =>
		all.map((json) => ({ json }));
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

	test('shows a request without query and user', () => {
		expect(requestLine(request(undefined, '/messages/1'))).toBe('GET /v3/messages/1');
	});

	test('shows an emoji in a path as it looks, and leaves a slash in it encoded', () => {
		const thumb = request('DELETE', `/messages/1/reactions/${encodeURIComponent('👎')}`);
		expect(requestLine(thumb)).toBe('DELETE /v3/messages/1/reactions/👎');
		const slash = request('DELETE', '/messages/1/reactions/a%2Fb');
		expect(requestLine(slash)).toBe('DELETE /v3/messages/1/reactions/a%2Fb');
	});

	test('shows a path that is no text as it is', () => {
		expect(requestLine(request('GET', '/messages/%FF'))).toBe('GET /v3/messages/%FF');
	});

	test('shows what the engine really sent without the key', async () => {
		const lines: string[] = [];
		await runWorkflow(readExample('chain.json').workflow, {
			credentials: credentialsOf(sandbox()),
			onRequest: (sent) => {
				expect(sent.headers?.apikey).toBe(sandbox().apiKey);
				lines.push(requestLine(sent));
			},
		});
		expect(lines.length).toBe(3);
		expect(lines.join()).not.toContain(sandbox().apiKey);
	});

	test('counts equal requests, and shows the first of many', () => {
		const send = request('POST', '/messages');
		expect(requestLines([send, send])).toBe('→ POST /v3/messages  × 2');
		const gets = [1, 2, 3, 4].map((id) => request('GET', `/messages/${id}`));
		expect(requestLines(gets)).toBe('→ GET /v3/messages/1\n→ GET /v3/messages/2\n→ … and 2 more');
	});

	test('shows one item line by line, with a text of several lines in a block', () => {
		expect(itemsText(itemsOf({ id: '1', text: 'One\nTwo', data: { a: 1 } }), true)).toBe(
			['← 1 item', '  id    1', '  text  One', '        Two', '  data  {"a":1}'].join('\n'),
		);
	});

	test('shows several items as a table, at most six, in at most 76 characters', () => {
		const items = itemsOf(
			...Array.from({ length: 8 }, (_, n) => ({
				n,
				list: [n],
				gone: undefined,
				text: 'x'.repeat(500),
				next: 'y'.repeat(25),
				last: 'z',
			})),
		);
		const text = itemsText(items, true);
		const lines = text.split('\n');
		expect(lines[0]).toBe('← 8 items');
		expect(text).toContain('[5]');
		expect(text).not.toContain('[6]');
		expect(lines.at(-1)).toBe('… and 2 more');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
		expect(itemTable(items.slice(0, 2))).not.toContain('more');
	});

	test('shows only how many items there are when told so', () => {
		expect(itemsText(itemsOf({ id: '1' }), false)).toBe('← 1 item');
		expect(itemsText([], true)).toBe('← 0 items');
	});

	test('says how many items failed, and the first reason', () => {
		const items = itemsOf({ id: '1' }, { error: 'Not this one' }, { error: 'Not this one' });
		expect(itemsText(items, false)).toBe('← 1 item\n✘ 2 items failed\n  Not this one  × 2');
		expect(itemsText(itemsOf({ error: 'A' }, { error: 'B' }), true)).toBe(
			'✘ 2 items failed\n  A\n  … and 1 more',
		);
	});

	test('is indented line by line', () => {
		expect(indent('a\nb')).toBe('  a\n  b');
	});
});
