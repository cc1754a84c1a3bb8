/** Closes what was opened, the last first. */
export interface Opened {
	/** Notes how to close something. */
	add(close: () => Promise<void> | void): void;
	close(): Promise<void>;
}

/**
 * Opens several things that belong together: when one of them cannot be opened, those before it
 * are closed.
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
