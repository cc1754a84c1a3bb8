import type { INodeParameters } from 'n8n-workflow';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { request } from 'undici';

import type { Clock } from '../../nodes/CometChat/helpers/clock';
import { packageRoot } from '../../tools/n8nEngine/n8n';
import {
	startInstance,
	type Instance,
	type InstanceOptions,
} from '../../tools/n8nEngine/activation';
import type { TriggerWorkflow } from '../../tools/n8nEngine/triggerProcess';
import type { Bot } from '../../tools/sandbox/store/bots';
import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { credentialsOf } from '../actionNode/harness';

let sandbox: Sandbox;
const instances: Instance[] = [];

/** Number of the current test, so that no test repeats the messages of another test's workflow. */
let testNumber = 0;

/** Starts a sandbox for a file's tests, and stops n8n's processes after each test. */
export function useBotSandbox(): () => Sandbox {
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterEach(async () => {
		testNumber++;
		await Promise.all(instances.splice(0).map(async (instance) => await instance.close()));
		sandbox.reset();
	});
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

const load = createRequire(join(packageRoot, 'package.json'));

/** The clock that the built package uses. */
const { realClock }: { realClock: Clock } = load('./dist/nodes/CometChat/helpers/clock.js');

/** Duration in milliseconds from which a pause waits for `passTime`. */
const LONG_PAUSE_MS = 5_000;

/**
 * Shortens the node's pauses in a file's tests. A pause of five seconds or more lasts until the test calls
 * `passTime`.
 */
export function useFastClock() {
	const ends: Array<() => void> = [];
	beforeEach(() => {
		jest.spyOn(realClock, 'sleep').mockImplementation(async (ms) => {
			await new Promise<void>((resolve) => {
				if (ms < LONG_PAUSE_MS) setImmediate(resolve);
				else ends.push(resolve);
			});
		});
	});
	afterEach(() => {
		ends.length = 0;
		jest.restoreAllMocks();
	});
	return {
		/** Sets the time by which the node measures durations until the end of the test. */
		setTime: (ms: number) => void jest.spyOn(realClock, 'now').mockReturnValue(ms),
		/** Number of pauses that last until `passTime` */
		countPauses: () => ends.length,
		/** Ends the long pauses that have begun. */
		passTime: (): void => {
			for (const end of ends.splice(0)) end();
		},
	};
}

/** Shortens the time limits of sessions until the end of a test that uses `useFastClock`. */
export function shortenTimeLimits(divisor = 20) {
	const { timeout } = AbortSignal;
	return jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => timeout.call(AbortSignal, ms / divisor));
}

/** Starts n8n, connected to the sandbox. */
export async function startN8n(options: Partial<InstanceOptions> = {}): Promise<Instance> {
	const credentials = () => credentialsOf(sandbox);
	const instance = await startInstance({ credentials, ...options });
	instances.push(instance);
	return instance;
}

/** Creates a workflow with a bot trigger for the user reminder-bot. */
export function botWorkflow(parameters: INodeParameters = {}, id = 'w1'): TriggerWorkflow {
	return {
		id: `${id}-${testNumber}`,
		node: {
			id: `node-${id}`,
			webhookId: `hook-${id}`,
			name: 'CometChat Bot Trigger',
			type: 'n8n-nodes-cometchat.cometChatBotTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: { botId: 'reminder-bot', ...parameters },
			credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
		},
	};
}

export const TAKE_OVER = { options: { takeOver: true } };

/** Returns a copy of the bot in CometChat, or undefined if there is none. */
export function readBot(uid = 'reminder-bot'): Bot | undefined {
	const bot = sandbox.store.bots.get(uid);
	return bot && { ...bot };
}

/** Settings of a bot that belongs to somebody else. */
export const makeOwner = () => ({
	uid: 'reminder-bot',
	webhookURL: 'https://bots.example.com/hook',
	groupChatSetting: 'slashedMessages' as const,
	useBasicAuth: true,
	username: 'owner',
	password: 'owners-secret',
	enabled: true,
});

/** Makes reminder-bot a bot that belongs to somebody else. */
export const makeForeignBot = (fields: Partial<Bot> = {}): Bot => ({
	...sandbox.store.bots.create({ ...makeOwner(), ...fields }),
});

/** Sends a private message to the bot, and waits until the sandbox has relayed the message. */
export async function writeToBot(text = 'Hi', sender = 'mira'): Promise<void> {
	sandbox.store.sendMessage({ sender, receiver: 'reminder-bot', receiverType: 'user', text });
	await sandbox.webhooks.idle();
}

export const loginHeader = ({ username = '', password = '' }: Partial<Bot>) =>
	`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Posts a body to the bot's webhook. */
export async function post(url: string, body: object, authorization = ''): Promise<number> {
	const response = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization },
		body: JSON.stringify(body),
	});
	await response.body.text();
	return response.statusCode;
}

/** Creates the body of a relayed message. */
export function relay(message: object = {}, envelope: object = {}): object {
	return {
		trigger: 'after_message',
		data: {
			...{ id: '901', conversationId: 'mira_user_reminder-bot', category: 'message', type: 'text' },
			...{ sender: 'mira', receiver: 'reminder-bot', receiverType: 'user', sentAt: 1_770_000_000 },
			data: { text: 'Hi', entities: { sender: { entity: { uid: 'mira', name: 'Mira Halden' } } } },
			...message,
		},
		...{ appId: sandbox.appId, region: 'us', bot: 'reminder-bot' },
		...envelope,
	};
}

export const itemsOf = ({ executions }: Instance) =>
	executions.flatMap(({ items }) => items.map(({ json }) => json));

export const textsOf = (instance: Instance) => itemsOf(instance).map(({ text }) => text);
