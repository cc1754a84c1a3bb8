import type { INodeProperties } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EditorPage } from '../lib/editorPage';
import { useBrowser, useResource, useTestSystem } from '../lib/testHooks';
import { CometChatTrigger } from '../../../nodes/CometChat/CometChatTrigger.node';
import { resources } from '../../../nodes/CometChat/resources';

const system = useTestSystem();
const browser = useBrowser();
const editor = useResource(async () => await EditorPage.open(browser(), system().n8n.url));

beforeEach(async () => await editor().newWorkflow());

/** Returns the labels of a field's options, in menu order. */
function labelsIn(fields: INodeProperties[], name: string): string[] {
	const { options = [] } = fields.find((field) => field.name === name) ?? {};
	return options.map((option) => ('displayName' in option ? option.displayName : option.name));
}

const { properties } = new CometChatTrigger().description;

/** Labels of the trigger's common events. The first label is the option for all events. */
const COMMON_EVENTS = labelsIn(properties, 'events');

/** Labels of the trigger's less common events. */
const MORE_EVENTS = labelsIn(
	(properties.find(({ name }) => name === 'options')?.options ?? []).filter(
		(option) => 'displayName' in option && 'type' in option,
	),
	'moreEvents',
);

/** Search phrases that must show the node among the first results. */
const PHRASES: Array<[what: string, node: string, places: number, phrases: string[]]> = [
	[
		'main actions',
		'CometChat',
		1,
		['cometchat', 'remove reaction', 'send message', 'get many groups'],
	],
	[
		'common phrases',
		'CometChat',
		9,
		[
			...['comet chat', 'chat', 'messaging', 'real time', 'emoji', 'new message'],
			...['direct message', 'private message', 'thread', 'mention', 'user mentioned'],
			...['member joined', 'post message', 'edit message', 'delete message'],
			...['search messages', 'list messages', 'add reaction', 'reaction'],
			...['list groups', 'group', 'create group', 'add members', 'invite', 'kick', 'ban'],
			...['moderator', 'moderation', 'reported messages', 'block user', 'add user', 'sign up'],
			...['welcome', 'create user', 'approve'],
			...['ban user', 'chat message', 'group chat', 'push notification', 'unread', 'user joined'],
			...['add user to group', 'ask for approval', 'export messages', 'chat history'],
			...['send message to user', 'invite user', 'notify user', 'welcome message'],
			...['send chat message', 'conversation', 'thumbs down', 'joined groups', 'groups of user'],
		],
	],
	[
		'words that people combine',
		'CometChat',
		9,
		[
			...['webhook', 'cometchat message', 'cometchat webhook', 'card', 'upload', 'upload file'],
			...['send file', 'send image', 'auto reply', 'quote message', 'live chat', 'support chat'],
			...['read receipt', 'online status', 'missed call', 'user left', 'bot', 'chatbot'],
		],
	],
	[
		'messages without webhook',
		'CometChat Polling',
		9,
		['messages without webhook', 'poll messages'],
	],
	['messages to a bot', 'CometChat Bot Trigger', 9, ['message to bot', 'slash command']],
	['answers of bots', 'CometChat', 9, ['answer', 'reply', 'respond', 'answer message']],
	['common events', 'CometChat', 9, COMMON_EVENTS.slice(1)],
	['other events', 'CometChat', 9, MORE_EVENTS],
	// n8n shows a trigger's name without the word "Trigger"
	['reports', 'CometChat Polling', 9, ['message reported', 'reported']],
	// n8n has several nodes of its own that wait for a person
	['waiting for people', 'CometChat', 20, ['approval', 'human', 'wait', 'form']],
];

describe("The editor's panel of nodes", () => {
	test.each(PHRASES)(
		'searched for %s, shows %s among the first %i results',
		async (_what, node, places, phrases) => {
			await editor().openNodeCreator();
			const missed: string[] = [];
			for (const phrase of phrases) {
				// n8n briefly shows the previous results, so clear them first
				const previous = await editor().searchNodes('no such node');
				await previous.first().waitFor({ state: 'detached' });
				const found = await editor().searchNodes(phrase);
				const row = found.filter({ has: editor().page.getByText(node, { exact: true }) }).first();
				await row.waitFor({ timeout: 5_000 }).catch(() => undefined);
				const texts = await found.allInnerTexts();
				const names = texts.map((text) => text.trim().split('\n')[0]);
				if (!names.slice(0, places).includes(node)) missed.push(`${phrase}: ${names.join(', ')}`);
			}
			expect(phrases).not.toEqual([]);
			expect(missed).toEqual([]);
		},
		240_000,
	);

	test("lists the trigger's events, and an event starts a workflow with its node", async () => {
		const { page } = editor();
		await editor().openNodeCreator();
		const found = await editor().searchNodes('cometchat');
		await found.filter({ hasText: 'CometChat' }).first().click();
		const events = COMMON_EVENTS.map((label) => `On ${label.toLowerCase()}`);
		const rows = page.getByTestId('item-iterator-item');
		await rows.filter({ hasText: events.at(-1) }).waitFor();
		await page.getByText(`Triggers (${events.length})`, { exact: true }).waitFor();
		const texts = (await rows.allInnerTexts()).map((text) => text.trim());
		// The search results are still on the page while the event list slides in
		expect(texts.slice(texts.indexOf(events[0]))).toEqual(events);

		await rows.filter({ has: page.getByText(events[1], { exact: true }) }).click();
		await editor().ndv.waitFor();
		expect((await editor().field('events').innerText()).trim()).toBe(COMMON_EVENTS[1]);
	});

	test('lists the actions by resource', async () => {
		const sections = resources.flatMap(({ name, operations }) => [
			`${name.toUpperCase()} ACTIONS`,
			...[...operations]
				.sort((a, b) => a.name.localeCompare(b.name, 'en'))
				.map(({ action }) => action),
		]);
		const rows = await editor().showActions();
		// n8n renders long lists in batches, so wait for the last section
		await rows.filter({ hasText: sections.at(-1) }).waitFor();
		const texts = (await rows.allInnerTexts()).map((text) => text.trim());
		const ours = texts.slice(texts.indexOf(`${resources[0].name.toUpperCase()} ACTIONS`));
		expect(ours).toEqual(sections);
	});

	test.each([
		['light', 'cometchat.svg'],
		['dark', 'cometchat.dark.svg'],
	])('shows the icon made for the %s theme', async (theme, file) => {
		const dark = theme === 'dark';
		const window = await EditorPage.open(browser(), system().n8n.url, { dark });
		await window.newWorkflow();
		const rows = await window.showActions();
		const icon = rows.filter({ hasText: 'Get message' }).locator('img').first();
		await icon.waitFor();
		expect((await icon.getAttribute('src'))?.split('/').at(-1)).toBe(file);
		expect(await icon.evaluate((image) => image.naturalWidth)).toBeGreaterThan(0);
	});
});

test.each(['n8n-nodes-base', '@n8n/n8n-nodes-langchain'])(
	'No node of n8n itself in %s is for CometChat',
	(name) => {
		const file = join(__dirname, '../node_modules', name, 'dist/known/nodes.json');
		const known = Object.keys(JSON.parse(readFileSync(file, 'utf8')));
		expect(known.length).toBeGreaterThan(50);
		expect(known.filter((node) => /comet/i.test(node))).toEqual([]);
	},
);
