/** Closes opened resources in reverse order. */
export interface Opened {
	/** Registers a function that closes a resource. */
	add(close: () => Promise<void> | void): void;
	close(): Promise<void>;
}

/**
 * Opens several resources. If one fails to open, closes those opened before.
 */
export async function openAll<T>(open: (opened: Opened) => Promise<T>): Promise<T> {
	const closers: Array<() => Promise<void> | void> = [];
	const opened: Opened = {
		add: (close) => void closers.push(close),
		async close() {
			for (const close of closers.splice(0).reverse()) await close();
		},
	};
	try {
		return await open(opened);
	} catch (error) {
		await opened.close();
		throw error;
	}
}
