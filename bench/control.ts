import type { Stats } from '../sandbox/server';
import type { Service } from './service';

async function ask<T>(service: Service, method: string, path: string, body?: unknown): Promise<T> {
	const response = await fetch(`${service.url}/_sandbox/${path}`, {
		method,
		headers: { 'x-sandbox-control': '1' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The sandbox answered ${response.status}`);
	return (await response.json()) as T;
}

/** Sets the counts to zero, and how long the service waits before each answer. */
export async function prepareService(service: Service, latencyMs: number): Promise<void> {
	await ask(service, 'POST', 'reset');
	await ask(service, 'PUT', 'faults', [{ effect: { latency: { ms: latencyMs } } }]);
}

export async function readStats(service: Service): Promise<Stats> {
	return await ask(service, 'GET', 'stats');
}
