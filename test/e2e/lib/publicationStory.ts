import { setTimeout as wait } from 'node:timers/promises';

import { cometChat, node, workflow } from '../../../tools/n8nEngine/draft';
import { createDatabase, startPublisher } from '../../../tools/n8nEngine/publication';
import { serve } from '../../../tools/n8nEngine/serve';
import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import { forwardRequest } from './forwardRequest';
import { waitFor } from './processes';
import type { TestSystem } from './testSystem';

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

async function createN8n({ client, sandbox, credentialId, restart }: TestSystem): Promise<Machine> {
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

/** Starts a model of n8n for a sandbox. */
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

/** Time in milliseconds within which n8n begins to set up its triggers after its start. */
export const START_MS = 8_000;

/** Records what a machine does in a situation. */
type Note = (event: string) => void;

/** A situation in which n8n 2.x differs from n8n 1.x. */
type Story = (machine: Machine, note: Note) => Promise<void>;

/** Returns a function that records an event, with the requests for the bot since the last event. */
function createNote({ sandbox }: Machine, events: string[]): Note {
	let length = 0;
	return (event) => {
		const requests = sandbox.log.slice(length).filter(({ path }) => path.includes('/bots'));
		({ length } = sandbox.log);
		const { enabled } = sandbox.store.bots.get(BOT) ?? {};
		events.push(`${event}: ${requests.map(({ method }) => method).join(' ')}; on: ${enabled}`);
	};
}

/** Sends the bot a message, and waits until the machine has heard the message. */
export async function write({ sandbox, hear }: Machine, text: string): Promise<void> {
	sandbox.store.sendMessage({ sender: 'mira', receiver: BOT, receiverType: 'user', text });
	await hear(text);
}

/**
 * Plays a story in n8n and in its model, at the same time.
 *
 * @returns the events in n8n and in the model
 */
export async function compareWithModel(
	system: TestSystem,
	story: Story,
): Promise<{ n8n: string[]; model: string[] }> {
	const sandbox = await startSandbox();
	const model = await createModel(sandbox);
	const events: Record<'n8n' | 'model', string[]> = { n8n: [], model: [] };
	const play = async (machine: Machine, list: string[]) =>
		await story(machine, createNote(machine, list));
	try {
		await Promise.all([play(await createN8n(system), events.n8n), play(model, events.model)]);
	} finally {
		await model.close();
		await sandbox.close();
	}
	return events;
}
