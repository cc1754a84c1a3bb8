import { randomInt } from 'node:crypto';

import { serve } from '../../../tools/n8nEngine/serve';

/** Ports that `freePort` has returned. A program can take seconds until it listens on its port. */
const returned = new Set<number>();

/**
 * Returns a free TCP port on loopback. No other program takes the port meanwhile: Jest's two workers draw from
 * different ports, and Linux gives programs that ask for any port one from 32768 on.
 */
export async function freePort(): Promise<number> {
	const parity = Number(process.env.JEST_WORKER_ID ?? 0) % 2;
	for (;;) {
		const port = 2 * randomInt(5_000, 16_000) + parity;
		if (returned.has(port) || !(await isFree(port))) continue;
		returned.add(port);
		return port;
	}
}

/** True if nothing listens on the loopback port. */
export async function isFree(port: number): Promise<boolean> {
	const served = await serve(undefined, port).catch(() => undefined);
	await served?.close();
	return served !== undefined;
}
