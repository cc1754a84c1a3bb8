import fc, { type GeneratorValue } from 'fast-check';
import type { INode } from 'n8n-workflow';

import {
	createDatabase,
	startPublisher,
	type Database,
	type Publisher,
	type Version,
} from '../../tools/n8nEngine/publication';
import type { TriggerWorkflow } from '../../tools/n8nEngine/triggerProcess';
import type { Bot } from '../../tools/sandbox/store/bots';
import type { Sandbox } from '../../tools/sandbox/server';
import { countCases } from '../countCases';
import { credentialsOf } from '../actionNode/harness';
import { triggerNode as pollingNode } from '../pollingTrigger/harness';
import { loginHeader, post, relay, useBotSandbox, useFastClock } from './harness';

/** Number of random steps of a history. */
const STEPS = 45;

const BOTS = ['reminder-bot', 'leo'];

/** A node of a workflow, with the bot that the node is set to. */
interface Setup {
	workflowId: string;
	nodeId: string;
	/** Name of the node */
	name: string;
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
	n8n?: Publisher;
	/** Stops the process, so that nothing that it still does reaches CometChat */
	kill?: () => void;
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
	/** True after a crash, a failure or a change by hand, until n8n sets up the bot again */
	isDoubtful: boolean;
}

const keyOf = ({ instanceId }: Machine, { workflowId, nodeId, botId }: Setup): string =>
	[instanceId, workflowId, nodeId, botId].join(' ');

const isSameN8n = (first: string, second: string): boolean =>
	first.split(' ')[0] === second.split(' ')[0];

const webhookIdOf = ({ workflowId, nodeId }: Setup) => `${workflowId}-${nodeId}`;

const pathOf = (setup: Setup, isTest = false) =>
	`/webhook${isTest ? '-test' : ''}/${webhookIdOf(setup)}/webhook`;

function toNode(setup: Setup): INode {
	const { nodeId, name, botId, takeOver } = setup;
	return {
		...{ id: nodeId, webhookId: webhookIdOf(setup), name, typeVersion: 1, position: [0, 0] },
		type: 'n8n-nodes-cometchat.cometChatBotTrigger',
		parameters: { botId, options: takeOver ? { takeOver } : {} },
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
	};
}

/** Second trigger of each workflow. n8n sets up a workflow's triggers together. */
const POLLING_TRIGGER = pollingNode({ event: 'messageSent', watch: 'groups', groupIds: 'lunch' });

const toStep = (setup: Setup): TriggerWorkflow => ({
	id: setup.workflowId,
	node: toNode(setup),
});

/** A version's ID contains its setup. */
const toVersion = (setup: Setup): Version => ({
	id: JSON.stringify(setup),
	nodes: [toNode(setup), POLLING_TRIGGER],
});

const toSetup = (version: Version): Setup => JSON.parse(version.id);

const listPublished = ({ database }: Machine): Setup[] =>
	[...database.workflows.values()].flatMap(({ active }) => (active ? [toSetup(active)] : []));

type Outcome = 'done' | 'failed' | 'killed';

/** A change that n8n may make to the bot of a setup. */
interface Change {
	setup: Setup;
	kind: 'publish' | 'start' | 'unpublish' | 'step' | 'endStep';
}

const TOO_LONG = `https://n8n.example.com/${'x'.repeat(230)}`;

/** Plays a random history, and checks after each step what must hold. */
class History {
	private readonly machines: Machine[];
	private readonly knowledge = new Map<string, Knowledge>();
	private isKeyChanged = false;
	private wasKeyChanged = false;
	private moves = 0;
	/** True while CometChat refuses requests */
	private isDown = false;
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
			...{ name, instanceId, origin, database: createDatabase() },
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

	private async start(machine: Machine): Promise<Publisher> {
		const { origin, instanceId, database } = machine;
		const { sandbox } = this;
		let isKilled = false;
		machine.kill = () => {
			isKilled = true;
		};
		const credentials = () =>
			credentialsOf(sandbox, this.isKeyChanged ? { apiKey: sandbox.secondKey } : {});
		const onRequest = (): void => {
			if (this.requestsLeft === 0 && !isKilled) {
				isKilled = true;
				this.requestsLeft = undefined;
				// What the killed process still writes must not reach the next process
				machine.database = structuredClone(database);
				this.onKill();
			}
			if (isKilled) throw new Error('The process was killed');
			if (this.requestsLeft !== undefined) this.requestsLeft--;
		};
		machine.n8n = await startPublisher({ credentials, database, origin, instanceId, onRequest });
		machine.step = undefined;
		return machine.n8n;
	}

	private async getN8n(machine: Machine): Promise<Publisher> {
		return machine.n8n ?? (await this.start(machine));
	}

	/** Runs a change, during which n8n may be killed. */
	private async attempt(run: () => Promise<void>): Promise<Outcome> {
		let isKilled = false;
		this.onKill = () => {
			isKilled = true;
		};
		const outcome = await run().then(
			() => 'done' as const,
			() => 'failed' as const,
		);
		this.requestsLeft = undefined;
		return isKilled ? 'killed' : outcome;
	}

	/** Stops n8n, and starts it again with the same data. */
	private async restart(machine: Machine): Promise<void> {
		machine.kill?.();
		await machine.n8n?.close();
		if (machine.step) {
			const known = this.know(machine.step.botId);
			known.isDoubtful = true;
			// The step had turned the bot on
			if (this.readBot(machine.step.botId)?.enabled) known.isOffByHand = false;
		}
		await this.start(machine);
		await this.reconcile(machine, 'startup');
	}

	/** Lets n8n set up what is missing in its memory, and take up what it was publishing when it was killed. */
	private async reconcile(machine: Machine, occasion: 'startup' | 'takeover'): Promise<void> {
		const n8n = await this.getN8n(machine);
		const changes = [...machine.database.workflows.values()].flatMap((stored): Change[] => {
			const { active, published, outcome, reason, statuses } = stored;
			if (outcome !== 'inProgress') {
				const isStarted = [...statuses.values()].some(({ status }) => status === 'activated');
				return active && isStarted ? [{ setup: toSetup(active), kind: 'start' }] : [];
			}
			const kind = reason === 'publish' ? 'publish' : 'start';
			const isReplaced = published && published.id !== active?.id;
			return [
				...(isReplaced ? [{ setup: toSetup(published), kind: 'unpublish' } as const] : []),
				...(active ? [{ setup: toSetup(active), kind } as const] : []),
			];
		});
		const outcome = await this.change(machine, changes, async () => await n8n.reconcile(occasion));
		if (outcome === 'killed') await this.restart(machine);
	}

	/** Makes changes, and checks that only the bots that the changes may touch have changed. */
	private async change(
		machine: Machine,
		changes: Change[],
		run: () => Promise<void>,
	): Promise<Outcome> {
		const before = new Map(BOTS.map((uid) => [uid, this.readBot(uid)]));
		const outcome = await this.attempt(run);
		for (const [uid, earlier] of before) {
			const now = this.readBot(uid);
			if (earlier && !now) throw new Error(`The bot ${uid} was deleted`);
			const isChanged =
				JSON.stringify({ ...now, updatedAt: 0 }) !== JSON.stringify({ ...earlier, updatedAt: 0 });
			if (!isChanged || !earlier) continue;
			const { owner = 'somebody' } = this.know(uid);
			const mayChange = changes.some(({ setup, kind }) => {
				const key = keyOf(machine, setup);
				const isUnused = !earlier.enabled && !earlier.useBasicAuth && isSameN8n(owner, key);
				const isTakeOver = kind === 'publish' && setup.takeOver;
				return setup.botId === uid && (owner === key || isUnused || isTakeOver);
			});
			if (!mayChange) throw new Error(`The bot ${uid} of ${owner} was changed`);
		}
		for (const change of changes) {
			const { setup, kind } = change;
			const ownOutcome =
				outcome === 'killed' ? outcome : this.findOutcome(machine, change, outcome);
			const name = `${kind} ${ownOutcome}`;
			this.steps.push(`(${name} ${keyOf(machine, setup)})`);
			this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
			this.learn(machine, change, ownOutcome, before.get(setup.botId));
		}
		return outcome;
	}

	/** Finds out how one of several changes ended, e.g. that the earlier version of a failed publication was stopped. */
	private findOutcome(
		{ database }: Machine,
		{ setup, kind }: Change,
		outcome: 'done' | 'failed',
	): Outcome {
		if (kind === 'unpublish') return 'done';
		if (kind !== 'publish') return outcome;
		const { statuses } = database.workflows.get(setup.workflowId) ?? {};
		return statuses?.get(setup.nodeId)?.status === 'activated' ? 'done' : 'failed';
	}

	/** Remembers what must hold after a change. */
	private learn(
		machine: Machine,
		{ setup, kind }: Change,
		outcome: Outcome,
		before: Bot | undefined,
	): void {
		const known = this.know(setup.botId);
		const key = keyOf(machine, setup);
		const bot = this.readBot(setup.botId);
		const isTouched = JSON.stringify(bot) !== JSON.stringify(before);
		if (!isTouched && outcome === 'failed') return;
		const isSettingUp = ['publish', 'start', 'step'].includes(kind);
		const isHere = bot?.webhookURL === `${machine.origin}${pathOf(setup, kind === 'step')}`;
		// Several workflows can set up the same bot at once
		if (isSettingUp && isHere && bot.username !== before?.username) known.owner = key;
		if (outcome !== 'done') {
			known.isDoubtful = true;
			known.hearer = undefined;
			if (isTouched && kind === 'step') known.isOffByHand = false;
			return;
		}
		const wasAtThisMachine = before?.webhookURL.startsWith(`${machine.origin}/`);
		// Another n8n's step may have ended before this step gives the bot back to its Test URL
		const isFromOtherStep =
			before?.enabled && /\/webhook-test\//.test(before.webhookURL) && !wasAtThisMachine;
		if (kind === 'step' && isFromOtherStep) known.isDoubtful = true;
		// A start at an address that CometChat can't call changes nothing
		if (known.owner !== key || (kind === 'start' && machine.origin === TOO_LONG)) return;
		const isInStep = this.machines.some(({ step }) => step?.botId === setup.botId);
		// During a step, CometChat doesn't show that somebody had turned the bot off
		if (kind === 'publish' || (kind === 'start' && isInStep)) known.isOffByHand = false;
		// A short outage can end before n8n sets up the bot
		if (kind === 'publish' || (kind === 'start' && (isHere || !this.isDown))) {
			known.hearer = { machine, setup };
			known.isDoubtful = false;
		} else if (kind === 'start') {
			// The bot led to another place before n8n started
			known.isDoubtful = true;
		}
		if (kind !== 'unpublish') return;
		// A step of another n8n has the bot, and gives the bot back to this one
		if (known.hearer?.machine === machine && !wasAtThisMachine) known.isDoubtful = true;
		if (known.hearer?.machine === machine || wasAtThisMachine) known.hearer = undefined;
	}

	/** Lets the pauses pass after which n8n tries again to give bots back, and waits until n8n sends nothing more. */
	private async passTime(): Promise<void> {
		for (let count = 0; count < 10 && clock.countPauses() > 0; count++) {
			clock.passTime();
			let length = -1;
			for (let quiet = 0; quiet < 5; quiet++) {
				await new Promise((resolve) => setTimeout(resolve, 5));
				if (this.sandbox.log.length !== length) quiet = 0;
				({ length } = this.sandbox.log);
			}
		}
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
				if (!hearer.machine.n8n?.listPaths().includes(pathOf(hearer.setup))) {
					throw new Error(`Nobody listens at ${expected}`);
				}
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
			const earlier = this.pick([...listPublished(machine), undefined]);
			const setup: Setup = {
				workflowId: this.pick(['w1', 'w2']),
				nodeId: this.pick(['n1', 'n1', 'n2']),
				name: this.pick(['Trigger', 'Renamed']),
				botId: this.pick(BOTS),
				takeOver: this.random(3) === 0,
			};
			// Somebody has changed only other nodes
			const isUnchanged = this.random(3) === 0;
			await this.publish(machine, n8n, (isUnchanged && earlier) || setup);
		},
		unpublish: async (machine) => {
			const setup = this.pick([...listPublished(machine), undefined]);
			if (!setup) return;
			const n8n = await this.getN8n(machine);
			const { published } = machine.database.workflows.get(setup.workflowId) ?? {};
			const changes: Change[] = published ? [{ setup: toSetup(published), kind: 'unpublish' }] : [];
			const outcome = await this.change(machine, changes, async () => {
				await n8n.unpublish(setup.workflowId);
			});
			if (outcome === 'killed') await this.restart(machine);
		},
		step: async (machine) => {
			const n8n = await this.getN8n(machine);
			const published = this.pick([...listPublished(machine), undefined]);
			// A reloaded page can start the same step once more
			const setup: Setup = machine.step ?? {
				...{ workflowId: this.pick(['w1', 'w3']), nodeId: 'n1', botId: this.pick(BOTS) },
				name: 'Trigger',
				...(this.random(2) === 0 ? published : {}),
				takeOver: this.random(3) === 0,
			};
			const outcome = await this.change(machine, [{ setup, kind: 'step' }], async () => {
				await n8n.startTest(toStep(setup));
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
			const outcome = await this.change(machine, [{ setup: step, kind: 'endStep' }], async () => {
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
			if (outcome === 'failed') {
				// After a change of the API key, the step has to read the bot's password
				if (this.isDown && this.wasKeyChanged) return;
				throw new Error('The step did not hear the message');
			}
			machine.step = undefined;
		},
		cancel: async (machine) => {
			const { step, n8n } = machine;
			if (!step || !n8n) return;
			const outcome = await this.change(machine, [{ setup: step, kind: 'endStep' }], async () => {
				await n8n.stopTest(toStep(step));
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
			copy.database = structuredClone(main.database);
			await this.restart(copy);
		},
		move: async (machine) => {
			if (machine.origin === TOO_LONG) return;
			machine.origin = `http://127.0.1.${++this.moves}:1`;
			await this.restart(machine);
		},
		changeKey: async () => {
			this.isKeyChanged = !this.isKeyChanged;
			this.wasKeyChanged = true;
			await Promise.resolve();
		},
		turnOff: async () => await this.changeByHand({ enabled: false }),
		redirect: async () =>
			await this.changeByHand({
				...{ webhookURL: 'https://bots.example.com/', username: 'owner', password: 'secret' },
				...{ enabled: true, useBasicAuth: true },
			}),
		lead: async (machine) => {
			(await this.getN8n(machine)).loseLeadership();
			await this.reconcile(machine, 'takeover');
		},
		down: async (machine) => {
			const isShort = this.random(2) === 0;
			const effect = { status: { status: 403 } };
			this.sandbox.setFaults([isShort ? { match: { nth: [1] }, effect } : { effect }]);
			this.isDown = true;
			const { publish, unpublish, message, cancel, lead } = this.actions;
			const isPublication = this.random(2) === 0;
			const restart = this.restart.bind(this);
			const actions = isPublication ? [publish, unpublish] : [message, cancel, lead, restart];
			await this.run(this.pick(actions), machine);
			this.sandbox.setFaults([]);
			this.isDown = false;
			await this.passTime();
			// CometChat was down while somebody wanted to change the bots
			if (!isPublication) return;
			for (const uid of BOTS) this.know(uid).isDoubtful ||= this.readBot(uid)?.enabled === true;
		},
		poll: async (machine) => {
			const { n8n, database } = machine;
			for (const id of n8n ? database.workflows.keys() : []) {
				const errors = (await n8n?.poll(id)) ?? [];
				if (errors.length > 0) throw new Error(errors.join());
			}
		},
		kill: async (machine) => {
			this.requestsLeft = this.random(4);
			const { publish, unpublish, step, message, cancel, lead } = this.actions;
			const restart = this.restart.bind(this);
			await this.run(
				this.pick([publish, unpublish, step, message, cancel, lead, restart]),
				machine,
			);
			this.requestsLeft = undefined;
		},
	};

	/** Runs an action that another action has chosen. */
	private async run(
		action: ((machine: Machine) => Promise<unknown>) | undefined,
		machine: Machine,
	): Promise<void> {
		this.steps.push(`= ${action?.name}`);
		await action?.(machine);
	}

	private async publish(machine: Machine, n8n: Publisher, setup: Setup): Promise<void> {
		const version = toVersion(setup);
		const { published = null } = machine.database.workflows.get(setup.workflowId) ?? {};
		const isSame = published?.id === version.id;
		const changes: Change[] = [];
		if (published && !isSame) changes.push({ setup: toSetup(published), kind: 'unpublish' });
		// n8n calls no hook for an unchanged trigger that it listens for
		const isKept = isSame && n8n.listPaths().includes(pathOf(setup));
		if (!isKept) changes.push({ setup, kind: 'publish' });
		const outcome = await this.change(machine, changes, async () => {
			await n8n.publish(setup.workflowId, version);
		});
		if (outcome === 'killed') await this.restart(machine);
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
			for (const { kill } of this.machines) kill?.();
			await Promise.all(this.machines.map(async ({ n8n }) => await n8n?.close()));
		}
	}
}

const COUNT = countCases({ eachChange: 20, nightly: 1_000 });
const MAX_HISTORIES_PER_TEST = 10;

const sandbox = useBotSandbox();
const clock = useFastClock();
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
	const expected = [...ends, 'publish failed', 'step failed'];
	expect(expected.filter((name) => !counts.has(name))).toEqual([]);
});
