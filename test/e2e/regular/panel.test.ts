import { EditorPage } from '../lib/editorPage';
import { useBrowser, useStage } from '../lib/use';
import { resources } from '../../../nodes/CometChat/resources';

const stage = useStage();
const browser = useBrowser();

const windows = new Map<boolean, EditorPage>();

async function emptyWorkflow(dark = false): Promise<EditorPage> {
	const editor = windows.get(dark) ?? (await EditorPage.open(browser(), stage().n8n.url, { dark }));
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

	/** What people type, and the place that the node has at most among all of n8n's. */
	const PLACES: Record<string, number> = {
		...{ cometchat: 1, 'comet chat': 1, chat: 9, messaging: 9, 'real time': 9, emoji: 9 },
		...{ 'new message': 9, 'direct message': 9, 'private message': 9, thread: 9, mention: 9 },
		...{ 'user mentioned': 9, 'member joined': 9, 'send message': 9, 'post message': 9 },
		...{ 'edit message': 9, 'delete message': 9, 'search messages': 9, 'list messages': 9 },
		...{ 'remove reaction': 9, 'add reaction': 9, reaction: 9, 'list groups': 9, group: 9 },
		...{ 'create group': 9, 'add members': 9, invite: 9, kick: 9, ban: 9, moderator: 9 },
		...{ moderation: 9, 'reported messages': 9, 'block user': 9, 'add user': 9, 'sign up': 9 },
		...{ welcome: 9, 'create user': 9, approval: 9, approve: 9, human: 9, wait: 9, form: 9 },
	};

	test('finds the node by what people type', async () => {
		const editor = await emptyWorkflow();
		await editor.openNodeCreator();
		const places: Record<string, number> = {};
		for (const text of Object.keys(PLACES)) {
			const found = await editor.searchNodes(text);
			await found.filter({ hasText: 'CometChat' }).first().waitFor();
			const names = (await found.allInnerTexts()).map((row) => row.trim());
			places[text] = names.findIndex((name) => name.startsWith('CometChat')) + 1;
		}
		const late = Object.entries(places).filter(([text, place]) => place > PLACES[text]);
		expect(Object.fromEntries(late)).toEqual({});
		expect(Object.keys(PLACES).length).toBeGreaterThanOrEqual(40);
	});

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
