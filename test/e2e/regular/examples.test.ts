import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { SMTPServer } from 'smtp-server';

import type { ChatRequest, Turn } from '../lib/chatModel';
import type { Execution } from '../lib/client';
import { loadExample } from '../lib/examples';
import { waitFor } from '../lib/processes';
import { useRecipes } from '../lib/recipes';

const recipes = useRecipes();
const { system, model, run, start, whileListening, listSentByApp, answer } = recipes;

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

	test.each([
		['get-message', 'Get message', 'id', ['108']],
		['remove-reaction', 'Remove reaction from message', 'reactions', ['#️⃣ 1, 🇮🇳 1']],
		['chain', 'List groups', 'guid', expect.arrayContaining(['project-aurora'])],
	])('"%s" returns the expected items', async (name, node, column, expected) => {
		expect(readColumn(await run(name), node, column)).toEqual(expected);
	});

	test('"clean-up" deletes messages by text and reports the number', async () => {
		const execution = await run('clean-up');
		const deleted = execution.items('Delete message');
		expect(deleted).toHaveLength(3);
		expect(listSentByApp()).toEqual([
			expect.stringMatching(/^makers-mods: Deleted 3 of 3 messages:\n• /),
		]);
	});

	const thanks = () => listSentByApp().filter((text) => text.includes('Thank you for your report'));

	test('"review-reports" asks about both reports of a poll, and informs senders and reporters', async () => {
		const { client, sandbox } = system();
		const executionId = await start('review-reports', 'CometChat Polling Trigger');
		const first = await answer(executionId, 'Block');
		expect(first).toMatch(/^makers-mods: Tomás Ferreo reported a message \(Spam: The third one/);
		await waitFor('The end of the first review', () => thanks().length === 1);
		await answer(executionId, 'Keep');
		await client.waitForEnd(executionId);
		expect(sandbox.store.messages.get('107')?.moderation?.status).toBe('disapproved');
		expect(sandbox.store.messages.get('128')?.moderation?.status).toBe('approved');
		expect(sandbox.store.moderation.flaggedIds()).toEqual([]);
		expect(listSentByApp().filter((text) => text.startsWith('ext_sam-99: '))).toEqual([
			expect.stringMatching(/^ext_sam-99: Your message was removed after a report \(Spam\)/),
		]);
		expect(thanks()).toEqual([
			'tomas: Thank you for your report. The moderators have removed the message.',
			'noor: Thank you for your report. The moderators have looked at the message and decided to keep it.',
		]);
	});

	test('"review-reports" bans a sender after the third blocked message', async () => {
		const { client, sandbox } = system();
		for (const id of ['107', '128']) sandbox.store.reviewMessage('flagged', id, 'approved');
		for (const text of ['One', 'Two', 'Three']) {
			const { id } = sandbox.store.sendMessage({ sender: 'felix', receiver: 'makers', text });
			sandbox.store.flagMessage(id, { uid: 'yuki', reasonId: 'spam' });
		}
		const executionId = await start('review-reports', 'CometChat Polling Trigger');
		const isBanned = () =>
			sandbox.store.groups.get('makers')?.banned?.some(({ uid }) => uid === 'felix') ?? false;
		for (const number of [1, 2, 3]) {
			expect(isBanned()).toBe(false);
			await answer(executionId, 'Block');
			await waitFor(`Review ${number}`, () => thanks().length === number);
		}
		await client.waitForEnd(executionId);
		expect(isBanned()).toBe(true);
		expect(listSentByApp().filter((text) => text.startsWith('felix: '))).toEqual([
			expect.stringContaining('This is strike 1.'),
			expect.stringContaining('This is strike 2.'),
		]);
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
		const message = (text: string) => ({ sender: { uid: 'mira', name: 'Mira' }, message: text });
		const data = (email: string) => ({
			to: { uid: 'theo', name: 'Theo', email },
			messages: [message('Hi'), message('Lunch?')],
			groupDetails: { guid: 'makers', name: 'Lantern Makers' },
			subject: 'New messages for you',
		});
		const listening = async () => {
			for (const email of ['', 'theo@example.com']) {
				sandbox.webhooks.deliver('email-notification-payload-generated', data(email));
			}
			await waitFor('The email', () => mails.length > 0);
		};
		await whileListening(listening, 'missed-messages', { smtp: { id: smtpId, name: 'SMTP' } });
		expect(mails).toHaveLength(1);
		expect(mails[0]).toMatch(/^To: theo@example\.com\r?$/m);
		expect(mails[0]).toMatch(/^Subject: New messages for you\r?$/m);
		expect(mails[0]).toMatch(/you missed 2 messages in Lantern Makers.*by Mira:.*Lunch\?/s);
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
		const question = await answer(executionId, 'Block');
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

	test('"clean-up-approved" deletes messages after a moderator approves', async () => {
		const { client } = system();
		const executionId = await start('clean-up-approved');
		const question = await answer(executionId, 'Delete');
		expect(question).toMatch(/^makers-mods: Delete 3 messages\?\n• \d+ by /);
		expect((await client.waitForEnd(executionId)).items('Delete message')).toHaveLength(3);
		expect(listSentByApp()).toEqual([expect.stringMatching(/^makers-mods: .*: Delete$/s)]);
	});

	test('"weekly-digest" saves seven days of messages to a file, and counts messages by sender', async () => {
		const { client, sandbox } = system();
		const yesterday = Math.floor(Date.now() / 1000) - 86_400;
		for (const [index, sender] of ['noor', 'yuki', 'yuki'].entries()) {
			const text = `Message ${index}`;
			const sentAt = yesterday + index;
			sandbox.store.sendMessage({ sender, receiver: 'makers', text, sentAt });
		}
		// The only folder that n8n is allowed to write to. The folder's path is different in the Docker image
		const file = join(system().userFolder, 'home', '.n8n-files', 'digest.csv');
		mkdirSync(dirname(file), { recursive: true });
		const draft = loadExample('weekly-digest', recipes.saved(), {
			'Save file': { fileName: file },
		});
		const execution = await client.runFrom(await client.addWorkflow(draft), 'Schedule Trigger');
		expect(execution.error).toBeUndefined();
		const [columns, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
		expect(columns).toMatch(/^\uFEFF?id,/);
		expect(rows.map((row) => /Message \d/.exec(row)?.[0])).toEqual([
			...['Message 0', 'Message 1', 'Message 2'],
		]);
		expect(listSentByApp()).toEqual([
			'makers-mods: Messages in the last seven days: 3\n• Yuki 雪 Aalto: 2\n• Noor van Dalen: 1',
		]);
	});

	test('"nightly-inventory" counts all groups by type', async () => {
		const groups = system().sandbox.store.groups.all();
		const [{ json }] = (await run('nightly-inventory', 'Every night')).items('Keep it');
		expect(json).toMatchObject({
			groups: groups.length,
			members: groups.reduce((sum, { members }) => sum + members.length, 0),
			byType: { password: groups.filter(({ type }) => type === 'password').length },
		});
	});

	test('"incremental-sync" first returns all groups, then each changed group once', async () => {
		const { client, sandbox } = system();
		const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
		const draft = loadExample('incremental-sync', recipes.saved(), { 'Every hour': everySecond });
		const id = await client.addWorkflow(draft);
		/** Returns the GUIDs that the workflow's executions have output so far. */
		const returned = async (): Promise<string[]> =>
			(await client.waitForSuccess(id, 1)).flatMap((execution) =>
				execution.items('Changed groups').map(({ json }) => String(json.guid)),
			);
		const all = sandbox.store.groups.all().map(({ guid }) => guid);
		await client.publish(id);
		await waitFor('The first sync', async () => (await returned()).length >= all.length);
		sandbox.store.updateGroup('brand', { name: 'Changed' });
		sandbox.store.createGroup({ guid: 'fresh' });
		const expected = [...all, 'brand', 'fresh'].sort();
		await waitFor('The second sync', async () => (await returned()).length >= expected.length);
		const requests = sandbox.log.length;
		await waitFor('Another run', () => sandbox.log.length > requests + 2);
		await client.unpublish(id);
		expect((await returned()).sort()).toEqual(expected);
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

	test('"ai-colleague" replies in the thread as the bot, and never replies to itself', async () => {
		const { sandbox } = system();
		const replies = () =>
			sandbox.store.messages.all().filter(({ parentId }) => parentId !== undefined);
		const before = replies().length;
		model().respond(
			() => ({ text: 'At nine.' }),
			() => ({ text: 'You asked when we meet.' }),
		);
		const ask = (text: string) =>
			sandbox.store.sendMessage({
				sender: 'leo',
				receiverType: 'user',
				receiver: 'reminder-bot',
				text,
			});
		await whileListening(async () => {
			const { id: parentId } = ask('When do we meet?');
			await waitFor('The first answer', () => replies().length > before);
			ask('What did I ask?');
			await waitFor('The second', () => replies().length > before + 1);
			expect(replies()[before]).toMatchObject({
				...{ sender: 'reminder-bot', text: 'At nine.', parentId },
			});
		}, 'ai-colleague');
		// The second request to the model contains the conversation so far
		expect(JSON.stringify(model().requests.at(-1)?.messages)).toContain('When do we meet?');
		expect(model().requests).toHaveLength(2);
	});
});
