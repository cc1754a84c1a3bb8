import { waitFor } from '../lib/processes';
import { PICTURE, useRecipes } from '../lib/recipes';

const recipes = useRecipes();
const { system, run, publish, textsTo, listSentByApp } = recipes;

const store = () => system().sandbox.store;

describe('The example "new-messages"', () => {
	const TRIGGER = 'CometChat Polling Trigger';

	/** Time limit for the next poll, in milliseconds. n8n polls once a minute. */
	const NEXT_POLL_MS = 90_000;

	const write = (text: string, receiver = 'makers', sender = 'felix') =>
		store().sendMessage({ sender, receiver, text });

	const notices = () => textsTo('makers-mods');

	test('tells the moderators once about each new message with a keyword, also after n8n was stopped', async () => {
		const { id: earlier } = write('I want a refund');
		await publish('new-messages');
		write('My lamp is BROKEN');
		write('A fine day');
		write('Broken, too', 'watercooler', 'leo');
		write('A refund by the app', 'makers', 'app_system');
		store().editMessage(earlier, { text: 'I want a refund, or a lawyer' }, 'felix');
		store().sendMessage({ sender: 'noor', receiver: 'makers', ...PICTURE, text: 'Unbroken?' });
		store().sendMessage({ sender: 'noor', receiver: 'makers', ...PICTURE });
		await waitFor('The notices', () => notices().length >= 2, NEXT_POLL_MS);
		await system().n8n.stop();
		write('My lawyer will write to you');
		await system().restart();
		await waitFor('The third notice', () => notices().length >= 3, NEXT_POLL_MS);
		const { log } = system().sandbox;
		const before = log.length;
		await waitFor('The next poll', () => log.length > before, NEXT_POLL_MS);
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
