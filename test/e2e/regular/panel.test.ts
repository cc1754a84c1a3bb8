import type { INodeProperties } from 'n8n-workflow';

import { EditorPage } from '../lib/editorPage';
import { useBrowser, useTestSystem } from '../lib/testHooks';
import { CometChatTrigger } from '../../../nodes/CometChat/CometChatTrigger.node';
import { resources } from '../../../nodes/CometChat/resources';

const stage = useTestSystem();
const browser = useBrowser();

const windows = new Map<boolean, EditorPage>();

async function emptyWorkflow(dark = false): Promise<EditorPage> {
	const editor = windows.get(dark) ?? (await EditorPage.open(browser(), stage().n8n.url, { dark }));
	windows.set(dark, editor);
	await editor.newWorkflow();
	return editor;
}

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

/** Searches for each phrase and returns the phrases whose top results don't include the node. */
async function findMissed(
	editor: EditorPage,
	node: string,
	phrases: string[],
	places = 9,
): Promise<string[]> {
	const missed: string[] = [];
	for (const phrase of phrases) {
		// n8n briefly shows the previous results, so clear them first
		const previous = await editor.searchNodes('no such node');
		await previous.first().waitFor({ state: 'detached' });
		const found = await editor.searchNodes(phrase);
		const row = found.filter({ has: editor.page.getByText(node, { exact: true }) }).first();
		const isFound = await row.waitFor({ timeout: 5_000 }).then(
			() => true,
			() => false,
		);
		const names = (await found.allInnerTexts()).map((text) => text.trim().split('\n')[0]);
		if (!isFound || names.indexOf(node) >= places) missed.push(`${phrase}: ${names.join(', ')}`);
	}
	return missed;
}

/** Time limit for a test that searches for many phrases, in milliseconds. */
const SEARCHES_MS = 240_000;

describe("The editor's panel of nodes", () => {
	test.each(['cometchat', 'remove reaction', 'send message', 'get many groups'])(
		'finds the node by "%s"',
		async (text) => {
			const editor = await emptyWorkflow();
			await editor.openNodeCreator();
			const found = await editor.searchNodes(text);
			await found.filter({ hasText: 'CometChat' }).first().waitFor();
			expect(await found.first().innerText()).toMatch(/^CometChat/);
		},
	);

	/** Search phrases, keyed by the node that must be among the first nine results. */
	const PHRASES: Record<string, string[]> = {
		CometChat: [
			...['cometchat', 'comet chat', 'chat', 'messaging', 'real time', 'emoji', 'new message'],
			...['direct message', 'private message', 'thread', 'mention', 'user mentioned'],
			...['member joined', 'send message', 'post message', 'edit message', 'delete message'],
			...['search messages', 'list messages', 'remove reaction', 'add reaction', 'reaction'],
			...['list groups', 'group', 'create group', 'add members', 'invite', 'kick', 'ban'],
			...['moderator', 'moderation', 'reported messages', 'block user', 'add user', 'sign up'],
			...['welcome', 'create user', 'approve'],
			...['ban user', 'chat message', 'group chat', 'push notification', 'unread', 'user joined'],
			...['add user to group', 'ask for approval', 'export messages', 'chat history'],
			...['send message to user', 'invite user', 'notify user', 'welcome message'],
			...['send chat message', 'conversation', 'thumbs down', 'joined groups', 'groups of user'],
		],
		// n8n shows a trigger's name without the word "Trigger"
		'CometChat Polling': ['message reported', 'reported'],
	};

	test.each(Object.entries(PHRASES))(
		'finds %s by common phrases',
		async (node, phrases) => {
			const editor = await emptyWorkflow();
			await editor.openNodeCreator();
			expect(await findMissed(editor, node, phrases)).toEqual([]);
		},
		SEARCHES_MS,
	);

	test("finds CometChat beside n8n's own nodes that wait for a person", async () => {
		const editor = await emptyWorkflow();
		await editor.openNodeCreator();
		const phrases = ['approval', 'human', 'wait', 'form'];
		expect(await findMissed(editor, 'CometChat', phrases, 20)).toEqual([]);
	});

	test(
		'finds CometChat by the label of each event',
		async () => {
			const editor = await emptyWorkflow();
			await editor.openNodeCreator();
			const [, ...labels] = [...COMMON_EVENTS, ...MORE_EVENTS];
			expect(MORE_EVENTS.length).toBeGreaterThan(0);
			expect(await findMissed(editor, 'CometChat', labels)).toEqual([]);
		},
		SEARCHES_MS,
	);

	test("lists the trigger's events, and an event starts a workflow with its node", async () => {
		const editor = await emptyWorkflow();
		await editor.openNodeCreator();
		const found = await editor.searchNodes('cometchat');
		await found.filter({ hasText: 'CometChat' }).first().click();
		const events = COMMON_EVENTS.map((label) => `On ${label.toLowerCase()}`);
		const rows = editor.page.getByTestId('item-iterator-item');
		await rows.filter({ hasText: events.at(-1) }).waitFor();
		await editor.page.getByText(`Triggers (${events.length})`, { exact: true }).waitFor();
		const texts = (await rows.allInnerTexts()).map((text) => text.trim());
		// The search results are still on the page while the event list slides in
		expect(texts.slice(texts.indexOf(events[0]))).toEqual(events);

		await rows.filter({ has: editor.page.getByText(events[1], { exact: true }) }).click();
		await editor.ndv.waitFor();
		expect((await editor.field('events').innerText()).trim()).toBe(COMMON_EVENTS[1]);
	});

	test('lists the actions by resource', async () => {
		const sections = resources.flatMap(({ name, operations }) => [
			`${name.toUpperCase()} ACTIONS`,
			...[...operations]
				.sort((a, b) => a.name.localeCompare(b.name, 'en'))
				.map(({ action }) => action),
		]);
		const editor = await emptyWorkflow();
		const rows = await editor.showActions();
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
		const editor = await emptyWorkflow(theme === 'dark');
		const rows = await editor.showActions();
		const icon = rows.filter({ hasText: 'Get message' }).locator('img').first();
		await icon.waitFor();
		expect((await icon.getAttribute('src'))?.split('/').at(-1)).toBe(file);
		expect(await icon.evaluate((image) => image.naturalWidth)).toBeGreaterThan(0);
	});
});
