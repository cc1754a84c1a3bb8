import { cometChat, node, workflow, type WorkflowDraft } from '../../../tools/n8nEngine/draft';
import { SOUND } from '../lib/chatModel';
import { EditorPage } from '../lib/editorPage';
import { waitFor } from '../lib/processes';
import { MISSING_VALUE, PICTURE, useRecipes } from '../lib/recipes';
import { useBrowser } from '../lib/testHooks';
import { credentialData } from '../lib/testSystem';

const recipes = useRecipes();
const { system, model } = recipes;
const browser = useBrowser();

/** IDs of workflows to unpublish after a test, even a failed one. */
const published: string[] = [];

/** Saves and publishes a workflow, and returns its ID. */
async function publish(draft: WorkflowDraft): Promise<string> {
	const { client } = system();
	const id = await client.addWorkflow(draft);
	published.push(id);
	await client.publish(id);
	return id;
}

afterEach(async () => {
	for (const id of published.splice(0)) await system().client.unpublish(id);
});

const BOT = 'reminder-bot';

const TRIGGER = 'CometChat Bot Trigger';

const findBot = () => system().sandbox.store.bots.get(BOT);

/** Collects the bot's messages from now on. */
function startCollecting() {
	const list = () =>
		system()
			.sandbox.store.messages.all()
			.filter(({ sender }) => sender === BOT);
	const { length } = list();
	return () => list().slice(length);
}

/** Lists the bot's messages from now on, formatted as "receiver: text". */
function startListing(): () => string[] {
	const collect = startCollecting();
	return () => collect().map(({ receiver, text }) => `${receiver}: ${text}`);
}

const write = (text: string, receiver = BOT, sender = 'mira') =>
	system().sandbox.store.sendMessage({
		...{ sender, receiver, text, receiverType: receiver === BOT ? 'user' : 'group' },
	});

/** Creates a bot of somebody else. */
const makeForeignBot = () => ({
	...system().sandbox.store.bots.create({
		...{ uid: BOT, webhookURL: 'https://bots.example.com/hook', groupChatSetting: 'allMessages' },
		...{ useBasicAuth: true, username: 'owner', password: 'owners-secret', enabled: true },
	}),
	updatedAt: expect.any(Number) as number,
});

/** Creates a bot that answers each message with "`answer` " and the message's text. */
function botWorkflow(
	answer: string,
	options = {},
	{ credentialId = system().credentialId, name = TRIGGER } = {},
): WorkflowDraft {
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	return workflow(answer, [
		node({
			name,
			type: 'n8n-nodes-cometchat.cometChatBotTrigger',
			webhookId: `hook-${answer.toLowerCase()}`,
			parameters: { botId: byId(BOT), options },
			credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
		}),
		cometChat(credentialId, {
			...{ resource: 'message', operation: 'answer', text: `=${answer} {{ $json.text }}` },
		}),
	]);
}

/** Reads a workflow's executions from n8n, and expects that none of them contains the bot's password. */
async function expectNoPassword(workflowId: string): Promise<void> {
	const { client } = system();
	const password = findBot()?.password ?? '';
	expect(password).toHaveLength(50);
	expect(await client.getWorkflowText(workflowId)).not.toContain(password);
	for (const { id } of await client.listExecutions(workflowId)) {
		expect((await client.getExecution(id)).stored).not.toContain(password);
	}
}

/** Adds a trigger for the bot to a blank canvas, and leaves the trigger open. */
async function addTrigger(editor: EditorPage): Promise<void> {
	await editor.newWorkflow();
	await editor.openNodeCreator();
	const triggers = await editor.searchNodes('cometchat bot');
	await triggers.filter({ hasText: 'CometChat Bot' }).first().click();
	await editor.page.getByText('Add to workflow').click();
	await editor.ndv.waitFor();
	await editor.chooseCredential('CometChat');
	await editor.pickFromList('botId', 'reminder', BOT);
}

/** Closes the trigger, and adds Answer behind it. */
async function addAnswer(editor: EditorPage): Promise<void> {
	const { page } = editor;
	await editor.closeNode();
	await page.getByTestId('canvas-handle-plus').first().click();
	const nodes = await editor.searchNodes('cometchat');
	await nodes.filter({ hasText: 'works with its messages' }).click();
	await nodes.filter({ has: page.getByText('Answer message to bot', { exact: true }) }).click();
	await editor.ndv.waitFor();
}

test('On a blank canvas, a bot, a text and Publish make a bot that answers where it is asked', async () => {
	const editor = await EditorPage.open(browser(), system().n8n.url);
	const { page } = editor;
	const replies = startListing();
	await addTrigger(editor);
	expect(await editor.ndv.getByText('Webhook URLs').count()).toBe(0);
	await addAnswer(editor);
	await editor.write('text', 'At nine.');
	await editor.closeNode();
	await page.getByText('Publish', { exact: true }).first().click();
	await page.getByTestId('workflow-publish-button').click();
	await waitFor('The bot', () => findBot()?.webhookURL.includes('/webhook/'));
	published.push(editor.workflowId);

	write('Alone');
	await waitFor('The private answer', () => replies().length === 1);
	write('Nobody is asked', 'all-hands');
	const { store } = system().sandbox;
	store.sendMessage({ sender: 'mira', receiver: 'leo', receiverType: 'user', text: 'Private' });
	write(`Hi <@uid:${BOT}>`, 'all-hands');
	await waitFor('The answer in the group', () => replies().length === 2);
	expect(replies()).toEqual(['mira: At nine.', 'all-hands: At nine.']);
});

test('Execute step shows the message, whose text is dragged into the answer', async () => {
	const editor = await EditorPage.open(browser(), system().n8n.url);
	const replies = startListing();
	await addTrigger(editor);
	await editor.page.getByTestId('node-execute-button').click();
	await waitFor('The bot', () => findBot()?.webhookURL.includes('/webhook-test/'));
	write('When is the meeting?');
	const { columns, rows } = await editor.readTable();
	expect(rows).toHaveLength(1);
	expect(rows[0]?.[columns.indexOf('text')]).toBe('When is the meeting?');

	await addAnswer(editor);
	const text = editor.field('text').locator('.cm-content');
	await text.fill('');
	await editor.drag('text', text);
	// The editor delays changes of expressions. Until then, the node refuses its empty text.
	await waitFor('The answer', async () => {
		await editor.execute();
		return replies().length > 0;
	});
	expect(replies()).toEqual(['mira: When is the meeting?']);
});

test('The example "bot" answers private messages and mentions, and remembers the conversation', async () => {
	const replies = startListing();
	const texts = ['At nine.', 'You asked when.', 'Hello all.'];
	model().respond(...texts.map((text) => () => ({ text })));
	const id = await recipes.publish('bot');
	write('When do we meet?');
	await waitFor('The first answer', () => replies().length === 1);
	write('What did I ask?');
	await waitFor('The second answer', () => replies().length === 2);
	expect(JSON.stringify(model().requests.at(-1)?.messages)).toContain('When do we meet?');
	write('Nobody asked the bot', 'all-hands');
	write(`Hi <@uid:${BOT}>`, 'all-hands');
	await waitFor('The third answer', () => replies().length === 3);
	expect(replies()).toEqual(['mira: At nine.', 'mira: You asked when.', 'all-hands: Hello all.']);
	expect(model().requests).toHaveLength(3);
	await expectNoPassword(id);
});

test('The example "file-answer" answers with a file of the person\'s groups, in private and in the thread', async () => {
	const { store } = system().sandbox;
	const answers = startCollecting();
	await recipes.publish('file-answer');
	write('My groups, please');
	await waitFor('The private answer', () => answers().length === 1);
	const { id } = write('A question', 'all-hands', 'leo');
	store.sendMessage({
		...{ sender: 'mira', receiver: 'all-hands', receiverType: 'group', parentId: id },
		text: `<@uid:${BOT}> my groups`,
	});
	await waitFor('The answer in the thread', () => answers().length === 2);
	const file = { name: 'groups.csv', mimeType: 'text/csv', extension: 'csv' };
	const answer = {
		type: 'file',
		text: 'Your groups',
		attachments: [expect.objectContaining(file)],
	};
	expect(answers()).toMatchObject([
		{ ...answer, receiver: 'mira' },
		{ ...answer, receiver: 'all-hands', parentId: id },
	]);
	const { baseUrl, apiKey } = system().sandbox;
	const response = await fetch(`${baseUrl}/messages/${answers()[0].id}`, { headers: { apiKey } });
	const { data } = Object(await response.json());
	const content = await (await fetch(data.data.attachments[0].url, { headers: { apiKey } })).text();
	expect(content.split('\n')[0]).toContain('guid');
	expect(content).toContain('all-hands');
});

test('The example "voice-answer" answers aloud, with the text below', async () => {
	const answers = startCollecting();
	model().respond(() => ({ text: 'At nine.' }));
	await recipes.publish('voice-answer');
	write('When is the meeting?');
	await waitFor('The answer', () => answers().length === 1);
	const sound = { mimeType: 'audio/mp3', size: String(SOUND.length) };
	expect(answers()).toMatchObject([
		{
			...{ receiver: 'mira', type: 'audio', text: 'At nine.' },
			attachments: [expect.objectContaining(sound)],
		},
	]);
});

test('The example "quoted-question" answers a question about a quoted message, and explains itself otherwise', async () => {
	const replies = startListing();
	model().respond(() => ({ text: 'No.' }));
	await recipes.publish('quoted-question');
	const { store } = system().sandbox;
	const { id } = write('The office moves to the moon', 'all-hands', 'leo');
	const question = store.sendMessage({
		...{ sender: 'mira', receiver: 'all-hands', text: `<@uid:${BOT}> is this true?` },
		quotedMessageId: id,
	});
	await waitFor('The answer', () => replies().length === 1);
	expect(store.messages.all().at(-1)?.quotedMessageId).toBe(question.id);
	expect(model().requests[0]?.messages.at(-1)?.content).toBe(
		'> Leo Brandt: The office moves to the moon\nMira Halden: is this true?',
	);
	write('Is this true?');
	await waitFor('The explanation', () => replies().length === 2);
	expect(replies()).toEqual([
		'all-hands: No.',
		'mira: Answer the message that you mean, and mention me with your question.',
	]);
	expect(model().requests).toHaveLength(1);
});

test('The example "slash-commands" answers commands where they are written, and lists the commands otherwise', async () => {
	const replies = startListing();
	const { store } = system().sandbox;
	store.createGroup({ guid: 'solo', name: 'Solo', owner: BOT });
	await recipes.publish('slash-commands');
	const getReply = async (...message: Parameters<typeof write>) => {
		const { length } = replies();
		write(...message);
		return await waitFor(`The answer to ${message[0]}`, () => replies()[length]);
	};
	const HELP = [
		'I know these commands:',
		'/help shows this list',
		'/whoami shows your account',
		'/members counts the members of the group in which you ask',
	].join('\n');
	const answers = [
		await getReply('/help', 'all-hands'),
		await getReply('/WhoAmI, please', 'all-hands'),
		await getReply('/WhoAmI  please', 'all-hands', 'leo'),
		await getReply('/members\nnow', 'all-hands'),
		await getReply('/members', 'solo'),
		await getReply('/', 'all-hands'),
		await getReply(' /whoami'),
		await getReply('/members'),
		await getReply('Hello, who are you?'),
	];
	expect(answers).toEqual([
		`all-hands: ${HELP}`,
		`all-hands: ${HELP}`,
		'all-hands: You are Leo Brandt, with the ID leo and the role default. You have been here since 4 March 2024.',
		'all-hands: All Hands has 11 members.',
		'solo: Solo has 1 member.',
		`all-hands: ${HELP}`,
		'mira: You are Mira Halden, with the ID mira and the role default. You have been here since 1 January 2024.',
		`mira: ${HELP}`,
		`mira: ${HELP}`,
	]);
	const picture = { sender: 'mira', receiver: BOT, receiverType: 'user', ...PICTURE } as const;
	store.sendMessage(picture);
	await waitFor('The answer to a picture', () => replies().length === answers.length + 1);
	write('Nobody asked the bot', 'all-hands');
	write(`<@uid:${BOT}> /help`, 'all-hands');
	expect(await getReply('/help', 'all-hands', 'leo')).toBe(`all-hands: ${HELP}`);
	expect(replies()).toHaveLength(answers.length + 2);
	expect(replies().filter((text) => MISSING_VALUE.test(text))).toEqual([]);
});

test('Execute step borrows the bot of the published workflow, and unpublishing turns the bot off', async () => {
	const { client } = system();
	const replies = startListing();
	const id = await publish(botWorkflow('First'));
	const url = findBot()?.webhookURL;
	await client.start(id, TRIGGER);
	expect(findBot()?.webhookURL).toContain('/webhook-test/');
	write('one');
	await waitFor('The bot of the published workflow', () => findBot()?.webhookURL === url);
	write('two');
	await waitFor('The answers', () => replies().length === 2);
	await expectNoPassword(id);
	// n8n keeps the data of a step apart from the data of the published workflow
	expect(await client.getWorkflowText(id)).not.toContain('/webhook-test/');

	await client.unpublish(id);
	await waitFor('The end of the bot', () => findBot()?.enabled === false);
	write('three');
	await client.publish(id);
	write('four');
	await waitFor('The answer after publishing again', () => replies().length === 3);
	expect(replies().sort()).toEqual(['mira: First four', 'mira: First one', 'mira: First two']);
});

test('Execute step of a workflow that is not published turns the bot off at its end', async () => {
	const { client } = system();
	const replies = startListing();
	const id = await client.addWorkflow(botWorkflow('First'));
	await client.start(id, TRIGGER);
	write('one');
	await waitFor('The answer', () => replies().length === 1);
	await waitFor('The end of the bot', () => findBot()?.enabled === false);
	published.push(id);
	await client.publish(id);
	write('two');
	await waitFor('The answer of the published workflow', () => replies().length === 2);
});

test("A bot of somebody else is refused with advice, and taken over with the earlier address in n8n's log", async () => {
	const { client } = system();
	makeForeignBot();
	const replies = startListing();
	const refused = publish(botWorkflow('First'));
	await expect(refused).rejects.toThrow(
		/bots\.example\.com\. .*'Take Over Bot' and publish the workflow/,
	);
	const first = await publish(botWorkflow('Second', { takeOver: true }));
	write('one');
	await waitFor('The answer', () => replies().length === 1);
	expect(system().n8n.service.log()).toContain('https://bots.example.com/hook');

	const copy = publish(botWorkflow('Third'));
	await expect(copy).rejects.toThrow(/another workflow of this n8n .*'Take Over Bot'/);
	expect(findBot()?.webhookURL).toContain('hook-second');
	const third = await client.addWorkflow(botWorkflow('Fourth', { takeOver: true }));
	await expect(client.start(third, TRIGGER)).rejects.toThrow('then publish it with the option');
	published.push(third);
	await client.publish(third);
	write('two');
	await waitFor("The second workflow's answer", () => replies().length === 2);
	await client.unpublish(first);
	write('three');
	await waitFor("The second workflow's second answer", () => replies().length === 3);
	expect(replies()).toEqual(['mira: Second one', 'mira: Fourth two', 'mira: Fourth three']);
});

test('A renamed node, another node in its place and a changed API key keep the bot', async () => {
	const { client, sandbox } = system();
	const replies = startListing();
	const data = (apiKey: string) => ({ ...credentialData(sandbox), apiKey });
	const credentialId = await client.addCredential('Bot', 'cometChatApi', data(sandbox.apiKey));
	const id = await publish(botWorkflow('First', {}, { credentialId }));
	write('one');
	await waitFor('The answer', () => replies().length === 1);

	const renamed = botWorkflow('First', {}, { credentialId, name: 'Renamed' });
	await client.changeWorkflow(id, renamed);
	await client.publish(id);
	write('two');
	await waitFor('The answer of the renamed node', () => replies().length === 2);

	const replaced = botWorkflow('First', {}, { credentialId, name: 'Renamed' });
	Object.assign(replaced.nodes[0], { id: 'another', webhookId: 'hook-another' });
	await client.changeWorkflow(id, replaced);
	await client.publish(id);
	write('three');
	await waitFor('The answer of the other node', () => replies().length === 3);

	await client.changeCredential(credentialId, 'cometChatApi', data(sandbox.secondKey));
	write('four');
	await waitFor('The answer with the new key', () => replies().length === 4);
	await client.unpublish(id);
	await waitFor('The end of the bot', () => findBot()?.enabled === false);
	expect(replies()).toEqual(['one', 'two', 'three', 'four'].map((text) => `mira: First ${text}`));
});

test('While CometChat is down, publishing says so, and unpublishing ends', async () => {
	const { client, sandbox } = system();
	const replies = startListing();
	const id = await client.addWorkflow(botWorkflow('First'));
	published.push(id);
	const DOWN = { status: { status: 503 } };
	sandbox.setFaults([{ effect: DOWN }]);
	await expect(client.publish(id)).rejects.toThrow('CometChat is currently unavailable');
	sandbox.setFaults([]);
	await client.publish(id);
	write('one');
	await waitFor('The answer', () => replies().length === 1);

	const { webhookURL: url = '' } = findBot() ?? {};
	const getStatus = async () => (await fetch(url, { method: 'POST' })).status;
	expect(await getStatus()).toBe(401);
	sandbox.setFaults([{ effect: DOWN }]);
	await client.unpublish(id);
	await waitFor("The end of the workflow's webhook", async () => (await getStatus()) === 404);
	expect(findBot()?.webhookURL).toBe(url);
	sandbox.setFaults([]);
	await client.publish(id);
	write('two');
	await waitFor('The answer after publishing again', () => replies().length === 2);
	expect(replies()).toEqual(['mira: First one', 'mira: First two']);
	await client.unpublish(id);
	await waitFor('The end of the bot', () => findBot()?.enabled === false);
});

/** n8n takes up what it was publishing or unpublishing when it was killed, by default after two minutes. */
const TAKES_UP_SOON = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '3' };

test('After n8n was killed while it published, unpublished or executed a step, the workflow gets its bot', async () => {
	const { client, sandbox, restart } = system();
	const replies = startListing();
	const id = await client.addWorkflow(botWorkflow('First'));
	published.push(id);
	/** Kills n8n after CometChat has carried out a request, and before n8n gets the response. */
	const killDuring = async (method: string, change: Promise<unknown>, isDone: () => boolean) => {
		const ended = change.catch(() => undefined);
		await waitFor(`The ${method} request`, isDone);
		await restart('SIGKILL', TAKES_UP_SOON);
		await ended;
		sandbox.setFaults([]);
	};
	const stall = (method: string) =>
		sandbox.setFaults([{ match: { method, path: '/v3/bots' }, effect: { half: 'stall' } }]);

	stall('POST');
	await killDuring('POST', client.publish(id), () => findBot() !== undefined);
	await client.publish(id);
	write('one');
	await waitFor('The answer after the first kill', () => replies().length === 1);

	stall('PUT');
	await killDuring('PUT', client.unpublish(id), () => findBot()?.enabled === false);
	await client.publish(id);
	await waitFor('The bot', () => findBot()?.enabled);
	write('two');
	await waitFor('The answer after the second kill', () => replies().length === 2);

	await client.start(id, TRIGGER);
	expect(findBot()?.webhookURL).toContain('/webhook-test/');
	await restart('SIGKILL');
	await waitFor('The production address', () => findBot()?.webhookURL.includes('/webhook/'));
	write('three');
	await waitFor('The answer after the third kill', () => replies().length === 3);

	sandbox.store.bots.update(BOT, { enabled: false });
	await restart('SIGTERM');
	write('four');
	expect(findBot()?.enabled).toBe(false);
	expect(replies()).toEqual(['mira: First one', 'mira: First two', 'mira: First three']);

	await client.unpublish(id);
	await client.publish(id);
	await waitFor('The bot that is turned on again', () => findBot()?.enabled);
	await client.unpublish(id);
	await waitFor('The end of the bot', () => findBot()?.enabled === false);
});
