import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { POLL_OFTEN } from '../lib/examples';
import { waitFor } from '../lib/processes';
import { PICTURE, useRecipes } from '../lib/recipes';
import type { Attachment } from '../../../tools/sandbox/store/messages';

const recipes = useRecipes();
const { system, run, start, publish, settle, answer, textsTo, listSentByApp } = recipes;

const store = () => system().sandbox.store;

/** Refuses requests that match. */
const refuse = (method: string, path: string) =>
	system().sandbox.setFaults([{ match: { method, path }, effect: { status: { status: 403 } } }]);

describe('The example "new-messages"', () => {
	const TRIGGER = 'CometChat Polling Trigger';

	const write = (text: string, receiver = 'makers', sender = 'felix') =>
		store().sendMessage({ sender, receiver, text });

	const notices = () => textsTo('makers-mods');

	test('tells the moderators once about each new message with a keyword, also after n8n was stopped', async () => {
		const { id: earlier } = write('I want a refund');
		await publish('new-messages', { change: { [TRIGGER]: POLL_OFTEN } });
		write('My lamp is BROKEN');
		write('A fine day');
		write('Broken, too', 'watercooler', 'leo');
		write('A refund by the app', 'makers', 'app_system');
		store().editMessage(earlier, { text: 'I want a refund, or a lawyer' }, 'felix');
		store().sendMessage({ sender: 'noor', receiver: 'makers', ...PICTURE, text: 'Unbroken?' });
		store().sendMessage({ sender: 'noor', receiver: 'makers', ...PICTURE });
		await waitFor('The notices', () => notices().length >= 2);
		await system().n8n.stop();
		write('My lawyer will write to you');
		await system().restart();
		await waitFor('The third notice', () => notices().length >= 3);
		const { log } = system().sandbox;
		const before = log.length;
		await waitFor('The next poll', () => log.length > before);
		expect(notices()).toEqual([
			'Félix Okonjo (felix) in Lantern Makers: My lamp is BROKEN',
			'Noor van Dalen (noor) in Lantern Makers: Unbroken?',
			'Félix Okonjo (felix) in Lantern Makers: My lawyer will write to you',
		]);
	}, 400_000);

	test('cuts long texts, and uses IDs in place of missing names', async () => {
		await run('new-messages', TRIGGER, {}, [
			{ sender: 'mira', receiver: 'makers', text: 'Refund', senderName: null, receiverName: null },
			{ sender: 'leo', senderName: 'Leo', receiver: 'makers', text: `broken ${'🏮'.repeat(600)}` },
			{ sender: 'leo', senderName: 'Leo', receiver: 'makers', text: null },
		]);
		expect(notices()).toEqual([
			'mira (mira) in makers: Refund',
			`Leo (leo) in makers: broken ${'🏮'.repeat(493)}…`,
		]);
	});

	test('tells about every message if the keywords are turned off, also about pictures', async () => {
		const condition = {
			id: '1',
			leftValue: true,
			operator: { type: 'boolean', operation: 'true' },
		};
		const conditions = { options: {}, combinator: 'and', conditions: [condition] };
		await run('new-messages', TRIGGER, { 'Has a keyword': { conditions } }, [
			{ sender: 'leo', senderName: 'Leo', receiver: 'makers', text: 'Hi' },
			{ sender: 'leo', senderName: 'Leo', receiver: 'makers', text: null },
		]);
		expect(notices()).toEqual([
			'Leo (leo) in makers: Hi',
			'Leo (leo) in makers: a message without text',
		]);
	});

	test('sends nothing if no message has a keyword', async () => {
		await run('new-messages', TRIGGER, {}, [{ sender: 'leo', receiver: 'makers', text: 'Hi' }]);
		expect(listSentByApp()).toEqual([]);
	});
});

describe('The example "save-files"', () => {
	/** The only folder that n8n may write to. The folder's path is different in the Docker image. */
	const folder = () => join(system().userFolder, 'home', '.n8n-files');

	beforeEach(() => {
		rmSync(folder(), { recursive: true, force: true });
		mkdirSync(folder(), { recursive: true });
	});

	/** Publishes the recipe, which saves files in a folder, and returns the workflow's ID. */
	const listen = async (path = folder()) =>
		await publish('save-files', {
			listen: true,
			edit: (json) => json.replace('/home/node/.n8n-files', path),
		});

	/** A file of the sandbox. @param path path of the file on the media host */
	const file = (name: string, path = name): Attachment => ({
		...{ url: `media/${path}`, name, mimeType: 'text/plain', size: '20' },
	});

	const send = (attachments: Attachment[], receiver = 'makers', sender = 'noor') =>
		store().sendMessage({ sender, receiver, type: 'file', text: 'See here', attachments }).id;

	const saved = () => readdirSync(folder()).sort();

	/** Reads a saved file. The sandbox's files consist of their own paths. */
	const read = (name: string) => readFileSync(join(folder(), name), 'utf8');

	test('saves each file of each message, also files of the same name', async () => {
		const workflowId = await listen();
		const first = send([file('a.txt', 'one/a.txt'), file('a.txt', 'two/a.txt')]);
		const second = send([file('a.txt', 'three/a.txt')], 'makers', 'app_system');
		store().sendMessage({ sender: 'noor', receiver: 'makers', text: 'No file' });
		send([file('b.txt')], 'watercooler', 'leo');
		await settle(workflowId);
		expect(saved()).toEqual([`${first}-1-a.txt`, `${first}-2-a.txt`, `${second}-1-a.txt`].sort());
		expect(read(`${first}-1-a.txt`)).toMatch(/^media\/one\/a\.txt/);
		expect(read(`${first}-2-a.txt`)).toMatch(/^media\/two\/a\.txt/);
		expect(read(`${second}-1-a.txt`)).toMatch(/^media\/three\/a\.txt/);
		expect(listSentByApp()).toHaveLength(1);
	});

	test('keeps names with paths, control characters and 300 characters in the folder', async () => {
		const workflowId = await listen();
		const names = ['../../evil.txt', '/etc/passwd', '..\\..\\evil.bat', '..', 'a\n\0b.txt', '~/c'];
		const long = `${'🏮'.repeat(300)}.txt`;
		const id = send([...names, long].map((name, index) => file(name, `file-${index}`)));
		await settle(workflowId);
		expect(saved()).toEqual(
			[
				...['1-evil.txt', '2-passwd', '3-evil.bat', '4-file-3', '5-ab.txt', '6-c'],
				`7-${'🏮'.repeat(28)}.txt`,
			].map((name) => `${id}-${name}`),
		);
		expect(existsSync(join(system().userFolder, 'evil.txt'))).toBe(false);
		expect(listSentByApp()).toEqual([]);
	});

	test('saves the other files if one can not be downloaded, and says which and why', async () => {
		const workflowId = await listen();
		refuse('GET', '^.*/media/gone\\.txt');
		const elsewhere = { url: 'https://files.example.com/x.txt', name: 'x.txt' };
		const id = send([file('gone.txt'), file('a.txt'), elsewhere, file('b.txt')]);
		await settle(workflowId);
		expect(saved().map((name) => name.replace(/^\d+-\d-/, ''))).toEqual(['a.txt', 'b.txt']);
		const [text, ...others] = textsTo('makers-mods');
		expect(others).toEqual([]);
		expect(text).toMatch(
			new RegExp(
				`^Files that were not saved:\n• Message ${id}: gone\\.txt: .*403.*\n• Message ${id}: x\\.txt: .*not from files\\.example\\.com`,
			),
		);
	});

	test('saves the other files if one can not be written', async () => {
		const workflowId = await listen();
		const { id: last } = store().sendMessage({ sender: 'noor', receiver: 'makers', text: 'Hi' });
		const next = Number(last) + 1;
		mkdirSync(join(folder(), `${next}-1-a.txt`));
		const id = send([file('a.txt'), file('b.txt')]);
		await settle(workflowId);
		expect(saved()).toEqual([`${id}-1-a.txt`, `${id}-2-b.txt`]);
		expect(read(`${id}-2-b.txt`)).toMatch(/^media\/b\.txt/);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(`^Files that were not saved:\n• Message ${id}: a\\.txt: \\S`),
		]);
	});

	test('says that a message could not be read', async () => {
		const workflowId = await listen();
		refuse('GET', '^.*/messages/\\d+$');
		const id = send([file('a.txt')]);
		await settle(workflowId);
		expect(saved()).toEqual([]);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(`^Files that were not saved:\n• Message ${id}: CometChat denied`),
		]);
	});

	test('replaces the files of a message that is delivered twice', async () => {
		await listen();
		const id = send([file('a.txt')]);
		await waitFor('The file', () => saved().length === 1);
		const row = { id, attachments: [{ url: 'media/a.txt' }] };
		const fileName = `=${folder()}/{{ $json.messageId }}-{{ $itemIndex + 1 }}-{{ $binary.data.fileName }}`;
		await run('save-files', 'CometChat Trigger', { 'Save file': { fileName } }, [row]);
		expect(saved()).toEqual([`${id}-1-a.txt`]);
	});
});

describe('The example "quiet-groups"', () => {
	const DAY = 86_400;

	const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * DAY;

	/** Creates a group that was made 60 days ago, with a message from each of the given numbers of days ago. */
	function createGroup(guid: string, owner: string, messages: number[] = [], age = 60): void {
		store().createGroup({ guid, name: guid.toUpperCase(), owner, createdAt: daysAgo(age) });
		for (const days of messages) {
			store().sendMessage({ sender: owner, receiver: guid, text: 'Hi', sentAt: daysAgo(days) });
		}
	}

	beforeEach(() => {
		for (const { guid } of store().groups.all()) {
			if (guid !== 'makers-mods') store().deleteGroup(guid);
		}
		store().sendMessage({ sender: 'yuki', receiver: 'makers-mods', text: 'Not quiet' });
	});

	const ask = async (change?: Parameters<typeof start>[2]) =>
		await system().client.waitForEnd(await start('quiet-groups', 'Every Monday', change));

	const questions = () => listSentByApp().filter((text) => text.includes('May it be deleted'));

	/** Lists the groups that questions are about, formatted as "receiver: group". */
	const askedAbout = () =>
		questions()
			.map((text) =>
				text.replace(/^(\S+): Nobody has written in the group \S+ \((\S+)\)[^]*/, '$1: $2'),
			)
			.sort();

	const exists = (guid: string) => store().groups.get(guid) !== undefined;

	test('asks the owners of quiet and empty groups side by side, and deletes only what they say', async () => {
		createGroup('old', 'leo', [50, 40]);
		createGroup('empty', 'mira');
		createGroup('busy', 'leo', [40, 29]);
		createGroup('new', 'leo', [], 29);
		createGroup('joined', 'mira');
		store().joinGroup('joined', 'felix');
		createGroup('erased', 'noor', [40]);
		const { id } = store().sendMessage({ sender: 'noor', receiver: 'erased', text: 'Oh' });
		store().deleteMessage(id);
		createGroup('of-the-app', 'app_system');
		const { status } = await ask();
		expect(status).toBe('success');
		const all = [
			...['leo: old', 'makers-mods: of-the-app', 'mira: empty', 'mira: joined', 'noor: erased'],
		];
		await waitFor('The questions', () => questions().length === all.length);
		expect(askedAbout()).toEqual(all);
		expect(await answer(/\(empty\)/, 'Delete')).toMatch(
			/^mira: Nobody has written in the group EMPTY \(empty\) yet\. Members: 1\. May it be deleted, with all its messages\? Without an answer for six days, it stays\./,
		);
		await waitFor('The deletion', () => !exists('empty'));
		expect(await answer(/\(old\)/, 'Keep')).toMatch(/ since \d+ \w+ 20\d\d\. Members: 1\. /);
		await waitFor('The message in the group', () => textsTo('old').length > 0);
		await answer(/\(of-the-app\)/, 'Delete');
		await waitFor('The second deletion', () => !exists('of-the-app'));
		expect(['old', 'busy', 'new', 'joined', 'erased'].filter((guid) => !exists(guid))).toEqual([]);

		await ask();
		await waitFor('The next questions', () => questions().length === all.length + 2);
		expect(askedAbout().filter((text) => /old|busy|new/.test(text))).toEqual(['leo: old']);
	});

	test('asks about empty groups if no group has messages', async () => {
		store().deleteGroup('makers-mods');
		createGroup('empty', 'mira');
		await ask();
		await waitFor('The question', () => questions().length === 1);
		expect(askedAbout()).toEqual(['mira: empty']);
	});

	test('asks side by side while it is published', async () => {
		createGroup('old', 'leo', [40]);
		createGroup('empty', 'mira');
		const rule = { interval: [{ field: 'seconds', secondsInterval: 15 }] };
		const id = await publish('quiet-groups', { change: { 'Every Monday': { rule } } });
		// Runs one after another would ask about the same group again
		await waitFor('The questions', () => new Set(askedAbout()).size === 2);
		await system().client.unpublish(id);
		await answer(/\(empty\)/, 'Delete');
		await waitFor('The deletion', () => !exists('empty'));
		expect(exists('old')).toBe(true);
	});

	test('keeps a group whose owner does not answer, and asks about it again', async () => {
		createGroup('old', 'leo', [40]);
		const limit = { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'minutes' };
		const options = { limitWaitTime: { values: limit } };
		const { workflowId } = await ask({ 'Ask the owner': { options } });
		await waitFor('The question', () => questions().length === 1);
		const { client } = system();
		await waitFor(
			'The end of the question',
			async () => {
				const all = await client.listExecutions(workflowId);
				return all.length === 2 && all.every(({ status }) => status === 'success');
			},
			200_000,
		);
		expect(exists('old')).toBe(true);
		expect(textsTo('old')).toEqual([]);
		await ask();
		await waitFor('The next question', () => questions().length === 2);
	}, 400_000);

	test('keeps a group in which somebody has written since the question', async () => {
		createGroup('old', 'leo', [40]);
		createGroup('empty', 'app_system');
		await ask();
		await waitFor('The questions', () => questions().length === 2);
		for (const receiver of ['old', 'empty']) {
			store().sendMessage({ sender: 'leo', receiver, text: 'Still here' });
		}
		await answer(/\(old\)/, 'Delete');
		await answer(/\(empty\)/, 'Delete');
		const isNews = (text: string) => text.includes('was not deleted');
		await waitFor('The news', () => listSentByApp().filter(isNews).length === 2);
		expect(listSentByApp().filter(isNews)).toEqual([
			'leo: The group OLD was not deleted, because somebody has written in it meanwhile.',
			'makers-mods: The group EMPTY was not deleted, because somebody has written in it meanwhile.',
		]);
		expect(['old', 'empty'].map(exists)).toEqual([true, true]);
	});

	test('asks nobody if the messages of a group can not be read', async () => {
		createGroup('old', 'leo', [40]);
		createGroup('secret', 'mira', [1]);
		refuse('GET', '^.*/groups/secret/messages');
		const { status } = await ask();
		expect(status).toBe('error');
		expect(questions()).toEqual([]);
	});

	test('asks the other owners if one can not be asked', async () => {
		store().people.create({ uid: 'gone', name: 'Gone' });
		createGroup('lost', 'gone', [40]);
		createGroup('old', 'leo', [40]);
		store().people.deactivate('gone');
		const { workflowId } = await ask();
		await waitFor('The question', () => questions().length === 1);
		const { client } = system();
		await waitFor('The failed execution', async () =>
			(await client.listExecutions(workflowId)).some(({ status }) => status === 'error'),
		);
		expect(askedAbout()).toEqual(['leo: old']);
		expect(exists('lost')).toBe(true);
	});

	test.each([0, 2])('asks nobody if there are %d groups, none of them quiet', async (count) => {
		if (count === 0) store().deleteGroup('makers-mods');
		else createGroup('busy', 'leo', [1]);
		const { status } = await ask();
		expect(status).toBe('success');
		expect(listSentByApp()).toEqual([]);
	});
});
