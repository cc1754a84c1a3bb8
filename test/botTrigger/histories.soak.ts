import fc, { type GeneratorValue } from 'fast-check';
import type { INode } from 'n8n-workflow';

import {
	startInstance,
	type Database,
	type Instance,
	type TriggerWorkflow,
} from '../../tools/n8nEngine/publication';
import type { Bot } from '../../tools/sandbox/store/bots';
import type { Sandbox } from '../../tools/sandbox/server';
import { countCases } from '../countCases';
import { credentialsOf } from '../actionNode/harness';
import { loginHeader, post, relay, useBotSandbox } from './harness';

/** Number of random steps of a history. */
const STEPS = 45;

const BOTS = ['reminder-bot', 'leo'];

/** A node of a workflow, with the bot that the node is set to. */
interface Setup {
	workflowId: string;
	nodeId: string;
	botId: string;
	takeOver: boolean;
}

/** An n8n with its data, which survive restarts. */
interface Machine {
	name: string;
	/** A copy of n8n's data has the same ID */
	instanceId: string;
	origin: string;
	database: Database;
	/** What n8n has published, by workflow ID */
	published: Map<string, Setup>;
	/** Published workflows that n8n could not start, by workflow ID */
	failed: Set<string>;
	n8n?: Instance;
	/** The step that n8n listens for */
	step?: Setup;
}

/** What a history did to a bot last, as an observer outside the node knows. */
interface Knowledge {
	/** Node whose workflow the bot belongs to, as a key */
	owner?: string;
	/** Node that must hear the bot, and where. Undefined if nobody must. */
	hearer?: { machine: Machine; setup: Setup };
	/** True if somebody turned the bot off in the dashboard, and nobody has published since */
	isOffByHand: boolean;
	/** True after a crash, a failure or a change by hand, until the owner publishes again */
	isDoubtful: boolean;
}

const keyOf = ({ instanceId }: Machine, { workflowId, nodeId, botId }: Setup): string =>
	[instanceId, workflowId, nodeId, botId].join(' ');

const isSameN8n = (first: string, second: string): boolean =>
	first.split(' ')[0] === second.split(' ')[0];

const webhookIdOf = ({ workflowId, nodeId }: Setup) => `${workflowId}-${nodeId}`;

const pathOf = (setup: Setup, isTest = false) =>
	`/webhook${isTest ? '-test' : ''}/${webhookIdOf(setup)}/webhook`;

function toWorkflow(setup: Setup, name: string): TriggerWorkflow {
	const { workflowId, nodeId, botId, takeOver } = setup;
	const node: INode = {
		...{ id: nodeId, webhookId: webhookIdOf(setup), name, typeVersion: 1, position: [0, 0] },
		type: 'n8n-nodes-cometchat.cometChatBotTrigger',
		parameters: { botId, options: takeOver ? { takeOver } : {} },
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
	};
	return { id: workflowId, node };
}

const TOO_LONG = `https://n8n.example.com/${'x'.repeat(230)}`;

/** Plays a random history, and checks after each step what must hold. */
class History {
	private readonly machines: Machine[];
	private readonly knowledge = new Map<string, Knowledge>();
	private isKeyChanged = false;
	private moves = 0;
	/** Number of requests until a killed n8n stops, or undefined */
	private requestsLeft: number | undefined;
	private onKill = () => {};
	/** The history so far, for the message of a failure */
	readonly steps: string[] = [];
	/** Counts what histories did, to show that they reach all states */
	readonly counts = new Map<string, number>();

	constructor(
		private readonly sandbox: Sandbox,
		private readonly draw: GeneratorValue,
	) {
		const create = (name: string, instanceId: string, origin: string): Machine => ({
			...{ name, instanceId, origin, database: { staticData: new Map() } },
			...{ published: new Map(), failed: new Set() },
		});
		this.machines = [
			create('main', 'one', 'http://127.0.0.2:1'),
			create('other', 'two', 'http://127.0.0.3:1'),
			create('copy', 'one', 'http://127.0.0.4:1'),
			create('laptop', 'one', TOO_LONG),
		];
	}

	/** A random number from 0 to `count` - 1 */
	private random = (count: number): number => this.draw(fc.nat, { max: count - 1 });

	private pick = <T>(values: readonly T[]): T => values[this.random(values.length)];

	private know(botId: string): Knowledge {
		const known = this.knowledge.get(botId) ?? { isOffByHand: false, isDoubtful: false };
		this.knowledge.set(botId, known);
		return known;
	}

	private readBot = (uid: string): Bot | undefined => {
		const bot = this.sandbox.store.bots.get(uid);
		return bot && { ...bot };
	};

	private async start(machine: Machine): Promise<Instance> {
		const { database, origin, instanceId } = machine;
		const { sandbox } = this;
		let isKilled = false;
		const credentials = () =>
			credentialsOf(sandbox, this.isKeyChanged ? { apiKey: sandbox.secondKey } : {});
		const onRequest = async (): Promise<void> => {
			if (isKilled || this.requestsLeft === 0) {
				isKilled = true;
				this.onKill();
				await new Promise(() => {});
			}
			if (this.requestsLeft !== undefined) this.requestsLeft--;
		};
		machine.n8n = await startInstance({ credentials, database, origin, instanceId, onRequest });
		machine.step = undefined;
		return machine.n8n;
	}

	private async getN8n(machine: Machine): Promise<Instance> {
		return machine.n8n ?? (await this.start(machine));
	}

	/**
	 * Runs a change, possibly until n8n is killed in its middle.
	 *
	 * @returns how the change ended
	 */
	private async attempt(change: Promise<void>): Promise<'done' | 'failed' | 'killed'> {
		const killed = new Promise<'killed'>((resolve) => {
			this.onKill = () => resolve('killed');
		});
		const ended = change.then(
			() => 'done' as const,
			() => 'failed' as const,
		);
		const outcome = await Promise.race([ended, killed]);
		this.requestsLeft = undefined;
		return outcome;
	}

	/** Publishes again what was published, as n8n does when it starts. */
	private async restart(machine: Machine): Promise<void> {
		await machine.n8n?.close();
		// The step had turned the bot on
		if (machine.step) {
			Object.assign(this.know(machine.step.botId), { isDoubtful: true, isOffByHand: false });
		}
		await this.start(machine);
		for (const id of machine.published.keys()) machine.failed.add(id);
		await this.retryStarts(machine);
	}

	/** Starts the published workflows that n8n could not start before. */
	private async retryStarts(machine: Machine): Promise<void> {
		for (const id of [...machine.failed]) {
			const setup = machine.published.get(id);
			const n8n = await this.getN8n(machine);
			if (setup === undefined) {
				machine.failed.delete(id);
				continue;
			}
			const outcome = await this.change(machine, setup, 'start', async () => {
				await n8n.publish(toWorkflow(setup, setup.nodeId), 'init');
			});
			if (outcome === 'killed') {
				await this.restart(machine);
				return;
			}
			if (outcome === 'done') machine.failed.delete(id);
		}
	}

	/** Makes a change, and checks that only the bot that the change may touch has changed. */
	private async change(
		machine: Machine,
		setup: Setup,
		kind: 'publish' | 'start' | 'unpublish' | 'step' | 'endStep',
		run: () => Promise<void>,
	): Promise<'done' | 'failed' | 'killed'> {
		const before = new Map(BOTS.map((uid) => [uid, this.readBot(uid)]));
		const known = this.know(setup.botId);
		const key = keyOf(machine, setup);
		const outcome = await this.attempt(run());
		this.counts.set(`${kind} ${outcome}`, (this.counts.get(`${kind} ${outcome}`) ?? 0) + 1);
		for (const [uid, earlier] of before) {
			const now = this.readBot(uid);
			if (earlier && !now) throw new Error(`The bot ${uid} was deleted`);
			const isChanged =
				JSON.stringify({ ...now, updatedAt: 0 }) !== JSON.stringify({ ...earlier, updatedAt: 0 });
			if (!isChanged || !earlier) continue;
			if (uid !== setup.botId) throw new Error(`The bot ${uid} of another node was changed`);
			const { owner = 'somebody' } = known;
			const isUnused = !earlier.enabled && !earlier.useBasicAuth && isSameN8n(owner, key);
			const isOwn = owner === key || isUnused;
			const isTakeOver = kind === 'publish' && setup.takeOver;
			if (!isOwn && !isTakeOver) throw new Error(`The bot ${uid} of ${owner} was changed`);
		}
		const changed = this.readBot(setup.botId);
		const isTouched = JSON.stringify(changed) !== JSON.stringify(before.get(setup.botId));
		if (isTouched || outcome !== 'failed') this.learn(machine, setup, kind, outcome, isTouched);
		return outcome;
	}

	/** Remembers what must hold after a change. */
	private learn(
		machine: Machine,
		setup: Setup,
		kind: 'publish' | 'start' | 'unpublish' | 'step' | 'endStep',
		outcome: 'done' | 'failed' | 'killed',
		isTouched: boolean,
	): void {
		const known = this.know(setup.botId);
		const key = keyOf(machine, setup);
		const isSettingUp = ['publish', 'start', 'step'].includes(kind);
		if (isSettingUp && isTouched) known.owner = key;
		if (outcome !== 'done') {
			known.isDoubtful = true;
			known.hearer = undefined;
			if (isTouched && kind === 'step') known.isOffByHand = false;
			return;
		}
		if (known.owner !== key) return;
		const isInStep = this.machines.some(({ step }) => step?.botId === setup.botId);
		// During a step, CometChat doesn't show that somebody had turned the bot off
		if (kind === 'publish' || (kind === 'start' && isInStep)) known.isOffByHand = false;
		if (kind === 'publish' || kind === 'start') {
			known.hearer = { machine, setup };
			known.isDoubtful = false;
		}
		const isAtThisMachine = this.readBot(setup.botId)?.webhookURL.startsWith(`${machine.origin}/`);
		if (kind === 'unpublish' && isAtThisMachine) known.hearer = undefined;
	}

	/** Checks what must hold of each bot between the steps. */
	private check(): void {
		for (const uid of BOTS) {
			const bot = this.readBot(uid);
			const { hearer, isOffByHand, isDoubtful } = this.know(uid);
			const isInStep = this.machines.some(({ step }) => step?.botId === uid);
			if (hearer && !isInStep && !isDoubtful) {
				const expected = `${hearer.machine.origin}${pathOf(hearer.setup)}`;
				if (bot?.webhookURL !== expected) {
					throw new Error(`The bot ${uid} leads to ${bot?.webhookURL}, not to ${expected}`);
				}
				if (!isOffByHand && !bot.enabled) throw new Error(`The bot ${uid} is off`);
				if (isOffByHand && bot.enabled) throw new Error(`The bot ${uid} is on again`);
				if (!isOffByHand && !bot.useBasicAuth) throw new Error(`The bot ${uid} has no login`);
			}
			for (const { origin, n8n } of this.machines) {
				if (!bot?.enabled || !n8n || isDoubtful || !bot.webhookURL.startsWith(`${origin}/`))
					continue;
				const path = bot.webhookURL.slice(origin.length);
				if (!n8n.listPaths().includes(path)) {
					throw new Error(`The bot ${uid} is on, and nobody listens at ${bot.webhookURL}`);
				}
			}
		}
	}

	private readonly actions: Record<string, (machine: Machine) => Promise<unknown>> = {
		publish: async (machine) => {
			const n8n = await this.getN8n(machine);
			const workflowId = this.pick(['w1', 'w2']);
			const earlier = machine.published.get(workflowId);
			const setup = {
				workflowId,
				nodeId: this.pick(['n1', 'n1', 'n2']),
				botId: this.pick(BOTS),
				takeOver: this.random(3) === 0,
			};
			// n8n unpublishes the earlier version first
			if (earlier && (await this.unpublish(machine, earlier)) === 'killed') {
				machine.published.set(workflowId, setup);
				await this.restart(machine);
				return;
			}
			machine.published.set(workflowId, setup);
			const outcome = await this.change(machine, setup, 'publish', async () => {
				await n8n.publish(toWorkflow(setup, this.pick(['Trigger', 'Renamed'])));
			});
			// n8n takes up what it was publishing
			if (outcome === 'killed') {
				await this.restart(machine);
				return;
			}
			if (outcome === 'failed') machine.published.delete(workflowId);
			machine.failed.delete(workflowId);
		},
		unpublish: async (machine) => {
			const setup = this.pick([...machine.published.values(), undefined]);
			if (!setup) return;
			machine.published.delete(setup.workflowId);
			machine.failed.delete(setup.workflowId);
			if ((await this.unpublish(machine, setup)) === 'killed') await this.restart(machine);
		},
		step: async (machine) => {
			const n8n = await this.getN8n(machine);
			const published = this.pick([...machine.published.values(), undefined]);
			// A reloaded page can start the same step once more
			const setup: Setup = machine.step ?? {
				...{ workflowId: this.pick(['w1', 'w3']), nodeId: 'n1', botId: this.pick(BOTS) },
				...(this.random(2) === 0 ? published : {}),
				takeOver: this.random(3) === 0,
			};
			const outcome = await this.change(machine, setup, 'step', async () => {
				await n8n.startTest(toWorkflow(setup, 'Trigger'));
			});
			if (outcome === 'killed') {
				await this.restart(machine);
				return;
			}
			machine.step = outcome === 'done' ? setup : undefined;
		},
		message: async (machine) => {
			const { step, n8n } = machine;
			const bot = step && this.readBot(step.botId);
			if (!step || !n8n || !bot || bot.webhookURL !== `${machine.origin}${pathOf(step, true)}`)
				return;
			const message = { receiver: step.botId, id: String(this.steps.length) };
			const outcome = await this.change(machine, step, 'endStep', async () => {
				const status = await post(
					`${n8n.url}${pathOf(step, true)}`,
					relay(message),
					loginHeader(bot),
				);
				if (status !== 200) throw new Error(`The step answered ${status}`);
				await n8n.idle();
			});
			if (outcome === 'killed') {
				await this.restart(machine);
				return;
			}
			if (outcome === 'failed') throw new Error('The step did not hear the message');
			machine.step = undefined;
		},
		cancel: async (machine) => {
			const { step, n8n } = machine;
			if (!step || !n8n) return;
			const outcome = await this.change(machine, step, 'endStep', async () => {
				await n8n.stopTest(toWorkflow(step, 'Trigger'));
			});
			if (outcome === 'killed') {
				await this.restart(machine);
				return;
			}
			machine.step = undefined;
		},
		restart: async (machine) => await this.restart(machine),
		backUp: async () => {
			const [main, , ...copies] = this.machines;
			const copy = this.pick(copies);
			if (!main || !copy) return;
			// The data that the copy replaces are lost, and with them what was published there
			for (const known of this.knowledge.values()) {
				if (known.hearer?.machine !== copy) continue;
				Object.assign(known, { hearer: undefined, isDoubtful: true });
			}
			copy.published = new Map(main.published);
			await this.restart(copy);
		},
		move: async (machine) => {
			if (machine.origin === TOO_LONG) return;
			machine.origin = `http://127.0.1.${++this.moves}:1`;
			await this.restart(machine);
		},
		changeKey: async () => {
			this.isKeyChanged = !this.isKeyChanged;
			await Promise.resolve();
		},
		turnOff: async () => await this.changeByHand({ enabled: false }),
		redirect: async () =>
			await this.changeByHand({
				...{ webhookURL: 'https://bots.example.com/', username: 'owner', password: 'secret' },
				...{ enabled: true, useBasicAuth: true },
			}),
		down: async (machine) => {
			const isShort = this.random(2) === 0;
			const effect = { status: { status: 403 } };
			this.sandbox.setFaults([isShort ? { match: { nth: [1] }, effect } : { effect }]);
			const { publish, unpublish } = this.actions;
			await this.pick([publish, unpublish, this.restart.bind(this)])?.(machine);
			this.sandbox.setFaults([]);
			// CometChat was down while n8n wanted to change the bots
			for (const uid of BOTS) this.know(uid).isDoubtful ||= this.readBot(uid)?.enabled === true;
			for (const each of this.machines) await this.retryStarts(each);
		},
		kill: async (machine) => {
			this.requestsLeft = this.random(4);
			const { publish, unpublish, step, message, cancel } = this.actions;
			const restart = this.restart.bind(this);
			await this.pick([publish, unpublish, step, message, cancel, restart])?.(machine);
			this.requestsLeft = undefined;
		},
	};

	private async unpublish(machine: Machine, setup: Setup) {
		const n8n = await this.getN8n(machine);
		return await this.change(machine, setup, 'unpublish', async () => {
			await n8n.unpublish(toWorkflow(setup, setup.nodeId));
		});
	}

	/** Changes a bot in CometChat's dashboard. */
	private async changeByHand(change: Partial<Bot>): Promise<void> {
		const uid = this.pick(BOTS);
		const { bots } = this.sandbox.store;
		const isOn = bots.get(uid)?.enabled;
		if (isOn === undefined) {
			await Promise.resolve();
			return;
		}
		if (this.machines.some(({ step }) => step?.botId === uid)) return;
		bots.update(uid, change);
		const known = this.know(uid);
		if (change.username) {
			Object.assign(known, { owner: undefined, hearer: undefined, isOffByHand: false });
		} else {
			known.isOffByHand ||= isOn;
		}
	}

	/** @throws Error with the history that led to the failure */
	async play(): Promise<void> {
		try {
			for (let count = 0; count < STEPS; count++) {
				const machine = this.pick(this.machines);
				const name = this.random(10) === 0 ? 'kill' : this.pick(Object.keys(this.actions));
				this.steps.push(`${name} ${machine.name}`);
				await this.actions[name]?.(machine);
				this.check();
			}
		} catch (error) {
			throw new Error(`${String(error)} after ${this.steps.join(', ')}`, { cause: error });
		} finally {
			await Promise.all(this.machines.map(async ({ n8n }) => await n8n?.close()));
		}
	}
}

const COUNT = countCases({ eachChange: 20, nightly: 1_000 });
const MAX_HISTORIES_PER_TEST = 10;

const sandbox = useBotSandbox();
/** How often each change ended in each way. */
const counts = new Map<string, number>();
const property = fc.asyncProperty(fc.noBias(fc.gen()), async (draw) => {
	sandbox().reset();
	const history = new History(sandbox(), draw);
	await history.play();
	for (const [name, number] of history.counts) {
		counts.set(name, (counts.get(name) ?? 0) + number);
	}
});
for (let first = 0; first < COUNT; first += MAX_HISTORIES_PER_TEST) {
	const numRuns = Math.min(MAX_HISTORIES_PER_TEST, COUNT - first);
	test(`in the random histories ${first} to ${first + numRuns - 1} of publishing, steps, kills and copies, bots lead where they should`, async () => {
		const seed = (fc.readConfigureGlobal().seed ?? 0) + first;
		await fc.assert(property, { seed, numRuns, endOnFailure: true });
	});
}
test('the random histories reach every way in which a change can end', () => {
	const kinds = ['publish', 'start', 'unpublish', 'step', 'endStep'];
	const ends = kinds.flatMap((kind) => [`${kind} done`, `${kind} killed`]);
	const expected = [...ends, 'publish failed', 'start failed', 'step failed'];
	expect(expected.filter((name) => !counts.has(name))).toEqual([]);
});
