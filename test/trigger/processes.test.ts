import type { IDataObject } from 'n8n-workflow';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { post, webhookNode } from './harness';
import type { Envelope } from './envelopes';
import { sent } from './envelopes';

// Each test starts processes of its own
jest.setTimeout(120_000);

const children: ChildProcess[] = [];

let folder = '';

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'cometchat-webhook-'));
	writeFileSync(join(folder, 'staticData.json'), '{}');
});

afterEach(async () => {
	await Promise.all(children.splice(0).map(end));
	rmSync(folder, { recursive: true, force: true });
});

async function end(child: ChildProcess): Promise<void> {
	const exited = once(child, 'exit');
	child.disconnect();
	await exited;
}

/** A process of n8n that takes deliveries. */
class Process {
	private constructor(
		private readonly child: ChildProcess,
		readonly url: string,
	) {}

	static async start(): Promise<Process> {
		const node = JSON.stringify(webhookNode({}, []));
		const args = [join(folder, 'staticData.json'), node];
		const child = fork(join(__dirname, 'process.child.ts'), args, {
			execArgv: ['--import', 'tsx'],
			cwd: join(__dirname, '../..'),
		});
		children.push(child);
		const [{ url }] = await once(child, 'message');
		return new Process(child, url);
	}

	async deliver(envelope: Envelope): Promise<void> {
		expect(await post(this, JSON.stringify(envelope))).toMatchObject({ status: 200 });
	}

	/** What started the workflow, when all deliveries have been handled. */
	async started(): Promise<IDataObject[]> {
		const answer = once(this.child, 'message');
		this.child.send('started?');
		return (await answer)[0].started;
	}

	async stop(): Promise<void> {
		children.splice(children.indexOf(this.child), 1);
		await end(this.child);
	}
}

const EVENTS = Array.from({ length: 40 }, (_, id) => sent(id));

test('a repetition starts nothing, whichever process gets it', async () => {
	const [one, another] = await Promise.all([Process.start(), Process.start()]);
	for (const [index, event] of EVENTS.entries()) {
		const [first, second] = index % 2 === 0 ? [one, another] : [another, one];
		await first.deliver(event);
		await first.started();
		await second.deliver(event);
		await first.deliver(event);
	}
	expect(await one.started()).toEqual(EVENTS.filter((_, index) => index % 2 === 0));
	expect(await another.started()).toEqual(EVENTS.filter((_, index) => index % 2 === 1));
});

test('a repetition starts nothing after a restart', async () => {
	const before = await Process.start();
	await Promise.all(EVENTS.map(async (event) => await before.deliver(event)));
	await before.started();
	// Deliveries at the same time overwrite each other's static data; the next one saves everything
	await before.deliver(sent('last'));
	await before.started();
	await before.stop();
	const after = await Process.start();
	await Promise.all(EVENTS.map(async (event) => await after.deliver(event)));
	expect(await after.started()).toEqual([]);
});

test('processes that get everything at the same moment lose nothing', async () => {
	const processes = await Promise.all([Process.start(), Process.start()]);
	const deliveries = processes.flatMap((process) => EVENTS.map((event) => ({ process, event })));
	await Promise.all(deliveries.map(async ({ process, event }) => await process.deliver(event)));
	const started = await Promise.all(processes.map(async (process) => await process.started()));
	for (const ofOne of started) expect(new Set(ofOne.map(textOf)).size).toBe(ofOne.length);
	const all = new Set(started.flat().map(textOf));
	expect([...all].sort()).toEqual(EVENTS.map(textOf).sort());
});

function textOf(event: IDataObject): string {
	return JSON.stringify(event);
}
