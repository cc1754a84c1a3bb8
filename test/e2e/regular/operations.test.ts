import { useEditor, useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const editor = useEditor(system);

afterEach(() => expect(system().sandbox.violations).toEqual([]));

/** Adds a CometChat action to an empty canvas, and opens the new node. */
async function startWith(action: string): Promise<void> {
	await editor().newWorkflow();
	await editor().addAction(action);
	await editor().chooseCredential('CometChat');
}

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

		await startWith('List groups');
		await editor().pickFromList('onBehalfOf', 'mira', 'Mira Halden (mira)');
		await editor().fill('limit', '10');
		await editor().addTo('Add Filter', 'Has Joined');
		await editor().addOnly('Add Sort Rule');
		await editor().choose('order', 'Name: A to Z');
		await editor().addTo('Add Option', 'Page');
		await editor().fill('page', '2');
		await editor().execute();
		expect(await readColumn('name')).toEqual(joined.slice(10, 20));

		await editor().field('returnAll').locator('.el-switch, [role=switch]').first().click();
		await editor().execute();
		await editor().output.getByText(`${joined.length} items`).waitFor();

		await editor().choose('output', 'Selected Fields');
		await editor().openLoaded('fields');
		await editor().pick('name');
		await editor().page.keyboard.press('Escape');
		await editor().execute();
		expect((await editor().readTable()).columns).toEqual(['guid', 'name']);
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

		await startWith('List messages');
		await editor().pickFromList('groupId', 'makers', 'Lantern Makers (makers)');
		await editor().addTo('Add Filter', 'Has Reactions');
		await editor().execute();

		await addAfter('List messages', 'List reactions to message');
		await editor().drag('id', editor().field('messageId').locator('input').first());
		await editor().fill('reaction', '👎');
		await editor().execute();
		expect(await readColumn('reaction')).toEqual(Array(count).fill('👎'));

		await addAfter('List reactions to message', 'Remove reaction from message');
		await editor().drag('messageId', editor().field('messageId').locator('input').first());
		await editor().fill('reaction', '👎');
		await editor().drag('uid', editor().locator('onBehalfOf').getByTestId('rlc-input'));
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
	});
});

/** Runs the node and returns the table rows. */
async function readItems(): Promise<Array<Record<string, string>>> {
	await editor().execute();
	const { columns, rows } = await editor().readTable();
	return rows.map((row) =>
		Object.fromEntries(columns.map((column, index) => [column, row[index]])),
	);
}

describe('An operation configured in the editor', () => {
	test('adds members and returns an item per member', async () => {
		await startWith('Add members to group');
		await editor().fillId('groupId', 'makers');
		for (const person of ['Mira Halden (mira)', 'Leo Brandt (leo)']) {
			await editor().choose('uids', person);
			await editor().page.keyboard.press('Escape');
		}
		await editor().choose('scope', 'Moderator');
		const added = {
			...{ guid: 'makers', scope: 'moderator' },
			...{ success: 'true', alreadyMember: 'false', reason: 'null' },
		};
		expect(await readItems()).toEqual([
			{ ...added, uid: 'mira' },
			{ ...added, uid: 'leo' },
		]);
		const members = system().sandbox.store.groups.get('makers')?.members;
		expect(members).toContainEqual(expect.objectContaining({ uid: 'leo', scope: 'moderator' }));
	});

	test('sends a file to a user', async () => {
		await startWith('Send message');
		await editor().choose('receiverType', 'User');
		await editor().fillId('userId', 'leo');
		await editor().choose('messageType', 'Files');
		await editor().choose('mediaType', 'File');
		const url = 'https://files.example.com/plan.pdf';
		await editor().addValue('Add Attachment', 'e.g. https://example.com/photo.png', url);
		await editor().fill('caption', 'The plan');
		expect(await readItems()).toMatchObject([{ type: 'file', text: 'The plan', receiver: 'leo' }]);
		expect(system().sandbox.store.messages.all().at(-1)).toMatchObject({ attachments: [{ url }] });
	});

	test('sends custom data', async () => {
		await startWith('Send message');
		await editor().fillId('groupId', 'makers');
		await editor().choose('messageType', 'Custom');
		await editor().fill('customType', 'place');
		await editor().write('customData', '{"room": "Rooftop"}');
		expect(await readItems()).toMatchObject([{ type: 'place', receiver: 'makers' }]);
		expect(system().sandbox.store.messages.all().at(-1)).toMatchObject({
			category: 'custom',
			customData: { room: 'Rooftop' },
		});
	});
});

describe('An error in the output panel', () => {
	/** Returns the error's message and description. */
	async function shownError(): Promise<string[]> {
		const parts = ['node-error-message', 'node-error-description'];
		return await Promise.all(
			parts.map(async (part) => await editor().output.getByTestId(part).innerText()),
		);
	}

	test('explains the problem and names the field to check', async () => {
		await startWith('Get message');
		await editor().fill('messageId', '999');
		await editor().execute();
		const [message, description] = await shownError();
		expect(message).toBe('No message has this ID');
		expect(description).toMatch(
			/^Check 'Message ID'\. CometChat replied: .+ \(ERR_MESSAGE_ID_NOT_FOUND\)\.$/,
		);
	});

	test('never shows the API key, even if the response contains the key', async () => {
		const { sandbox, client } = system();
		sandbox.setFaults([
			{ effect: { echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } } },
		]);
		await startWith('Get message');
		await editor().fill('messageId', '101');
		await editor().execute();
		expect((await shownError())[0]).toBe('CometChat does not recognize this API key');
		for (const part of ['From CometChat', 'Other info']) {
			await editor().output.getByText(part, { exact: true }).click();
		}
		await editor().output.getByText('n8n version').waitFor();
		expect(await editor().output.innerText()).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
		expect(await editor().page.content()).not.toContain(sandbox.apiKey);
		const [run] = await client.listExecutions(editor().workflowId, 1);
		const { stored } = await client.getExecution(run.id);
		expect(stored).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
		expect(stored).not.toContain(sandbox.apiKey);
	});
});
