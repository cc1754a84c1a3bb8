import type { INode } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import type { Chosen } from '../lib/examples';
import { until } from '../lib/processes';
import type { Stage } from '../lib/stage';
import { openStage } from '../lib/stage';
import { LOGIN, webhookTrigger, webhookUrl } from '../lib/webhook';
import { COMETCHAT, cometChat, node, workflow } from '../lib/workflow';

const EVENTS = 60;

/** The sandbox waits longer for an answer than CometChat does: the machine may be busy. */
const PATIENT = { ...LOGIN, timeoutMs: 120_000, retries: true };

let stage: Stage;
let login: Chosen;

beforeAll(async () => {
	stage = await openStage();
	const id = await stage.client.addCredential('Webhook', 'cometChatWebhookApi', LOGIN);
	login = { cometChatWebhookApi: { id, name: 'Webhook' } };
});

beforeEach(() => {
	stage.sandbox.reset();
	stage.sandbox.webhooks.set([]);
});

afterAll(async () => {
	await stage?.close();
});

const trigger = (parameters: INode['parameters']): INode =>
	webhookTrigger({ output: 'simplified', ...parameters }, login);

/** Publishes a workflow that starts with the trigger, and has what happens in the chat delivered to it. */
async function deliverTo(...args: Parameters<typeof workflow>): Promise<string> {
	const { client, sandbox, n8n } = stage;
	const draft = workflow(...args);
	const id = await client.addWorkflow(draft);
	await client.publish(id);
	sandbox.webhooks.set([{ ...PATIENT, url: webhookUrl(n8n, draft), parallel: 10 }]);
	return id;
}

function sendMessages(count: number): string[] {
	const texts = Array.from({ length: count }, (_, number) => `Message ${number} of ${count}`);
	for (const text of texts) {
		stage.sandbox.store.sendMessage({ sender: 'yuki', receiver: 'makers', text });
	}
	return texts;
}

const textIn = (value: unknown) => /Message \d+ of \d+/.exec(JSON.stringify(value))?.[0] ?? '';

/** Waits until so many executions of a workflow have succeeded. */
async function succeeded(id: string, count: number): Promise<string[]> {
	return await until(
		`Execution number ${count}`,
		async () => {
			const runs = await stage.client.executions(id);
			const ids = runs.filter(({ status }) => status === 'success').map((run) => run.id);
			return ids.length >= count ? ids : undefined;
		},
		90_000,
	);
}

test('A burst of events during which n8n is killed: what is answered with 200 is stored, and only what was not comes twice', async () => {
	const { client, sandbox } = stage;
	const id = await deliverTo('Burst', [trigger({ events: ['message_sent'] })]);
	const texts = sendMessages(EVENTS);
	const { deliveries } = sandbox.webhooks;
	const answered = () => deliveries.filter(({ status }) => status === 200);
	const some = async () => (answered().length > EVENTS / 3 ? true : undefined);
	await until('Some answers', some, 90_000);
	await stage.restart('SIGKILL');
	await sandbox.webhooks.idle();
	const runs = await client.executions(id);
	const started = await Promise.all(
		runs.map(async (run) => textIn((await client.execution(run.id)).stored)),
	);
	await client.unpublish(id);
	const repeated = deliveries.filter(({ attempt }) => attempt > 1).map(({ body }) => textIn(body));
	expect(repeated.length).toBeGreaterThan(0);
	expect(new Set(answered().map(({ body }) => textIn(body)))).toEqual(new Set(texts));
	expect(new Set(started)).toEqual(new Set(texts));
	const twice = started.filter((text, place) => started.indexOf(text) !== place);
	expect(repeated).toEqual(expect.arrayContaining(twice));
}, 240_000);

test('What a Code node counts in the static data is untouched, also beside the polling trigger', async () => {
	const { client, credentialId } = stage;
	const count = node({
		name: 'Count',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode:
				"const kept = $getWorkflowStaticData('global');\nkept.count = (kept.count ?? 0) + 1;\nreturn [{ json: { count: kept.count } }];",
		},
	});
	const poll = node({
		name: 'Poll',
		type: `${COMETCHAT}PollingTrigger`,
		parameters: { event: 'groupCreated' },
		credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
	});
	const wires = ['Webhook', 'Poll'].map((from) => ({ from, to: 'Count' }));
	const nodes = [trigger({ events: ['message_sent'] }), poll, count];
	const id = await deliverTo('Count', nodes, wires);
	// One after the other: n8n saves the static data of a workflow as a whole
	for (let number = 1; number <= 5; number++) {
		sendMessages(1);
		await succeeded(id, number);
	}
	const saved = await client.savedWorkflow(id);
	await client.unpublish(id);
	expect(JSON.parse(saved)).toMatchObject({ staticData: { global: { count: 5 } } });
}, 120_000);

test('A workflow that acts as the app does not start itself, whatever the event', async () => {
	const { client, sandbox, credentialId } = stage;
	const act = (name: string, parameters: INode['parameters']) =>
		cometChat(credentialId, parameters, { name });
	const message = { resource: 'message', messageId: "={{ $('Send').first().json.id }}" };
	const group = { resource: 'group', groupId: 'ideas' };
	const id = await deliverTo('Act', [
		trigger({ events: ['*'] }),
		act('Send', { resource: 'message', operation: 'send', groupId: 'makers', text: 'Hi @yuki' }),
		act('Edit', { ...message, operation: 'update', updateFields: { text: 'Edited' } }),
		act('Delete', { ...message, operation: 'delete' }),
		act('Add', { ...group, operation: 'addMembers', uids: ['jonas'] }),
		act('Remove', { ...group, operation: 'removeMember', userId: 'jonas' }),
	]);
	sendMessages(1);
	await succeeded(id, 1);
	await wait(8_000);
	await sandbox.webhooks.idle();
	const runs = await client.executions(id);
	await client.unpublish(id);
	expect(runs.map(({ status }) => status)).toEqual(['success']);
	const told = sandbox.webhooks.deliveries.map(({ body }) => body.trigger);
	expect(told).toEqual(expect.arrayContaining(['message_edited', 'group_member_kicked']));
}, 120_000);

test('An execution during which n8n is killed is shown as crashed and not run again; retried by hand, it goes on where n8n saved its progress', async () => {
	const { client, sandbox, credentialId } = stage;
	const over = Date.now() + 20_000;
	const wait = node({
		name: 'Wait',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `await new Promise((done) => setTimeout(done, Math.max(0, ${over} - Date.now()))); return [];`,
		},
	});
	const start = async (text: string, saveExecutionProgress: boolean) => {
		const send = { resource: 'message', operation: 'send', groupId: 'makers', text };
		const nodes = [
			trigger({ events: ['group_member_joined'] }),
			cometChat(credentialId, send),
			wait,
		];
		const draft = workflow(text, nodes);
		draft.settings = { ...draft.settings, saveExecutionProgress };
		const id = await client.addWorkflow(draft);
		await client.publish(id);
		return { id, text, webhook: { ...PATIENT, url: webhookUrl(stage.n8n, draft) } };
	};
	const all = [await start('Saved', true), await start('Unsaved', false)];
	sandbox.webhooks.set(all.map(({ webhook }) => webhook));
	sandbox.store.joinGroup('makers', 'jonas');
	const sent = () =>
		all.map(({ text }) => sandbox.store.messages().filter((each) => each.text === text).length);
	await until('The messages', async () => (Math.min(...sent()) > 0 ? true : undefined));
	// An event without an answer would come again, and start another execution
	await sandbox.webhooks.idle();
	await stage.restart('SIGKILL');
	const runs = await Promise.all(
		all.map(async ({ id }) => {
			const [run, ...others] = await client.executions(id);
			expect(others).toEqual([]);
			return await client.ended(run.id);
		}),
	);
	expect(runs.map(({ status }) => status)).toEqual(['crashed', 'crashed']);
	expect(sent()).toEqual([1, 1]);
	for (const { id } of runs) await client.call('POST', `/executions/${id}/retry`, {});
	for (const { id } of all) await client.unpublish(id);
	expect(sent()).toEqual([1, 2]);
}, 120_000);
