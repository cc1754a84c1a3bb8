import { serve } from '../../../tools/n8nEngine/serve';

/** Returns a free TCP port on loopback. */
export async function freePort(): Promise<number> {
	const { port, close } = await serve();
	await close();
	return port;
}

/** True if nothing listens on the loopback port. */
export async function isFree(port: number): Promise<boolean> {
	const served = await serve(undefined, port).catch(() => undefined);
	await served?.close();
	return served !== undefined;
}
