import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { agentNodes, agentWires } from '../lib/agent';
import { COMMON_EVENTS } from '../lib/eventLabels';
import { useEditor, useTestSystem } from '../lib/testHooks';
import { manual, workflow } from '../../../tools/n8nEngine/draft';
import { resources } from '../../../nodes/CometChat/resources';

const system = useTestSystem();
const editor = useEditor(system);

describe("The editor's panel of nodes", () => {
	beforeAll(async () => await editor().newWorkflow());

	afterEach(async () => await editor().closeNodeCreator());

	test('searched for a main action, shows the node first', async () => {
		await editor().openNodeCreator();
		for (const phrase of ['cometchat', 'remove reaction', 'send message', 'get many groups']) {
			const [first] = await editor().listFound(phrase, 'CometChat');
			expect([phrase, first]).toEqual([phrase, 'CometChat']);
		}
	});

	test.each([
		['ai bot', 'CometChat Bot Trigger'],
		['chatbot', 'CometChat Bot Trigger'],
		['export members', 'CometChat'],
		['delete messages', 'CometChat'],
		['new user', 'CometChat'],
		['user reported', 'CometChat Polling'],
		['in-app chat', 'CometChat'],
	])('searched for "%s", shows %s', async (phrase, node) => {
		await editor().openNodeCreator();
		expect(await editor().listFound(phrase, node)).toContain(node);
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
	] as const)('shows the icon made for the %s theme', async (theme, file) => {
		await editor().page.emulateMedia({ colorScheme: theme });
		const rows = await editor().showActions();
		const icon = rows.filter({ hasText: 'Get message' }).locator('img').first();
		await icon.waitFor();
		expect((await icon.getAttribute('src'))?.split('/').at(-1)).toBe(file);
		expect(await icon.evaluate((image) => image.naturalWidth)).toBeGreaterThan(0);
	});

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
});

test("An AI agent's list of memories offers the chat memory, which is then connected", async () => {
	const draft = workflow('Agent', [manual(), ...agentNodes('none')], agentWires('Manual', []));
	await editor().openWorkflow(await system().client.addWorkflow(draft));
	const { page } = editor();
	const agent = page.locator('[data-test-id="canvas-node"][data-node-name="AI Agent"]');
	const memories = '[data-test-id="canvas-node-input-handle"][data-connection-type="ai_memory"]';
	await agent.locator(`${memories} [data-test-id="canvas-handle-plus"]`).first().click();
	const rows = page.getByTestId('item-iterator-item');
	await rows.filter({ hasText: 'CometChat Chat Memory' }).click();
	await page.getByText('Add to workflow').click();
	await editor().field('conversation').waitFor();
	await editor().closeNode();
	await page
		.locator('[data-test-id="canvas-node"][data-node-name="CometChat Chat Memory"]')
		.waitFor();
	const edge = '[data-test-id="edge"][data-source-node-name="CometChat Chat Memory"]';
	await page.locator(`${edge}[data-target-node-name="AI Agent"]`).waitFor({ state: 'attached' });
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
