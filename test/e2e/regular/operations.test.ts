import { useEditor, useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const editor = useEditor(system);

/** True if the next test can reuse the open node. */
let isReady = false;

/** Defines a test that configures the open node. If the test passes, the next test reuses the node. */
function configureTest(name: string, steps: () => Promise<void>): void {
	test(name, async () => {
		if (!isReady) {
			await editor().newWorkflow();
			await editor().addAction('List groups');
			await editor().chooseCredential('CometChat');
		}
		isReady = false;
		await steps();
		expect(system().sandbox.violations).toEqual([]);
		isReady = true;
	});
}

/** Returns the last request's method, path, status, and acting user. */
function readLastRequest() {
	const { method, path, status, headers } = system().sandbox.log.at(-1) ?? {};
	return { method, path, status, onBehalfOf: headers?.onbehalfof };
}

/** Runs the node with simplified output and returns the table rows. */
async function readItems(): Promise<Array<Record<string, string>>> {
	await editor().choose('output', 'Simplified');
	await editor().execute();
	const { columns, rows } = await editor().readTable();
	return rows.map((row) =>
		Object.fromEntries(columns.map((column, index) => [column, row[index]])),
	);
}

describe('A group operation configured in the editor', () => {
	configureTest('lists groups that match a filter', async () => {
		await editor().fill('limit', '5');
		await editor().addTo('Add Filter', 'Type');
		await editor().choose('type', 'Private');
		await editor().addTo('Add Sort Field', 'Sort By');
		const groups = await readItems();
		expect(Object.keys(groups[0])).toEqual([
			'guid',
			'name',
			'description',
			'type',
			'membersCount',
			'owner',
			'icon',
			'conversationId',
			'tags',
			'createdAt',
		]);
		expect(groups.map(({ type }) => type)).toEqual(Array(5).fill('private'));
		const names = groups.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(system().sandbox.log.at(-1)?.query).toEqual({
			type: 'private',
			sortBy: 'name',
			page: '1',
			perPage: '5',
		});
	});

	configureTest('returns only the selected fields', async () => {
		await editor().chooseOperation('Group', 'List');
		await editor().fill('limit', '2');
		await editor().choose('output', 'Selected Fields');
		await editor().addValue('Add Field', 'e.g. guid, name', 'name');
		await editor().execute();
		expect((await editor().readTable()).columns).toEqual(['name']);
	});

	configureTest('gets a group picked from the list', async () => {
		await editor().chooseOperation('Group', 'Get');
		await editor().pickFromList('groupId', 'makers', 'Lantern Makers (makers)');
		expect(await readItems()).toMatchObject([{ guid: 'makers', name: 'Lantern Makers' }]);
	});

	configureTest('adds members and returns an item per member', async () => {
		await editor().chooseOperation('Group', 'Add Members');
		await editor().fillId('groupId', 'makers');
		for (const person of ['Mira Halden (mira)', 'Leo Brandt (leo)']) {
			await editor().choose('uids', person);
			await editor().page.keyboard.press('Escape');
		}
		await editor().choose('scope', 'Moderator');
		const added = {
			...{ guid: 'makers', scope: 'moderator' },
			...{ success: 'true', alreadyMember: 'false', error: 'null' },
		};
		expect(await readItems()).toEqual([
			{ ...added, uid: 'mira' },
			{ ...added, uid: 'leo' },
		]);
		const members = system().sandbox.store.groups.get('makers')?.members;
		expect(members).toContainEqual(expect.objectContaining({ uid: 'leo', scope: 'moderator' }));
	});
});

describe('A message operation configured in the editor', () => {
	configureTest('gets a message', async () => {
		await editor().chooseOperation('Message', 'Get');
		await editor().fill('messageId', '102');
		expect(await readItems()).toMatchObject([{ id: '102', text: 'Yes, all of them.' }]);
		expect(readLastRequest().onBehalfOf).toBeUndefined();
	});

	configureTest('sends a text on behalf of a user', async () => {
		await editor().chooseOperation('Message', 'Send');
		await editor().fillId('groupId', 'makers');
		await editor().fill('text', 'Back in five minutes');
		await editor().pickFromList('onBehalfOf', 'yuki', 'Yuki 雪 Aalto (yuki)');
		expect(await readItems()).toMatchObject([{ text: 'Back in five minutes', sender: 'yuki' }]);
		expect(system().sandbox.store.messages.all().at(-1)).toMatchObject({
			receiver: 'makers',
			sender: 'yuki',
		});
	});

	configureTest('sends a file to a user', async () => {
		await editor().chooseOperation('Message', 'Send');
		await editor().choose('receiverType', 'User');
		await editor().fillId('userId', 'leo');
		await editor().choose('messageType', 'Files (by URL)');
		await editor().choose('mediaType', 'File');
		const url = 'https://files.example.com/plan.pdf';
		await editor().addValue('Add Attachment', 'e.g. https://example.com/photo.png', url);
		await editor().fill('caption', 'The plan');
		expect(await readItems()).toMatchObject([{ type: 'file', text: 'The plan', receiver: 'leo' }]);
		expect(system().sandbox.store.messages.all().at(-1)).toMatchObject({ attachments: [{ url }] });
	});

	configureTest('sends custom data', async () => {
		await editor().chooseOperation('Message', 'Send');
		await editor().choose('receiverType', 'Group');
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

	configureTest('removes a reaction whose emoji contains "#"', async () => {
		await editor().chooseOperation('Message', 'Remove Reaction');
		await editor().fill('messageId', '105');
		await editor().fill('reaction', '#️⃣');
		await editor().fillId('onBehalfOf', 'yuki');
		expect((await readItems())[0]).toMatchObject({ id: '105', reaction: '#️⃣', removed: 'true' });
		expect(readLastRequest()).toEqual({
			method: 'DELETE',
			path: '/v3/messages/105/reactions/%23%EF%B8%8F%E2%83%A3',
			status: 200,
			onBehalfOf: 'yuki',
		});
		expect(system().sandbox.store.messages.reactionsOf('105')).toContainEqual({
			reaction: '#️⃣',
			count: 1,
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

	configureTest('explains the problem and names the field to check', async () => {
		await editor().chooseOperation('Message', 'Get');
		await editor().fillId('onBehalfOf', '');
		await editor().fill('messageId', '999');
		await editor().execute();
		const [message, description] = await shownError();
		expect(message).toBe('No message has this ID');
		expect(description).toMatch(
			/^Check 'Message ID'\. CometChat replied: .+ \(ERR_MESSAGE_ID_NOT_FOUND\)\.$/,
		);
	});

	configureTest('names a field whose value would change the URL, and nothing is sent', async () => {
		await editor().chooseOperation('Message', 'Remove Reaction');
		await editor().fill('messageId', '105');
		await editor().fill('reaction', '..');
		await editor().fillId('onBehalfOf', 'yuki');
		await editor().execute();
		expect((await shownError())[0]).toContain("'Reaction'");
		expect(system().sandbox.log).toEqual([]);
	});

	configureTest('never shows the API key, even if the response contains the key', async () => {
		const { sandbox, client } = system();
		sandbox.setFaults([
			{ effect: { echoKey: { status: 401, code: 'AUTH_ERR_APIKEY_NOT_FOUND' } } },
		]);
		await editor().chooseOperation('Message', 'Get');
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
