/** Promises that resolve when a bot's latest turn in this process ends, keyed by bot. */
const ends = new Map<string, Promise<void>>();

const whenAborted = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_resolve, reject) => {
		const abort = (): void => reject(new Error('The turn timed out'));
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
	});

/**
 * Waits until no other turn for the same bot is running in this process, then runs a function. Otherwise, two
 * nodes that publish at the same time could both find the bot free, and both write their own URL.
 *
 * @param signal signal that ends the turn, so that later turns start even if the function never returns
 * @throws the function's error, or an Error if the signal aborts first
 */
export async function takeTurn<T>(
	bot: string,
	signal: AbortSignal,
	run: () => Promise<T>,
): Promise<T> {
	const earlier = ends.get(bot) ?? Promise.resolve();
	const running = earlier.then(async () => {
		signal.throwIfAborted();
		return await run();
	});
	const turn = Promise.race([running, whenAborted(signal)]);
	const end = turn.then(
		() => {},
		() => {},
	);
	ends.set(bot, end);
	return await turn;
}
