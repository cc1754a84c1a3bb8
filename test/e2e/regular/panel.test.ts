import type { Browser } from 'playwright-core';

import { startBrowser } from '../lib/browser';
import { EditorPage } from '../lib/editorPage';
import type { Stage } from '../lib/stage';
import { openStage } from '../lib/stage';
import { resources } from '../../../nodes/CometChat/resources';

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
		const sections = resources.flatMap(({ name, operations }) => [
			`${name.toUpperCase()} ACTIONS`,
			...[...operations]
				.sort((a, b) => a.name.localeCompare(b.name, 'en'))
				.map(({ action }) => action),
		]);
		const editor = await emptyWorkflow();
		const rows = await editor.showActions();
		// n8n shows a long list bit by bit
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
