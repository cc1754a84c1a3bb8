import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees all objects that nothing refers to. */
export async function collectGarbage(): Promise<void> {
	setFlagsFromString('--expose-gc');
	const collect: () => void = runInNewContext('gc');
	// A WeakRef keeps its object until the current job ends
	await new Promise((resolve) => setImmediate(resolve));
	collect();
}
