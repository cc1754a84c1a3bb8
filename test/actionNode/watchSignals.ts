import { getEventListeners } from 'node:events';

/**
 * Counts the listeners added to the execution's abort signal. This signal outlives all requests, so it's the signal
 * with the most listeners. Call `stop` at the end.
 */
export function watchSignals() {
	const added = new Map<AbortSignal, number>();
	const add = AbortSignal.prototype.addEventListener;
	const spy = jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
		this: AbortSignal,
		...args: Parameters<typeof add>
	) {
		added.set(this, (added.get(this) ?? 0) + 1);
		add.apply(this, args);
	});
	const findBusiest = () => [...added].sort(([, a], [, b]) => b - a)[0];
	return {
		countAdded: () => findBusiest()[1],
		countLeft: () => getEventListeners(findBusiest()[0], 'abort').length,
		stop: () => spy.mockRestore(),
	};
}
