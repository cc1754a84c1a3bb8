import { EditorPage } from '../lib/editorPage';
import { useBrowser, useTestSystem } from '../lib/testHooks';
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

	/** Search phrases, by the name of the node expected among the first nine results. */
	const PHRASES: Record<string, string[]> = {
		CometChat: [
			...['cometchat', 'comet chat', 'chat', 'messaging', 'real time', 'emoji', 'new message'],
			...['direct message', 'private message', 'thread', 'mention', 'user mentioned'],
			...['member joined', 'send message', 'post message', 'edit message', 'delete message'],
			...['search messages', 'list messages', 'remove reaction', 'add reaction', 'reaction'],
			...['list groups', 'group', 'create group', 'add members', 'invite', 'kick', 'ban'],
			...['moderator', 'moderation', 'reported messages', 'block user', 'add user', 'sign up'],
			...['welcome', 'create user', 'approval', 'approve', 'human', 'wait', 'form'],
			...['ban user', 'chat message', 'group chat', 'push notification', 'unread', 'user joined'],
			...['add user to group', 'ask for approval', 'export messages', 'chat history'],
			...['send message to user', 'invite user', 'notify user', 'welcome message'],
		],
		// n8n shows the name without "Trigger"
		'CometChat Polling': ['message reported'],
	};

	test.each(Object.entries(PHRASES))('finds %s by common phrases', async (node, phrases) => {
		const editor = await emptyWorkflow();
		await editor.openNodeCreator();
		const missed: string[] = [];
		for (const phrase of phrases) {
			const found = await editor.searchNodes(phrase);
			const row = found.filter({ has: editor.page.getByText(node, { exact: true }) }).first();
			const isFound = await row.waitFor({ timeout: 2_000 }).then(
				() => true,
				() => false,
			);
			const names = (await found.allInnerTexts()).map((text) => text.trim().split('\n')[0]);
			if (!isFound || names.indexOf(node) > 8) missed.push(`${phrase}: ${names.join(', ')}`);
		}
		expect(missed).toEqual([]);
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
		// n8n renders a long list in steps
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
