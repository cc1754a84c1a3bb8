import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { SMTPServer } from 'smtp-server';

import type { ChatRequest, Turn } from '../lib/chatModel';
import type { Execution } from '../lib/client';
import { waitFor } from '../lib/processes';
import { LONGEST_RUN_MS, MISSING_VALUE, PICTURE, useRecipes } from '../lib/recipes';
import type { WorkflowDraft } from '../../../tools/n8nEngine/draft';

const recipes = useRecipes();
const { system, model, run, start, publish, whileListening, listSentByApp, answer } = recipes;

/** Arguments that no tool declares. They try to override parameters that the examples set to fixed values. */
const OVERRIDES = {
	...{ resource: 'user', operation: 'delete', receiverType: 'user', messagesOf: 'app' },
	...{ groupId: 'all-hands', guid: 'all-hands', receiver: 'all-hands', value: 'all-hands' },
	...{ reaction: '👍', queue: 'blocked', limit: 1, message: 'Forged', responseType: 'freeText' },
};

/** Calls the tool whose name starts with `words`. The call also tries to override fixed parameters. */
const callTool =
	(words: string, values: Record<string, unknown>): Turn =>
	({ tools }: ChatRequest) => ({
		tool: tools.find(({ name }) => name.startsWith(words))?.name ?? words,
		values: { ...OVERRIDES, ...values },
	});

const readColumn = (execution: Execution, node: string, column: string): unknown[] =>
	execution.items(node).map(({ json }) => json[column]);

const findMessagesWith = (reaction: string): string[] =>
	system()
		.sandbox.store.messages.all()
		.filter(({ reactions }) => reactions.has(reaction))
		.map(({ id }) => id);

describe('The example', () => {
	test('"list-groups" lists groups with filters', async () => {
		const names = readColumn(await run('list-groups'), 'List groups', 'name');
		expect(names).toHaveLength(8);
		expect(names).toEqual([...names].sort());
	});

	test('"missed-messages" sends an email through a mail server', async () => {
		const { client, sandbox } = system();
		const mails: string[] = [];
		const server = new SMTPServer({
			authOptional: true,
			disabledCommands: ['STARTTLS'],
			onData: (stream, _session, done) => {
				let text = '';
				stream.on('data', (part: Buffer) => (text += part.toString()));
				stream.on('end', () => {
					mails.push(text);
					done();
				});
			},
		});
		const port = await new Promise<number>((resolve) => {
			const listening = server.listen(0, '127.0.0.1', () => {
				resolve(Object(listening.address()).port);
			});
		});
		const smtp = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
		const smtpId = await client.addCredential('SMTP', 'smtp', smtp);
		const message = (text?: string) => ({ sender: { uid: 'mira', name: 'Mira' }, message: text });
		const data = (email: string, ...texts: Array<string | undefined>) => ({
			to: { uid: 'theo', name: 'Theo', email },
			messages: texts.map(message),
			groupDetails: { guid: 'makers', name: 'Lantern Makers' },
			subject: 'New messages for you',
		});
		const listening = async () => {
			const trigger = 'email-notification-payload-generated';
			sandbox.webhooks.deliver(trigger, data('', 'Hi'));
			for (const texts of [['Hi', 'Lunch?'], ['Alone'], [undefined]]) {
				const before = mails.length;
				sandbox.webhooks.deliver(trigger, data('theo@example.com', ...texts));
				await waitFor('The email', () => mails.length > before);
			}
		};
		const saved = { smtp: { id: smtpId, name: 'SMTP' } };
		await whileListening(listening, 'missed-messages', { saved });
		expect(mails).toHaveLength(3);
		expect(mails.filter((mail) => MISSING_VALUE.test(mail))).toEqual([]);
		expect(mails[0]).toMatch(/^To: theo@example\.com\r?$/m);
		expect(mails[0]).toMatch(/^Subject: New messages for you\r?$/m);
		expect(mails[0]).toMatch(/you missed 2 messages in Lantern Makers.*by Mira:.*Lunch\?/s);
		expect(mails[1]).toMatch(/you missed a message in Lantern Makers\. It is by Mira:.*Alone/s);
		expect(mails[2]).toMatch(/by Mira:.*A file, or another message without text/s);
		await new Promise<void>((resolve) => server.close(() => resolve()));
	});

	test('"queue-agent" approves messages by itself, and asks people before blocking a message', async () => {
		const { client, sandbox } = system();
		model().respond(
			callTool('List_messages', {}),
			callTool('Approve_message', { Message_ID: '107', decision: 'block' }),
			callTool('Block_message', {
				toolParameters: { Message_ID: '128', decision: 'approve' },
				hitlParameters: { ...OVERRIDES, Why: 'Leo: “Cheap bulbs for everyone”, an advertisement' },
			}),
			() => ({ text: 'One approved, one blocked' }),
		);
		const executionId = await start('queue-agent');
		const question = await answer(/May I block/, 'Block');
		expect(question).toContain(
			[
				'makers-mods: May I block this message?',
				'The agent says: Leo: “Cheap bulbs for everyone”, an advertisement',
				'',
				'Tool to run: Block_message_in_CometChat',
				'Message_ID: 128',
				'decision: approve',
				'',
				'Block / Keep: http',
			].join('\n'),
		);
		expect(sandbox.store.messages.get('128')?.moderation).toBeUndefined();
		await client.waitForEnd(executionId);
		expect(sandbox.store.messages.get('107')?.moderation?.status).toBe('approved');
		expect(sandbox.store.messages.get('128')?.moderation?.status).toBe('disapproved');
		expect(JSON.stringify(model().requests[1].messages)).toContain('Cheap bulbs for everyone');
	});

	/** Runs the weekly digest, and returns the rows of its file. */
	async function digest(): Promise<string[]> {
		// The only folder that n8n is allowed to write to. The folder's path is different in the Docker image
		const file = join(system().userFolder, 'home', '.n8n-files', 'digest.csv');
		mkdirSync(dirname(file), { recursive: true });
		rmSync(file, { force: true });
		const change = { 'Save file': { fileName: file } };
		await run('weekly-digest', 'Schedule Trigger', change);
		return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	}

	const yesterday = () => Math.floor(Date.now() / 1000) - 86_400;

	test('"weekly-digest" saves seven days of messages to a file, and counts messages by sender', async () => {
		const { store } = system().sandbox;
		store.people.create({ uid: 'noor2', name: 'Noor van Dalen' });
		for (const [index, sender] of ['noor', 'yuki', 'yuki', 'noor2'].entries()) {
			const text = `Message ${index}`;
			store.sendMessage({ sender, receiver: 'makers', text, sentAt: yesterday() + index });
		}
		const sentAt = yesterday() + 10;
		store.sendMessage({ sender: 'yuki', receiver: 'makers', sentAt, ...PICTURE });
		const [columns, ...rows] = await digest();
		expect(columns).toMatch(/^\uFEFF?id,sentAt,sender,senderName,type,text\r?$/);
		expect(rows.map((row) => /Message \d|image/.exec(row)?.[0])).toEqual([
			...['Message 0', 'Message 1', 'Message 2', 'Message 3', 'image'],
		]);
		expect(listSentByApp()).toEqual([
			expect.stringMatching(
				/^makers-mods: Messages in the last seven days: 5\n• Yuki 雪 Aalto \(yuki\): 3\n• Noor van Dalen \(noor2?\): 1\n• Noor van Dalen \(noor2?\): 1$/,
			),
		]);
	});

	test('"weekly-digest" writes and sends nothing in a week without messages', async () => {
		expect(await digest()).toEqual([]);
		expect(listSentByApp()).toEqual([]);
	});

	test(
		'"weekly-digest" counts 2,500 messages by 100 people',
		async () => {
			const { store } = system().sandbox;
			for (let n = 0; n < 2_500; n++) {
				const sender = `person-${n % 100}`;
				if (n < 100) store.people.create({ uid: sender, name: 'Alex' });
				store.sendMessage({
					sender,
					receiver: 'makers',
					text: `Message ${n}`,
					sentAt: yesterday(),
				});
			}
			expect(await digest()).toHaveLength(2_501);
			const [text] = listSentByApp();
			expect(text).toMatch(/: 2500\n(?:• Alex \(person-\d+\): 25\n){20}• and 80 more people$/);
		},
		LONGEST_RUN_MS,
	);

	const inventory = async () =>
		(await run('nightly-inventory', 'Every night')).items('Keep it').map(({ json }) => json);

	test.each([0, 2_500])('"nightly-inventory" counts groups by type, also %d more', async (more) => {
		const { store } = system().sandbox;
		for (let n = 0; n < more; n++) store.createGroup({ guid: `more-${n}` });
		const groups = store.groups.all();
		expect(await inventory()).toEqual([
			expect.objectContaining({
				groups: groups.length,
				members: groups.reduce((sum, { members }) => sum + members.length, 0),
				byType: expect.objectContaining({
					password: groups.filter(({ type }) => type === 'password').length,
				}),
			}),
		]);
	});

	test('"nightly-inventory" returns zeros if there are no groups', async () => {
		const { store } = system().sandbox;
		for (const { guid } of store.groups.all()) store.deleteGroup(guid);
		expect(await inventory()).toEqual([
			expect.objectContaining({ groups: 0, members: 0, byType: {} }),
		]);
	});

	/** Publishes the sync, and returns a function that counts how often each group was written so far. */
	async function startSync(edit?: (json: string) => string) {
		const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
		const id = await publish('incremental-sync', { change: { 'Every hour': often }, edit });
		return async (): Promise<Map<string, number>> => {
			const executions = await system().client.waitForSuccess(id, 1);
			const guids = executions.flatMap((each) =>
				each.items('Write').flatMap(({ json }) => (json.guid ? [String(json.guid)] : [])),
			);
			const counts = new Map<string, number>();
			for (const guid of guids) counts.set(guid, (counts.get(guid) ?? 0) + 1);
			return counts;
		};
	}

	/** Waits until at least one more run has listed groups. */
	async function waitForRuns(): Promise<void> {
		const { log } = system().sandbox;
		const before = log.length;
		await waitFor('More requests', () => log.length > before + 2);
	}

	test('"incremental-sync" first returns all groups, then each changed group once', async () => {
		const { sandbox } = system();
		const all = sandbox.store.groups.all().map(({ guid }) => guid);
		const written = await startSync();
		await waitFor('The first sync', async () => (await written()).size >= all.length);
		sandbox.store.updateGroup('brand', { name: 'Changed' });
		sandbox.store.createGroup({ guid: 'fresh' });
		await waitFor('The second sync', async () => (await written()).has('fresh'));
		await waitForRuns();
		const expected = [...all.map((guid) => [guid, guid === 'brand' ? 2 : 1]), ['fresh', 1]];
		expect([...(await written())].sort()).toEqual(expected.sort());
	});

	test('"incremental-sync" returns groups again if writing fails', async () => {
		const { store } = system().sandbox;
		const all = store.groups.all().map(({ guid }) => guid);
		const end = Date.now() + 8_000;
		const code = `if (Date.now() < ${end}) throw new Error('Out of order'); return $input.all();`;
		const written = await startSync((json) => {
			const draft = JSON.parse(json) as WorkflowDraft;
			const write = draft.nodes.find(({ name }) => name === 'Write');
			Object.assign(write ?? {}, {
				...{ type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: code } },
			});
			return JSON.stringify(draft);
		});
		await waitFor('The first successful sync', async () => (await written()).size >= all.length);
		expect(Date.now()).toBeGreaterThan(end);
		await waitForRuns();
		expect([...(await written()).values()].every((count) => count === 1)).toBe(true);
	});

	test('"moderation-agent" removes banned reactions with four tools', async () => {
		const made = [
			['124', 'tomas'],
			['124', 'ext_sam-99'],
			['125', 'aisha'],
			['126', 'ext_sam-99'],
			['126', 'yuki'],
			['127', 'ext_sam-99'],
		];
		model().respond(
			callTool('List_messages', {}),
			...['124', '125', '126', '127'].map((Message_ID) =>
				callTool('List_reactions', { Message_ID }),
			),
			...made.map(([Message_ID, Reacted_By]) =>
				callTool('Remove_reaction', { Message_ID, Reacted_By }),
			),
			callTool('Send_message', { Text: 'Six are gone.' }),
			() => ({ text: 'Done' }),
		);
		const execution = await run('moderation-agent');
		expect(readColumn(execution, 'AI Agent', 'output')).toEqual(['Done']);
		expect(
			model()
				.requests[0].tools.map(({ name }) => name)
				.sort(),
		).toEqual([
			'List_messages_in_CometChat',
			'List_reactions_to_message_in_CometChat',
			'Remove_reaction_from_message_in_CometChat',
			'Send_message_in_CometChat',
		]);
		expect(JSON.stringify(model().requests.at(-1)?.messages)).toContain('ext_sam-99');
		expect(findMessagesWith('👎')).toEqual([]);
		expect(listSentByApp()).toEqual(['makers: Six are gone.']);
		expect(JSON.stringify(model().requests)).not.toContain(system().sandbox.apiKey);
	});

	describe('"ai-colleague"', () => {
		const BOT = 'reminder-bot';

		const botReplies = () =>
			system()
				.sandbox.store.messages.all()
				.filter(({ sender }) => sender === BOT);

		const write = (text: string, more: { parentId?: string; sender?: string } = {}) =>
			system().sandbox.store.sendMessage({
				...{ sender: 'leo', receiverType: 'user', receiver: BOT, text, ...more },
			});

		const answerWith = (...texts: string[]) =>
			model().respond(...texts.map((text) => () => ({ text })));

		test('replies as the bot, in the thread of the message, and never to itself', async () => {
			const before = botReplies().length;
			answerWith('At nine.', 'You asked when we meet.', 'In the kitchen.');
			await whileListening(async () => {
				const { id: parentId } = write('When do we meet?');
				await waitFor('The first answer', () => botReplies().length > before);
				write('And where?', { parentId });
				await waitFor('The second', () => botReplies().length > before + 1);
				write('What did I ask?');
				await waitFor('The third', () => botReplies().length > before + 2);
				const replies = botReplies().slice(before);
				expect(replies[0]).toMatchObject({ text: 'At nine.', parentId });
				expect(replies[1].parentId).toBe(parentId);
				expect(replies[2].parentId).not.toBe(parentId);
			}, 'ai-colleague');
			const heard = model().requests.map(({ messages }) =>
				messages.flatMap(({ role, content }) => (role === 'system' ? [] : `${role}: ${content}`)),
			);
			const first = ['user: Leo Brandt: When do we meet?', 'assistant: At nine.'];
			expect(heard).toEqual([
				['user: When do we meet?'],
				[...first, 'user: And where?'],
				[
					...[...first, 'user: Leo Brandt: And where?', 'assistant: You asked when we meet.'],
					'user: What did I ask?',
				],
			]);
		});

		test('accepts its UID in capitals', async () => {
			const before = botReplies().length;
			answerWith('Yes.');
			await recipes.publish('ai-colleague', {
				edit: (json) =>
					json.replace("'reminder-bot'.toLowerCase()", "'Reminder-Bot'.toLowerCase()"),
				listen: true,
			});
			write('Are you there?');
			await waitFor('The answer', () => botReplies().length > before);
		});

		test('never answers another bot that was made with the workflow', async () => {
			answerWith('One', 'Two', 'Three', 'Four');
			await whileListening(async (id) => {
				const metadata = { writtenByAi: true };
				const { sandbox, client } = system();
				const message = { sender: 'felix', receiverType: 'user', receiver: BOT } as const;
				sandbox.store.sendMessage({ ...message, text: 'Hello, bot', metadata });
				await waitFor('The execution', async () => (await client.listExecutions(id)).length > 0);
				await client.waitForSuccess(id, 1);
			}, 'ai-colleague');
			expect(model().requests).toEqual([]);
		});
	});
});
