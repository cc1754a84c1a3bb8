import type { Browser, Locator } from 'playwright-core';

import { SAMPLE_AUTH_ONLY_KEY } from '../../sandbox/server';
import { picture, startBrowser } from '../lib/browser';
import { EditorPage } from '../lib/editorPage';
import type { Stage } from '../lib/stage';
import { openStage } from '../lib/stage';

const WRONG_KEY = '00000000000000000000000000000000000000ff';

let stage: Stage;
let browser: Browser;
let editor: EditorPage;

beforeAll(async () => {
	stage = await openStage();
	browser = await startBrowser();
	editor = await EditorPage.open(browser, stage.n8n.url);
	await editor.newWorkflow();
	await editor.addAction('List groups');
});

afterAll(async () => {
	await browser?.close();
	await stage?.close();
});

const dialog = (): Locator => editor.page.getByTestId('editCredential-modal');

const typed = (name: string): Locator =>
	dialog().getByTestId(`parameter-input-${name}`).locator('input');

async function openNew(): Promise<void> {
	await editor.page.getByTestId('node-credentials-select').first().click();
	await editor.page.getByTestId('node-credentials-select-item-new').click();
	await typed('apiKey').waitFor();
}

async function save(): Promise<void> {
	await dialog().getByTestId('credential-save-button').click();
}

async function close(): Promise<void> {
	await dialog().getByRole('button', { name: 'Close' }).click();
	await dialog().waitFor({ state: 'hidden' });
}

/** Types a new credential for the sandbox, or another address, and saves it. */
async function enter(apiKey: string, baseUrl: string): Promise<void> {
	await openNew();
	await typed('apiKey').fill(apiKey);
	await typed('region').click();
	await editor.pick('Custom Base URL');
	await typed('baseUrl').fill(baseUrl);
	await save();
}

/** What the dialog says after "Couldn’t connect with these settings". */
async function refusal(): Promise<string> {
	await dialog().getByText('Couldn’t connect with these settings').waitFor();
	await dialog().getByText('More details').click();
	const banner = dialog().locator('[class*="banner"], [class*="callout"]').filter({
		hasText: 'Couldn’t connect',
	});
	return (await banner.first().innerText()).replace(/\s+/g, ' ');
}

describe('The credential dialog', () => {
	test('asks for the App ID only where a region makes the address', async () => {
		await openNew();
		expect(await typed('appId').isVisible()).toBe(true);
		expect(await typed('baseUrl').count()).toBe(0);
		await typed('region').click();
		await editor.pick('Custom Base URL');
		await typed('baseUrl').waitFor();
		expect(await typed('appId').count()).toBe(0);
		await editor.page.keyboard.press('Escape');
		await dialog().waitFor({ state: 'hidden' });
	});

	test.each([
		['a key that nobody has', WRONG_KEY, '', 'CometChat does not know this API key'],
		['a key without full access', SAMPLE_AUTH_ONLY_KEY, '', 'This API key lacks full access'],
		['the App ID of no app', '', '/app/0000000000000000/v3', 'There is no such app in this region'],
		['an address beside the interface', '', '/elsewhere', 'does not answer as CometChat does'],
	])('says what is wrong with %s', async (_what, key, path, message) => {
		const { sandbox } = stage;
		await enter(key || sandbox.apiKey, path ? sandbox.url + path : sandbox.baseUrl);
		expect(await refusal()).toContain(message);
		const html = await editor.page.content();
		expect(html).not.toContain(key || sandbox.apiKey);
		await close();
	});

	test('says that a host answers with a web page', async () => {
		stage.sandbox.setFaults([{ effect: { html: true } }]);
		await enter(stage.sandbox.apiKey, stage.sandbox.baseUrl);
		expect(await refusal()).toContain('This address does not answer as CometChat does');
		stage.sandbox.setFaults(undefined);
		await close();
	});

	test('shows the green tick for the right values, and the key nowhere', async () => {
		const { sandbox, client } = stage;
		await enter(sandbox.apiKey, sandbox.baseUrl);
		await dialog().waitFor({ state: 'hidden' });
		await editor.page.getByTestId('credential-edit-button').click();
		await dialog().getByText('Connection tested successfully').waitFor();
		await picture(editor.page, 'credential');
		expect(await typed('apiKey').inputValue()).not.toContain(sandbox.apiKey);
		expect(await editor.page.content()).not.toContain(sandbox.apiKey);
		await close();

		await editor.execute();
		await editor.output.locator('table tbody tr').first().waitFor();
		expect(await editor.page.content()).not.toContain(sandbox.apiKey);
		const [{ id }] = await client.workflows();
		const saved = await client.savedWorkflow(id);
		expect(saved).toContain('cometChatApi');
		expect(saved).not.toContain(sandbox.apiKey);
		const [run] = await client.executions(id, 1);
		expect((await client.execution(run.id)).stored).not.toContain(sandbox.apiKey);
	});
});
