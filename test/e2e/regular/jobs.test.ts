import type { Locator } from 'playwright-core';

import { useEditor, useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const editor = useEditor(system);

/** Returns a column of the open node's output table. */
async function readColumn(name: string): Promise<string[]> {
	const { columns, rows } = await editor().readTable();
	return rows.map((row) => row[columns.indexOf(name)]);
}

/** Adds a CometChat action after the last node on the canvas, and opens the new node. */
async function addAfter(node: string, action: string): Promise<void> {
	const { page } = editor();
	await editor().closeNode();
	await page.getByTestId('zoom-to-fit').click();
	const last = page.locator('.vue-flow__node', {
		has: page.locator(`[data-node-name="${node}"]`),
	});
	await last.getByTestId('canvas-handle-plus').click();
	const found = await editor().searchNodes('cometchat');
	await found.filter({ hasText: 'CometChat' }).first().click();
	const actions = page.getByTestId('item-iterator-item');
	await actions.filter({ has: page.getByText(action, { exact: true }) }).click();
	await editor().ndv.waitFor();
}

/** Drags a field of the input panel into an input of the open node. */
async function drag(from: string, target: Locator): Promise<void> {
	const { page, ndv } = editor();
	const fields = ndv.getByTestId('run-data-schema-node-name');
	await fields
		.filter({ has: page.getByText(from, { exact: true }) })
		.first()
		.hover();
	await page.mouse.down();
	await target.hover();
	await page.mouse.up();
	await ndv.getByText(`$json.${from}`).first().waitFor();
}

describe('From a blank canvas, by clicks', () => {
	test('joined groups of a user are listed in order: the second page of ten, all, two fields', async () => {
		const { store } = system().sandbox;
		for (const { guid } of store.groups.all().slice(0, 25)) store.joinGroup(guid, 'mira');
		const joined = store.groups
			.all()
			.filter(({ members }) => members.some(({ uid }) => uid === 'mira'))
			.map(({ name }) => name)
			.sort();
		expect(joined.length).toBeGreaterThan(20);

		await editor().newWorkflow();
		await editor().addAction('List groups');
		await editor().chooseCredential('CometChat');
		await editor().pickFromList('onBehalfOf', 'mira', 'Mira Halden (mira)');
		await editor().fill('limit', '10');
		await editor().addTo('Add Filter', 'Has Joined');
		await editor().addTo('Add Sort Field', 'Sort By');
		await editor().addTo('Add Option', 'Page');
		await editor().fill('page', '2');
		await editor().execute();
		expect(await readColumn('name')).toEqual(joined.slice(10, 20));

		await editor().field('returnAll').locator('.el-switch, [role=switch]').first().click();
		await editor().execute();
		await editor().output.getByText(`${joined.length} items`).waitFor();

		await editor().choose('output', 'Selected Fields');
		await editor().addValue('Add Field', 'e.g. guid, name', 'guid');
		await editor().addValue('Add Field', 'e.g. guid, name', 'name');
		await editor().execute();
		expect((await editor().readTable()).columns).toEqual(['guid', 'name']);
		expect(system().sandbox.violations).toEqual([]);
	});

	test('a reaction is found in the messages of a group and removed, and one report is sent', async () => {
		const { store } = system().sandbox;
		const readRemaining = () =>
			store.messages
				.all()
				.filter(({ receiver }) => receiver === 'makers')
				.flatMap(({ id }) => store.messages.reactionsOf(id))
				.filter(({ reaction }) => reaction === '👎');
		const count = readRemaining().reduce((sum, reaction) => sum + reaction.count, 0);
		expect(count).toBeGreaterThan(1);

		await editor().newWorkflow();
		await editor().addAction('List messages');
		await editor().chooseCredential('CometChat');
		await editor().pickFromList('groupId', 'makers', 'Lantern Makers (makers)');
		await editor().addTo('Add Filter', 'Has Reactions');
		await editor().execute();

		await addAfter('List messages', 'List reactions to message');
		await drag('id', editor().field('messageId').locator('input').first());
		await editor().fill('reaction', '👎');
		await editor().execute();
		expect(await readColumn('reaction')).toEqual(Array(count).fill('👎'));

		await addAfter('List reactions to message', 'Remove reaction from message');
		await drag('messageId', editor().field('messageId').locator('input').first());
		await editor().fill('reaction', '👎');
		await drag('uid', editor().locator('onBehalfOf').getByTestId('rlc-input'));
		await editor().execute();
		expect(await readColumn('removed')).toEqual(Array(count).fill('true'));

		await addAfter('Remove reaction from message', 'Send message');
		await editor().pickFromList('groupId', 'makers', 'Lantern Makers (makers)');
		await editor().fill('text', 'Please keep it friendly.');
		await editor().openTab('settings');
		await editor().field('executeOnce').locator('.el-switch, [role=switch]').first().click();
		await editor().execute();
		await editor().output.getByText('1 item').waitFor();

		expect(readRemaining()).toEqual([]);
		const reports = store.messages.all().filter(({ text }) => text === 'Please keep it friendly.');
		expect(reports).toHaveLength(1);
		expect(system().sandbox.violations).toEqual([]);
	});
});
