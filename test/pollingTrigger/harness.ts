import type { INode, INodeParameters } from 'n8n-workflow';

import {
	activateTrigger,
	type ActivationOptions,
	type ActiveTrigger,
} from '../../tools/n8nEngine/poll';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../tools/sandbox/server';
import { credentialsOf } from '../actionNode/harness';

/** Groups of the sample data in which tests send messages. */
export const GROUPS = ['lunch', 'makers', 'all-hands'];

/** Time at the start of every test in both the service and n8n, in Unix seconds. */
export const START = Math.floor(Date.now() / 1000);

/** Starts a sandbox with an adjustable clock, and makes n8n's clock follow the sandbox's clock. */
async function startClockedSandbox(options: SandboxOptions = {}) {
	const clock = {
		/** The service's time, in Unix seconds */
		now: START,
		/** Number of seconds that n8n's clock is ahead of the service's */
		ahead: 0,
	};
	const sandbox = await startSandbox({ ...options, now: () => clock.now });
	const close = sandbox.close.bind(sandbox);
	const now = Date.now.bind(Date);
	const spy = jest
		.spyOn(Date, 'now')
		.mockImplementation(() => now() + (clock.now + clock.ahead - START) * 1_000);
	return Object.assign(sandbox, {
		clock,
		async close() {
			spy.mockRestore();
			await close();
		},
		clear() {
			for (const { guid } of sandbox.store.groups.all()) sandbox.store.deleteGroup(guid);
		},
	});
}

export type ClockedSandbox = Awaited<ReturnType<typeof startClockedSandbox>>;

/** Starts a sandbox before all tests in a file, resets the sandbox between tests, and stops it at the end. */
export function useClockedSandbox(options: SandboxOptions = {}): () => ClockedSandbox {
	let sandbox: ClockedSandbox;
	beforeAll(async () => {
		sandbox = await startClockedSandbox(options);
	});
	beforeEach(() => {
		sandbox.reset();
		sandbox.clock.now = START;
	});
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

/** Group events, each with its trigger's parameters. */
export const EVENTS: Array<[string, INodeParameters]> = [
	['groupCreated', { event: 'groupCreated' }],
	['groupUpdated', { event: 'groupUpdated' }],
	['groupJoined', { event: 'groupJoined', onBehalfOf: 'leo' }],
];

/** Creates groups and adds Leo as a member, which causes every group event. */
export function happen({ store }: ClockedSandbox, ...guids: string[]): void {
	for (const guid of guids) {
		store.createGroup({ guid, owner: 'mira' });
		store.joinGroup(guid, 'leo');
	}
}

export const guidsOf = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `g${String(index).padStart(4, '0')}`);

const NODE = 'CometChat Polling Trigger';

export function triggerNode(parameters: INodeParameters): INode {
	return {
		id: 'trigger',
		name: NODE,
		type: 'n8n-nodes-cometchat.cometChatPollingTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
	};
}

export function activate(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	options: Partial<ActivationOptions> = {},
): ActiveTrigger {
	return activateTrigger(triggerNode(parameters), {
		credentials: credentialsOf(sandbox),
		...options,
	});
}

/** Activates a trigger and runs its first poll. */
export async function started(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	options: Partial<ActivationOptions> = {},
): Promise<ActiveTrigger> {
	const trigger = activate(sandbox, parameters, options);
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

/** Runs a poll and returns the GUIDs in order, or undefined if the poll doesn't start the workflow. */
export async function guidsOfPoll(
	trigger: ActiveTrigger,
	mode?: Parameters<ActiveTrigger['poll']>[0],
): Promise<unknown[] | undefined> {
	const items = await trigger.poll(mode);
	return items?.map(({ json }) => json.guid);
}

/** Runs a poll that is expected to fail, and returns the error. */
export async function errorOfPoll(trigger: ActiveTrigger): Promise<Error> {
	const [{ status, reason }] = (await Promise.allSettled([
		trigger.poll(),
	])) as PromiseRejectedResult[];
	expect(status).toBe('rejected');
	return reason as Error;
}
