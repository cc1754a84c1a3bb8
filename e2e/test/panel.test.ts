import type { Browser } from 'playwright-core';

import { picture, startBrowser } from '../lib/browser';
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
	await editor.openNodeCreator();
	return editor;
}

describe("The editor's panel of nodes", () => {
	test.each(['cometchat', 'remove reaction'])('finds the node by "%s"', async (text) => {
		const editor = await emptyWorkflow();
		const found = await editor.searchNodes(text);
		const node = found.filter({ hasText: 'CometChat' }).first();
		await node.waitFor();
		expect(await node.innerText()).toContain('remove reactions in CometChat');
	});

	test('lists the three actions by their resource', async () => {
		const editor = await emptyWorkflow();
		const found = await editor.searchNodes('cometchat');
		await found.filter({ hasText: 'CometChat' }).first().click();
		const rows = editor.page.getByTestId('item-iterator-item');
		await rows.filter({ hasText: 'Get a message' }).waitFor();
		const texts = (await rows.allInnerTexts()).map((text) => text.trim());
		const ours = texts.slice(texts.findIndex((text) => text === 'GROUP ACTIONS'));
		expect(ours).toEqual([
			'GROUP ACTIONS',
			'List groups',
			'MESSAGE ACTIONS',
			'Get a message',
			'Remove a reaction from a message',
		]);
		await picture(editor.page, 'node-panel');
	});

	test.each([
		['light', 'cometchat.svg'],
		['dark', 'cometchat.dark.svg'],
	])('shows the icon made for the %s theme', async (theme, file) => {
		const editor = await emptyWorkflow(theme === 'dark');
		const found = await editor.searchNodes('cometchat');
		const icon = found.filter({ hasText: 'CometChat' }).first().locator('img').first();
		await icon.waitFor();
		expect((await icon.getAttribute('src'))?.split('/').at(-1)).toBe(file);
		expect(await icon.evaluate('(image) => image.naturalWidth > 0')).toBe(true);
	});
});
