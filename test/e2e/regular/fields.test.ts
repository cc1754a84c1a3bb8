import type { INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { waitFor } from '../lib/processes';
import { useEditor, useTestSystem } from '../lib/testHooks';
import { code, cometChat, COMETCHAT, manual, node, workflow } from '../../../tools/n8nEngine/draft';

const system = useTestSystem();
const editor = useEditor(system);

/** Saves a workflow with a CometChat node that receives an item, and opens the node in the editor. */
async function open(parameters: Parameters<typeof cometChat>[1]): Promise<void> {
	const draft = workflow('Fields', [
		manual(),
		code('Items', [{ user: 'mira' }]),
		cometChat(system().credentialId, parameters),
	]);
	await editor().openWorkflow(await system().client.addWorkflow(draft));
	await editor().openNode('CometChat');
}

/** Expects the node to show exactly these fields. Retries, because the editor redraws with a delay. */
async function expectLabels(labels: string[]): Promise<void> {
	for (let attempt = 0; attempt < 30; attempt++) {
		if (JSON.stringify(await editor().readLabels()) === JSON.stringify(labels)) break;
		await editor().page.waitForTimeout(100);
	}
	expect(await editor().readLabels()).toEqual(labels);
}

const COMMON = ['Resource', 'Operation'];

describe('The fields of the node', () => {
	test('appear and disappear depending on the chosen values', async () => {
		await editor().newWorkflow();
		await editor().addAction('List groups');
		const list = ['Filters', 'Options', 'Sort', 'Output'];
		await expectLabels([...COMMON, 'On Behalf Of', 'Return All', 'Limit', ...list]);

		await editor().field('returnAll').locator('.el-switch, [role=switch]').first().click();
		await expectLabels([...COMMON, 'On Behalf Of', 'Return All', ...list]);

		await editor().chooseOperation('Group', 'Create');
		const id = [...COMMON, 'Group ID (GUID)', 'Name', 'Type'];
		const more = ['On Behalf Of', 'Additional Fields', 'Options', 'Output'];
		await expectLabels([...id, ...more]);
		await editor().choose('type', 'Password');
		await expectLabels([...id, 'Password', ...more]);

		await editor().chooseOperation('Message', 'Remove Reaction');
		const reaction = ['Message ID', 'Reaction', 'Reacted By', 'Output'];
		await expectLabels([...COMMON, ...reaction]);

		await editor().chooseOperation('Message', 'Send');
		const sent = ['Send As', 'Additional Fields', 'Output'];
		await expectLabels([...COMMON, 'Send To', 'Group', 'Message Type', 'Text', ...sent]);
		await editor().choose('receiverType', 'User');
		await editor().choose('messageType', 'Custom');
		const custom = ['Message Type', 'Custom Type', 'Custom Data'];
		await expectLabels([...COMMON, 'Send To', 'User', ...custom, ...sent]);
	});

	test('for requests are in the Settings tab, and all fields show the saved values', async () => {
		await open({
			resource: 'message',
			operation: 'send',
			groupId: 'makers',
			text: 'Hello',
			output: '={{ $json.user === "mira" ? "raw" : "simplified" }}',
			requestOptions: { maxTries: 3 },
		});
		expect(await editor().field('output').innerText()).toContain('$json.user');
		await editor().openTab('settings');
		const settings = ['Request Options', 'Retry Attempts'];
		expect((await editor().readLabels()).slice(0, settings.length)).toEqual(settings);
		expect(await editor().field('maxTries').locator('input').first().inputValue()).toBe('3');
		await editor().execute();
		expect((await editor().readTable()).columns).toContain('data');
	});

	test('offer filters for the whole app only if the whole app is searched', async () => {
		const onlyOfApp = ['Conversation ID', 'Hide Deleted', 'Only Deleted', 'Receiver Type'];
		const readOffered = async (): Promise<string[]> => {
			const entries = await editor().openMenu('Add Filter');
			const texts = await entries.allInnerTexts();
			await editor().page.keyboard.press('Escape');
			return texts.map((text) => text.trim()).filter((text) => onlyOfApp.includes(text));
		};
		await open({ resource: 'message', operation: 'list', messagesOf: 'group' });
		expect(await editor().readLabels()).toContain('Group');
		expect(await readOffered()).toEqual([]);
		await editor().choose('messagesOf', 'Whole App');
		await waitFor('The filters of the whole app', async () => (await readOffered()).length > 0);
		expect(await readOffered()).toEqual(onlyOfApp);
		expect(await editor().readLabels()).not.toContain('Group');
	});
});

/** Saves a workflow with a node that has no credential, and opens the node in the editor. */
async function openWithoutCredential(type: string, parameters: INodeParameters): Promise<void> {
	const draft = workflow('Fields', [node({ name: 'Node', type, parameters })]);
	await editor().openWorkflow(await system().client.addWorkflow(draft));
	await editor().openNode('Node');
}

describe('The list of Fields', () => {
	const output = { output: 'fields', fields: ['name', 'metadata.team'] };

	test('offers the columns of the chosen operation without a credential, and accepts other paths', async () => {
		const parameters = { resource: 'group', operation: 'list', ...output };
		await openWithoutCredential(COMETCHAT, parameters);
		const ofGroup = await editor().openLoaded('fields', 'updatedBy');
		expect(ofGroup.slice(0, 3)).toEqual(['guid', 'name', 'description']);
		expect(await editor().field('fields').innerText()).toContain('metadata.team');
		expect(await editor().ndv.innerText()).not.toContain('is not supported');
		await editor().page.keyboard.press('Escape');
		await editor().chooseOperation('Message', 'Get');
		await editor().choose('output', 'Selected Fields');
		const ofMessage = await editor().openLoaded('fields', 'reactions');
		expect(ofMessage.slice(0, 3)).toEqual(['id', 'sentAt', 'senderName']);
		expect(system().sandbox.log).toEqual([]);
	});

	test('offers the columns of the chosen events without a credential', async () => {
		const events = { watch: 'app', events: [], options: { moreEvents: ['user_blocked'] } };
		await openWithoutCredential(`${COMETCHAT}Trigger`, { ...events, ...output });
		const ofUser = await editor().openLoaded('fields', 'avatar');
		expect(ofUser).toEqual([
			...['event', 'at', 'uid', 'name', 'by', 'byName', 'status', 'role', 'avatar'],
		]);
	});
});

test("The lists of 'Watch' offer the app's groups and users", async () => {
	const { client, credentialId } = system();
	const trigger = node({
		name: 'CometChat Trigger',
		type: `${COMETCHAT}Trigger`,
		parameters: { events: ['message_reaction_added'] },
		credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
	});
	await editor().openWorkflow(await client.addWorkflow(workflow('Lists', [trigger])));
	await editor().openNode('CometChat Trigger');
	expect(await editor().openLoaded('groupIds', 'All Hands (all-hands)')).toContain(
		'Alerts (alerts)',
	);
	await editor().page.keyboard.press('Escape');
	await editor().choose('watch', 'Users');
	await editor().openLoaded('userIds', 'Mira Halden (mira)');
});

describe('The list of a resource locator', () => {
	const readTexts = async (entries: Locator): Promise<string[]> =>
		(await entries.allInnerTexts()).map((text) => text.trim());

	test('can be searched by name, and loads the next page on scrolling', async () => {
		const { sandbox } = system();
		sandbox.setSettings({ maxPerPage: 20 });
		await open({ resource: 'group', operation: 'get' });
		const entries = await editor().openList('groupId');
		expect(await entries.count()).toBe(20);
		await entries.first().hover();
		while ((await entries.count()) < sandbox.store.groups.count) {
			const count = await entries.count();
			await entries.last().scrollIntoViewIfNeeded();
			await editor().page.mouse.wheel(0, 2_000);
			await entries.nth(count).waitFor();
		}
		expect(new Set(await readTexts(entries)).size).toBe(sandbox.store.groups.count);
		expect(await readTexts(await editor().searchList('Showcase', 'makers-showcase'))).toEqual([
			'Makers: Showcase (makers-showcase)',
		]);
		await entries.first().click();
		await editor().execute();
		expect(sandbox.log.at(-1)).toMatchObject({ path: '/v3/groups/makers-showcase', status: 200 });
		expect(sandbox.violations).toEqual([]);
	});

	test('shows an error without the key if loading fails', async () => {
		const { sandbox } = system();
		sandbox.setFaults([
			{ effect: { echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } } },
		]);
		await open({ resource: 'group', operation: 'get' });
		await editor().openList('groupId');
		const shown = await editor().page.getByTestId('rlc-error-container').innerText();
		expect(shown).toContain('CometChat does not recognize this API key');
		expect(shown).toContain("Check 'REST API Key' and 'Base URL' in the credential");
		expect(await editor().page.content()).not.toContain(sandbox.apiKey);
	});

	test('shows plain text saved by an API client, and the node uses the text', async () => {
		await open({ resource: 'group', operation: 'get', groupId: 'makers', onBehalfOf: 'mira' });
		for (const [name, value] of Object.entries({ groupId: 'makers', onBehalfOf: 'mira' })) {
			expect(await editor().locator(name).getByTestId('rlc-input').inputValue()).toBe(value);
		}
		await editor().execute();
		expect(system().sandbox.log.at(-1)).toMatchObject({
			path: '/v3/groups/makers',
			headers: { onbehalfof: 'mira' },
			status: 200,
		});
	});
});
