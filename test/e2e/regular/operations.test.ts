import type { Browser } from 'playwright-core';

import { startBrowser } from '../lib/browser';
import { EditorPage } from '../lib/editorPage';
import type { Stage } from '../lib/stage';
import { openStage } from '../lib/stage';

let stage: Stage;
let browser: Browser;
let editor: EditorPage;

beforeAll(async () => {
	stage = await openStage();
	browser = await startBrowser();
	editor = await EditorPage.open(browser, stage.n8n.url);
});

beforeEach(async () => {
	stage.sandbox.reset();
	await editor.newWorkflow();
});

afterAll(async () => {
	await browser?.close();
	await stage?.close();
});

describe('The fields of the node', () => {
	test('appear and vanish with resource, operation, Return All and Output', async () => {
		await editor.addAction('List groups');
		const common = ['Resource', 'Operation'];
		const lists = ['On Behalf Of', 'Output', 'Filters', 'Sort', 'Options'];
		expect(await editor.labels()).toEqual([...common, 'Return All', 'Limit', ...lists]);

		await editor.field('returnAll').locator('.el-switch, [role=switch]').first().click();
		await expectLabels([...common, 'Return All', ...lists]);

		await editor.choose('output', 'Selected Fields');
		await expectLabels([...common, 'Return All', ...lists.toSpliced(2, 0, 'Fields')]);

		await editor.choose('output', 'Raw');
		await editor.choose('resource', 'Message');
		await expectLabels([...common, 'Message ID', 'On Behalf Of', 'Output', 'Options']);

		await editor.choose('operation', 'Remove Reaction');
		const removing = ['Message ID', 'Reaction', 'On Behalf Of', 'Output', 'Options'];
		await expectLabels([...common, ...removing]);
	});

	async function expectLabels(labels: string[]): Promise<void> {
		// The editor redraws after a moment
		for (let tries = 0; tries < 20; tries++) {
			if (JSON.stringify(await editor.labels()) === JSON.stringify(labels)) break;
			await editor.page.waitForTimeout(100);
		}
		expect(await editor.labels()).toEqual(labels);
	}
});

describe('An operation set up by clicking', () => {
	test('lists groups that fit a filter, in a table of simplified columns', async () => {
		await editor.addAction('List groups');
		await editor.chooseCredential('CometChat');
		await editor.fill('limit', '5');
		await editor.choose('output', 'Simplified');
		await editor.addTo('Add Filter', 'Type');
		await editor.choose('type', 'Private');
		await editor.addTo('Add Sort Field', 'Sort By');
		await editor.execute();
		const { columns, rows } = await editor.table();
		expect(columns).toEqual([
			'guid',
			'name',
			'description',
			'type',
			'membersCount',
			'owner',
			'tags',
			'createdAt',
		]);
		expect(rows).toHaveLength(5);
		expect(rows.map((row) => row[3])).toEqual(Array(5).fill('private'));
		const names = rows.map((row) => row[1]);
		expect(names).toEqual([...names].sort());
		expect(stage.sandbox.log.at(-1)?.query).toEqual({
			type: 'private',
			sortBy: 'name',
			page: '1',
			perPage: '5',
		});
	});

	test('gives only the fields that are named', async () => {
		await editor.addAction('List groups');
		await editor.chooseCredential('CometChat');
		await editor.fill('limit', '2');
		await editor.choose('output', 'Selected Fields');
		await editor.ndv.getByRole('button', { name: 'Add Field' }).click();
		await editor.ndv.getByPlaceholder('e.g. guid').fill('name');
		await editor.ndv.getByPlaceholder('e.g. guid').blur();
		await editor.execute();
		expect((await editor.table()).columns).toEqual(['name']);
	});

	test('gets a message', async () => {
		await editor.addAction('Get a message');
		await editor.chooseCredential('CometChat');
		await editor.fill('messageId', '102');
		await editor.choose('output', 'Simplified');
		await editor.execute();
		const { columns, rows } = await editor.table();
		expect(columns).toContain('text');
		expect(rows).toHaveLength(1);
		expect(rows[0][columns.indexOf('text')]).toBe('Yes, all of them.');
	});

	test('removes a reaction, an emoji with a "#" in it', async () => {
		await editor.addAction('Remove a reaction from a message');
		await editor.chooseCredential('CometChat');
		await editor.fill('messageId', '105');
		await editor.fill('reaction', '#️⃣');
		await editor.fill('onBehalfOf', 'yuki');
		await editor.choose('output', 'Simplified');
		await editor.execute();
		const { columns, rows } = await editor.table();
		expect(rows[0][columns.indexOf('reactions')]).toBe('#️⃣ 1, 🇮🇳 1');
		expect(stage.sandbox.log.at(-1)).toMatchObject({
			method: 'DELETE',
			path: '/v3/messages/105/reactions/%23%EF%B8%8F%E2%83%A3',
			status: 200,
		});
		expect(stage.sandbox.store.reactions('105')).toContainEqual({ reaction: '#️⃣', count: 1 });
	});
});

describe('An error in the output panel', () => {
	test('says what happened and which field to change', async () => {
		await editor.addAction('Get a message');
		await editor.chooseCredential('CometChat');
		await editor.fill('messageId', '999');
		await editor.execute();
		const message = await editor.output.getByTestId('node-error-message').innerText();
		expect(message).toContain('No message has this ID: check "Message ID".');
	});

	test('names the field whose value would change the address, and nothing is sent', async () => {
		await editor.addAction('Remove a reaction from a message');
		await editor.chooseCredential('CometChat');
		await editor.fill('messageId', '105');
		await editor.fill('reaction', '..');
		await editor.fill('onBehalfOf', 'yuki');
		await editor.execute();
		expect(await editor.output.getByTestId('node-error-message').innerText()).toContain(
			'"Reaction" must not be ".."',
		);
		expect(stage.sandbox.log).toEqual([]);
	});

	test('never shows the API key, not even where the service repeats it', async () => {
		const { sandbox, client } = stage;
		sandbox.setFaults([
			{ effect: { echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } } },
		]);
		await editor.addAction('List groups');
		await editor.chooseCredential('CometChat');
		await editor.execute();
		const message = await editor.output.getByTestId('node-error-message').innerText();
		expect(message).toContain('CometChat does not know the API key');
		for (const part of ['From CometChat', 'Other info']) {
			await editor.output.getByText(part, { exact: true }).click();
		}
		await editor.output.getByText('n8n version').waitFor();
		expect(await editor.output.innerText()).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
		expect(await editor.page.content()).not.toContain(sandbox.apiKey);
		const [run] = await client.executions(editor.workflowId, 1);
		const { stored } = await client.execution(run.id);
		expect(stored).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
		expect(stored).not.toContain(sandbox.apiKey);
	});
});
