import { Agent, fetch } from 'undici';
import type { FaultPlan, Stats } from '../sandbox/server';
import type { Case } from './cases';
import type { Service } from './service';

async function ask<T>(service: Service, method: string, path: string, body?: unknown): Promise<T> {
	const response = await fetch(`${service.url}/_sandbox/${path}`, {
		method,
		headers: { 'x-sandbox-control': '1' },
		dispatcher: new Agent({ connect: { ca: service.certificate } }),
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The sandbox answered ${response.status}`);
	return (await response.json()) as T;
}

/** Sets the counts to zero, how long the service waits before each answer, and its rate limit. */
export async function prepareService(service: Service, { latencyMs, limit }: Case): Promise<void> {
	await ask(service, 'POST', 'reset');
	const plan: FaultPlan = [{ effect: { latency: { ms: latencyMs } } }];
	if (limit) {
		const { requests, windowMs: ms } = limit;
		plan.push({ effect: { window: { requests, ms, rateHeaders: 'x-rate-limit' } } });
	}
	await ask(service, 'PUT', 'faults', plan);
}

export async function readStats(service: Service): Promise<Stats> {
	return await ask(service, 'GET', 'stats');
}
