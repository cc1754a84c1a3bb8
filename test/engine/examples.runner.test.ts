import type { IHttpRequestOptions } from 'n8n-workflow';

import { runWorkflow } from '../../engine/engine';
import { itemTable, requestLine } from '../../examples/report';
import { readSettings } from '../../examples/settings';
import { tellStory } from '../../examples/story';
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

	test('shows what the engine really sent without the key', async () => {
		const lines: string[] = [];
		await runWorkflow(readExample('chain.json'), {
			credentials: credentialsOf(sandbox()),
			onRequest: (sent) => {
				expect(sent.headers?.apikey).toBe(sandbox().apiKey);
				lines.push(requestLine(sent));
			},
		});
		expect(lines.length).toBe(3);
		expect(lines.join()).not.toContain(sandbox().apiKey);
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
