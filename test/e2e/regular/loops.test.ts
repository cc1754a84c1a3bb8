import type { INode } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../tools/sandbox/server';
import type { ExecutionSummary } from '../lib/client';
import { waitFor } from '../lib/processes';
import { credentialData } from '../lib/testSystem';
import { useTestSystem } from '../lib/testHooks';
import { webhookTrigger, webhookUrl } from '../lib/webhook';
import { cometChat, node, workflow } from '../../../tools/n8nEngine/draft';

const system = useTestSystem();
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ changesSent: true });
	sandbox.store.createGroup({ guid: 'desk', owner: 'reminder-bot' });
	sandbox.store.joinGroup('desk', 'noor');
	sandbox.store.joinGroup('desk', 'leo');
});

afterEach(async () => {
	await sandbox.close();
});

/** The user who performs the workflow's actions, and the trigger settings that prevent loops. */
interface Actor {
	/** UID of the acting user, or an empty string for the app itself (app_system) */
	onBehalfOf: string;
	trigger: INode['parameters'];
	leavesMembers?: boolean;
}

const APP: Actor = { onBehalfOf: '', trigger: { appEvents: 'never' } };

/** The trigger's default settings, which prevent loops unless the workflow changes a group's members. */
const NEW: Actor = { onBehalfOf: '', trigger: {}, leavesMembers: true };

const BOT: Actor = {
	onBehalfOf: 'reminder-bot',
	trigger: {
		options: { ignoreSenders: ['reminder-bot'], includeActions: true },
	},
};

const ofRun = (text: string) => `={{ "${text}-" + $execution.id }}`;

const made = '={{ $("Create").item.json.guid }}';

const sentMessage = '={{ $("Send").item.json.id }}';

type Step = [name: string, parameters: INode['parameters']];

/**
 * Returns actions that cause events. After the last action, the group "desk" has its original members again.
 */
function stepsOf({ onBehalfOf, leavesMembers = false }: Actor): Step[] {
	const group = (operation: string, parameters: INode['parameters']): INode['parameters'] => ({
		...{ resource: 'group', operation, groupId: 'desk', onBehalfOf },
		...parameters,
	});
	const message = (operation: string, parameters: INode['parameters']): INode['parameters'] => ({
		...{ resource: 'message', operation, messageId: sentMessage, onBehalfOf },
		...parameters,
	});
	const reaction = { reaction: '👍' };
	return [
		['Send', message('send', { groupId: 'desk', text: 'Hello <@uid:noor>' })],
		['Edit', message('update', { updateFields: { text: 'Hello again' } })],
		...(onBehalfOf === ''
			? []
			: ([
					['React', message('addReaction', reaction)],
					['Take back', message('removeReaction', reaction)],
				] satisfies Step[])),
		['Delete Message', message('delete', {})],
		['Update', group('update', { updateFields: { description: ofRun('changed') } })],
		...(leavesMembers
			? []
			: ([
					['Add', group('addMembers', { uids: ['mira'] })],
					['Promote', group('changeScope', { userId: 'mira', scope: 'moderator' })],
					['Remove', group('removeMember', { userId: 'mira' })],
					['Ban', group('banMember', { userId: 'leo' })],
					['Unban', group('unbanMember', { userId: 'leo' })],
					['Add Again', group('addMembers', { uids: ['leo'] })],
				] satisfies Step[])),
		['Create', group('create', { guid: ofRun('made'), name: 'Made' })],
		['Delete', group('delete', { groupId: made })],
	];
}

/** Publishes a workflow that performs all actions after every event except Group Deleted. */
async function publish(actor: Actor): Promise<string> {
	const { client, n8n } = system();
	const id = await client.addCredential('Sandbox', 'cometChatApi', credentialData(sandbox));
	const trigger = webhookTrigger(actor.trigger);
	const isDeletion = node({
		name: 'Filter',
		type: 'n8n-nodes-base.filter',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: 'event',
						leftValue: '={{ $json.event }}',
						rightValue: 'group_deleted',
						operator: { type: 'string', operation: 'notEquals' },
					},
				],
				combinator: 'and',
			},
		},
	});
	const steps = stepsOf(actor).map(([name, parameters]) => cometChat(id, parameters, { name }));
	const draft = workflow('Acts', [trigger, isDeletion, ...steps]);
	const workflowId = await client.addWorkflow(draft);
	await client.publish(workflowId);
	sandbox.webhooks.set([{ url: webhookUrl(n8n, draft), timeoutMs: 20_000 }]);
	return workflowId;
}

/** Actions by users outside the workflow. Each action causes one event. */
const ACTIONS: Array<(name: string, sandbox: Sandbox) => void> = [
	(text, { store }) => store.sendMessage({ sender: 'noor', receiver: 'desk', text }),
	(name, { store }) => store.updateGroup('desk', { name }, 'noor'),
];

const isEnded = ({ status }: ExecutionSummary) => status !== 'running' && status !== 'new';

/**
 * Waits until all executions have ended and all events have been delivered. n8n stores an execution before it
 * responds to the delivery, so the result is complete.
 *
 * @returns the events that started the executions, oldest first
 */
async function waitForStarts(workflowId: string, least: number): Promise<unknown[]> {
	const { client } = system();
	const all = await waitFor('The end of all executions', async () => {
		await sandbox.webhooks.idle();
		const deliveries = sandbox.webhooks.deliveries.length;
		const executions = await client.listExecutions(workflowId);
		const areEnded = executions.length >= least && executions.every(isEnded);
		return areEnded && sandbox.webhooks.deliveries.length === deliveries ? executions : undefined;
	});
	expect(all.map(({ status }) => status)).toEqual(all.map(() => 'success'));
	const runs = await Promise.all(all.reverse().map(({ id }) => client.getExecution(id)));
	return runs.map((run) => run.items('Webhook')[0].json.event);
}

test.each([
	['the app itself', APP],
	['the app itself, but changes no members,', NEW],
	['a user in Ignored User Names or IDs', BOT],
])(
	'A workflow that acts as %s ignores its own events, except Group Deleted, which does not name the acting user',
	async (_, actor) => {
		const id = await publish(actor);
		for (const [index, act] of ACTIONS.entries()) {
			act(`outside-${index}`, sandbox);
			await waitForStarts(id, 2 * (index + 1));
		}
		const deleted = 'group_deleted';
		expect(await waitForStarts(id, 4)).toEqual(['message_sent', deleted, 'group_updated', deleted]);
		const delivered = new Set(sandbox.webhooks.deliveries.map(({ body }) => body.trigger));
		expect([...delivered].sort()).toEqual(
			expect.arrayContaining(actor.leavesMembers ? [deleted] : ['group_member_banned', deleted]),
		);
		expect(sandbox.webhooks.deliveries.every(({ status }) => status === 200)).toBe(true);
		expect(sandbox.violations).toEqual([]);
		await system().client.unpublish(id);
	},
);
