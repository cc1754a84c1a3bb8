import { LONGEST_RUN_MS, PICTURE, useRecipes } from '../lib/recipes';
import { waitFor } from '../lib/processes';

const recipes = useRecipes();
const { system, run, start, whileListening, settle, listSentByApp, isBanned, answer, textsTo } =
	recipes;

const store = () => system().sandbox.store;

describe('The example "three-strikes"', () => {
	let skippedIds = 0;

	// The recipe's data table outlives the sandbox's reset, so each test uses message IDs of its own
	beforeEach(() => {
		skippedIds += 100;
		for (let n = 0; n < skippedIds; n++) {
			store().sendMessage({ sender: 'aisha', receiver: 'makers', text: 'A fine day' });
		}
	});

	/** Writes a message, and returns true if the workflow deletes it. */
	async function isDeleted(workflowId: string, sender: string, text: string, receiver = 'makers') {
		const { id } = store().sendMessage({ sender, receiver, text });
		await settle(workflowId);
		return store().messages.get(id)?.deletedAt !== undefined;
	}

	const listen = async (use: (workflowId: string) => Promise<void>, groupIds = ['makers']) => {
		const change = { 'CometChat Trigger': { groupIds } };
		await whileListening(use, 'three-strikes', { change });
	};

	test('warns a user twice, bans the user after the third message, and counts anew after a ban', async () => {
		await listen(async (id) => {
			expect(await isDeleted(id, 'aisha', 'A fine day')).toBe(false);
			for (let strike = 1; strike <= 3; strike++) {
				expect(await isDeleted(id, 'aisha', `Buy scamcoin: ${strike}`)).toBe(true);
			}
			expect(isBanned('makers', 'aisha')).toBe(true);
			store().unbanMember('makers', 'aisha');
			store().joinGroup('makers', 'aisha');
			await isDeleted(id, 'aisha', 'scamcoin');
		});
		expect(isBanned('makers', 'aisha')).toBe(false);
		expect(textsTo('aisha').map((text) => /strike (\d)/.exec(text)?.[1])).toEqual(['1', '2', '1']);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(/^Aisha Lindqvist \(aisha\) was banned from Lantern Makers after/),
		]);
	});

	test('counts each group for itself', async () => {
		// n8n's data table keeps the strikes of a failed attempt
		const groups = ['one', 'two', 'three'].map((name) => `${name}-${Date.now()}`);
		for (const guid of groups) {
			store().createGroup({ guid });
			store().joinGroup(guid, 'felix');
		}
		await listen(async (id) => {
			for (const guid of groups) expect(await isDeleted(id, 'felix', 'scamcoin', guid)).toBe(true);
		}, groups);
		expect(groups.filter((guid) => isBanned(guid, 'felix'))).toEqual([]);
		expect(textsTo('felix').map((text) => /strike (\d)/.exec(text)?.[1])).toEqual(['1', '1', '1']);
	});

	test('gives three messages at once three different numbers', async () => {
		await listen(async (id) => {
			for (let n = 1; n <= 3; n++) {
				store().sendMessage({ sender: 'noor', receiver: 'makers', text: `spamword ${n}` });
			}
			await settle(id);
		});
		const numbers = textsTo('noor').map((text) => /strike (\d)/.exec(text)?.[1]);
		expect(numbers.sort()).toEqual(['1', '2']);
		expect(isBanned('makers', 'noor')).toBe(true);
	});

	test('bans once after six messages at once, and counts none of them after the ban', async () => {
		const guid = `rush-${Date.now()}`;
		store().createGroup({ guid, name: 'Rush Hour', owner: 'priya' });
		store().joinGroup(guid, 'felix');
		const strikes = () => textsTo('felix').map((text) => /strike (\d)/.exec(text)?.[1]);
		await listen(
			async (id) => {
				const sent = Array.from({ length: 6 }, (_, n) =>
					store().sendMessage({ sender: 'felix', receiver: guid, text: `scamcoin ${n}` }),
				);
				await settle(id);
				expect(sent.filter((each) => !store().messages.get(each.id)?.deletedAt)).toEqual([]);
				expect(isBanned(guid, 'felix')).toBe(true);
				expect(strikes().sort()).toEqual(['1', '2']);
				store().unbanMember(guid, 'felix');
				store().joinGroup(guid, 'felix');
				await isDeleted(id, 'felix', 'scamcoin', guid);
			},
			[guid],
		);
		expect(strikes().sort()).toEqual(['1', '1', '2']);
		expect(textsTo('makers-mods')).toEqual([
			'Félix Okonjo (felix) was banned from Rush Hour after the third message with a banned word.',
		]);
	});

	test('lets admins and moderators quote the word', async () => {
		store().createGroup({ guid: 'quotes', owner: 'priya' });
		store().joinGroup('quotes', 'tomas', 'moderator');
		await listen(
			async (id) => {
				for (const sender of ['priya', 'tomas']) {
					expect(await isDeleted(id, sender, 'Nobody says scamcoin here', 'quotes')).toBe(false);
				}
			},
			['quotes'],
		);
		expect(listSentByApp()).toEqual([]);
	});

	test('finds a word that is edited in, in capitals and beside punctuation, but not inside other words', async () => {
		store().createGroup({ guid: 'words' });
		store().joinGroup('words', 'yuki');
		await listen(
			async (id) => {
				const write = async (text: string) => await isDeleted(id, 'yuki', text, 'words');
				expect(await write('scamcoins and myspamword')).toBe(false);
				expect(await write('(SCAMCOIN)')).toBe(true);
				const { id: messageId } = store().sendMessage({
					...{ sender: 'yuki', receiver: 'words', text: 'A fine day' },
				});
				await settle(id);
				store().editMessage(messageId, { text: 'Cheap\nBulbs!' }, 'yuki');
				await settle(id);
				expect(store().messages.get(messageId)?.deletedAt).toBeDefined();
			},
			['words'],
		);
	});

	test('leaves files, custom messages and direct messages alone', async () => {
		store().createGroup({ guid: 'files' });
		store().joinGroup('files', 'carla');
		await listen(
			async (id) => {
				const sender = 'carla';
				const named = { url: 'https://example.com/scamcoin.png', name: 'scamcoin.png' };
				const attachments = [{ ...PICTURE.attachments[0], ...named }];
				store().sendMessage({ sender, receiver: 'files', ...PICTURE, attachments });
				store().sendMessage({
					...{ sender, receiver: 'files', category: 'custom', type: 'poll' },
					customData: { question: 'scamcoin?' },
				});
				store().sendMessage({ sender, receiver: 'leo', receiverType: 'user', text: 'scamcoin' });
				await settle(id);
				const own = store()
					.messages.all()
					.filter((message) => message.sender === sender);
				expect(own.slice(-3).filter(({ deletedAt }) => deletedAt)).toEqual([]);
			},
			['files'],
		);
	});

	test('tells the moderators if the ban fails', async () => {
		store().createGroup({ guid: 'failing' });
		store().joinGroup('failing', 'leo');
		const match = { method: 'POST', path: '^.*/bannedusers/' };
		system().sandbox.setFaults([{ match, effect: { status: { status: 403 } } }]);
		await listen(
			async (id) => {
				for (let n = 1; n <= 3; n++) await isDeleted(id, 'leo', 'scamcoin', 'failing');
				await waitFor('The message to the moderators', () => textsTo('makers-mods').length > 0);
			},
			['failing'],
		);
		expect(isBanned('failing', 'leo')).toBe(false);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(
				/^Leo Brandt \(leo\) could not be banned from failing after .*\. CometChat denied/,
			),
		]);
	});
});

describe('The example "moderation-engine"', () => {
	test.each([
		['spamword', 'Buy SpamWord now', true],
		['spamword', 'Buy spamwords now', false],
		['Casino', 'a casino.', true],
		['ass', 'A classic assembly', false],
		['ass', 'ASS!', true],
		['спам', 'Это СПАМ!', true],
		['спам', 'Это спамер', false],
		['übel', 'Sehr ÜBEL', true],
		['übel', 'Kübel', false],
		['café', 'the cafe\u0301 here', true],
		['café', 'cafés', false],
		['赌博', '我爱赌博吗', true],
		['cheap bulbs', 'Cheap\n bulbs', true],
		['c++ (c)', 'I like C++ (C) most', true],
		['', 'An empty word', false],
	])('with the word "%s", answers "%s" with %s', async (word, text, isBlocked) => {
		const { client, sandbox, n8n } = system();
		const login = { user: 'engine', password: 'Ahx7otai1Shei3Phoo9w' };
		const loginId = await client.addCredential('Moderation', 'httpBasicAuth', login);
		await recipes.publish('moderation-engine', {
			saved: { httpBasicAuth: { id: loginId, name: 'Moderation' } },
			edit: (json) => json.replace("['spamword', 'scamcoin', 'cheap bulbs']", `['${word}']`),
		});
		sandbox.setModerationEngine({
			...{
				url: `${n8n.url}/webhook/cometchat-moderation`,
				onError: isBlocked ? 'approve' : 'block',
			},
			...{ username: login.user, password: login.password },
		});
		const { id } = store().sendMessage({ sender: 'yuki', receiver: 'makers', text });
		const status = await waitFor('The decision', () => {
			const decision = store().messages.get(id)?.moderation?.status;
			return decision === 'pending' ? undefined : decision;
		});
		expect(status).toBe(isBlocked ? 'disapproved' : 'approved');
	});
});

describe('The example "banned-reaction"', () => {
	test('removes banned reactions in all skin tones, and informs the user', async () => {
		await whileListening(async (id) => {
			for (const reaction of ['👎', '👎🏽', '👎🏿', '🎉', '👍🏽']) {
				store().addReaction('127', 'aisha', reaction);
				await settle(id);
			}
		}, 'banned-reaction');
		const left = store()
			.messages.reactionsOf('127')
			.map(({ reaction }) => reaction);
		expect(left).toEqual(expect.arrayContaining(['🎉', '👍🏽']));
		expect(left).not.toContain('👎🏽');
		expect(
			store()
				.messages.get('127')
				?.reactions.all('👎')
				.map(({ uid }) => uid),
		).toEqual(['ext_sam-99']);
		expect(textsTo('aisha')).toHaveLength(3);
		expect(textsTo('aisha')[0]).toMatch(/^Your 👎 to “Please keep it/);
	});

	test('removes a reaction to a picture, and tells the moderators about a user who has left the group', async () => {
		const picture = { sender: 'noor', receiver: 'makers', ...PICTURE };
		const { id: messageId } = store().sendMessage(picture);
		await whileListening(async (id) => {
			store().addReaction(messageId, 'aisha', '👎');
			await settle(id);
			store().leaveGroup('makers', 'yuki');
			store().addReaction(messageId, 'yuki', '👎');
			await settle(id);
		}, 'banned-reaction');
		expect(textsTo('aisha')).toEqual([expect.stringMatching(/^Your 👎 to a message was removed/)]);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(
				new RegExp(`^Not removed: 👎 by Yuki 雪 Aalto from message ${messageId}\\. `),
			),
		]);
	});
});

describe('The example "moderation"', () => {
	const reactionsOf = (reaction: RegExp) =>
		store()
			.messages.all()
			.filter(({ receiver }) => receiver === 'makers')
			.flatMap(({ id }) => store().messages.reactionsOf(id))
			.filter((each) => reaction.test(each.reaction));

	test('removes a banned reaction in all skin tones, and reports failures to the moderators', async () => {
		store().leaveGroup('makers', 'ext_sam-99');
		store().addReaction('127', 'aisha', '👎🏽');
		store().addReaction('127', 'noor', '👍🏽');
		const execution = await run('moderation');
		const removed = execution.items('Remove reaction from message').length;
		const refused = execution.items('Remove reaction from message', 1).length;
		expect([removed + refused, refused > 0]).toEqual([7, true]);
		expect(textsTo('makers')).toEqual([
			expect.stringContaining(`Removed from this group: ${removed} × a reaction`),
		]);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringContaining(
				`Not removed: ${refused} banned reactions\n• 👎 by Sam (Supplier), message `,
			),
		]);
		expect(reactionsOf(/👎🏽/)).toEqual([]);
		expect(reactionsOf(/👍🏽/)).toHaveLength(1);
	});

	test('names a message whose reactions cannot be listed, and removes the other reactions', async () => {
		const match = { method: 'GET', path: '^.*/messages/127/reactions', times: 1 };
		system().sandbox.setFaults([{ match, effect: { status: { status: 403 } } }]);
		await run('moderation');
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(/^Not checked: 1 messages\n• Message 127: CometChat denied/),
		]);
		expect(reactionsOf(/👎/)).toHaveLength(1);
		expect(store().messages.get('127')?.reactions.has('👎')).toBe(true);
	});

	test('sends nothing if there is nothing to remove', async () => {
		await run('moderation');
		const before = listSentByApp();
		await run('moderation');
		expect(listSentByApp()).toEqual(before);
		expect(reactionsOf(/👎/)).toEqual([]);
	});

	test(
		'removes 2,500 reactions',
		async () => {
			for (let n = 0; n < 2_500; n++) {
				const { id } = store().sendMessage({
					sender: 'noor',
					receiver: 'makers',
					text: `Number ${n}`,
				});
				store().addReaction(id, 'aisha', '👎');
			}
			await run('moderation');
			expect(reactionsOf(/👎/)).toEqual([]);
			expect(textsTo('makers')[0]).toContain('2506 × a reaction');
		},
		LONGEST_RUN_MS,
	);
});

describe('The example "review-reports"', () => {
	const report = (id: string, ...uids: string[]) => {
		for (const uid of uids) store().flagMessage(id, { uid, reasonId: 'spam' });
	};

	const poll = async () => await start('review-reports', 'CometChat Polling Trigger');

	const questions = () => textsTo('makers-mods').filter((text) => text.includes('Reported by'));

	const thanked = (words: RegExp) =>
		listSentByApp()
			.filter((text) => text.includes('Thank you for your report') && words.test(text))
			.map((text) => text.split(':')[0])
			.sort();

	const statusOf = (id: string) => store().messages.get(id)?.moderation?.status;

	test('asks about each message at once, and informs senders and reporters', async () => {
		await poll();
		await waitFor('Both questions', () => questions().length === 2);
		await answer(/Noor van Dalen \(/, 'Keep');
		await waitFor('The first decision', () => thanked(/keep it/).length === 1);
		expect(await answer(/Spam: The third one today/, 'Block')).toContain(
			'Sam (Supplier) (ext_sam-99) wrote to Tomás Ferreo:\nQuote attached',
		);
		await waitFor('The second decision', () => thanked(/removed/).length === 1);
		expect([statusOf('107'), statusOf('128')]).toEqual(['disapproved', 'approved']);
		expect([thanked(/removed/), thanked(/keep it/)]).toEqual([['tomas'], ['noor']]);
		expect(textsTo('ext_sam-99')).toEqual([
			expect.stringMatching(/^Your message was removed after a report \(Spam\): “Quote/),
		]);
	});

	test('asks once about a picture with three reports', async () => {
		for (const id of ['107', '128']) store().reviewMessage('flagged', id, 'approved');
		const { id } = store().sendMessage({ sender: 'felix', receiver: 'makers', ...PICTURE });
		report(id, 'yuki', 'noor', 'aisha');
		await poll();
		const question = await answer(/Reported by/, 'Block');
		expect(question).toContain(
			'Félix Okonjo (felix) wrote in the group Lantern Makers:\nhttps://example.com/a.png\n\nReported by ',
		);
		expect(questions()).toHaveLength(1);
		await waitFor('The thanks', () => thanked(/removed/).length === 3);
		expect(thanked(/removed/)).toEqual(['aisha', 'noor', 'yuki']);
		expect(textsTo('felix')).toEqual(['Your message was removed after a report (Spam).']);
	});

	test('goes on if a sender or reporter no longer has an account, and names the type of a custom message', async () => {
		for (const id of ['107', '128']) store().reviewMessage('flagged', id, 'approved');
		const { id } = store().sendMessage({
			...{ sender: 'felix', receiver: 'makers', category: 'custom', type: 'poll' },
			customData: { question: 'Where?' },
		});
		report(id, 'yuki', 'noor');
		store().people.deactivate('felix');
		store().people.deactivate('yuki');
		await poll();
		expect(await answer(/Reported by/, 'Block')).toContain(
			'A message without text, of the type poll',
		);
		await waitFor('The thanks', () => thanked(/removed/).length === 1);
		expect(thanked(/removed/)).toEqual(['noor']);
	});

	/** Sends a message that is the only one in the queue once it is reported. */
	const sendMessage = () => {
		for (const id of ['107', '128']) store().reviewMessage('flagged', id, 'approved');
		return store().sendMessage({ sender: 'felix', receiver: 'makers', text: 'Hi' }).id;
	};

	/** Polls, and waits until the questions are started. */
	const pollToEnd = async () => await system().client.waitForEnd(await poll());

	test('asks once about a message that is reported again, and informs both reporters', async () => {
		const id = sendMessage();
		report(id, 'noor');
		await pollToEnd();
		await waitFor('The question', () => questions().length === 1);
		report(id, 'aisha');
		await pollToEnd();
		await answer(/Reported by/, 'Block');
		await waitFor('The thanks', () => thanked(/removed/).length === 2);
		expect(thanked(/removed/)).toEqual(['aisha', 'noor']);
		expect(questions()).toHaveLength(1);
	});

	test('asks nobody about a message that was removed meanwhile', async () => {
		const id = sendMessage();
		report(id, 'noor');
		store().reviewMessage('flagged', id, 'disapproved');
		const message = { id, text: 'Hi', sender: 'felix', reportedBy: 'noor', reason: 'Spam' };
		await run('review-reports', 'CometChat Polling Trigger', {}, [message]);
		await waitFor('The thanks', () => thanked(/The message has been removed/).length === 1);
		expect(questions()).toEqual([]);
	});

	test('asks about the next report if the moderators could not be asked about the first', async () => {
		const id = sendMessage();
		report(id, 'noor');
		const match = { method: 'POST', path: '^.*/messages$', times: 1 };
		system().sandbox.setFaults([{ match, effect: { status: { status: 403 } } }]);
		const { workflowId } = await pollToEnd();
		const hasFailed = ({ status }: { status: string }) => status === 'error';
		await waitFor('The failed execution', async () =>
			(await system().client.listExecutions(workflowId)).some(hasFailed),
		);
		expect(questions()).toEqual([]);
		report(id, 'aisha');
		await pollToEnd();
		await answer(/Reported by/, 'Keep');
		await waitFor('The thanks', () => thanked(/keep it/).length === 2);
	});

	test(
		'asks once about a message with 2,500 reports',
		async () => {
			for (const id of ['107', '128']) store().reviewMessage('flagged', id, 'approved');
			const { id } = store().sendMessage({ sender: 'felix', receiver: 'makers', text: 'Hi' });
			report(id, 'noor');
			const message = { id, text: 'Hi', sender: 'felix', senderName: 'Félix Okonjo' };
			const place = { receiver: 'makers', receiverName: 'Lantern Makers', receiverType: 'group' };
			// A test run of the trigger returns only 10 reports
			const reports = Array.from({ length: 2_500 }, (_, n) => ({
				...{ ...message, ...place, reason: 'Spam' },
				...{ reportedBy: `reporter-${n}`, reportedByName: `Reporter ${n}` },
			}));
			for (const { reportedBy: uid, reportedByName: name } of reports) {
				store().people.create({ uid, name });
			}
			await run('review-reports', 'CometChat Polling Trigger', {}, reports);
			expect(await answer(/Reported by/, 'Keep')).toContain(' and 2495 more');
			await waitFor('The thanks', () => thanked(/keep it/).length === 2_500, LONGEST_RUN_MS);
			expect(questions()).toHaveLength(1);
		},
		LONGEST_RUN_MS,
	);
});

describe('The example "clean-up-approved"', () => {
	const withText = (value: string) => ({
		'Text to find': {
			assignments: { assignments: [{ id: '1', name: 'text', value, type: 'string' }] },
		},
	});

	const isDeleted = (id: string) => store().messages.get(id)?.deletedAt !== undefined;

	const found = (text: RegExp) =>
		store()
			.messages.all()
			.filter(
				(message) =>
					message.sender !== 'app_system' && text.test(message.text ?? '') && !message.deletedAt,
			);

	test.each([
		['Delete', 0],
		['Keep', 3],
	])('asks before it deletes, with the answer %s', async (label, left) => {
		const executionId = await start('clean-up-approved');
		expect(await answer(/Delete all/, label)).toMatch(
			/^makers-mods: Delete all messages with “cheap bulbs”\? Found: 3\n(?:• \d+ by \S.+ (?:in|to) \S+: .*cheap bulbs.*\n){3}/i,
		);
		const { status } = await system().client.waitForEnd(executionId);
		expect(status).toBe('success');
		expect(found(/cheap bulbs/i)).toHaveLength(left);
		const reports = textsTo('makers-mods').filter((text) => text.startsWith('Deleted'));
		expect(reports).toEqual(left === 0 ? ['Deleted 3 of 3 messages.'] : []);
		// The question contains the text, too
		if (left === 0)
			expect((await run('clean-up-approved')).items('Ask the moderators')).toEqual([]);
	});

	test.each(['', '  '])('deletes nothing and asks nobody without a text: "%s"', async (text) => {
		const requests = system().sandbox.log.length;
		await run('clean-up-approved', undefined, withText(text));
		expect(system().sandbox.log).toHaveLength(requests);
	});

	test('asks nobody if no message has the text', async () => {
		await run('clean-up-approved', undefined, withText('no such words'));
		expect(listSentByApp()).toEqual([]);
	});

	test('reports messages that cannot be deleted', async () => {
		const [first] = found(/cheap bulbs/i);
		const match = { method: 'DELETE', path: `^.*/messages/${first.id}$` };
		system().sandbox.setFaults([{ match, effect: { status: { status: 403 } } }]);
		const executionId = await start('clean-up-approved');
		await answer(/Delete all/, 'Delete');
		await system().client.waitForEnd(executionId);
		expect(isDeleted(first.id)).toBe(false);
		expect(textsTo('makers-mods').at(-1)).toMatch(
			new RegExp(`^Deleted 2 of 3 messages\\.\n• ${first.id}: CometChat denied`),
		);
	});

	test(
		'deletes 2,500 messages',
		async () => {
			for (let n = 0; n < 2_500; n++) {
				store().sendMessage({ sender: 'noor', receiver: 'makers', text: `Спам ${n}` });
			}
			const executionId = await start('clean-up-approved', undefined, withText('СПАМ'));
			expect(await answer(/Delete all/, 'Delete')).toContain('\n• and 2480 more');
			const execution = await system().client.waitForEnd(executionId, LONGEST_RUN_MS);
			expect(execution.items('The messages')).toHaveLength(2_500);
			expect(found(/спам/i)).toEqual([]);
			expect(textsTo('makers-mods').at(-1)).toBe('Deleted 2500 of 2500 messages.');
		},
		LONGEST_RUN_MS,
	);
});
