/**
 * Returns the memory in use on the heap and outside of it, where streams keep bytes, in megabytes. Requires
 * `--expose-gc`.
 */
export function measureMemoryMb(): number {
	globalThis.gc?.();
	// V8 frees a collection's buffers on another thread, and counts them as in use until the next collection
	globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / 1_000_000;
}
