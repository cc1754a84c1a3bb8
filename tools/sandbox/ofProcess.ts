import { runInThisContext } from 'node:vm';

const values: { cometChatSandbox?: Map<string, unknown> } = runInThisContext('globalThis');
const cache = (values.cometChatSandbox ??= new Map());

/**
 * Returns a value that is created once per process, although Jest loads modules anew for each test file. Callers
 * share the value, so they must not change it.
 */
export function ofProcess<T>(name: string, create: () => T): T {
	if (!cache.has(name)) cache.set(name, create());
	return cache.get(name) as T;
}
