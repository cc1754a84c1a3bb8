import type { INode, INodeParameters } from 'n8n-workflow';

import {
	activateTrigger,
	type ActivationOptions,
	type ActiveTrigger,
} from '../../tools/n8nEngine/poll';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../tools/sandbox/server';
import { credentialsOf } from '../engine/harness';

/** The service's time at the start of every test, in Unix seconds: ours. */
export const START = Math.floor(Date.now() / 1000);

/** A clock that stands still until it is moved. */
export interface Clock {
	/** Unix seconds */
	now: number;
	/** How far ours is ahead, in seconds */
	ahead: number;
}

export interface ClockedSandbox extends Sandbox {
	readonly clock: Clock;
	/** Takes every group away. */
	clear(): void;
}

/** A sandbox whose time is moved by hand. When it passes for the service, it passes for the trigger too. */
export async function startClockedSandbox(options: SandboxOptions = {}): Promise<ClockedSandbox> {
	const clock: Clock = { now: START, ahead: 0 };
	const sandbox = await startSandbox({ ...options, now: () => clock.now });
	const close = sandbox.close.bind(sandbox);
	const now = Date.now.bind(Date);
	const ours = jest
		.spyOn(Date, 'now')
		.mockImplementation(() => now() + (clock.now + clock.ahead - START) * 1_000);
	return Object.assign(sandbox, {
		clock,
		async close() {
			ours.mockRestore();
			await close();
		},
		clear() {
			for (const { guid } of sandbox.store.groups.all()) sandbox.store.deleteGroup(guid);
		},
	});
}

/** Starts a sandbox before the tests of a file, resets it between them, and stops it after them. */
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

/** The events, each with the parameters of a trigger for it. */
export const EVENTS: Array<[string, INodeParameters]> = [
	['groupCreated', { event: 'groupCreated' }],
	['groupUpdated', { event: 'groupUpdated' }],
	['groupJoined', { event: 'groupJoined', onBehalfOf: 'leo' }],
];

/** Lets something happen that each of the events is about. */
export function happen({ store }: ClockedSandbox, ...guids: string[]): void {
	for (const guid of guids) {
		store.createGroup({ guid, owner: 'mira' });
		store.joinGroup(guid, 'leo');
	}
}

/** Names for so many groups, in the order of their names. */
export const guidsOf = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `g${String(index).padStart(4, '0')}`);

const NODE = 'CometChat Polling Trigger';

/** The trigger with these parameters, in a workflow. */
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

/** Makes the trigger active, without a poll yet. */
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

/** An active trigger that has noted what is there. */
export async function started(
	sandbox: Pick<Sandbox, 'apiKey' | 'baseUrl'>,
	parameters: INodeParameters,
	options: Partial<ActivationOptions> = {},
): Promise<ActiveTrigger> {
	const trigger = activate(sandbox, parameters, options);
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

/** GUIDs that a poll gives, in order; undefined when it starts no workflow. */
export async function guidsOfPoll(
	trigger: ActiveTrigger,
	mode?: Parameters<ActiveTrigger['poll']>[0],
): Promise<unknown[] | undefined> {
	const items = await trigger.poll(mode);
	return items?.map(({ json }) => json.guid);
}

/** A poll that has to end with an error. */
export async function errorOfPoll(trigger: ActiveTrigger): Promise<Error> {
	try {
		await trigger.poll();
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('The poll ended without an error');
}
