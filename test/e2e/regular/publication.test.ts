import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, node, workflow } from '../../../tools/n8nEngine/draft';
import { createDatabase, startPublisher } from '../../../tools/n8nEngine/publication';
import { serve } from '../../../tools/n8nEngine/serve';
import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import { forwardRequest } from '../lib/forwardRequest';
import { waitFor } from '../lib/processes';
import { useTestSystem } from '../lib/testHooks';

const system = useTestSystem();

const BOT = 'reminder-bot';

const TRIGGER = 'CometChat Bot Trigger';

/** Maximum time for n8n's five tries of a publication, in milliseconds. */
const PUBLICATION_MS = 100_000;

/** An n8n, or its model, with a single workflow, in which a bot answers with a text. */
interface Machine {
	sandbox: Sandbox;
	/** Publishes the workflow. Returns "published" or the error that n8n shows. */
	publish: (answer: string) => Promise<string>;
	unpublish: () => Promise<void>;
	/** @param leaseSeconds n8n's variable for the length of a publication */
	restart: (leaseSeconds?: number) => Promise<void>;
	/** Waits until the trigger has a status, and returns it. */
	getStatus: () => Promise<string>;
	/** Waits until n8n has heard a message with this text. */
	hear: (text: string) => Promise<void>;
}

const botWorkflow = (answer: string, credentialId: string) =>
	workflow('Bot', [
		node({
			name: TRIGGER,
			type: 'n8n-nodes-cometchat.cometChatBotTrigger',
			webhookId: 'hook-publication',
			parameters: { botId: { __rl: true, mode: 'id', value: BOT } },
			credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
		}),
		cometChat(credentialId, { resource: 'message', operation: 'answer', text: answer }),
	]);

async function createN8n(): Promise<Machine> {
	const { client, sandbox, credentialId, restart } = system();
	const id = await client.addWorkflow(botWorkflow('One', credentialId));
	const read = async () => {
		const path = `/workflows/${id}/publication-status`;
		return await client.call<{ status: string; triggers: Array<{ status: string }> }>('GET', path);
	};
	return {
		sandbox,
		async publish(answer) {
			await client.changeWorkflow(id, botWorkflow(answer, credentialId));
			return await client.publish(id, PUBLICATION_MS).then(() => 'published', String);
		},
		async unpublish() {
			await client.unpublish(id);
			await waitFor('The end of the publication', async () => (await read()).triggers.length === 0);
		},
		async restart(leaseSeconds) {
			const name = 'N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS';
			await restart('SIGTERM', leaseSeconds ? { [name]: String(leaseSeconds) } : {});
		},
		async getStatus() {
			const { triggers } = await waitFor('The publication', async () => {
				const publication = await read();
				return publication.status !== 'in_progress' && publication;
			});
			return triggers
				.map(({ status }) => status)
				.sort()
				.join();
		},
		async hear(text) {
			await waitFor(`The execution for ${text}`, async () => {
				const executions = await client.listExecutions(id);
				const found = await Promise.all(
					executions.map(async (each) => (await client.getExecution(each.id)).items(TRIGGER)),
				);
				return found.flat().some(({ json }) => json.text === text);
			});
		},
	};
}

async function createModel(sandbox: Sandbox): Promise<Machine & { close: () => Promise<void> }> {
	const database = createDatabase();
	let target = '';
	// The model keeps its address when it starts again
	const forwarder = await serve((incoming, response) => {
		forwardRequest(incoming, response, `${target}${incoming.url}`);
	});
	const { apiKey, baseUrl } = sandbox;
	const credentials = () => ({ apiKey, baseUrl, region: 'custom' });
	const start = async (leaseSeconds?: number) => {
		const pause = async (ms: number) => await wait(ms);
		const options = { credentials, database, pause, leaseSeconds, origin: forwarder.url };
		const publisher = await startPublisher(options);
		target = publisher.url;
		return publisher;
	};
	let n8n = await start();
	let count = 0;
	return {
		sandbox,
		async publish(answer) {
			const { nodes } = botWorkflow(answer, '1');
			const publishing = n8n.publish('w', { id: `v${++count}`, nodes });
			return await publishing.then(() => 'published', String);
		},
		unpublish: async () => await n8n.unpublish('w'),
		async restart(leaseSeconds) {
			await n8n.close();
			n8n = await start(leaseSeconds);
			await n8n.reconcile('startup');
		},
		getStatus: async () => {
			const { statuses } = n8n.find('w');
			return await Promise.resolve(
				[...statuses.values()]
					.map(({ status }) => status)
					.sort()
					.join(),
			);
		},
		async hear(text) {
			await waitFor(`The execution for ${text}`, () =>
				n8n.executions.some(({ items }) => items.some(({ json }) => json.text === text)),
			);
		},
		async close() {
			await n8n.close();
			await forwarder.close();
		},
	};
}

/** Time in milliseconds within which n8n sets up its triggers after its start. */
const START_MS = 8_000;

const DOWN = [{ effect: { status: { status: 503 } } }];

/** Plays through the situations in which n8n 2.x differs from n8n 1.x, and records what a machine does. */
async function play(machine: Machine, record: (event: string) => void): Promise<void> {
	const { sandbox, publish, unpublish, restart, getStatus, hear } = machine;
	let length = 0;
	const note = (event: string): void => {
		const requests = sandbox.log.slice(length).filter(({ path }) => path.includes('/bots'));
		({ length } = sandbox.log);
		const { enabled } = sandbox.store.bots.get(BOT) ?? {};
		record(`${event}: ${requests.map(({ method }) => method).join(' ')}; on: ${enabled}`);
	};
	const write = async (text: string): Promise<void> => {
		sandbox.store.sendMessage({ sender: 'mira', receiver: BOT, receiverType: 'user', text });
		await hear(text);
	};

	note(`publishing says ${await publish('One')}`);
	await write('one');
	sandbox.store.bots.update(BOT, { enabled: false });
	note(`publishing a change of another node says ${await publish('Two')}`);
	await unpublish();
	note('unpublishing');
	note(`publishing afterwards says ${await publish('Three')}`);
	await write('two');

	sandbox.setFaults(DOWN);
	await restart();
	await wait(START_MS);
	note(`after a start without CometChat, the trigger is ${await getStatus()}`);
	await wait(30_000);
	sandbox.setFaults([]);
	await write('three');
	await restart();
	await wait(START_MS);
	note(`after another start, the trigger is ${await getStatus()}`);
	await write('four');

	await unpublish();
	note('unpublishing again');
	sandbox.setFaults([{ match: { method: 'PUT', path: '/v3/bots' }, effect: { half: 'stall' } }]);
	note(`publishing with a silent CometChat says ${await publish('Four')}`);
	await wait(5_000);
	note('five seconds later');
	await restart(20);
	await wait(START_MS);
	note(`after a start, the failed trigger is ${await getStatus()}`);
	record(`publishing within 14 seconds says ${await publish('Five')}`);
}

// The model of n8n is used by the tests of the Bot Trigger
test('n8n publishes bots as the model does, and a start without CometChat keeps them', async () => {
	const readLog = () => system().n8n.service.log();
	const { length: logLength } = readLog();
	const sandbox = await startSandbox();
	const model = await createModel(sandbox);
	const events: Record<'n8n' | 'model', string[]> = { n8n: [], model: [] };
	try {
		await Promise.all([
			play(await createN8n(), (event) => events.n8n.push(event)),
			play(model, (event) => events.model.push(event)),
		]);
	} finally {
		await model.close();
		await sandbox.close();
	}
	expect(events.n8n).toEqual(events.model);
	const text = events.n8n.join('\n');
	expect(text).toContain('publishing a change of another node says published: ; on: false');
	expect(text).toContain('after a start without CometChat, the trigger is activated,activated');
	expect(text).toMatch(/with a silent CometChat says Error: CometChat did not respond in time/);
	expect(text).toContain('five seconds later: ;');
	expect(text).toContain('the failed trigger is activated,failed');
	expect(text).toContain('within 14 seconds says Error: Workflow publication processing exceeded');
	// One line for each of the two failed publications
	const lines = readLog()
		.slice(logLength)
		.match(/could not be set up: CometChat did not respond/g);
	expect(lines).toHaveLength(2);
}, 600_000);
