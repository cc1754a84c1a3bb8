/** Collects functions that close resources. */
export interface Cleanup {
	/** Registers a function that closes a resource. */
	add: (close: () => Promise<void> | void) => void;
	/** Closes all resources in reverse order. */
	close: () => Promise<void>;
}

/** Opens several resources. If a resource fails to open, closes those that are already open. */
export async function withCleanup<T>(open: (cleanup: Cleanup) => Promise<T>): Promise<T> {
	const closers: Array<() => Promise<void> | void> = [];
	const cleanup: Cleanup = {
		add: (close) => void closers.push(close),
		async close() {
			for (const close of closers.splice(0).reverse()) await close();
		},
	};
	try {
		return await open(cleanup);
	} catch (error) {
		await cleanup.close();
		throw error;
	}
}
