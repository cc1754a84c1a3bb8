import type { Browser } from 'playwright-core';

import { startBrowser } from '../lib/browser';
import { EditorPage } from '../lib/editorPage';
import type { Stage } from '../lib/stage';
import { openStage } from '../lib/stage';

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
	stage = await openStage();
	browser = await startBrowser();
});

afterAll(async () => {
	await browser?.close();
	await stage?.close();
});

const windows = new Map<boolean, EditorPage>();

async function emptyWorkflow(dark = false): Promise<EditorPage> {
	const editor = windows.get(dark) ?? (await EditorPage.open(browser, stage.n8n.url, { dark }));
	windows.set(dark, editor);
	await editor.newWorkflow();
	return editor;
}

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

	test('lists the actions by their resource', async () => {
		const editor = await emptyWorkflow();
		const rows = await editor.showActions();
		const texts = (await rows.allInnerTexts()).map((text) => text.trim());
		const ours = texts.slice(texts.indexOf('GROUP ACTIONS'));
		expect(ours).toEqual([
			'GROUP ACTIONS',
			'Add members to group',
			'Create group',
			'Delete group',
			'Get group',
			'List groups',
			'List members of group',
			'Remove member from group',
			'Update group',
			'MESSAGE ACTIONS',
			'Add reaction to message',
			'Delete message',
			'Get message',
			'List messages',
			'List reactions to message',
			'Remove reaction from message',
			'Send message',
			'Update message',
		]);
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
