import { join } from 'node:path';

import { addModelCredential } from '../../test/e2e/lib/agent';
import { loadExample, type SavedCredentials } from '../../test/e2e/lib/examples';
import { startBrowser } from '../../test/e2e/lib/browser';
import { EditorPage } from '../../test/e2e/lib/editorPage';
import { installDebian, installN8n } from '../../test/e2e/lib/install';
import { withCleanup } from '../../test/e2e/lib/cleanup';
import { pack } from '../../test/e2e/lib/package';
import { ROOT } from '../../test/e2e/lib/paths';
import { waitFor } from '../../test/e2e/lib/processes';
import { startTestSystem, type TestSystem } from '../../test/e2e/lib/testSystem';
import { addLogin, LOGIN, webhookUrl } from '../../test/e2e/lib/webhook';
import type { WorkflowDraft } from '../n8nEngine/draft';

/**
 * Takes the documentation's screenshots in a real n8n connected to the sandbox.
 * Usage: npx tsx tools/scripts/pictures.ts [name …]. Without names, takes all screenshots.
 */

const IMAGES = join(ROOT, 'docs', 'images');

/** A rectangle on the page, in pixels. */
type Box = NonNullable<Awaited<ReturnType<EditorPage['ndv']['boundingBox']>>>;

interface Studio {
	stage: TestSystem;
	editor: EditorPage;
	/** Saved credentials, keyed by type. */
	chosen: SavedCredentials;
}

/** Sets up a screenshot and returns the rectangle to capture, or null to capture the whole page. */
type Picture = (studio: Studio) => Promise<Box | null>;

/** Margins around the nodes on the canvas, in pixels, to leave room for node names and buttons. */
const BESIDE_NODES = 90;
const ABOVE_NODES = 24;
const BELOW_NODES = 76;

/** Name of the test system's credential. */
const CREDENTIAL = 'CometChat';

const LAPTOP = { width: 1366, height: 768 };

/** Shows a workflow's canvas without the surrounding editor. */
async function canvas({ stage, editor }: Studio, draft: WorkflowDraft): Promise<Box> {
	const { page } = editor;
	// Tall enough to show all nodes at full size
	await page.setViewportSize({ ...LAPTOP, height: 960 });
	await editor.openWorkflow(await stage.client.addWorkflow(draft));
	await page.addStyleTag({
		content: `
			.vue-flow__panel, [data-test-id="canvas-wrapper"] > :not(:first-child),
			:has(> * > [data-test-id="radio-button-workflow"]) { visibility: hidden; }
		`,
	});
	// The editor centers the workflow with an animation
	await page.waitForTimeout(500);
	const elements = [page.getByTestId('canvas'), ...(await page.locator('.vue-flow__node').all())];
	const boxes = await Promise.all(elements.map((each) => each.boundingBox()));
	const [room, ...nodes] = boxes.filter((box) => box !== null);
	if (!room) throw new Error(`The canvas of "${draft.name}" is not visible`);
	const left = Math.min(...nodes.map(({ x }) => x)) - BESIDE_NODES;
	const top = Math.min(...nodes.map(({ y }) => y)) - ABOVE_NODES;
	const right = Math.max(...nodes.map((node) => node.x + node.width)) + BESIDE_NODES;
	const bottom = Math.max(...nodes.map((node) => node.y + node.height)) + BELOW_NODES;
	const x = Math.max(left, room.x);
	const y = Math.max(top, room.y);
	const width = Math.min(right, room.x + room.width) - x;
	return { x, y, width, height: Math.min(bottom, room.y + room.height) - y };
}

/** Adds a workflow and opens one of its nodes. */
async function open({ stage, editor }: Studio, draft: WorkflowDraft, node: string): Promise<void> {
	await editor.openWorkflow(await stage.client.addWorkflow(draft));
	await editor.openNode(node);
}

/** Returns the rectangle of the open node's panel once the panel shows output. */
async function withOutput({ editor }: Studio): Promise<Box | null> {
	await editor.output.locator('tbody tr, [data-test-id="node-error-message"]').first().waitFor();
	return await editor.ndv.boundingBox();
}

async function webhookTrigger(studio: Studio): Promise<Box | null> {
	const { stage, editor, chosen } = studio;
	const { page } = editor;
	await page.setViewportSize({ ...LAPTOP, height: 860 });
	const draft = loadExample('banned-reaction', chosen);
	await open(studio, draft, 'CometChat Trigger');
	await page.getByTestId('node-execute-button').click();
	await editor.ndv.getByText('Listening for test event').waitFor();
	stage.sandbox.webhooks.set([{ url: webhookUrl(stage.n8n, draft, 'webhook-test'), ...LOGIN }]);
	stage.sandbox.store.addReaction('127', 'mira', '🏮');
	const box = await withOutput(studio);
	stage.sandbox.webhooks.set([]);
	// The table is too wide to show the reaction in the screenshot
	await editor.output.getByText('Schema', { exact: true }).click();
	await editor.output.getByText('🏮').waitFor();
	return box;
}

/** Opens the page that a question links to, at the size of a phone screen. */
async function approval({ stage, editor, chosen }: Studio): Promise<null> {
	const id = await stage.client.addWorkflow(loadExample('clean-up-approved', chosen));
	await stage.client.start(id, 'When clicking ‘Execute workflow’');
	const link = await waitFor('The question', () => {
		const texts = stage.sandbox.store.messages.all().map(({ text = '' }) => text);
		return texts.flatMap((text) => /^Delete \/ .+: (\S+)$/m.exec(text) ?? []).at(1);
	});
	// The link works only after the execution has started waiting
	await waitFor('The page', async () => (await fetch(link)).ok);
	await editor.page.setViewportSize({ width: 390, height: 600 });
	await editor.page.goto(link);
	return null;
}

const PICTURES: Record<string, Picture> = {
	'list-groups': async (studio) => {
		const { editor } = studio;
		await editor.newWorkflow();
		await editor.addAction('List groups');
		await editor.chooseCredential(CREDENTIAL);
		await editor.execute();
		return await withOutput(studio);
	},

	error: async (studio) => {
		const draft = loadExample('get-message', studio.chosen, {
			'Get message': { messageId: '999' },
		});
		await open(studio, draft, 'Get message');
		await studio.editor.execute();
		return await withOutput(studio);
	},
	'webhook-trigger': webhookTrigger,
	approval,

	...Object.fromEntries(
		['moderation', 'moderation-agent', 'review-reports'].map((name): [string, Picture] => [
			`recipe-${name}`,
			async (studio) => await canvas(studio, loadExample(name, studio.chosen)),
		]),
	),
};

/** Hides elements that appear at random times. */
const STILL =
	'.el-notification, .n8n-tooltip, [data-test-id="floating-nodes"] { display: none !important; }';

async function take(picture: Picture, studio: Studio, path: string): Promise<void> {
	const { page } = studio.editor;
	studio.stage.sandbox.reset();
	await page.setViewportSize(LAPTOP);
	const clip = (await picture(studio)) ?? undefined;
	await page.mouse.move(0, 0);
	await page.waitForTimeout(500);
	await page.screenshot({ path, clip, animations: 'disabled', style: STILL });
	console.log(path);
}

async function main(): Promise<void> {
	const names = process.argv.slice(2);
	await installDebian(['chromium', 'fonts-noto-color-emoji'], console.log);
	await installN8n(console.log);
	const { close } = await withCleanup(async (cleanup) => {
		const { tarball, remove } = await pack();
		cleanup.add(remove);
		process.env.COMETCHAT_E2E_TARBALL = tarball;
		const stage = await startTestSystem();
		cleanup.add(stage.close);
		const browser = await startBrowser();
		cleanup.add(async () => await browser.close());
		const chosen: SavedCredentials = {
			cometChatApi: { id: stage.credentialId, name: CREDENTIAL },
			openAiApi: { id: await addModelCredential(stage, stage.sandbox), name: 'openAiApi' },
			...(await addLogin(stage.client)),
		};
		const editor = await EditorPage.open(browser, stage.n8n.url, { density: 2 });
		for (const [name, picture] of Object.entries(PICTURES)) {
			if (names.length > 0 && !names.includes(name)) continue;
			await take(picture, { stage, editor, chosen }, join(IMAGES, `${name}.png`));
		}
		return cleanup;
	});
	await close();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

void main();
