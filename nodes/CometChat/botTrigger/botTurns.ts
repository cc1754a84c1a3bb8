/** Promises that resolve when a bot's latest turn in this process ends, keyed by bot. */
const ends = new Map<string, Promise<unknown>>();

const whenAborted = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_resolve, reject) => {
		const abort = (): void => reject(new Error('The turn timed out'));
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
	});

/**
 * Runs a function after earlier turns for the same bot in this process have ended. Otherwise, two nodes that are
 * published at the same time could both find the bot free, and both write their own URL.
 *
 * @param signal ends the turn when it aborts, so that the next turn starts even if the function never returns
 * @throws the function's error, or an Error if the signal aborts first
 */
export async function runAfterEarlierChangesOfBot<T>(
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
	// Also wait for the earlier turn, because a turn that is aborted while it waits ends before the earlier turn does
	ends.set(bot, Promise.allSettled([earlier, turn]));
	return await turn;
}
