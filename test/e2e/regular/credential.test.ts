import type { Locator } from 'playwright-core';

import { useEditor, useTestSystem } from '../lib/testHooks';

const WRONG_KEY = '00000000000000000000000000000000000000ff';

const system = useTestSystem({ cloud: true });
const editor = useEditor(system);

const dialog = (): Locator => editor().page.getByTestId('editCredential-modal');

beforeAll(async () => {
	await editor().newWorkflow();
	await editor().addAction('List groups');
});

async function closeDialog(): Promise<void> {
	await dialog().getByRole('button', { name: 'Close' }).click();
	await dialog().waitFor({ state: 'hidden' });
}

afterEach(async () => {
	if (await dialog().isVisible()) await closeDialog();
});

const findInput = (name: string): Locator =>
	dialog().getByTestId(`parameter-input-${name}`).locator('input');

async function openNew(): Promise<void> {
	await editor().page.getByTestId('node-credentials-select').first().click();
	await editor().page.getByTestId('node-credentials-select-item-new').click();
	await findInput('apiKey').waitFor();
}

/** Fills in the credential dialog and saves the credential. */
async function enter(
	apiKey: string,
	region: string,
	place: { appId?: string; baseUrl?: string },
): Promise<void> {
	await openNew();
	await findInput('apiKey').fill(apiKey);
	await findInput('region').click();
	await editor().pick(region);
	for (const [name, value] of Object.entries(place)) await findInput(name).fill(value);
	await dialog().getByTestId('credential-save-button').click();
}

/** Fills in the credential dialog with the sandbox's base URL and saves the credential. */
const enterForSandbox = async (apiKey: string): Promise<void> =>
	await enter(apiKey, 'Custom Base URL', { baseUrl: system().sandbox.baseUrl });

/** Returns the page's HTML without the value typed into the password field. */
async function pageWithoutInput(): Promise<string> {
	const value = await findInput('apiKey').inputValue();
	return (await editor().page.content()).replace(`value="${value}"`, '');
}

/** Returns the dialog's text after a failed connection test. */
async function readError(): Promise<string> {
	await dialog().getByText('Couldn’t connect with these settings').waitFor();
	await dialog().getByText('More details').click();
	return await dialog().innerText();
}

describe('The credential dialog', () => {
	test('confirms a valid credential and never shows the key', async () => {
		const { sandbox, client } = system();
		await enterForSandbox(sandbox.apiKey);
		await dialog().waitFor({ state: 'hidden' });
		await editor().page.getByTestId('credential-edit-button').click();
		await dialog().getByText('Connection tested successfully').waitFor();
		expect(await findInput('apiKey').inputValue()).not.toContain(sandbox.apiKey);
		expect(await editor().page.content()).not.toContain(sandbox.apiKey);
		await closeDialog();

		await editor().execute();
		await editor().output.locator('table tbody tr').first().waitFor();
		expect(await editor().page.content()).not.toContain(sandbox.apiKey);
		const id = editor().workflowId;
		const saved = await client.getWorkflowText(id);
		expect(saved).toContain('cometChatApi');
		expect(saved).not.toContain(sandbox.apiKey);
		const [run] = await client.listExecutions(id, 1);
		expect((await client.getExecution(run.id)).stored).not.toContain(sandbox.apiKey);
	});

	test('finds the app by App ID and Region', async () => {
		const { sandbox } = system();
		await enter(sandbox.apiKey, 'EU', { appId: sandbox.appId });
		await dialog().waitFor({ state: 'hidden' });
		const path = `/app/${sandbox.appId}/v3/groups`;
		expect(sandbox.log.at(-1)).toMatchObject({ path, keyOk: true, status: 200 });
	});

	test('explains that the app belongs to another region', async () => {
		const { apiKey, appId } = system().sandbox;
		await enter(apiKey, 'US', { appId });
		expect(await readError()).toContain('No app in this region has this ID');
		expect(await pageWithoutInput()).not.toContain(apiKey);
	});

	test('explains that the key is unknown', async () => {
		await enterForSandbox(WRONG_KEY);
		expect(await readError()).toContain('CometChat does not recognize this API key');
		expect(await pageWithoutInput()).not.toContain(WRONG_KEY);
	});

	test('shows the App ID only for regions, not for a custom base URL', async () => {
		await openNew();
		expect(await findInput('appId').isVisible()).toBe(true);
		expect(await findInput('baseUrl').count()).toBe(0);
		await findInput('region').click();
		await editor().pick('Custom Base URL');
		await findInput('baseUrl').waitFor();
		expect(await findInput('appId').count()).toBe(0);
	});
});
