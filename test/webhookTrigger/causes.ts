import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { CASES } from '../actionNode/cases';
import { run } from '../actionNode/harness';

/** An operation to run on the sandbox. */
interface Cause {
	/** Resource and operation, e.g. 'group update' */
	key: string;
	/** Changes the sandbox's data first, and returns parameters that replace those of the operation's example. */
	prepare?: (sandbox: Sandbox) => INodeParameters;
	/** An event that follows some time after the response */
	last?: string;
}

/** Sends a message that a moderation rule blocks, and returns the message's ID. */
function sendBlockedMessage({ store }: Sandbox): string {
	store.moderation.rules = [{ id: 'r', name: 'R', words: ['good'], action: 'blockMessage' }];
	return store.sendMessage({ sender: 'leo', receiver: 'all-hands', text: 'good' }).id;
}

function setUnreachableEngine(sandbox: Sandbox): INodeParameters {
	sandbox.setModerationEngine({ url: 'http://127.0.0.1:1/' });
	return {};
}

/** Every operation, and some operations again in cases that cause further events. */
const CAUSES: Cause[] = [
	...Object.keys(CASES).map((key) => ({ key })),
	{ key: 'group update', prepare: () => ({ updateFields: { owner: 'leo' } }) },
	{ key: 'message send', prepare: () => ({ text: 'See <@uid:leo>' }) },
	{ key: 'message send', prepare: setUnreachableEngine, last: 'message_sent' },
	{
		key: 'message send',
		prepare: (sandbox) => {
			sendBlockedMessage(sandbox);
			return { text: 'good' };
		},
	},
	{
		key: 'moderation review',
		prepare: (sandbox) => ({
			queue: 'blocked',
			messageId: sendBlockedMessage(sandbox),
			decision: 'approve',
		}),
	},
];

/** True for operations that change a group's members or bans. */
const isOnMembers = (key: string) => /\/(members|bannedusers)/.test(CASES[key].wire);

/** Names of the events that the node's operations cause. */
export interface CausedEvents {
	/** Events of operations that don't change members */
	ofOthers: Set<string>;
	/** Events of operations that change members */
	ofMembers: Set<string>;
	/** Events if the same operations change the same members again */
	ofMembersAgain: Set<string>;
}

/** Runs the node's operations on a sandbox, and returns the events that the sandbox reports. */
export async function readCausedEvents(): Promise<CausedEvents> {
	const caused = {
		ofOthers: new Set<string>(),
		ofMembers: new Set<string>(),
		ofMembersAgain: new Set<string>(),
	};
	const sandbox = await startSandbox();
	let events = new Set<string>();
	sandbox.store.onEvent(({ trigger }) => events.add(trigger));
	for (const { key, prepare, last } of CAUSES) {
		events = new Set();
		sandbox.reset();
		const changes = prepare?.(sandbox);
		const [resource = '', operation = ''] = key.split(' ');
		const parameters = { resource, operation, ...CASES[key].parameters, ...changes };
		const performInto = async (target: Set<string>) => {
			events = target;
			await run(sandbox, parameters);
			while (last !== undefined && !events.has(last)) await wait(2);
		};
		await performInto(isOnMembers(key) ? caused.ofMembers : caused.ofOthers);
		if (isOnMembers(key)) await performInto(caused.ofMembersAgain);
	}
	await sandbox.close();
	return caused;
}
