import { runAfterEarlierChangesOfBot } from '../../../nodes/CometChat/botTrigger/botTurns';

const { signal } = new AbortController();

/** Starts a turn that logs its start and its end, and lasts until the returned function is called. */
function startTurn(log: string[], name: string, bot = 'bot') {
	let end = () => {};
	const turn = runAfterEarlierChangesOfBot(bot, signal, async () => {
		log.push(`${name} starts`);
		await new Promise<void>((resolve) => (end = resolve));
		log.push(`${name} ends`);
	});
	return { turn, end: () => end() };
}

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

test('A turn that is taken after the first one has ended waits for the second one', async () => {
	const log: string[] = [];
	const first = startTurn(log, 'first');
	const second = startTurn(log, 'second');
	await settle();
	first.end();
	await first.turn;
	await settle();
	const third = startTurn(log, 'third');
	await settle();
	expect(log).toEqual(['first starts', 'first ends', 'second starts']);
	second.end();
	await second.turn;
	await settle();
	third.end();
	await third.turn;
	expect(log.slice(3)).toEqual(['second ends', 'third starts', 'third ends']);
});

test('Turns for different bots run at the same time, and a failed turn lets the next one start', async () => {
	const log: string[] = [];
	const waiting = startTurn(log, 'other', 'other');
	const failing = runAfterEarlierChangesOfBot(
		'bot',
		signal,
		async () => await Promise.reject(new Error('Refused')),
	);
	const next = startTurn(log, 'next');
	await expect(failing).rejects.toThrow('Refused');
	await settle();
	expect(log).toEqual(['other starts', 'next starts']);
	waiting.end();
	next.end();
	await Promise.all([waiting.turn, next.turn]);
});

test('A turn that never ends gives way when its time is over', async () => {
	const log: string[] = [];
	const time = new AbortController();
	const hanging = runAfterEarlierChangesOfBot(
		'bot',
		time.signal,
		async () => await new Promise(() => {}),
	);
	const next = startTurn(log, 'next');
	await settle();
	expect(log).toEqual([]);
	time.abort();
	await expect(hanging).rejects.toThrow();
	await settle();
	expect(log).toEqual(['next starts']);
	next.end();
	await next.turn;
});

test.each([
	['whose time is over before it is taken', 'before'],
	['whose time is over while it waits', 'after'],
])('A turn %s fails at once, never runs, and lets no other turn start early', async (_, when) => {
	const log: string[] = [];
	const time = new AbortController();
	const first = startTurn(log, 'first');
	if (when === 'before') time.abort();
	const late = runAfterEarlierChangesOfBot(
		'bot',
		time.signal,
		async () => await Promise.resolve(log.push('late')),
	);
	if (when === 'after') time.abort();
	await expect(late).rejects.toThrow('The turn timed out');
	const next = startTurn(log, 'next');
	await settle();
	expect(log).toEqual(['first starts']);
	first.end();
	await first.turn;
	await settle();
	expect(log).toEqual(['first starts', 'first ends', 'next starts']);
	next.end();
	await next.turn;
});
