import type { Locator } from 'playwright-core';

import { SAMPLE_AUTH_ONLY_KEY } from '../../../tools/sandbox/server';
import { useEditor, useStage } from '../lib/use';

const WRONG_KEY = '00000000000000000000000000000000000000ff';

const stage = useStage({ cloud: true });
const editor = useEditor(stage);

beforeEach(async () => {
	await editor().newWorkflow();
	await editor().addAction('List groups');
});

const dialog = (): Locator => editor().page.getByTestId('editCredential-modal');

const typed = (name: string): Locator =>
	dialog().getByTestId(`parameter-input-${name}`).locator('input');

async function openNew(): Promise<void> {
	await editor().page.getByTestId('node-credentials-select').first().click();
	await editor().page.getByTestId('node-credentials-select-item-new').click();
	await typed('apiKey').waitFor();
}

async function save(): Promise<void> {
	await dialog().getByTestId('credential-save-button').click();
}

/** Types a new credential for the sandbox, or another address, and saves it. */
async function enter(apiKey: string, baseUrl: string): Promise<void> {
	await openNew();
	await typed('apiKey').fill(apiKey);
	await typed('region').click();
	await editor().pick('Custom Base URL');
	await typed('baseUrl').fill(baseUrl);
	await save();
}

/** Types a new credential for the sandbox's app in a region, and saves it. */
async function enterRegion(region: 'EU' | 'US'): Promise<void> {
	const { apiKey, appId } = stage().sandbox;
	await openNew();
	await typed('apiKey').fill(apiKey);
	await typed('region').click();
	await editor().pick(region);
	await typed('appId').fill(appId);
	await save();
}

/** The whole page, but for what stands in the password field while it is being typed. */
async function shown(): Promise<string> {
	const value = await typed('apiKey').inputValue();
	return (await editor().page.content()).replace(`value="${value}"`, '');
}

/** What the dialog says after "Couldn’t connect with these settings". */
async function refusal(): Promise<string> {
	await dialog().getByText('Couldn’t connect with these settings').waitFor();
	await dialog().getByText('More details').click();
	return await dialog().innerText();
}

describe('The credential dialog', () => {
	test('shows the green tick for the right values, and the key nowhere', async () => {
		const { sandbox, client } = stage();
		await enter(sandbox.apiKey, sandbox.baseUrl);
		await dialog().waitFor({ state: 'hidden' });
		await editor().page.getByTestId('credential-edit-button').click();
		await dialog().getByText('Connection tested successfully').waitFor();
		expect(await typed('apiKey').inputValue()).not.toContain(sandbox.apiKey);
		expect(await editor().page.content()).not.toContain(sandbox.apiKey);
		await dialog().getByRole('button', { name: 'Close' }).click();
		await dialog().waitFor({ state: 'hidden' });

		await editor().execute();
		await editor().output.locator('table tbody tr').first().waitFor();
		expect(await editor().page.content()).not.toContain(sandbox.apiKey);
		const id = editor().workflowId;
		const saved = await client.savedWorkflow(id);
		expect(saved).toContain('cometChatApi');
		expect(saved).not.toContain(sandbox.apiKey);
		const [run] = await client.executions(id, 1);
		expect((await client.execution(run.id)).stored).not.toContain(sandbox.apiKey);
	});

	test('asks for the App ID only where a region makes the address', async () => {
		await openNew();
		expect(await typed('appId').isVisible()).toBe(true);
		expect(await typed('baseUrl').count()).toBe(0);
		await typed('region').click();
		await editor().pick('Custom Base URL');
		await typed('baseUrl').waitFor();
		expect(await typed('appId').count()).toBe(0);
	});

	test('finds the app by its App ID and Region', async () => {
		const { sandbox } = stage();
		await enterRegion('EU');
		await dialog().waitFor({ state: 'hidden' });
		const path = `/app/${sandbox.appId}/v3/groups`;
		expect(sandbox.log.at(-1)).toMatchObject({ path, keyOk: true, status: 200 });
	});

	test('says that the region has no such app', async () => {
		await enterRegion('US');
		expect(await refusal()).toContain('No app in this region has this ID');
		expect(await shown()).not.toContain(stage().sandbox.apiKey);
	});

	test.each([
		['a key that nobody has', WRONG_KEY, '', 'CometChat does not know this API key'],
		['a key without full access', SAMPLE_AUTH_ONLY_KEY, '', 'This API key lacks full access'],
		['an address beside the interface', '', '/elsewhere', 'CometChat has no API at this address'],
	])('says what is wrong with %s', async (_what, key, path, message) => {
		const { sandbox } = stage();
		await enter(key || sandbox.apiKey, path ? sandbox.url + path : sandbox.baseUrl);
		expect(await refusal()).toContain(message);
		expect(await shown()).not.toContain(key || sandbox.apiKey);
	});

	test('says that a host answers with a web page', async () => {
		stage().sandbox.setFaults([{ effect: { html: true } }]);
		await enter(stage().sandbox.apiKey, stage().sandbox.baseUrl);
		expect(await refusal()).toContain('CometChat sent a web page (HTML) with status 200');
	});
});
